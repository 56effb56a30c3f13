package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// health is a liveness check of the process that listens on addr. It does not check readiness: a platform that kills
// unhealthy processes must not do so because the database is away.
func health(ctx context.Context, addr string) error {
	if addr == "" {
		addr = ":8080"
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return errors.New("configuration: ADDR is no address such as :8080")
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	direct := http.Client{Transport: &http.Transport{}} // without a proxy: it is this machine
	answer, err := direct.Do(request)
	if err != nil {
		return err
	}
	_ = answer.Body.Close() // the status suffices
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("answered with %d", answer.StatusCode)
	}
	return nil
}
