package siem

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"utsending/internal/store/registry"
)

// syslogServer sends RFC 5424 messages over TLS (RFC 5425). Syslog has no receipts, so each batch has its own connection, which we
// close first: a server that answers our close_notify, as RFC 5425 section 4.4 demands, has read all that came before it.
type syslogServer struct {
	address string
	tls     *tls.Config
	host    string
}

// String implements Server.
func (s *syslogServer) String() string { return "syslog+tls://" + s.address }

// Reach implements Server.
func (s *syslogServer) Reach(ctx context.Context) Fault { return s.exchange(ctx, nil) }

// Send implements Server.
func (s *syslogServer) Send(ctx context.Context, events []registry.LogEvent) Fault {
	var b bytes.Buffer
	for _, e := range events {
		line := syslogLine(e, s.host)
		b.WriteString(strconv.Itoa(len(line)) + " " + line)
	}
	return s.exchange(ctx, b.Bytes())
}

// exchange writes frames on a new connection and waits until the server has read them.
func (s *syslogServer) exchange(ctx context.Context, frames []byte) Fault {
	raw, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return faultOf(ctx, err)
	}
	defer raw.Close() //nolint:errcheck // the answer is what matters
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
	defer stop()
	records := &recordReader{Conn: raw}
	conn := tls.Client(records, s.tls)
	if err := conn.HandshakeContext(ctx); err != nil {
		return faultOf(ctx, err)
	}
	if _, err := conn.Write(frames); err != nil {
		return faultOf(ctx, err)
	}
	if err := conn.CloseWrite(); err != nil {
		return faultOf(ctx, err)
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(conn, 1<<16)); err != nil {
		return faultOf(ctx, err)
	}
	if !records.endedByAlert() {
		return FaultConnection
	}
	return FaultNone
}

// recordReader remembers the type of the last TLS record. crypto/tls reports any end of the connection between two records as a
// proper end, but only close_notify proves that the server has read everything.
type recordReader struct {
	net.Conn
	header []byte // of the current record, as far as it was read
	left   int    // bytes of its content not yet read
}

// Read implements net.Conn.
func (r *recordReader) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		if r.left > 0 {
			skip := min(r.left, len(rest))
			r.left, rest = r.left-skip, rest[skip:]
			continue
		}
		if len(r.header) == recordHeader {
			r.header = nil
		}
		take := min(recordHeader-len(r.header), len(rest))
		r.header, rest = append(r.header, rest[:take]...), rest[take:]
		if len(r.header) == recordHeader {
			r.left = int(r.header[3])<<8 | int(r.header[4])
		}
	}
	return n, err
}

const (
	recordHeader   = 5
	recordAlert    = 21 // content type; TLS 1.3 hides it, but not the length
	recordData     = 23
	encryptedAlert = 2 + 1 + 16 // level and description, the real type, the tag
)

// endedByAlert tells whether the last record is complete and an alert: close_notify, since other alerts are errors of the
// connection.
func (r *recordReader) endedByAlert() bool {
	if len(r.header) < recordHeader || r.left > 0 {
		return false
	}
	length := int(r.header[3])<<8 | int(r.header[4])
	return r.header[0] == recordAlert || r.header[0] == recordData && length == encryptedAlert
}

// priority is that of an informational message of the log audit: facility 13, severity 6.
const priority = 13*8 + 6

// structured is the id of our structured data. 32473 is the enterprise number reserved for examples (RFC 5612): we have none.
const structured = "utsending@32473"

// msgIDMost is the longest MSGID of RFC 5424.
const msgIDMost = 32

// syslogLine is a line of the event log as an RFC 5424 message.
func syslogLine(e registry.LogEvent, host string) string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "<%d>1 %s %s utsending - %s [%s", priority, e.At.UTC().Format("2006-01-02T15:04:05.000000Z"), header(host, 255), header(e.Action, msgIDMost), structured)
	for _, f := range fields(e) {
		_, _ = fmt.Fprintf(&b, " %s=\"%s\"", f.name, escaped.Replace(strings.ToValidUTF8(f.value, "\ufffd")))
	}
	b.WriteString("]")
	return b.String()
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `]`, `\]`)

// header makes a text valid for a header field: printable ASCII without blanks, at most so long; "-" for nothing.
func header(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r < 33 || r > 126 {
			return -1
		}
		return r
	}, text)
	if text == "" {
		return "-"
	}
	return text[:min(len(text), most)]
}

// field is a named value of a line.
type field struct{ name, value string }

// fields are the values of a line that are sent; empty ones are left out.
func fields(e registry.LogEvent) (list []field) {
	for _, f := range []field{
		{"position", strconv.FormatInt(e.Position, 10)}, {"hash", e.Hash}, {"id", strconv.FormatInt(e.ID, 10)}, {"action", e.Action}, {"actor", e.Actor},
		{"account", e.Account}, {"object", e.Object}, {"login", e.SignIn},
	} {
		if f.value != "" {
			list = append(list, f)
		}
	}
	return list
}
