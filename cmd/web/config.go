package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"utsending/internal/clamd"
	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/seal"
	"utsending/internal/session"
	"utsending/internal/store"
	"utsending/internal/views"
)

// config holds all settings, from the environment. docs/operations.md has the table.
type config struct {
	Addr           string   `env:"ADDR" envDefault:":8080"`
	MetricsAddr    string   `env:"METRICS_ADDR"`
	MaxConnections int      `env:"MAX_CONNECTIONS" envDefault:"10000"`
	PublicURL      string   `env:"PUBLIC_URL,required,notEmpty"`
	DatabaseURL    string   `env:"DATABASE_URL"`
	OwnerURL       string   `env:"DATABASE_OWNER_URL"`
	Connections    int      `env:"DATABASE_CONNECTIONS" envDefault:"20"`
	Migrate        bool     `env:"MIGRATE" envDefault:"false"`
	KeysetFile     string   `env:"KEYSET_FILE"`
	Keyset         string   `env:"KEYSET"`
	Services       services `env:"SERVICES"`
	Presets        presets  `env:"PRESETS"`
	Delivery       onOff    `env:"DELIVERY" envDefault:"on"`
	Municipality   string   `env:"MUNICIPALITY"`
	Language       string   `env:"DEFAULT_LANGUAGE" envDefault:"nb"`
	Scanner        scanner  `env:"VIRUS_SCANNER"`
	Contacts       contacts `envPrefix:"CONTACT_"`
	LogFormat      string   `env:"LOG_FORMAT" envDefault:"json"`
	Proxies        networks `env:"TRUSTED_PROXIES"`

	OIDC struct {
		Issuer               string            `env:"ISSUER,required,notEmpty"`
		ClientID             string            `env:"CLIENT_ID,required,notEmpty"`
		ClientSecret         string            `env:"CLIENT_SECRET"`
		Scopes               []string          `env:"SCOPES" envDefault:"profile"`
		RightsClaim          session.ClaimPath `env:"RIGHTS_CLAIM" envDefault:"groups"`
		Levels               []string          `env:"ACR_VALUES"`
		AuthorizationDetails string            `env:"AUTHORIZATION_DETAILS"`
		FreshFor             time.Duration     `env:"FRESH_LOGIN" envDefault:"10m"`
	} `envPrefix:"OIDC_"`

	Notices notices

	SIEM    logServer
	Storage fileStorage
	Files   secretFiles

	SessionIdle     time.Duration `env:"SESSION_IDLE" envDefault:"30m"`
	SessionLifetime time.Duration `env:"SESSION_LIFETIME" envDefault:"10h"`

	Lease          time.Duration   `env:"DELIVERY_LEASE" envDefault:"30s"`
	Poll           time.Duration   `env:"DELIVERY_POLL" envDefault:"1s"`
	Grace          time.Duration   `env:"DELIVERY_GRACE" envDefault:"20s"`
	StopDelay      time.Duration   `env:"STOP_DELAY"`
	RecoveryWindow time.Duration   `env:"RECOVERY_WINDOW" envDefault:"18m"`
	SubmitTimeout  time.Duration   `env:"SUBMIT_TIMEOUT" envDefault:"16m"`
	RefreshFirst   []time.Duration `env:"REFRESH_FIRST"`
	RefreshOnView  time.Duration   `env:"REFRESH_ON_VIEW" envDefault:"30s"`
}

// scanner is the configured virus scanner, if any.
type scanner struct{ *clamd.Scanner }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *scanner) UnmarshalText(text []byte) error {
	one, err := clamd.Parse(string(text))
	if err == nil {
		s.Scanner = &one
	}
	return err
}

// scan returns the scanning function; nil without a scanner.
func (s scanner) scan() func(context.Context, io.Reader) error {
	if s.Scanner == nil {
		return nil
	}
	return s.Scan
}

// contacts are the contacts and notices on public pages.
type contacts struct {
	Support       string `env:"SUPPORT"`
	Privacy       string `env:"PRIVACY"`
	PrivacyURL    string `env:"PRIVACY_URL"`
	Accessibility string `env:"ACCESSIBILITY_URL"`
}

func (c contacts) views() views.Contacts {
	return views.Contacts{Support: c.Support, Privacy: c.Privacy, PrivacyURL: c.PrivacyURL, AccessibilityURL: c.Accessibility}
}

// validate refuses invalid addresses.
func (c contacts) validate() error {
	for name, address := range map[string]string{"CONTACT_PRIVACY_URL": c.PrivacyURL, "CONTACT_ACCESSIBILITY_URL": c.Accessibility} {
		if u, err := url.Parse(address); address != "" && (err != nil || u.Host == "" || u.Scheme != "https") {
			return fmt.Errorf("configuration: %s must be an https address", name)
		}
	}
	return nil
}

