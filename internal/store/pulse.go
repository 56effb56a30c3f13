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
	// patience is how long an answer is waited for before somebody asks whether the database answers at all.
	patience = 4 * time.Second
	// probeTime is how long that question may take. Together they leave a page time to say so within ten seconds.
	probeTime = 3 * time.Second
	// probeRest is the longest rest between two questions to a database that does not answer.
	probeRest = 5 * time.Second
)

// errFrozen is what statements end with while the database takes questions and answers none.
var errFrozen error = frozen{}

type frozen struct{}

func (frozen) Error() string { return "the database takes questions and does not answer" }

func (frozen) Timeout() bool { return true }

func (frozen) Temporary() bool { return true }

// pulse tells a database that works long on one statement from one that is frozen: its processes stopped, or a proxy in
// front that waits for it. The kernel of a frozen machine confirms all that it gets, and the driver waits for ever. So who
// has waited for a while has a connection of its own ask something small. Nothing is cut off as long as anything answers.
type pulse struct {
	connector *pq.Connector // of the question
	start     time.Time
	heard     atomic.Int64 // when something last came from the database, since start
	missed    atomic.Int64 // when the latest question began that got no answer
	mu        sync.Mutex
	asking    chan struct{} // closed when the question that is out has come to its end; nil: none is
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

// probeDialer makes connections that end in time whatever the driver does.
type probeDialer struct{}

func (probeDialer) Dial(network, address string) (net.Conn, error) {
	return probeDialer{}.DialTimeout(network, address, probeTime)
}

func (probeDialer) DialTimeout(network, address string, _ time.Duration) (net.Conn, error) {
	until := time.Now().Add(probeTime)
	conn, err := (&net.Dialer{Deadline: until}).Dial(network, address)
	if err == nil {
		time.AfterFunc(time.Until(until), func() { _ = conn.Close() }) // the driver sets and takes away deadlines of its own
	}
	return conn, err
}

// now is the time since start, never 0: that is never.
func (p *pulse) now() int64 { return int64(time.Since(p.start)) + 1 }

func (p *pulse) hear() { p.heard.Store(p.now()) }

// frozen tells whether nothing has come since a question that got no answer.
func (p *pulse) frozen() bool { return p.missed.Load() > p.heard.Load() }

// ask returns when it is known whether the database answers. Who asks at the same time shares a question.
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

// question asks once.
func (p *pulse) question() {
	began := p.now()
	if p.answers() {
		p.hear()
		return
	}
	p.miss(began)
}

// miss notes that what was asked at a time got no answer. Others may have been answered meanwhile.
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

// answers tells whether a new connection gets an answer. A refusal is one.
func (p *pulse) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	conn, err := p.connector.Connect(ctx)
	if err == nil {
		err = conn.(interface{ Ping(context.Context) error }).Ping(context.Background()) // a pooler in front answers the login by itself
		_ = conn.Close()
	}
	var refused *pq.Error
	return err == nil || errors.As(err, &refused)
}

// revive asks until the database answers again.
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

// watched is a connection whose reads and writes end when the database is frozen.
type watched struct {
	net.Conn
	pulse *pulse
	born  int64        // in the time of pulse
	until atomic.Int64 // the driver's own deadline in Unix nanoseconds; 0: none
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
		if own { // only a connection that begins has one: that was a question too
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

// deadline sets when to ask, or the driver's own deadline where that comes first.
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

// gaveUp is an error that tells the driver that the connection is of no more use.
func (c *watched) gaveUp(op string) error {
	return &net.OpError{Op: op, Net: c.LocalAddr().Network(), Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: errFrozen}
}
