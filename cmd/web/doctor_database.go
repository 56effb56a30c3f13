package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// leastPostgreSQL is the oldest supported release.
const leastPostgreSQL = 150000

// onDatabase are the checks that need a working database, in order.
var onDatabase = []string{"database schema", "database rights", "database clock", "sealed data", "administrators", "event log", "integrations", "encryption of files"}

func (e *examination) database(ctx context.Context) {
	if e.config.DatabaseURL == "" {
		e.skipAll("no database is set", append([]string{"database"}, onDatabase...)...)
		return
	}
	s, err := store.Open(store.Options{URL: e.config.DatabaseURL, Keys: e.keys, MaxOpenConns: 2})
	if err != nil {
		e.fail("database", err.Error(), "Write it as postgres://user:password@host:5432/database, special characters of the password as %40 and the like")
		e.skipAll("no database", onDatabase...)
		return
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	asked := time.Now()
	found, err := queue.In(s).Examinations.Examine(ctx)
	if err != nil {
		e.fail("database", "does not answer as it should: "+store.Describe(err), databaseCure(err))
		e.skipAll("the database does not answer", onDatabase...)
		return
	}
	e.server(found, s.OwnSessions(ctx))
	if !e.schema(ctx, s, found) {
		e.skipAll("the schema is not there for us", "sealed data", "administrators", "event log", "integrations", "encryption of files")
	} else {
		e.sealed(ctx, s)
		e.administrators(ctx, s)
		e.eventLog(ctx, s)
		e.logServerLag(ctx, s)
		e.certificates(ctx, s)
		e.integrations(ctx, s)
	}
	e.clock("database clock", "the database", found.Now, asked)
}

func (e *examination) skipAll(why string, checks ...string) {
	for _, c := range checks {
		e.skip(c, why)
	}
}

func databaseCure(err error) string {
	switch text := err.Error(); {
	case strings.Contains(text, "SSL is not enabled"):
		return "Turn TLS on in PostgreSQL; only where nobody can listen, add sslmode=disable to DATABASE_URL"
	case strings.Contains(text, "password authentication failed"), strings.Contains(text, "role"):
		return "Check user and password in DATABASE_URL"
	case strings.Contains(text, "certificate"):
		return "Add sslrootcert=FILE with the certificate authority of the database to DATABASE_URL"
	}
	return "See that PostgreSQL runs, that host, port and database in DATABASE_URL are right, and that no firewall stands between"
}

// server tells which server answers, and whether a pooler in front of it gives us sessions of our own.
func (e *examination) server(found queue.Examination, sessions error) {
	switch {
	case errors.Is(sessions, store.ErrSharedSession):
		e.fail("database", sessions.Error(), "Set pool_mode to session for this database and user, or let DATABASE_URL lead past the pooler")
	case found.Number < leastPostgreSQL:
		e.fail("database", "PostgreSQL "+found.Version+" is too old", "Upgrade to 15 or newer")
	case found.Standby:
		e.fail("database", "this is a standby, which takes no changes", "Point DATABASE_URL to the primary")
	default:
		e.ok("database", "PostgreSQL "+found.Version+" answers")
	}
}

// schema checks rights and schema, and tells whether the tables can be read.
func (e *examination) schema(ctx context.Context, s *store.Store, found queue.Examination) bool {
	if n := len(found.Missing); n > 0 {
		e.fail("database rights", fmt.Sprintf("this user lacks %s and %d more", found.Missing[0], n-1),
			"Let the user that owns the tables run the program, or GRANT it these rights")
		e.skip("database schema", "rights are missing")
		return false
	}
	have, want, err := queue.In(s).Examinations.Schema(ctx)
	switch {
	case err != nil:
		e.fail("database schema", store.Describe(err), "Let this user read goose_db_version")
	case have < want:
		e.skip("database rights", "there are no tables, or not all")
		e.fail("database schema", fmt.Sprintf("is at migration %d, and this program needs %d", have, want), "Run 'web migrate'")
	default:
		e.ok("database rights", "enough")
		e.ok("database schema", fmt.Sprintf("is at migration %d, and this program needs %d", have, want))
		return true
	}
	return false
}

// sealed opens sealed values of the database, to detect a wrong key set before anything is written with it.
func (e *examination) sealed(ctx context.Context, s *store.Store) {
	if e.keys == nil {
		e.skip("sealed data", "there is no key set")
		return
	}
	n, err := queue.In(s).Examinations.VerifyKeys(ctx)
	switch {
	case errors.Is(err, queue.ErrOtherKeys):
		e.fail("sealed data", "the key set does not open what this database holds",
			"Find the key set that belongs to this database. Do not start with this one: what it seals, the right one will not open")
	case err != nil:
		e.fail("sealed data", store.Describe(err), "See that this user may read credentials and sessions")
	case n == 0:
		e.ok("sealed data", "there is none yet")
	default:
		e.ok("sealed data", "the key set opens it")
	}
}

// eventLog tells whether the server could change the event log. That is no failure: a small installation may want it
// so, and the chain reveals changes.
func (e *examination) eventLog(ctx context.Context, s *store.Store) {
	protected, err := s.AuditProtected(ctx)
	switch {
	case err != nil:
		e.fail("event log", store.Describe(err), "Run 'web migrate'")
	case !protected:
		e.ok("event log", "is NOT protected: the user of DATABASE_URL may change and delete it. Set DATABASE_OWNER_URL to the owner of the database and DATABASE_URL to another user, and run 'web migrate'")
	default:
		e.ok("event log", "the server can add to it, and neither change nor delete")
	}
}

// certificates reports when the certificates for encrypting files expire: after that, shipments that ask for
// encryption wait.
func (e *examination) certificates(ctx context.Context, s *store.Store) {
	const what = "encryption of files"
	list, err := registry.In(s).Integrations.Certificates(ctx)
	if err != nil {
		e.fail(what, store.Describe(err), "See that this user may read integrations")
		return
	}
	if len(list) == 0 {
		e.ok(what, "no integration has a certificate of the service, so shipments cannot ask for it")
	}
	for _, c := range list {
		left, of := time.Until(c.Expires), "the certificate of "+string(c.Integration)
		switch day := c.Expires.Format(time.DateOnly); {
		case left <= 0:
			e.fail(what, of+" ended on "+day+": shipments that ask for encryption wait", "Paste the service's new certificate on the page of the integration")
		case left <= dispatch.ExpiryWarning:
			e.ok(what, fmt.Sprintf("%s ends on %s, in %d days: get the new one from the service and paste it on the page of the integration", of, day, int(left.Hours()/24)))
		default:
			e.ok(what, of+" ends on "+day)
		}
	}
}

func (e *examination) administrators(ctx context.Context, s *store.Store) {
	any, err := queue.In(s).Examinations.HasAdministrator(ctx)
	switch {
	case err != nil:
		e.fail("administrators", store.Describe(err), "See that this user may read role_mappings")
	case !any:
		e.fail("administrators", "nobody can be one yet", "Run 'web admin VALUE' with a value of the claim "+string(e.config.OIDC.RightsClaim)+" that your administrators have")
	default:
		e.ok("administrators", "some value of the claim "+string(e.config.OIDC.RightsClaim)+" gives the role")
	}
}

// integrations checks that each integration's service is configured.
func (e *examination) integrations(ctx context.Context, s *store.Store) {
	if len(e.config.Services) == 0 {
		e.skip("integrations", "no service is configured")
		return
	}
	list, err := registry.In(s).Integrations.List(ctx)
	if err != nil {
		e.fail("integrations", store.Describe(err), "See that this user may read integrations")
		return
	}
	bad := 0
	for _, in := range list {
		known := slices.ContainsFunc(e.config.Services, func(s dispatch.Service) bool { return s.Name == in.Service && s.Kind == in.Kind })
		if !known {
			bad++
			e.fail("integrations", fmt.Sprintf("%s calls the service %q of kind %s, which is not configured", in.ID, in.Service, in.Kind),
				"Configure it with PRESETS or SERVICES under that name, or choose another service for the integration")
		}
	}
	if bad == 0 {
		e.ok("integrations", fmt.Sprintf("%d, each with a service that is configured", len(list)))
	}
}

// clock compares another clock with ours. asked is when the query was sent.
func (e *examination) clock(what, whose string, theirs, asked time.Time) {
	now := time.Now()
	skew := time.Duration(0)
	switch {
	case theirs.Before(asked):
		skew = theirs.Sub(asked)
	case theirs.After(now):
		skew = theirs.Sub(now)
	}
	if skew.Abs() > maxSkew {
		e.fail(what, fmt.Sprintf("the clock of %s and this machine's are %s apart", whose, skew.Abs().Round(time.Second)),
			"Let both follow a time server: logins and tokens are refused when clocks differ")
		return
	}
	e.ok(what, "fits this machine's")
}
