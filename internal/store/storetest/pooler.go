package storetest

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

// pooler is a proxy before the server that keeps sessions: a test's database is cleared and given to the next test, and
// the processes of PostgreSQL that served it go on serving, with the plans of their statements. A new process reads the
// catalogue and plans each statement anew, which was more than half of what the tests' database did. To programs it looks
// like the server: their session has no settings, prepared statements or locks of an earlier one.
type pooler struct {
	server string // path of the server's socket

	mu        sync.Mutex
	databases map[string]*pooled // those with clients or idle sessions
	clients   map[uint64]*client // by the key that cancels
}

// pooled is what is known of one database.
type pooled struct {
	kept    bool                  // its sessions are kept
	idle    map[string][]*session // by startup message
	clients map[*client]struct{}
	ends    sync.WaitGroup // of clients
	torn    atomic.Bool    // a session was given up in the middle: its process may still be at work
	altered atomic.Bool    // something else than rows was changed
}

// session is a connection to the server.
type session struct {
	net.Conn
	prepared prepared
	greeting []byte // settings that the server told when it began
	key      []byte // process id and secret, for cancelling
}

// client is a connection from a program, with the session that serves it.
type client struct {
	net.Conn
	id        uint64
	database  *pooled
	startup   string
	session   *session
	waiting   atomic.Int64 // statements sent whose end has not come
	state     atomic.Int32 // of the transaction, as ReadyForQuery tells it
	canceled  atomic.Bool
	preparing preparing
}

const (
	protocolVersion = 3 << 16
	cancelRequest   = 80877102
	outsideTx       = 'I' // the state outside a transaction
)

// leave makes a session look new, except that functions and prepared statements keep their plans.
const leave = `CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES`

// startPooler serves the server of an address. The returned function is for pgserver's.
func startPooler(address string) (*pooler, func(database string) string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, nil, err
	}
	q := u.Query()
	// In the server's directory, which is removed with it.
	dir, name := filepath.Join(q.Get("host"), fmt.Sprint("pool-", os.Getpid())), ".s.PGSQL."+q.Get("port")
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil { // of an earlier program with the same id
		return nil, nil, err
	}
	p := &pooler{server: filepath.Join(q.Get("host"), name), databases: map[string]*pooled{}, clients: map[uint64]*client{}}
	listener, err := net.Listen("unix", filepath.Join(dir, name))
	if err != nil {
		return nil, nil, err
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
	q.Set("host", dir)
	u.RawQuery = q.Encode()
	return p, func(database string) string {
		one := *u
		one.Path = "/" + database
		return one.String()
	}, nil
}

// serve serves one connection until either side ends it.
func (p *pooler) serve(conn net.Conn) {
	defer conn.Close()
	startup, err := p.readStartup(conn)
	if err != nil || startup == nil {
		return
	}
	c, err := p.begin(conn, startup)
	if err != nil {
		return
	}
	defer c.database.ends.Done()
	if c.session == nil {
		if c.session, err = p.login(c, startup); err != nil {
			p.end(c, false)
			return
		}
	}
	p.mu.Lock()
	p.clients[c.id] = c
	p.mu.Unlock()
	c.preparing = preparing{names: map[string]string{}, prepared: &c.session.prepared}
	hello := slices.Concat(c.session.greeting, frame('K', binary.BigEndian.AppendUint64(nil, c.id)), frame('Z', []byte{outsideTx}))
	if _, err := conn.Write(hello); err != nil {
		p.end(c, true)
		return
	}
	p.end(c, c.pass())
}

// readStartup reads the first message. A request to cancel is done, and returned as nil.
func (p *pooler) readStartup(conn net.Conn) ([]byte, error) {
	for {
		head := make([]byte, 8)
		if _, err := io.ReadFull(conn, head); err != nil {
			return nil, err
		}
		size, code := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
		if size < 8 || size > 10000 {
			return nil, errors.New("not a startup message")
		}
		message := append(head, make([]byte, size-8)...)
		if _, err := io.ReadFull(conn, message[8:]); err != nil {
			return nil, err
		}
		switch code {
		case protocolVersion:
			return message, nil
		case cancelRequest:
			return nil, p.cancel(binary.BigEndian.Uint64(message[8:]))
		}
		if _, err := conn.Write([]byte{'N'}); err != nil { // no encryption
			return nil, err
		}
	}
}

