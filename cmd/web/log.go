package main

import (
	"log/slog"
	"net/url"
	"os"
)

func newLogger(format string) *slog.Logger {
	if format == "text" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, nil))
}

// logger returns the configured logger, which also receives the standard library's log.
func (c config) logger() *slog.Logger {
	log := newLogger(c.LogFormat)
	slog.SetDefault(log)
	return log
}

// LogValue implements slog.LogValuer: the settings that may be logged. Settings not listed here are never logged.
func (c config) LogValue() slog.Value {
	var services []any
	for _, s := range c.Services {
		services = append(services, slog.Group(s.Name, "kind", string(s.Kind), "environment", string(s.Environment), "host", host(s.BaseURL)))
	}
	return slog.GroupValue(
		slog.String("addr", c.Addr), slog.String("metrics_addr", c.MetricsAddr), slog.String("public_host", host(c.PublicURL)), slog.Int("max_connections", c.MaxConnections),
		slog.Int("database_connections", c.Connections), slog.Bool("migrate", c.Migrate), slog.String("oidc_host", host(c.OIDC.Issuer)),
		slog.String("oidc_rights_claim", string(c.OIDC.RightsClaim)), slog.Int("trusted_proxies", len(c.Proxies)),
		slog.Bool("delivery", bool(c.Delivery)), slog.String("delivery_lease", c.Lease.String()), slog.String("delivery_poll", c.Poll.String()),
		slog.String("delivery_grace", c.Grace.String()), slog.String("stop_delay", c.StopDelay.String()),
		slog.String("submit_timeout", c.SubmitTimeout.String()), slog.String("recovery_window", c.RecoveryWindow.String()),
		slog.String("session_idle", c.SessionIdle.String()), slog.String("session_lifetime", c.SessionLifetime.String()),
		slog.Group("services", services...),
	)
}

// host is the part of an address that holds no secret.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
