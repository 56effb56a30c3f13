package siem

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// Fault is why a log server did not accept lines. It never contains the server's own text.
type Fault string

// The faults.
const (
	FaultNone       Fault = ""
	FaultConnection Fault = "connection" // cannot be reached, or is lost
	FaultTime       Fault = "time"
	FaultTLS        Fault = "tls" // no encrypted connection that this machine trusts
	FaultLogin      Fault = "login"
	FaultRefused    Fault = "refused"
	FaultLater      Fault = "later"
)

// Server accepts lines of the event log.
type Server interface {
	// Send sends lines. FaultNone means that the server has all of them.
	Send(ctx context.Context, events []registry.LogEvent) Fault
	// Reach tries the connection without sending.
	Reach(ctx context.Context) Fault
	String() string // without secrets
}

// Settings configure a Server.
type Settings struct {
	Address     string          // syslog+tls://host:6514, or https://host/path
	Token       dispatch.Secret // https: value of the header Authorization
	CA          string          // PEM of the certificate authorities to trust; empty: the system's
	Certificate string          // PEM of our client certificate; empty: none
	Key         dispatch.Secret // of that certificate
	Host        string          // our host name in the log
}

// ParseServer makes a server from its settings; nil if none is configured.
func ParseServer(s Settings) (Server, error) {
	if s.Address == "" {
		if s.Token != "" || s.CA != "" || s.Certificate != "" || s.Key != "" {
			return nil, errors.New("SIEM_ADDRESS is not set, and other settings of the log server are")
		}
		return nil, nil
	}
	u, err := url.Parse(s.Address)
	if err != nil || u.Hostname() == "" || u.User != nil {
		return nil, errors.New("SIEM_ADDRESS must be an address such as syslog+tls://logg.example.no:6514 or https://logg.example.no/hendelser, without a password")
	}
	config, err := s.tls(u.Hostname())
	if err != nil {
		return nil, err
	}
	switch {
	case u.Scheme == "syslog+tls" && strings.Trim(u.Path, "/") == "" && u.RawQuery == "":
		if s.Token != "" {
			return nil, errors.New("SIEM_TOKEN belongs to an https address: syslog logs in with SIEM_CERTIFICATE")
		}
		port := u.Port()
		if port == "" {
			port = "6514"
		}
		return &syslogServer{address: net.JoinHostPort(u.Hostname(), port), tls: config, host: s.Host}, nil
	case u.Scheme == "https":
		transport := &http.Transport{TLSClientConfig: config, Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
		return &httpServer{address: u, token: s.Token, client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}}, nil
	}
	return nil, errors.New("SIEM_ADDRESS must begin with syslog+tls:// or https://")
}

func (s Settings) tls(host string) (*tls.Config, error) {
	config := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if s.CA != "" {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM([]byte(s.CA)) {
			return nil, errors.New("SIEM_CA holds no certificate in PEM form")
		}
	}
	if (s.Certificate == "") != (s.Key == "") {
		return nil, errors.New("SIEM_CERTIFICATE and SIEM_KEY belong together: set both or none")
	}
	if s.Certificate != "" {
		pair, err := tls.X509KeyPair([]byte(s.Certificate), []byte(s.Key.Reveal()))
		if err != nil {
			return nil, errors.New("SIEM_CERTIFICATE and SIEM_KEY are not a certificate and its key in PEM form")
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// faultOf classifies a connection error.
func faultOf(ctx context.Context, err error) Fault {
	var network net.Error
	var unknown *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case err == nil:
		return FaultNone
	case errors.As(err, &unknown), errors.As(err, &record), errors.As(err, &alert):
		return FaultTLS
	case ctx.Err() != nil, errors.As(err, &network) && network.Timeout():
		return FaultTime
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return FaultConnection
	}
	return FaultConnection
}
