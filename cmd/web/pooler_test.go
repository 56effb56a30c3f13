package main_test

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// TestPgBouncer: the program works with PgBouncer in session mode, and does not start in transaction mode.
func TestPgBouncer(t *testing.T) {
	t.Parallel()
	s := newShipmentStack(t)
	s.web.stop(t)
	direct := s.database
	s.env = append(s.env, "DATABASE_URL="+storetest.Bouncer(t, direct, "session"))
	s.startWeb()
	c := s.caller(t, "kari")
	s.await(t, s.oppvekst, s.send(t, s.oppvekst, "kari", toPhone("120", "Gjennom PgBouncer.")), dispatch.StateAccepted)
	c.uploadPDF(c.draft())
	s.web.stop(t)

	shared := append(s.env, "DATABASE_URL="+storetest.Bouncer(t, direct, "transaction"))
	refused := runProgram(t, made.web, shared, "serve")
	eventually(t, "web has ended", refused.ended)
	if log := refused.output(); refused.err == nil || !strings.Contains(log, "pool_mode = session") {
		t.Errorf("it ends with %v and says\n%s", refused.err, log)
	}
	doctor := runProgram(t, made.web, shared, "doctor")
	eventually(t, "the doctor has ended", doctor.ended)
	if said := doctor.output(); !strings.Contains(said, "connections share sessions of PostgreSQL") {
		t.Errorf("the doctor says\n%s", said)
	}
}
