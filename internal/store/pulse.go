package store

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

const (
	// patience is how long a statement waits before a probe checks whether the database answers at all.
	patience = 4 * time.Second
	// probeTime is the timeout of a probe. With patience it leaves a page time to report the failure within ten
	// seconds.
	probeTime = 3 * time.Second
	// probeRest is the longest pause between probes while the database does not answer.
	probeRest = 5 * time.Second
)

// errFrozen is the error of statements while the database accepts connections and does not answer.
var errFrozen error = frozen{}

type frozen struct{}

func (frozen) Error() string { return "the database takes questions and does not answer" }

func (frozen) Timeout() bool { return true }

func (frozen) Temporary() bool { return true }

// pulse tells a long statement from a frozen database, whose processes are stopped, or that is behind a waiting
// proxy: its kernel still acknowledges everything, so the driver would wait for ever. After patience, a probe on a
// connection of its own runs. No statement is cut off while anything answers.
type pulse struct {
	connector *pq.Connector // of the probes
	start     time.Time
	heard     atomic.Int64 // when anything last came from the database, since start
	missed    atomic.Int64 // start of the latest probe without an answer
	mu        sync.Mutex
	asking    chan struct{} // closed when the running probe ends; nil: none runs
	reviving  bool
	closed    chan struct{}
	close     sync.Once
}

func newPulse(dsn string) (*pulse, error) {
	connector, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, errors.New("database address is not valid") // its text may hold the password
	}
	connector.Dialer(probeDialer{})
	return &pulse{connector: connector, start: time.Now(), closed: make(chan struct{})}, nil
}

// probeDialer opens connections with a deadline that the driver cannot change.
type probeDialer struct{}

func (probeDialer) Dial(network, address string) (net.Conn, error) {
	return probeDialer{}.DialTimeout(network, address, probeTime)
}

func (probeDialer) DialTimeout(network, address string, _ time.Duration) (net.Conn, error) {
	until := time.Now().Add(probeTime)
	conn, err := (&net.Dialer{Deadline: until}).Dial(network, address)
	if err == nil {
		time.AfterFunc(time.Until(until), func() { _ = conn.Close() }) // the driver sets and clears deadlines of its own
	}
	return conn, err
}

// now is the time since start; never 0, which means never.
func (p *pulse) now() int64 { return int64(time.Since(p.start)) + 1 }

func (p *pulse) hear() { p.heard.Store(p.now()) }

// frozen tells whether nothing has come since a probe without an answer.
func (p *pulse) frozen() bool { return p.missed.Load() > p.heard.Load() }

// ask returns when a probe has ended. Concurrent callers share one probe.
func (p *pulse) ask() {
	p.mu.Lock()
	done := p.asking
	if done == nil {
		done = make(chan struct{})
		p.asking = done
		go func() {
			p.question()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.asking = nil
			close(done)
		}()
	}
	p.mu.Unlock()
	<-done
}

// question runs one probe.
func (p *pulse) question() {
	began := p.now()
	if p.answers() {
		p.hear()
		return
	}
	p.miss(began)
}

// miss records a probe without an answer. Other connections may have had answers meanwhile.
func (p *pulse) miss(asked int64) {
	p.missed.Store(asked)
	if !p.frozen() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reviving {
		p.reviving = true
		go p.revive()
	}
}

// answers tells whether a new connection gets any answer. A refusal is one.
func (p *pulse) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	conn, err := p.connector.Connect(ctx)
	if err == nil {
		err = conn.(interface{ Ping(context.Context) error }).Ping(context.Background()) // a connection pooler answers the login by itself
		_ = conn.Close()
	}
	var refused *pq.Error
	return err == nil || errors.As(err, &refused)
}

// revive probes until the database answers again.
func (p *pulse) revive() {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reviving = false
	}()
	for rest := time.Second; p.frozen(); rest = min(2*rest, probeRest) {
		select {
		case <-p.closed:
			return
		case <-time.After(rest):
		}
		if p.answers() {
			p.hear()
		}
	}
}

func (p *pulse) stop() { p.close.Do(func() { close(p.closed) }) }

// watched is a connection whose reads and writes fail when the database is frozen.
type watched struct {
	net.Conn
	pulse *pulse
	born  int64        // relative to pulse.start
	until atomic.Int64 // the driver's deadline in Unix nanoseconds; 0: none
}

// Read implements net.Conn.
func (c *watched) Read(b []byte) (int, error) {
	for {
		if c.pulse.frozen() {
			return 0, c.gaveUp("read")
		}
		own, err := c.deadline(c.Conn.SetReadDeadline)
		if err != nil {
			return 0, err
		}
		n, err := c.Conn.Read(b)
		if n > 0 {
			c.pulse.hear()
		}
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if own { // the driver sets one only while it connects, so that was a probe too
			c.pulse.miss(c.born)
			return n, err
		}
		c.pulse.ask()
	}
}

// Write implements net.Conn.
func (c *watched) Write(b []byte) (int, error) {
	written := 0
	for {
		own, err := c.deadline(c.Conn.SetWriteDeadline)
		if err != nil {
			return written, err
		}
		n, err := c.Conn.Write(b[written:])
		written += n
		if own || !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
		if n > 0 {
			continue
		}
		if c.pulse.ask(); c.pulse.frozen() {
			return written, c.gaveUp("write")
		}
	}
}

// deadline sets the next time to probe, or the driver's deadline if that is earlier.
func (c *watched) deadline(set func(time.Time) error) (own bool, err error) {
	next := time.Now().Add(patience)
	if until := c.until.Load(); until != 0 && time.Unix(0, until).Before(next) {
		return true, set(time.Unix(0, until))
	}
	return false, set(next)
}

// SetDeadline implements net.Conn.
func (c *watched) SetDeadline(t time.Time) error {
	if t.IsZero() {
		c.until.Store(0)
	} else {
		c.until.Store(t.UnixNano())
	}
	return c.Conn.SetDeadline(t)
}

// gaveUp is an error that makes the driver discard the connection.
func (c *watched) gaveUp(op string) error {
	return &net.OpError{Op: op, Net: c.LocalAddr().Network(), Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: errFrozen}
}
