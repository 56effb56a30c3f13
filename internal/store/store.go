// Package store keeps everything in PostgreSQL: accounts, items, attempts, sessions. Secrets and personal data are
// sealed on the way in. Every method on an account's data takes the account id and has it in its WHERE.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/seal"
)

// Errors that callers tell apart.
var (
	// ErrNotFound says that the thing does not exist, or belongs to another account.
	ErrNotFound = errors.New("not found")
	// ErrChanged says that the thing is no longer in a state that allows the change.
	ErrChanged = errors.New("changed meanwhile")
)

// Store gives access to the database. It is safe for concurrent use.
type Store struct {
	DB         *sqlx.DB
	Bulk       *sqlx.DB // for files: parameters go in binary form, which halves their cost
	Keys       *seal.Keys
	Statements *statements
	Lists      *sqlx.DB // plans are made once, for any account
	OfLists    *statements
	Queue      *sqlx.DB // for claims and what comes of them: plans are made once, and look rows up
	OfQueue    *statements
	pulse      *pulse
	known      knownUsers
	names      userNames
}

// Options are what Open needs.
type Options struct {
	URL          string // connection string of lib/pq, or a postgres:// address
	Keys         *seal.Keys
	MaxOpenConns int           // of the pool of pages, and of each other pool unless that has fewer; 0: 20
	MaxIdleTime  time.Duration // how long a connection that nobody needs is kept; 0: a minute
}

// Open connects to PostgreSQL. It does not wait for the server: the first query does.
func Open(o Options) (*Store, error) {
	dsn, err := withDefaults(o.URL)
	if err != nil {
		return nil, err
	}
	if o.MaxOpenConns == 0 {
		o.MaxOpenConns = 20
	}
	o.MaxIdleTime = cmp.Or(o.MaxIdleTime, time.Minute)
	pulse, err := newPulse(dsn)
	if err != nil {
		return nil, err
	}
	db, err := openPool(pulse, dsn, o, o.MaxOpenConns)
	if err != nil {
		return nil, err
	}
	bulk, err := openPool(pulse, withParameter(dsn, "binary_parameters", "yes"), o, bulkConns)
	if err != nil {
		return nil, err
	}
	// A page of a list is read by an index in less time than it takes to compile its plan, or to start processes beside ours.
	lists, err := openPool(pulse, dsn, o, listConns, `SET plan_cache_mode = force_generic_plan`, `SET enable_seqscan = off`, `SET jit = off`,
		`SET max_parallel_workers_per_gather = 0`)
	if err != nil {
		return nil, err
	}
	// A plan is kept that was made when the tables were small: not one that reads them through. What cannot be had without
	// that has a price then for which it would be compiled.
	queue, err := openPool(pulse, dsn, o, queueConns, `SET plan_cache_mode = force_generic_plan`, `SET enable_seqscan = off`, `SET jit = off`)
	if err != nil {
		return nil, err
	}
	return &Store{
		DB: db, Bulk: bulk, Keys: o.Keys, Statements: newStatements(db),
		Lists: lists, OfLists: newStatements(lists), Queue: queue, OfQueue: newStatements(queue), pulse: pulse,
	}, nil
}

const (
	bulkConns  = 8 // how many pieces of files are written at once
	listConns  = 8 // how many lists are read at once
	queueConns = 8 // how many claims and answers are written at once
)

// openPool opens a pool whose connections begin with the given settings. Those are statements, since what stands between us
// and the database may not let them through as parameters of the connection.
func openPool(p *pulse, dsn string, o Options, conns int, settings ...string) (*sqlx.DB, error) {
	connector, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, errors.New("database address is not valid") // its text may hold the password
	}
	connector.Dialer(dialer{net.Dialer{KeepAliveConfig: keepAlive, Control: noticeSilence}, p})
	db := sqlx.NewDb(sql.OpenDB(settled{connector, settings}), "postgres")
	conns = min(conns, o.MaxOpenConns)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(o.MaxIdleTime)
	return db, nil
}

// settled makes connections that begin with settings.
type settled struct {
	*pq.Connector
	settings []string
}

