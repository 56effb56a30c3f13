package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
	"unicode"

	"utsending/internal/dispatch"
)

// Webhook is a chat that is told by POST.
type Webhook struct {
	dispatch.Chat
	Client *http.Client // nil: one without redirects
}

// errPrivate is why an account's chat is not called.
var errPrivate = errors.New("the chat's address leads into an inner network")

// chatClient calls the chats that accounts name. It follows no redirects and, unless private, connects to no address of this machine
// or an inner network, whatever the chat's name leads to.
func chatClient(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: sendTime}
	if !private {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			if to, err := netip.ParseAddrPort(address); err != nil || !dispatch.PublicAddress(to.Addr()) {
				return errPrivate
			}
			return nil
		}
	}
	return &http.Client{
		CheckRedirect: noRedirect,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

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
	if w.Format == dispatch.ChatText {
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

// saidMost is how much of an answer is shown to who sent a trial.
const saidMost = 200

// post posts a message and returns the answer. Redirects are not followed.
func (w *Webhook) post(ctx context.Context, m message) dispatch.ChatAnswer {
	body, err := w.body(m)
	if err != nil {
		return dispatch.ChatAnswer{Fault: dispatch.FaultContent}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.Address.Reveal(), bytes.NewReader(body))
	if err != nil {
		return dispatch.ChatAnswer{Fault: dispatch.FaultContent}
	}
	req.Header.Set("Content-Type", "application/json")
	client := w.Client
	if client == nil {
		client = &http.Client{CheckRedirect: noRedirect}
	}
	resp, err := client.Do(req)
	if err != nil {
		return dispatch.ChatAnswer{Fault: webhookFault(err)}
	}
	defer resp.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // to the end, so that the connection is reused
	answer := dispatch.ChatAnswer{Status: resp.StatusCode, Said: beginning(said)}
	switch {
	case resp.StatusCode < 300:
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		answer.Fault = dispatch.FaultLater
	default:
		answer.Fault = dispatch.FaultRefused
	}
	return answer
}

// beginning is the first line's worth of an answer, without characters that are not seen.
func beginning(said []byte) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return -1
	}, string(said)))
	text := []rune(strings.Join(words, " "))
	return string(text[:min(len(text), saidMost)])
}

// webhookFault classifies an error, whose text holds the secret address and must not be logged.
func webhookFault(err error) dispatch.NoticeFault {
	var e *url.Error
	switch {
	case errors.Is(err, errPrivate):
		return dispatch.FaultPrivate
	case errors.As(err, &e) && e.Timeout():
		return dispatch.FaultTime
	case strings.Contains(err.Error(), "tls:"):
		return dispatch.FaultTLS
	}
	return dispatch.FaultConnection
}
