package main

import (
	"errors"
	"strings"

	"utsending/internal/seal"
)

// secretFiles are settings that may be given as files instead, as container platforms provide secrets.
type secretFiles struct {
	DatabaseURL      secretFile `env:"DATABASE_URL_FILE"`
	OwnerURL         secretFile `env:"DATABASE_OWNER_URL_FILE"`
	OIDCClientSecret secretFile `env:"OIDC_CLIENT_SECRET_FILE"`
	MailPassword     secretFile `env:"MAIL_PASSWORD_FILE"`
	Webhook          secretFile `env:"ALARM_WEBHOOK_FILE"`
	SIEMToken        secretFile `env:"SIEM_TOKEN_FILE"`
	SIEMCA           secretFile `env:"SIEM_CA_FILE"`
	SIEMCertificate  secretFile `env:"SIEM_CERTIFICATE_FILE"`
	SIEMKey          secretFile `env:"SIEM_KEY_FILE"`
	S3AccessKey      secretFile `env:"S3_ACCESS_KEY_FILE"`
	S3SecretKey      secretFile `env:"S3_SECRET_KEY_FILE"`
}

// secretFile is the content of the file that the setting names.
type secretFile string

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *secretFile) UnmarshalText(name []byte) error {
	if len(name) == 0 {
		return nil
	}
	text, err := seal.ReadFile(string(name))
	*s = secretFile(text)
	return err
}

// into copies the files' contents to the settings.
func (f secretFiles) into(c *config) error {
	for _, s := range []struct {
		name  string
		file  secretFile
		value *string
	}{
		{"DATABASE_URL", f.DatabaseURL, &c.DatabaseURL},
		{"DATABASE_OWNER_URL", f.OwnerURL, &c.OwnerURL},
		{"OIDC_CLIENT_SECRET", f.OIDCClientSecret, &c.OIDC.ClientSecret},
		{"MAIL_PASSWORD", f.MailPassword, &c.Notices.Password},
		{"ALARM_WEBHOOK", f.Webhook, &c.Notices.Webhook},
		{"SIEM_TOKEN", f.SIEMToken, &c.SIEM.Token},
		{"SIEM_CA", f.SIEMCA, &c.SIEM.CA},
		{"SIEM_CERTIFICATE", f.SIEMCertificate, &c.SIEM.Certificate},
		{"SIEM_KEY", f.SIEMKey, &c.SIEM.Key},
		{"S3_ACCESS_KEY", f.S3AccessKey, &c.Storage.AccessKey},
		{"S3_SECRET_KEY", f.S3SecretKey, &c.Storage.SecretKey},
	} {
		content := strings.TrimSpace(string(s.file))
		if content == "" {
			continue
		}
		if *s.value != "" {
			return errors.New(s.name + " and " + s.name + "_FILE are both set: keep one")
		}
		if err := passes(s.name, content); err != nil {
			return err
		}
		*s.value = content
	}
	if c.DatabaseURL == "" {
		return errors.New("DATABASE_URL is not set, and neither is DATABASE_URL_FILE")
	}
	return nil
}
