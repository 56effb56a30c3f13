package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"utsending/internal/dispatch"
)

// login checks the login provider as the program uses it.
func (e *examination) login(ctx context.Context) {
	issuer := e.config.OIDC.Issuer
	if issuer == "" {
		e.skipAll("no provider is set", "login provider", "login clock")
		return
	}
	asked := time.Now().Add(-time.Second) // the Date header has whole seconds
	answer, err := e.ask(ctx, http.MethodGet, strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration")
	if err != nil {
		e.fail("login provider", reachProblem(err), reachCure(err))
		e.skip("login clock", "the provider does not answer")
		return
	}
	e.discovered(answer, issuer)
	if theirs, err := http.ParseTime(answer.header.Get("Date")); err != nil {
		e.skip("login clock", "the provider does not tell the time")
	} else {
		e.clock("login clock", "the login provider", theirs, asked)
	}
}

func (e *examination) discovered(a answer, issuer string) {
	var document struct {
		Issuer string `json:"issuer"`
	}
	switch err := json.Unmarshal(a.body, &document); {
	case a.status != http.StatusOK || err != nil:
		e.fail("login provider", fmt.Sprintf("answers with %d and no discovery document", a.status),
			"Set OIDC_ISSUER to the address below which the provider has /.well-known/openid-configuration")
	case document.Issuer != issuer:
		e.fail("login provider", fmt.Sprintf("calls itself %q, and OIDC_ISSUER is %q", document.Issuer, issuer),
			"Set OIDC_ISSUER to exactly what the provider calls itself")
	default:
		e.ok("login provider", fmt.Sprintf("answers; register there %s/oidc/retur as redirect address and %[1]s/logget-ut as address after logout", e.config.PublicURL))
	}
}

// scanner pings the virus scanner.
func (e *examination) scanner(ctx context.Context) {
	if e.config.Scanner.Scanner == nil {
		e.skip("virus scanner", "none is configured: uploaded files are not looked through")
		return
	}
	if err := e.config.Scanner.Ping(ctx); err != nil {
		e.fail("virus scanner", err.Error(), "Start the scanner, or correct VIRUS_SCANNER: until then no file can be uploaded")
		return
	}
	e.ok("virus scanner", "answers")
}

func (e *examination) services(ctx context.Context) {
	if len(e.config.Services) == 0 {
		if e.unsettled {
			e.skip("services", "the settings must be right first")
			return
		}
		e.fail("services", "none is configured, so nothing can be sent", "Set PRESETS, such as ks-test, or SERVICES")
	}
	for _, s := range e.config.Services {
		e.service(ctx, s)
	}
}

// service calls a service without credentials: any answer shows that it can be reached.
func (e *examination) service(ctx context.Context, s dispatch.Service) {
	what := "service " + s.Name
	for _, address := range []string{s.BaseURL, s.TokenURL} {
		if s.Environment == dispatch.EnvironmentProduction && strings.HasPrefix(address, "http:") {
			e.fail(what, host(address)+" would be called without TLS, with real people's data", "Use its https address")
			return
		}
	}
	if _, err := e.ask(ctx, http.MethodGet, s.BaseURL+"/"); err != nil {
		e.fail(what, host(s.BaseURL)+" "+reachProblem(err), reachCure(err))
		return
	}
	if s.TokenURL == "" {
		e.ok(what, host(s.BaseURL)+" answers, "+string(s.Environment))
		return
	}
	token, err := e.ask(ctx, http.MethodPost, s.TokenURL)
	switch {
	case err != nil:
		e.fail(what, "its token endpoint "+host(s.TokenURL)+" "+reachProblem(err), reachCure(err))
	case token.status/100 != 4 || token.status == http.StatusNotFound: // a request without credentials must be refused
		e.fail(what, fmt.Sprintf("its token endpoint at %s answers with %d, as no token endpoint does", host(s.TokenURL), token.status),
			"Check token_url of the service")
	default:
		e.ok(what, host(s.BaseURL)+" and its token endpoint at "+host(s.TokenURL)+" answer, "+string(s.Environment))
	}
}

// answer is an HTTP answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask makes a call without credentials.
func (e *examination) ask(ctx context.Context, method, address string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return answer{}, errors.New("is no address")
	}
	response, err := e.client.Do(request)
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the address, which may hold a secret
	}
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return answer{response.StatusCode, response.Header, body}, err
}

func reachProblem(err error) string {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &name):
		return "is not known by name: " + name.Err
	case errors.As(err, &certificate):
		return "shows a certificate that is not trusted: " + certificate.Err.Error()
	case errors.As(err, &record):
		return "does not speak TLS"
	}
	return "does not answer: " + err.Error()
}

func reachCure(err error) string {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &name):
		return "Check the address for slips, and that this machine can look names up"
	case errors.As(err, &certificate):
		return "Check the address; if a proxy of yours opens TLS, name its certificate authority in SSL_CERT_FILE"
	}
	return "Check the address, and that the firewall lets this machine out, or set HTTPS_PROXY"
}
