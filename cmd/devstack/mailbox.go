package main

import (
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// mailbox receives all mail and chat messages, and shows the latest on a page. They are kept in memory only.
type mailbox struct {
	mu    sync.Mutex
	mails []received
}

// received is a mail or a chat message.
type received struct {
	At                time.Time
	To, Subject, Text string
}

const mailsKept = 200

func (m *mailbox) take(r received) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.At = time.Now()
	m.mails = append([]received{r}, m.mails[:min(len(m.mails), mailsKept-1)]...)
}

// serveMailbox starts an SMTP server on any port, and the page, which takes the chat's messages too. It returns the SMTP address.
func (s *stack) serveMailbox() (address string, stop func(), err error) {
	m := &mailbox{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{box: m}, nil }))
	server.Domain = "localhost"
	go func() { _ = server.Serve(listener) }() // ends with Close
	stopPage, err := serve(s.port+4, m)
	if err != nil {
		return "", nil, errors.Join(err, server.Close())
	}
	return listener.Addr().String(), func() { stopPage(); _ = server.Close() }, nil
}

// mailSession is one connection of a client.
type mailSession struct {
	box *mailbox
	to  []string
}

func (s *mailSession) Reset()                               { s.to = nil }
func (s *mailSession) Logout() error                        { return nil }
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	msg, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body := io.Reader(msg.Body)
	if msg.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject"))
	s.box.take(received{To: strings.Join(s.to, ", "), Subject: subject, Text: string(text)})
	return err
}

// ServeHTTP is the chat's webhook for POST, and the mailbox page for GET.
func (m *mailbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		var said struct {
			Text string `json:"text"`
		}
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&said); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		m.take(received{To: "chat", Text: said.Text})
		return
	}
	m.mu.Lock()
	mails := append([]received(nil), m.mails...)
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = mailPage.Execute(w, mails) // the browser may have disconnected
}

var mailPage = template.Must(template.New("mails").Parse(`<!doctype html><html lang="nb"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Postkasse</title>
<h1>Postkasse</h1><p>All e-post og alle meldinger til chatten fra denne utviklingsstakken.</p>
{{range .}}<h2>{{.Subject}}</h2><p>{{.At.Format "15.04.05"}} til {{.To}}</p><pre style="white-space:pre-wrap">{{.Text}}</pre>{{else}}<p>Ingenting ennå.</p>{{end}}</html>`))