// cancel cancels the statement of a client. Its session serves nobody after it: the request may arrive late.
func (p *pooler) cancel(id uint64) error {
	p.mu.Lock()
	c := p.clients[id]
	if c != nil {
		c.canceled.Store(true)
	}
	p.mu.Unlock()
	if c == nil {
		return nil
	}
	conn, err := net.Dial("unix", p.server)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write(slices.Concat([]byte{0, 0, 0, 16}, binary.BigEndian.AppendUint32(nil, cancelRequest), c.session.key)); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, conn) // until the server has done it
	return err
}

// begin registers a client and gives it an idle session if there is one.
func (p *pooler) begin(conn net.Conn, startup []byte) (*client, error) {
	name := parameter(startup, "database")
	if name == "" {
		return nil, errors.New("no database")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.of(name)
	c := &client{Conn: conn, id: rand.Uint64(), database: d, startup: string(startup)}
	c.state.Store(outsideTx)
	if free := d.idle[c.startup]; len(free) > 0 {
		c.session, d.idle[c.startup] = free[len(free)-1], free[:len(free)-1]
	}
	d.clients[c] = struct{}{}
	d.ends.Add(1)
	return c, nil
}

// of returns a database; its caller has locked.
func (p *pooler) of(database string) *pooled {
	d := p.databases[database]
	if d == nil {
		d = &pooled{idle: map[string][]*session{}, clients: map[*client]struct{}{}}
		p.databases[database] = d
	}
	return d
}

// keep begins or ends to keep a database's sessions.
func (p *pooler) keep(database string, kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.of(database)
	d.kept = kept
	if kept {
		return
	}
	for _, idle := range d.idle {
		for _, s := range idle {
			_ = s.Close()
		}
	}
	clear(d.idle)
	if len(d.clients) == 0 {
		delete(p.databases, database)
	}
}

// login begins a session. The client is told of a refusal.
func (p *pooler) login(c *client, startup []byte) (*session, error) {
	conn, err := net.Dial("unix", p.server)
	if err != nil {
		return nil, err
	}
	s := &session{Conn: conn, prepared: prepared{names: map[string]string{}}}
	if _, err := conn.Write(startup); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	for {
		kind, body, err := readFrame(conn)
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		switch kind {
		case 'E':
			_, err := c.Write(frame(kind, body))
			return nil, errors.Join(errors.New("refused"), err, conn.Close())
		case 'K':
			s.key = body
		case 'Z':
			return s, nil
		default:
			s.greeting = append(s.greeting, frame(kind, body)...)
		}
	}
}

// end keeps the session of a client that has ended, if it is whole.
func (p *pooler) end(c *client, whole bool) {
	_ = c.Conn.Close() // of no use any more
	if whole {
		c.preparing.settle()
		whole = c.session.leave() == nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.clients, c.id)
	delete(c.database.clients, c)
	switch {
	case c.session == nil:
	case whole && c.database.kept && !c.canceled.Load():
		c.database.idle[c.startup] = append(c.database.idle[c.startup], c.session)
	default:
		c.database.torn.Store(true)
		_ = c.session.Close()
	}
}

// leave makes a session look new.
func (s *session) leave() error {
	if err := s.SetDeadline(time.Time{}); err != nil {
		return err
	}
	statements := leave
	if s.prepared.off.Swap(false) {
		statements += "; DEALLOCATE ALL"
		clear(s.prepared.names)
	}
	if _, err := s.Write(frame('Q', append([]byte(statements), 0))); err != nil {
		return err
	}
	for {
		kind, body, err := readFrame(s)
		if err != nil {
			return err
		}
		switch kind {
		case 'E':
			return fmt.Errorf("%q", body)
		case 'Z':
			return nil
		}
	}
}

// pass passes messages on until the client ends. It tells whether the session is outside a transaction, with nothing
// under way.
func (c *client) pass() bool {
	done := make(chan error)
	go func() { done <- c.answer() }()
	if c.ask() && c.waiting.Load() == 0 {
		_ = c.session.SetReadDeadline(time.Unix(1, 0)) // nothing is to come
		return errors.Is(<-done, os.ErrDeadlineExceeded) && c.state.Load() == outsideTx
	}
	_ = c.session.Close() // the server sees what it sees when a program is killed
	<-done
	return false
}

// ask passes the client's messages to the server. It tells whether the last one was whole.
func (c *client) ask() bool {
	r, w := bufio.NewReaderSize(c, 16<<10), bufio.NewWriterSize(c.session, 16<<10)
	awaits := true // the message before awaits an answer
	for {
		if r.Buffered() == 0 {
			if w.Flush() != nil {
				return false
			}
			if _, err := r.Peek(1); err != nil {
				return true
			}
		}
		kind, body, err := readFrame(r)
		if err != nil {
			return false
		}
		if awaits && c.waiting.Load() == 0 {
			c.preparing.settle()
		}
		awaits = false
		switch kind {
		case 'Q', 'S', 'F': // query, sync, function call: each is answered by one ReadyForQuery
			c.waiting.Add(1)
			awaits = true
		case 'X': // terminate
			return w.Flush() == nil
		}
		if _, err := w.Write(c.preparing.translate(kind, body, !c.database.altered.Load())); err != nil {
			return false
		}
	}
}

// answer passes the server's messages to the client.
func (c *client) answer() error {
	defer c.Conn.Close() // ends the asking, if it has not ended
	m := messages{each: func(kind byte, body []byte) {
		switch {
		case kind == 'Z':
			c.state.Store(int32(body[0]))
			c.waiting.Add(-1)
		case kind == 'E':
			c.preparing.refused.Store(true)
		case kind == 'C' && onStatements(body):
			c.session.prepared.off.Store(true)
		case kind == 'C' && !onRows(body):
			c.database.altered.Store(true)
		}
	}}
	b := make([]byte, 32<<10)
	for {
		n, err := c.session.Read(b)
		if n > 0 {
			m.take(b[:n])
			_, err = c.Write(b[:n])
		}
		if err != nil {
			return err
		}
	}
}

// command is the first word of a finished command's tag: INSERT of INSERT 0 1.
func command(tag []byte) string {
	name, _, _ := strings.Cut(strings.TrimRight(string(tag), "\x00"), " ")
	return name
}

// onStatements tells whether a finished command has prepared statements or deallocated them.
func onStatements(tag []byte) bool {
	name := command(tag)
	return name == "PREPARE" || name == "DEALLOCATE" || name == "DISCARD"
}

// onRows tells whether a finished command reads or changes rows, or its session.
func onRows(tag []byte) bool {
	switch command(tag) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "COPY", "FETCH", "MOVE", "EXPLAIN", "LOCK",
		"BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET", "RESET", "SHOW",
		"PREPARE", "DEALLOCATE", "DECLARE", "CLOSE", "LISTEN", "NOTIFY", "UNLISTEN", "DISCARD":
		return true
	}
	return false
}

// settle ends what the server does for a database. It tells whether rows are all that was changed.
func (p *pooler) settle(ctx context.Context, database string, admin *sql.DB) (bool, error) {
	p.mu.Lock()
	d := p.of(database)
	p.mu.Unlock()
	p.endClients(d)
	if d.torn.Swap(false) {
		const others = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1 AND pid <> ALL($2)`
		if _, err := admin.ExecContext(ctx, others, database, pq.Array(p.kept(d))); err != nil {
			return false, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return d.kept && !d.altered.Load(), nil
}

// endClients ends the connections of a database's clients, and waits until their sessions are kept or ended.
func (p *pooler) endClients(d *pooled) {
	p.mu.Lock()
	for c := range d.clients {
		_ = c.SetDeadline(time.Unix(1, 0))
	}
	p.mu.Unlock()
	d.ends.Wait()
}

// kept are the process ids of a database's idle sessions.
func (p *pooler) kept(d *pooled) []int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	pids := []int64{} // not nil: that is NULL in SQL, and pid <> ALL (NULL) finds no process
	for _, idle := range d.idle {
		for _, s := range idle {
			pids = append(pids, int64(binary.BigEndian.Uint32(s.key)))
		}
	}
	return pids
}
