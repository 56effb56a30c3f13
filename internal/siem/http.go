package siem

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// httpServer sends JSON lines over HTTPS. A 2xx answer confirms that the server has them.
type httpServer struct {
	address *url.URL
	token   dispatch.Secret
	client  *http.Client
}

// String implements Server.
func (s *httpServer) String() string { return s.address.Scheme + "://" + s.address.Host }

// Reach implements Server. It posts an empty body: any answer but a refused login proves the connection.
func (s *httpServer) Reach(ctx context.Context) Fault {
	status, fault := s.post(ctx, nil)
	if fault == FaultNone && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		return FaultLogin
	}
	return fault
}

// Send implements Server.
func (s *httpServer) Send(ctx context.Context, events []registry.LogEvent) Fault {
	var b bytes.Buffer
	for _, e := range events {
		line := map[string]any{"time": e.At.UTC().Format("2006-01-02T15:04:05.000000Z"), "program": "utsending"}
		for _, f := range fields(e) {
			line[f.name] = f.value
		}
		line["position"], line["id"] = e.Position, e.ID
		text, err := json.Marshal(line)
		if err != nil {
			return FaultRefused
		}
		b.Write(append(text, '\n'))
	}
	status, fault := s.post(ctx, b.Bytes())
	switch {
	case fault != FaultNone:
		return fault
	case status >= 200 && status < 300:
		return FaultNone
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return FaultLogin
	case status == http.StatusTooManyRequests, status >= 500:
		return FaultLater
	}
	return FaultRefused
}

func (s *httpServer) post(ctx context.Context, body []byte) (int, Fault) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address.String(), bytes.NewReader(body))
	if err != nil {
		return 0, FaultRefused
	}
	req.Header.Set("Content-Type", "application/x-ndjson")
	if s.token != "" {
		req.Header.Set("Authorization", s.token.Reveal())
	}
	answer, err := s.client.Do(req)
	if err != nil {
		return 0, faultOf(ctx, err)
	}
	defer answer.Body.Close() //nolint:errcheck // the status is all that matters
	// A broken-off answer is no confirmation: the server may not have stored the lines.
	if _, err := io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20)); err != nil {
		return 0, faultOf(ctx, err)
	}
	return answer.StatusCode, FaultNone
}