// onOff is a switch that accepts on and off only: a typing error must not start delivery.
type onOff bool

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *onOff) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on", "off":
		*o = string(text) == "on"
		return nil
	}
	return errors.New("must be on or off")
}

// networks are the addresses of trusted proxies in CIDR form, separated by commas.
type networks []*net.IPNet

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *networks) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		_, network, err := net.ParseCIDR(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("%q is no network such as 10.0.0.0/8", part)
		}
		*n = append(*n, network)
	}
	return nil
}

// services are the outside services as a JSON list.
type services []dispatch.Service

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *services) UnmarshalText(text []byte) error {
	list := []dispatch.Service(nil)
	if err := json.Unmarshal(text, &list); err != nil {
		return errors.New("must be a JSON list of services")
	}
	for _, one := range list {
		for field, value := range map[string]string{"name": one.Name, "base_url": one.BaseURL, "token_url": one.TokenURL, "audience": one.Audience} {
			if err := passes(field, value); err != nil { // JSON escapes can encode what the environment cannot hold
				return err
			}
		}
		if err := checkService(one); err != nil {
			return fmt.Errorf("service %q: %w", one.Name, err)
		}
	}
	*s = list
	return nil
}

func checkService(s dispatch.Service) error {
	switch {
	case s.Name == "":
		return errors.New("name is missing")
	case s.Kind != dispatch.IntegrationSMS && !s.Kind.Shipments():
		return errors.New("kind must be sms, shipment_v1, shipment_v2 or shipment_v3")
	case s.Wire != "" && s.Wire != "spec" && s.Wire != "deployed":
		return errors.New("wire must be spec or deployed")
	case s.Environment != "test" && s.Environment != "production":
		return errors.New("environment must be test or production")
	}
	addresses := map[string]string{"base_url": s.BaseURL}
	if !s.Kind.Row().Basic {
		addresses["token_url"] = s.TokenURL // V1 of the shipment service has no tokens
	}
	for name, address := range addresses {
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%s must be an http or https address", name)
		}
	}
	return nil
}

func readConfig() (config, error) {
	c, err := settings[config]()
	if err == nil {
		err = c.Files.into(&c)
	}
	if err != nil {
		return c, fmt.Errorf("configuration: %w", err)
	}
	if err = c.compose(); err != nil {
		return c, err
	}
	if c.Services, err = c.allServices(); err != nil {
		return c, err
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	if u, err := url.Parse(c.PublicURL); err != nil || u.Path != "" || !isWeb(u) {
		return c, errors.New("configuration: PUBLIC_URL must be the address that browsers use, such as https://utsending.example.no")
	}
	return c, cmp.Or(c.validateLogin(), c.validateNumbers(), c.Contacts.validate(), c.Notices.validate(), c.SIEM.validate(), c.Storage.validate())
}

func isWeb(u *url.URL) bool { return u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") }

// validateLogin refuses settings that no login provider would accept.
func (c config) validateLogin() error {
	switch u, err := url.Parse(c.OIDC.Issuer); {
	case err != nil || !isWeb(u):
		return errors.New("configuration: OIDC_ISSUER must be an address, such as https://login.example.no")
	case c.OIDC.ClientSecret == "":
		return errors.New("configuration: OIDC_CLIENT_SECRET is not set, and neither is OIDC_CLIENT_SECRET_FILE")
	case c.OIDC.AuthorizationDetails != "" && !json.Valid([]byte(c.OIDC.AuthorizationDetails)):
		return errors.New("configuration: OIDC_AUTHORIZATION_DETAILS must be JSON")
	}
	return nil
}

// validateNumbers refuses durations and numbers out of range, and unknown log formats.
func (c config) validateNumbers() error {
	times := map[string]time.Duration{
		"SESSION_IDLE": c.SessionIdle, "SESSION_LIFETIME": c.SessionLifetime, "OIDC_FRESH_LOGIN": c.OIDC.FreshFor,
		"DELIVERY_LEASE": c.Lease, "DELIVERY_POLL": c.Poll, "DELIVERY_GRACE": c.Grace, "RECOVERY_WINDOW": c.RecoveryWindow,
		"SUBMIT_TIMEOUT": c.SubmitTimeout, "REFRESH_ON_VIEW": c.RefreshOnView,
	}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		if times[name] <= 0 {
			return fmt.Errorf("configuration: %s must be more than 0, such as 30s", name)
		}
	}
	switch {
	case c.StopDelay < 0:
		return errors.New("configuration: STOP_DELAY must not be below 0")
	case slices.ContainsFunc(c.RefreshFirst, func(d time.Duration) bool { return d <= 0 }):
		return errors.New("configuration: REFRESH_FIRST must be times of more than 0, such as 1m,5m")
	case c.Connections < 1:
		return errors.New("configuration: DATABASE_CONNECTIONS must be 1 or more")
	case c.MaxConnections < 1:
		return errors.New("configuration: MAX_CONNECTIONS must be 1 or more")
	case !slices.Contains(i18n.Defaults(), c.Language):
		return fmt.Errorf("configuration: DEFAULT_LANGUAGE must be one of %s", strings.Join(i18n.Defaults(), ", "))
	case c.LogFormat != "json" && c.LogFormat != "text":
		return errors.New("configuration: LOG_FORMAT must be json or text")
	}
	return nil
}

// readKeys reads the key set, without which nothing sealed can be read or written.
func (c config) readKeys() (*seal.Keys, error) {
	file := []byte(c.Keyset)
	if c.KeysetFile != "" {
		var err error
		if file, err = seal.ReadFile(c.KeysetFile); err != nil {
			return nil, fmt.Errorf("key set: %w", err)
		}
	}
	if len(file) == 0 {
		return nil, errors.New("no key set: personal data cannot be sealed. Set KEYSET_FILE to a file made by 'web keys new > keys.json', and keep it outside the database")
	}
	keys, err := seal.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("key set: %w", err)
	}
	return keys, nil
}