// Connect implements driver.Connector.
func (c settled) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	for _, setting := range c.settings {
		if _, err := conn.(driver.ExecerContext).ExecContext(ctx, setting, nil); err != nil {
			_ = conn.Close() // the first error tells more
			return nil, err
		}
	}
	return conn, nil
}

// roomWait is how long a connection is waited for that the server has no room for. Those of programs that were just stopped,
// or that nobody needs, end within that.
const roomWait = 5 * time.Second

// connect connects, and waits where the server has as many connections as it takes.
func (c settled) connect(ctx context.Context) (driver.Conn, error) {
	for until := time.Now().Add(roomWait); ; {
		conn, err := c.Connector.Connect(ctx)
		if !full(err) || time.Now().After(until) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// full tells whether a server refused a connection because it has as many as it takes.
func full(err error) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Code == "53300" // too_many_connections
}

// withDefaults checks an address and adds a connect timeout.
func withDefaults(dsn string) (string, error) {
	if isURL(dsn) {
		if _, err := url.Parse(dsn); err != nil {
			return "", errors.New("database address is not valid")
		}
	}
	return withParameter(dsn, "connect_timeout", "5"), nil
}

func isURL(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// withParameter adds a connection parameter unless the address has it.
func withParameter(dsn, name, value string) string {
	if !isURL(dsn) {
		if strings.Contains(dsn, name+"=") {
			return dsn
		}
		return dsn + " " + name + "=" + value
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn // checked before
	}
	q := u.Query()
	if !q.Has(name) {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Close closes all connections.
func (s *Store) Close() error {
	s.pulse.stop()
	return errors.Join(s.DB.Close(), s.Bulk.Close(), s.Lists.Close(), s.Queue.Close())
}

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.DB.PingContext(ctx) }

// InTx runs f in a transaction and commits when it returns nil. The end of ctx breaks off statements, and never ends the
// transaction between two of them: a COPY's answers are read beside us, and would be mixed up with those to the rollback.
func (s *Store) InTx(ctx context.Context, f func(tx *sqlx.Tx) error) error {
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	letGo := context.AfterFunc(ctx, end)
	tx, err := s.DB.BeginTxx(own, nil)
	letGo()
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	if err = f(tx); err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = tx.Rollback() // f's error tells more
		return err
	}
	return tx.Commit()
}

// Violates tells whether err comes from the named constraint.
func Violates(err error, constraint string) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Constraint == constraint
}

// IsForeignKey tells whether err comes from a row that something else refers to.
func IsForeignKey(err error) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Code.Name() == "foreign_key_violation"
}

// NotFound turns the absence of a row into ErrNotFound.
func NotFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// NewID returns a new UUID that sorts by time.
func NewID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// ValidID tells whether an id from an address can be asked for at all.
func ValidID[T ~string](id T) bool { return uuid.Validate(string(id)) == nil && len(id) == 36 }

// Null turns an empty string into NULL.
func Null[T ~string](s T) sql.NullString { return sql.NullString{String: string(s), Valid: s != ""} }

// Affected turns the answer of a statement into the number of rows it touched.
func Affected(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Describe returns an error's text without what PostgreSQL adds to it: a detail may quote a row's values.
func Describe(err error) string {
	var e *pq.Error
	if errors.As(err, &e) {
		return "postgresql " + string(e.Code) + " " + e.Code.Name() + " " + e.Constraint
	}
	return err.Error()
}

// Forbidden tells whether the database refused a statement because this user has no right to it.
func Forbidden(err error) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Code == "42501" // insufficient_privilege
}

// Unstorable tells whether the database refused a statement because of what a text holds: a character that is none, or more
// than its column or index takes. The gate before the handlers lets none of these pass; where it is passed by, the fault is
// the text's and not the database's.
func Unstorable(err error) bool {
	var e *pq.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "22021", "22P05", "22001", "54000": // not in the character set, \u0000 in JSON, too long for its column, for an index
		return true
	}
	return false
}

// Unreachable tells whether an error means that the database is away, not that a statement was wrong.
func Unreachable(err error) bool {
	var network net.Error
	var e *pq.Error
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network):
		return true
	case errors.As(err, &e):
		return e.Code.Class() == "57" || e.Code.Class() == "08" || full(err) // operator intervention, connection exception
	}
	return false
}
