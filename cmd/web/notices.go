package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/notify"
)

// notices are the settings of notices.
type notices struct {
	Server    mailServer `env:"MAIL_SERVER"`
	Password  string     `env:"MAIL_PASSWORD"`
	From      string     `env:"MAIL_FROM"`
	Domains   []string   `env:"MAIL_DOMAINS"`
	Operators string     `env:"MAIL_OPERATORS"`
	Webhook   string     `env:"ALARM_WEBHOOK"`
	Format    string     `env:"ALARM_WEBHOOK_FORMAT" envDefault:"text"`
	Private   bool       `env:"ACCOUNT_WEBHOOKS_PRIVATE"`
}

// mailServer is the configured mail server, if any.
type mailServer struct{ *notify.Mail }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *mailServer) UnmarshalText(text []byte) (err error) {
	s.Mail, err = notify.ParseMail(string(text))
	return err
}

// validate refuses settings that contradict each other, or would send the password unencrypted.
func (n notices) validate() error {
	if n.Webhook != "" {
		if err := notify.CheckWebhook(n.Webhook); err != nil {
			return fmt.Errorf("configuration: ALARM_WEBHOOK %w", err)
		}
	}
	if !slices.Contains(dispatch.ChatFormats(), dispatch.ChatFormat(n.Format)) {
		return errors.New("configuration: ALARM_WEBHOOK_FORMAT must be text or card")
	}
	if n.Server.Mail == nil {
		if n.From != "" || n.Operators != "" || n.Password != "" || len(n.Domains) > 0 {
			return errors.New("configuration: MAIL_SERVER is not set, and other settings of mail are")
		}
		return nil
	}
	switch {
	case !isAddress(n.From):
		return errors.New("configuration: MAIL_FROM must be an e-mail address")
	case n.Operators != "" && !isAddress(n.Operators):
		return errors.New("configuration: MAIL_OPERATORS must be an e-mail address")
	case len(n.Domains) == 0:
		return errors.New("configuration: MAIL_DOMAINS is not set: say which domains notices may go to, such as kommune.example")
	case (n.Server.User == "") != (n.Password == ""):
		return errors.New("configuration: MAIL_SERVER's user and MAIL_PASSWORD belong together: set both or none")
	case n.Server.User != "" && n.Server.Policy == notify.TransportPlain:
		return errors.New("configuration: MAIL_SERVER would send the password unencrypted: use smtp:// or smtps://")
	}
	return nil
}

func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

// notifyOptions configures the notifier, except store, catalogue and log.
func (c config) notifyOptions() notify.Options {
	n := c.Notices
	o := notify.Options{PublicURL: c.PublicURL, Operators: n.Operators, Private: n.Private}
	if n.Server.Mail != nil {
		m := *n.Server.Mail
		m.Password, m.From, m.Name, m.Site = dispatch.Secret(n.Password), n.From, "Utsending", "utsending.invalid"
		if u, err := url.Parse(c.PublicURL); err == nil && u.Hostname() != "" {
			m.Site = u.Hostname()
		}
		o.Mail = &m
	}
	if n.Webhook != "" {
		o.Webhook = &notify.Webhook{Chat: dispatch.Chat{Address: dispatch.Secret(n.Webhook), Format: dispatch.ChatFormat(n.Format)}}
	}
	return o
}

// mail connects to the mail server, and sends nothing.
func (e *examination) mail(ctx context.Context) {
	m := e.config.notifyOptions().Mail
	if m == nil {
		e.skip("mail server", "none is configured: nobody is told by e-mail")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	if fault := m.Reach(ctx); fault != dispatch.FaultNone {
		e.fail("mail server", m.String()+": "+mailProblems[fault], "Correct MAIL_SERVER and MAIL_PASSWORD, or let this machine reach the server")
		return
	}
	e.ok("mail server", "takes a connection, with login and encryption as MAIL_SERVER says; that it delivers is not checked")
}

// mailProblems explain faults to an operator.
var mailProblems = map[dispatch.NoticeFault]string{
	dispatch.FaultConnection: "cannot be reached", dispatch.FaultTime: "does not answer", dispatch.FaultTLS: "gives no encrypted connection that this machine trusts",
	dispatch.FaultLogin: "refuses the user and password", dispatch.FaultLater: "asks to come later", dispatch.FaultRefused: "refuses us", dispatch.FaultContent: "is not understood",
}
