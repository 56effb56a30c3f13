package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"utsending/internal/dispatch"
)

// Webhook is a chat's webhook. Its address is a secret: it permits writing to the chat.
type Webhook struct {
	Address dispatch.Secret
	Format  WebhookFormat
	Client  *http.Client // nil: one without redirects
}

// WebhookFormat is the JSON format of a chat.
type WebhookFormat string

// The formats.
const (
	FormatText WebhookFormat = "text" // {"text": …}: Slack, Mattermost, Rocket.Chat
	FormatCard WebhookFormat = "card" // an adaptive card: workflows of Microsoft Teams
)

// CheckWebhook refuses addresses other than https; http is allowed for this machine.
func CheckWebhook(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return errors.New("must be an https address")
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// body writes a message in the chat's format.
func (w *Webhook) body(m message) ([]byte, error) {
	text := strings.Join(append([]string{m.Subject}, m.Lines...), "\n")
	if w.Format == FormatText {
		return json.Marshal(map[string]string{"text": text})
	}
	blocks := []map[string]any{{"type": "TextBlock", "text": m.Subject, "weight": "bolder", "wrap": true}}
	for _, line := range m.Lines {
		if line != "" && line != m.Link {
			blocks = append(blocks, map[string]any{"type": "TextBlock", "text": line, "wrap": true})
		}
	}
	card := map[string]any{"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": blocks}
	if m.Link != "" {
		card["actions"] = []map[string]string{{"type": "Action.OpenUrl", "title": "Utsending", "url": m.Link}}
	}
	return json.Marshal(map[string]any{
		"type": "message", "attachments": []map[string]any{{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}},
	})
}

// post posts a message. Redirects are not followed.
func (w *Webhook) post(ctx context.Context, m message) dispatch.NoticeFault {
	body, err := w.body(m)
	if err != nil {
		return dispatch.FaultContent
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.Address.Reveal(), bytes.NewReader(body))
	if err != nil {
		return dispatch.FaultContent
	}
	req.Header.Set("Content-Type", "application/json")
	client := w.Client
	if client == nil {
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	resp, err := client.Do(req)
	if err != nil {
		return webhookFault(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection is reused
	switch {
	case resp.StatusCode < 300:
		return dispatch.FaultNone
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		return dispatch.FaultLater
	}
	return dispatch.FaultRefused
}

// webhookFault classifies an error, whose text holds the secret address and must not be logged.
func webhookFault(err error) dispatch.NoticeFault {
	var e *url.Error
	switch {
	case errors.As(err, &e) && e.Timeout():
		return dispatch.FaultTime
	case strings.Contains(err.Error(), "tls:"):
		return dispatch.FaultTLS
	}
	return dispatch.FaultConnection
}
