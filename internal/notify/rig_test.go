package notify_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/notify"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// letter is a mail as the server got it.
type letter struct{ To, Subject, Body, MessageID string }

// mailServer is a real SMTP server on loopback.
type mailServer struct {
	Address string

	mu      sync.Mutex
	taken   []letter
	refuses error // what RCPT answers; nil: it takes
	after   error // what DATA answers when it has the mail
	hangs   <-chan struct{}
}

func startMailServer(t *testing.T) *mailServer {
	t.Helper()
	m := &mailServer{}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{m: m}, nil }))
	s.Domain, s.ErrorLog = "post.fjordvik.example", discard{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.Address = l.Addr().String()
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return m
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

func (m *mailServer) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// letters returns the mails to an address, and forgets all.
func (m *mailServer) letters() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken := m.taken
	m.taken = nil
	slices.SortFunc(taken, func(a, b letter) int { return strings.Compare(a.To, b.To) })
	return taken
}

type session struct {
	m  *mailServer
	to string
}

func (*session) Reset()                               {}
func (*session) Logout() error                        { return nil }
func (*session) Mail(string, *smtp.MailOptions) error { return nil }
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.m.mu.Lock()
	hangs, refuses := s.m.hangs, s.m.refuses
	s.m.mu.Unlock()
	if hangs != nil {
		<-hangs
	}
	s.to = to
	return refuses
}

func (s *session) Data(r io.Reader) error {
	msg, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body := io.Reader(msg.Body)
	if msg.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(msg.Body)
	}
	text, err := io.ReadAll(body)
	subject, wrong := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject"))
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if s.m.after != nil {
		return s.m.after
	}
	s.m.taken = append(s.m.taken, letter{s.to, subject, strings.ReplaceAll(string(text), "\r\n", "\n"), msg.Header.Get("Message-ID")})
	return nil
}

// rig is an installation with one account, a mail server and a chat.
type rig struct {
	storetest.Sample
	url  string
	s    *store.Store
	mail *mailServer
	chat *chat
	now  time.Time
	n    *notify.Notifier
}

// morning is a working day's morning, before the digests.
var morning = time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{url: storetest.Database(t), mail: startMailServer(t), chat: startChat(t), now: morning}
	r.s = storetest.Narrow(t, r.url)
	if _, err := queue.In(r.s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	r.Sample = storetest.NewSample(t, r.s, "oppvekst")
	r.n = r.another(t)
	return r
}

// another is a notifier as in another process.
func (r *rig) another(t *testing.T) *notify.Notifier {
	t.Helper()
	return r.with(t, func(*notify.Options) {})
}

func (r *rig) with(t *testing.T, change func(*notify.Options)) *notify.Notifier {
	t.Helper()
	server, err := notify.ParseMail("smtp+plain://" + r.mail.Address)
	if err != nil {
		t.Fatal(err)
	}
	server.From, server.Name, server.Site = "utsending@fjordvik.example", "Utsending", "utsending.fjordvik.example"
	o := notify.Options{
		Store: r.s, Languages: i18ntest.Languages(t), Log: slog.New(slog.NewTextHandler(t.Output(), nil)), PublicURL: "https://utsending.fjordvik.example",
		Mail: server, Operators: "drift@fjordvik.example", Private: true,
		Webhook: &notify.Webhook{Chat: dispatch.Chat{Address: dispatch.Secret(r.chat.URL), Format: dispatch.ChatText}},
		Now:     func() time.Time { return r.now }, SendTime: 20 * time.Second,
	}
	change(&o)
	return notify.New(o)
}

// person is somebody with a role who was last logged in some days ago, and wants to be told everything.
func (r *rig) person(t *testing.T, name string, account dispatch.AccountID, role dispatch.Role, days int) store.Actor {
	t.Helper()
	id, err := r.s.SaveLogin(t.Context(), store.Login{Issuer: "https://login.example", Subject: name, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.s.MapRole(t.Context(), name, account, role); err != nil {
		t.Fatal(err)
	}
	r.exec(t, `INSERT INTO sign_ins (id, user_id, session_hash, claims, started_at, seen_at) VALUES ($1::uuid, $2, $1::uuid::text, ARRAY[$3], $4, $4)`,
		uuid.NewString(), id, name, r.now.AddDate(0, 0, -days))
	by := store.Actor{User: id}
	if _, err := registry.In(r.s).MailChoices.Save(t.Context(), by, registry.MailChoice{Address: name + "@fjordvik.example", Digest: true, Alarms: true}); err != nil {
		t.Fatal(err)
	}
	return by
}

func (r *rig) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := storetest.DB(t, r.url).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) read(t *testing.T, query string, args ...any) (value string) {
	t.Helper()
	if err := storetest.DB(t, r.url).QueryRowContext(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// pass lets time go on, and the notifier look and send.
func (r *rig) pass(t *testing.T, after time.Duration) {
	t.Helper()
	r.now = r.now.Add(after)
	r.n.Pass(t.Context())
}

// quiet sends the trials that new addresses get, and forgets them.
func (r *rig) quiet(t *testing.T) {
	t.Helper()
	r.exec(t, `UPDATE notices SET next_at = $1, until = $2 WHERE kind = 'trial'`, r.now, r.now.Add(time.Hour))
	r.pass(t, 0)
	for _, l := range r.mail.letters() {
		if l.Subject != "Utsending: prøve" {
			t.Fatalf("got %+v", l)
		}
	}
}

// chat is a chat's webhook.
type chat struct {
	URL string

	mu     sync.Mutex
	said   []string
	status int
}

func startChat(t *testing.T) *chat {
	t.Helper()
	c := &chat{status: http.StatusOK}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Text string `json:"text"`
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := json.NewDecoder(r.Body).Decode(&m); err == nil && c.status == http.StatusOK {
			c.said = append(c.said, m.Text)
		}
		w.WriteHeader(c.status)
	}))
	t.Cleanup(s.Close)
	c.URL = s.URL + "/services/hemmelig"
	return c
}

func (c *chat) texts() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	said := c.said
	c.said = nil
	return said
}

// addresses are whom letters went to.
func addresses(list []letter) (to []string) {
	for _, l := range list {
		to = append(to, strings.TrimSuffix(l.To, "@fjordvik.example"))
	}
	return to
}

func (r *rig) stop(t *testing.T) {
	t.Helper()
	if err := queue.In(r.s).Operations.StopIntegration(t.Context(), r.Integration.ID, r.Actor, "Nora"); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) open(t *testing.T) {
	t.Helper()
	if err := queue.In(r.s).Operations.OpenIntegration(context.WithoutCancel(t.Context()), r.Integration.ID, r.Actor); err != nil {
		t.Fatal(err)
	}
}