// plan is the schedule of status reads.
func (c config) plan() dispatch.RefreshPlan {
	p := dispatch.DefaultRefreshPlan()
	if len(c.RefreshFirst) > 0 {
		p.First = c.RefreshFirst
	}
	p.OnView = c.RefreshOnView
	return p
}

// test tells whether all services are test services. Accounts have a mark of their own.
func (c config) test() bool {
	return len(c.Services) > 0 && !slices.ContainsFunc(c.Services, func(s dispatch.Service) bool { return s.Environment != dispatch.EnvironmentTest })
}

// databases reads only the settings of the database, for a subcommand.
func databases() (config, error) {
	files, err := settings[secretFiles]()
	if err != nil {
		return config{}, fmt.Errorf("configuration: %w", err)
	}
	storage, err := settings[fileStorage]()
	if err != nil {
		return config{}, fmt.Errorf("configuration: %w", err)
	}
	c := config{DatabaseURL: os.Getenv("DATABASE_URL"), OwnerURL: os.Getenv("DATABASE_OWNER_URL"), Storage: storage}
	if err := files.into(&c); err != nil {
		return c, fmt.Errorf("configuration: %w", err)
	}
	return c, nil
}

// openForOperator opens the database for a subcommand, which needs no keys.
func openForOperator() (*store.Store, error) { return openWith(nil) }

// openWith opens the database for a subcommand.
func openWith(keys *seal.Keys) (*store.Store, error) {
	c, err := databases()
	if err != nil {
		return nil, err
	}
	return store.Open(store.Options{URL: c.DatabaseURL, Keys: keys})
}

// databaseError describes an error of the database, with a remedy if we know one.
func databaseError(err error) error {
	text := "database: " + store.Describe(err)
	if store.Forbidden(err) {
		text += ": the user of DATABASE_URL lacks a right. Run 'web migrate' as the owner of the tables, which gives it what it needs; 'web doctor' names what is missing"
	}
	return errors.New(text)
}

// openOwner opens the database as its owner, for what the server itself must not do. Without an owner's address, the
// server's is used.
func (c config) openOwner() (*store.Store, error) {
	address := c.OwnerURL
	if address == "" {
		address = c.DatabaseURL
	}
	return store.Open(store.Options{URL: address, MaxOpenConns: 2})
}

// migrate migrates the database as its owner, and grants the server its rights.
func (c config) migrate(ctx context.Context) (int, error) {
	s, err := c.openOwner()
	if err != nil {
		return 0, err
	}
	defer s.Close()
	n, err := s.Migrate(ctx)
	if err != nil || c.OwnerURL == "" {
		return n, err
	}
	role, err := store.ServerRoleOf(c.DatabaseURL)
	if err != nil {
		return n, err
	}
	if err = s.GrantServer(ctx, role); errors.Is(err, store.ErrRoleMissing) {
		return n, errors.New("the user of DATABASE_URL does not exist, and that of DATABASE_OWNER_URL may not make it: CREATE ROLE it with LOGIN and its password, and migrate again")
	}
	return n, err
}
