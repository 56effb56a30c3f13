package main

import (
	"errors"
	"strings"
)

// secretFiles are settings that may be given as files instead, as container platforms hand secrets over.
type secretFiles struct {
	DatabaseURL      string `env:"DATABASE_URL_FILE,file"`
	OwnerURL         string `env:"DATABASE_OWNER_URL_FILE,file"`
	OIDCClientSecret string `env:"OIDC_CLIENT_SECRET_FILE,file"`
}

// into puts what the files hold in its place.
func (f secretFiles) into(c *config) error {
	for _, s := range []struct {
		name, file string
		value      *string
	}{
		{"DATABASE_URL", f.DatabaseURL, &c.DatabaseURL},
		{"DATABASE_OWNER_URL", f.OwnerURL, &c.OwnerURL},
		{"OIDC_CLIENT_SECRET", f.OIDCClientSecret, &c.OIDC.ClientSecret},
	} {
		content := strings.TrimSpace(s.file)
		if content == "" {
			continue
		}
		if *s.value != "" {
			return errors.New(s.name + " and " + s.name + "_FILE are both set: keep one")
		}
		*s.value = content
	}
	if c.DatabaseURL == "" {
		return errors.New("DATABASE_URL is not set, and neither is DATABASE_URL_FILE")
	}
	return nil
}
