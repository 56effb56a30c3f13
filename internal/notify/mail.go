package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"utsending/internal/dispatch"
)

// Mail is the municipality's mail server.
type Mail struct {
	Host     string
	Port     int
	Policy   Transport
	User     string
	Password dispatch.Secret
	From     string // address
	Name     string // shown beside it
	Site     string // our host name, for message ids

	TLS *tls.Config // nil: the system's certificate authorities
}

// Transport is the encryption of the connection to a mail server.
type Transport string

// The transports.
const (
	TransportTLS      Transport = "smtps"      // from the first byte
	TransportStartTLS Transport = "smtp"       // STARTTLS, which must succeed
	TransportPlain    Transport = "smtp+plain" // not at all
)

// ParseMail parses a mail server's address: smtps://user@host:465, smtp://host:587 with STARTTLS, or smtp+plain://host:25 without
// encryption.
func ParseMail(address string) (*Mail, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, errors.New("must be an address such as smtp://post.example.no:587")
	}
	m := &Mail{Host: u.Hostname(), Policy: Transport(u.Scheme), User: u.User.Username()}
	ports := map[Transport]int{TransportTLS: 465, TransportStartTLS: 587, TransportPlain: 25}
	if m.Port = ports[m.Policy]; m.Port == 0 {
		return nil, errors.New("must begin with smtp://, smtps:// or smtp+plain://")
	}
	if _, ok := u.User.Password(); ok {
		return nil, errors.New("must not hold the password")
	}
	if u.Port() != "" {
		if m.Port, err = strconv.Atoi(u.Port()); err != nil || m.Port < 1 || m.Port > 65535 {
			return nil, errors.New("has no port between 1 and 65535")
		}
	}
	return m, nil
}

// client connects before ctx's deadline: the library heeds ctx only until it is connected.
func (m *Mail) client(ctx context.Context) (*mail.Client, error) {
	limit := sendTime
	if end, ok := ctx.Deadline(); ok {
		limit = max(time.Until(end), time.Millisecond)
	}
	options := []mail.Option{mail.WithPort(m.Port), mail.WithTimeout(limit), mail.WithoutNoop()}
	switch m.Policy {
	case TransportTLS:
		options = append(options, mail.WithSSL())
	case TransportStartTLS:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	default:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if m.TLS != nil {
		options = append(options, mail.WithTLSConfig(m.TLS))
	}
	if m.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(m.User), mail.WithPassword(m.Password.Reveal()))
	}
	return mail.NewClient(m.Host, options...)
}

// Reach connects and logs in as for a mail, and sends nothing.
func (m *Mail) Reach(ctx context.Context) dispatch.NoticeFault {
	c, err := m.client(ctx)
	if err != nil {
		return dispatch.FaultContent
	}
	if err := c.DialWithContext(ctx); err != nil {
		return mailFault(err)
	}
	_ = c.Close()
	return dispatch.FaultNone
}

// send hands a mail to the server.
func (m *Mail) send(ctx context.Context, what message) dispatch.NoticeFault {
	msg := mail.NewMsg()
	err := errors.Join(msg.FromFormat(m.Name, m.From), msg.To(what.To))
	if err != nil {
		return dispatch.FaultRefused // no server accepts this address
	}
	msg.Subject(what.Subject)
	msg.SetBodyString(mail.TypeTextPlain, strings.Join(what.Lines, "\n")+"\n")
	msg.SetMessageIDWithValue(what.ID + "@" + m.Site)
	msg.SetDate()
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: prevents automatic replies
	c, err := m.client(ctx)
	if err != nil {
		return dispatch.FaultContent
	}
	if err := c.DialWithContext(ctx); err != nil {
		return mailFault(err)
	}
	err = c.Send(msg)
	ended := c.Close()
	if err != nil {
		return mailFault(errors.Join(err, ended)) // which tells whether it took too long
	}
	return dispatch.FaultNone // a mail that was taken is not sent again, whatever became of the connection
}

// mailFault classifies an error, whose text may hold addresses and must not be logged.
func mailFault(err error) dispatch.NoticeFault {
	var sent *mail.SendError
	var answer *textproto.Error
	var network net.Error
	var unknown *tls.CertificateVerificationError
	switch {
	case err == nil:
		return dispatch.FaultNone
	case errors.As(err, &sent) && sent.Reason == mail.ErrSMTPReset:
		return dispatch.FaultNone // accepted already: only the end of the session failed
	case errors.As(err, &sent) && sent.ErrorCode() >= 500:
		return dispatch.FaultRefused
	case errors.As(err, &sent) && sent.ErrorCode() >= 400:
		return dispatch.FaultLater
	case errors.As(err, &unknown) || strings.Contains(err.Error(), "STARTTLS") || strings.Contains(err.Error(), "tls:"):
		return dispatch.FaultTLS
	case errors.As(err, &answer) && (answer.Code == 530 || answer.Code == 534 || answer.Code == 535) || strings.Contains(err.Error(), "SMTP AUTH"):
		return dispatch.FaultLogin
	case errors.As(err, &answer) && answer.Code >= 400 && answer.Code < 500:
		return dispatch.FaultLater
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout():
		return dispatch.FaultTime
	}
	return dispatch.FaultConnection
}

// String names the server without its user.
func (m *Mail) String() string { return fmt.Sprintf("%s://%s:%d", m.Policy, m.Host, m.Port) }
