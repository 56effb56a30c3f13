// Package store keeps everything in PostgreSQL: accounts, items, attempts, sessions. Secrets and personal data are
// sealed before they are written. Every method on an account's data takes the account id and has it in its WHERE.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/objects"
	"utsending/internal/seal"
)

// Errors that callers distinguish.
var (
	// ErrNotFound says that the object does not exist, or belongs to another account.
	ErrNotFound = errors.New("not found")
	// ErrChanged says that the object's state no longer allows the change.
	ErrChanged = errors.New("changed meanwhile")
)

// Store gives access to the database. It is safe for concurrent use.
type Store struct {
	DB         *sqlx.DB
	Bulk       *sqlx.DB // for files: binary parameters, which halve their cost
	Keys       *seal.Keys
	Objects    Objects
	Statements *statements
	Lists      *sqlx.DB // generic plans, for any account
	OfLists    *statements
	Queue      *sqlx.DB // for claims and outcomes: generic plans with index look-ups
	OfQueue    *statements
	pulse      *pulse
	known      knownUsers
	names      userNames
}

// Options configure Open.
type Options struct {
	URL          string // connection string of lib/pq, or a postgres:// address
	Keys         *seal.Keys
	Objects      Objects
	MaxOpenConns int           // of the pool of pages, and a maximum for the other pools; 0: 20
	MaxIdleTime  time.Duration // how long an idle connection is kept; 0: a minute
}

// Open creates the pools. It does not connect: the first query does.
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
	// No statement of a page is worth compiling: that of a hundred thousand chosen items took many times as long as reading them.
	db, err := openPool(pulse, dsn, o, o.MaxOpenConns, `SET jit = off`)
	if err != nil {
		return nil, err
	}
	bulk, err := openPool(pulse, withParameter(dsn, "binary_parameters", "yes"), o, bulkConns)
	if err != nil {
		return nil, err
	}
	// Reading a page of a list by an index takes less time than compiling its plan or starting parallel workers.
	lists, err := openPool(pulse, dsn, o, listConns, `SET plan_cache_mode = force_generic_plan`, `SET enable_seqscan = off`, `SET jit = off`,
		`SET max_parallel_workers_per_gather = 0`)
	if err != nil {
		return nil, err
	}
	// A generic plan made while the tables were small would be kept, so it must not be a sequential scan. A query
	// that cannot do without one gets so high a cost that it would be compiled: hence no JIT.
	queue, err := openPool(pulse, dsn, o, queueConns, `SET plan_cache_mode = force_generic_plan`, `SET enable_seqscan = off`, `SET jit = off`)
	if err != nil {
		return nil, err
	}
	return &Store{
		DB: db, Bulk: bulk, Keys: o.Keys, Objects: o.Objects, Statements: newStatements(db),
		Lists: lists, OfLists: newStatements(lists), Queue: queue, OfQueue: newStatements(queue), pulse: pulse,
	}, nil
}

const (
	bulkConns  = 8 // concurrent writes of chunks
	listConns  = 8 // concurrent reads of lists
	queueConns = 8 // concurrent writes of claims and outcomes
)

// openPool opens a pool whose connections begin with the given settings. They are statements, since a proxy such as
// PgBouncer may refuse them as connection parameters.
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

// settled opens connections that begin with settings.
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

// roomWait is how long to wait for a free connection when the server has reached its maximum: those of stopped
// programs and idle ones end within that time.
const roomWait = 5 * time.Second

// connect connects, and retries while the server has reached its maximum of connections.
func (c settled) connect(ctx context.Context) (driver.Conn, error) {
	for until := time.Now().Add(roomWait); ; {
		conn, err := c.Connector.Connect(ctx)
		if err == nil {
			return conn, nil
		}
		if !full(err) || time.Now().After(until) {
			return nil, unconnected{err}
		}
		select {
		case <-ctx.Done():
			return nil, unconnected{err}
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// unconnected is the error of a connection that was not made: of several hosts, none is the primary (target_session_attrs).
type unconnected struct{ error }

func (u unconnected) Unwrap() error { return u.error }

// full tells whether the server refused a connection because it has reached its maximum.
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

// Ping is nil when the database answers and takes changes.
func (s *Store) Ping(ctx context.Context) error {
	var recovering bool
	err := s.DB.GetContext(ctx, &recovering, `SELECT pg_is_in_recovery()`)
	if err == nil && recovering {
		return ErrStandby
	}
	return err
}

// ErrStandby says that the database answers but takes no changes.
var ErrStandby = errors.New("it is a standby, or is being restored, and takes no changes yet")

// InTx runs f in a transaction and commits when it returns nil. Cancelling ctx cancels statements, but never the
// transaction between two of them: the driver reads the responses to a COPY concurrently, and would confuse them with
// those to the rollback.
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

// Violates tells whether err is a violation of the named constraint.
func Violates(err error, constraint string) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Constraint == constraint
}

// IsForeignKey tells whether err is a foreign key violation.
func IsForeignKey(err error) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Code.Name() == "foreign_key_violation"
}

// NotFound turns sql.ErrNoRows into ErrNotFound.
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

// ValidID tells whether an id from an address is a UUID that can be queried.
func ValidID[T ~string](id T) bool { return uuid.Validate(string(id)) == nil && len(id) == 36 }

// Null turns an empty string into NULL.
func Null[T ~string](s T) sql.NullString { return sql.NullString{String: string(s), Valid: s != ""} }

// Describe returns an error's text without PostgreSQL's detail, which may quote a row's values.
func Describe(err error) string {
	var e *pq.Error
	if errors.As(err, &e) {
		return "postgresql " + string(e.Code) + " " + e.Code.Name() + " " + e.Constraint
	}
	return err.Error()
}

// Forbidden tells whether the statement failed for lack of a privilege.
func Forbidden(err error) bool {
	var e *pq.Error
	return errors.As(err, &e) && e.Code == "42501" // insufficient_privilege
}

// Unstorable tells whether the database refused a text: an invalid character, or longer than its column or index
// takes. The gate before the handlers stops such texts; if one gets through, it is the text's fault, not the
// database's.
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

// Note logs an error of background work, and tells whether there was none. It does not log a lost connection to the database, which
// delivery does once, nor errors after the end of ctx.
func Note(ctx context.Context, log *slog.Logger, message string, err error, attributes ...any) bool {
	if err != nil && ctx.Err() == nil && !Unreachable(err) {
		log.Error(message, append(attributes, "error", Describe(err))...)
	}
	return err == nil
}

// standby tells whether a transaction was refused since the database is a standby: "cannot set transaction read-write mode during
// recovery". Other statements get the same code where a feature is missing.
func standby(e *pq.Error) bool { return e.Code == "0A000" && e.Routine == "call_bool_check_hook" }

// Unreachable tells whether an error means that the database is away, not that a statement was wrong.
func Unreachable(err error) bool {
	var network net.Error
	var e *pq.Error
	var u unconnected
	var files objects.Unavailable
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network):
		return true
	case errors.As(err, &e):
		// operator intervention, connection exception, read-only: a primary that has become a standby
		return e.Code.Class() == "57" || e.Code.Class() == "08" || e.Code == "25006" || full(err) || standby(e)
	}
	return errors.As(err, &u) || errors.As(err, &files)
}
