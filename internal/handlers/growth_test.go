package handlers_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/await"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// counted counts the statements in the PostgreSQL wire protocol: messages begin with type and length, except the
// first, which has no type.
type counted struct {
	io.Writer
	n     *atomic.Int64
	begun bool
	rest  []byte
}

func (c *counted) Write(p []byte) (int, error) {
	for c.rest = append(c.rest, p...); ; {
		kind, head := byte(0), 0
		if c.begun {
			head = 1
		}
		if len(c.rest) < head+4 {
			break
		}
		if c.begun {
			kind = c.rest[0]
		}
		size := head + int(binary.BigEndian.Uint32(c.rest[head:]))
		if len(c.rest) < size {
			break
		}
		if kind == 'E' || kind == 'Q' { // Execute, and a simple query
			c.n.Add(1)
		}
		c.begun, c.rest = true, c.rest[size:]
	}
	return c.Writer.Write(p)
}

// cost is the cost of a page: statements, and allocations of server and client together. The minimum of some requests
// counts, since sessions are touched now and then.
func (s *site) cost(t *testing.T, w *wire, b *browser, path string) (statements, allocations int64) {
	t.Helper()
	for i := range 6 {
		var before, after runtime.MemStats
		asked := w.executed.Load()
		runtime.ReadMemStats(&before)
		got := b.get(path)
		runtime.ReadMemStats(&after)
		if got.StatusCode != http.StatusOK {
			t.Fatalf("%s: got %d to %q", path, got.StatusCode, got.location())
		}
		n, a := w.executed.Load()-asked, int64(after.Mallocs-before.Mallocs)
		if i == 0 || n < statements {
			statements = n
		}
		if i == 0 || a < allocations {
			allocations = a
		}
	}
	return statements, allocations
}

// growing is a page that lists something of somebody's own, and what lets it grow by n.
type growing struct {
	name, path string
	grow       func(t *testing.T, n int)
}

// TestPagesGrowWithWhatTheyList: twice the rows cost at most about twice the allocations, and no further statement
// (no N+1 queries). It counts the process's allocations, so no other test may run meanwhile.
func TestPagesGrowWithWhatTheyList(t *testing.T) {
	w, address := newWire(t)
	s := newSiteWith(t, siteOptions{database: address})
	b := s.browser(t, caseworker)
	for _, p := range s.growing(t) {
		t.Run(p.name, func(t *testing.T) {
			const n = 10
			p.grow(t, n)
			once, few := s.cost(t, w, b, p.path)
			p.grow(t, n)
			twice, many := s.cost(t, w, b, p.path)
			if twice > once || many > 2*few {
				t.Errorf("%d statements and %d allocations for %d, %d and %d for %d", once, few, n, twice, many, 2*n)
			}
			t.Logf("%d statements, %d allocations, then %d", twice, few, many)
		})
	}
}

// growing are the pages that list something of the caseworker's own.
func (s *site) growing(t *testing.T) []growing {
	as, on := s.as(t, caseworker), "/k/oppvekst/"
	times := func(one func(i int) error) func(*testing.T, int) {
		made := 0
		return func(t *testing.T, n int) {
			t.Helper()
			for range n {
				made++
				if err := one(made); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	template := func(i int) error {
		return items.In(s.store).Templates.Create(t.Context(), as.Account.ID, dispatch.TemplateID(uuid.NewString()), as.Actor, dispatch.TemplateContent{Name: fmt.Sprint("Mal ", i), Text: "Hei der"})
	}
	changed := dispatch.TemplateID(uuid.NewString())
	if err := items.In(s.store).Templates.Create(t.Context(), as.Account.ID, changed, as.Actor, dispatch.TemplateContent{Name: "Ofte endret", Text: "Hei"}); err != nil {
		t.Fatal(err)
	}
	shipment, _ := s.listDraft(t, caseworker, "Vedtak")
	files := times(func(i int) error { return s.addFile(t, as, shipment, fmt.Sprint("vedlegg ", i, ".pdf")) })
	sent := s.shipment(t, caseworker, "Sendt")
	list := s.jobFor(t, ofJobDraft[0])
	divided, job := s.shipmentJob(t, false)
	faulty, parts := 0, 0
	return []growing{
		{"templates", on + "maler", times(template)},
		{"templates to choose from", on + "sms/ny", times(func(i int) error { return template(1000 + i) })},
		{"versions of a template", on + "maler/" + string(changed), times(func(i int) error {
			return items.In(s.store).Templates.Change(t.Context(), as.Account.ID, changed, as.Actor, i, dispatch.TemplateContent{Name: "Ofte endret", Text: fmt.Sprint("Hei ", i)})
		})},
		{"filters", on + "utsendinger", times(func(i int) error {
			_, err := lists.In(s.store).Items.SaveFilter(t.Context(), as.Account.ID, as.User, fmt.Sprint("Filter ", i), "gruppe=levert")
			return err
		})},
		{"searches", on + "utsendinger", times(func(int) error { _ = s.searchOf(t, caseworker, dispatch.Search{Words: "vedtak"}); return nil })},
		{"drafts of shipments", on + "utkast", times(func(int) error { _, _ = s.listDraft(t, caseworker, "Vedtak"); return nil })},
		{"drafts of SMS", on + "sms", times(func(int) error { _ = s.draft(t, caseworker, message("Hei der")); return nil })},
		{"exports", on + "eksport/" + s.emptyExport(t, caseworker), times(func(int) error { _ = s.emptyExport(t, caseworker); return nil })},
		{"logins", "/min-side/innlogginger", func(t *testing.T, n int) {
			s.run(t, `INSERT INTO sign_ins (id, user_id, session_hash, started_at, seen_at) SELECT gen_random_uuid(), $1, gen_random_uuid()::text, now() - i * interval '1 minute', now() FROM generate_series(1, $2::int) i`, as.User, n)
		}},
		{"jobs", on + "jobber", times(func(int) error { _ = s.jobFor(t, ofJobDraft[0]); return nil })},
		{"the front page", on, times(func(int) error { _ = s.draft(t, caseworker, message("Hei der")); return nil })},
		{"faulty rows of a job", on + "jobber/" + string(list) + "/feil", func(t *testing.T, n int) { faulty += n; s.fill(t, list, faulty, "123") }},
		{"rows of a job", on + "jobber/" + string(list) + "/endre", func(t *testing.T, n int) { faulty += n; s.fill(t, list, faulty, "90000123") }},
		{"files of a shipment", on + "utkast/" + string(shipment), files},
		{"files of a shipment's review", on + "utkast/" + string(shipment) + "/kontroll", files},
		{"files of a sent shipment", on + "forsendelser/" + string(sent), func(t *testing.T, n int) {
			s.run(t, `INSERT INTO documents (id, item_id, account_id, position, file_name, mime_type, size, pages, sha256, complete)
				SELECT gen_random_uuid(), $1, account_id, 1000 + i + (SELECT count(*) FROM documents WHERE item_id = $1), 'vedlegg ' || i + (SELECT count(*) FROM documents WHERE item_id = $1) || '.pdf', mime_type, size, pages, sha256, true
				FROM documents, generate_series(1, $2::int) i WHERE item_id = $1 AND position = (SELECT min(position) FROM documents WHERE item_id = $1)`, sent, n)
		}},
		{"parts of a divided file", on + "utkast/" + string(divided) + "/flere/kontroll", func(t *testing.T, n int) {
			parts += n
			s.divideAmong(t, divided, job, parts)
		}},
		{"what wants a person", on + "oppfolging", times(func(int) error {
			_ = s.rejected(t, caseworker, message("Hei der"))
			return nil
		})},
	}
}

// addFile adds one file to a shipment's draft.
func (s *site) addFile(t *testing.T, as storetest.Sample, shipment dispatch.ItemID, name string) error {
	t.Helper()
	_, err := items.In(s.store).Documents.Add(t.Context(), items.Upload{
		Account: as.Account.ID, Item: shipment, User: as.User, FileName: name, Content: strings.NewReader("%PDF-1.7"),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 2}, nil
		},
	})
	return err
}

// fill replaces the list of a draft by so many rows to one number.
func (s *site) fill(t *testing.T, id dispatch.JobID, n int, phone string) {
	t.Helper()
	as, rows := s.as(t, caseworker), make([]dispatch.JobRow, n)
	for i := range rows {
		rows[i] = storetest.Row(i+1, phone)
		if len(phone) < 8 {
			rows[i].Problem = dispatch.Problem{Key: "problem.phone.short"}
		}
	}
	if _, err := items.In(s.store).Rows.Fill(t.Context(), as.Account.ID, id, as.Actor, storetest.ListOf(nil, rows...)); err != nil {
		t.Fatal(err)
	}
}

// divideAmong fills the list of a shipment with so many recipients, and divides its file among them.
func (s *site) divideAmong(t *testing.T, shipment dispatch.ItemID, job dispatch.JobID, n int) {
	t.Helper()
	as := s.as(t, caseworker)
	_, err := items.In(s.store).Rows.Fill(t.Context(), as.Account.ID, job, as.Actor, storetest.ShipmentRows(n))
	if err == nil {
		of := dispatch.Division{Document: s.filesOf(t, shipment)[0].ID, Pages: 2}
		err = items.In(s.store).Slices.Divide(t.Context(), as.Account.ID, job, as.Actor, of, func(add items.AddSlice) error {
			for range n {
				if err := add(strings.NewReader("%PDF-1.7 del"), dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: 2}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatPilesUpIsBounded: drafts and the like have a limit per person, which a message explains without losing
// typed text. The form that made the last one still leads to it.
func TestWhatPilesUpIsBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	as, b := s.as(t, caseworker), s.browser(t, caseworker)
	key, sms := form("90000123", "Teksten som ikke må bli borte")
	last := b.post("/k/oppvekst/sms/ny", fields(sms...)).location()
	for kind, most := range map[dispatch.Kind]int{dispatch.KindSMS: dispatch.PileSMS.Most() - 1, dispatch.KindShipment: dispatch.PileShipments.Most()} {
		s.run(t, `INSERT INTO items (id, account_id, kind, created_by, form_key) SELECT gen_random_uuid(), $1, $2, $3, gen_random_uuid() FROM generate_series(1, $4::int)`, as.Account.ID, kind, as.User, most)
	}
	s.run(t, `INSERT INTO jobs (id, account_id, created_by, form_key) SELECT gen_random_uuid(), $1, $2, gen_random_uuid() FROM generate_series(1, $3::int)`, as.Account.ID, as.User, dispatch.PileLists.Most())
	s.run(t, `WITH made AS (INSERT INTO templates (id, account_id, name) SELECT gen_random_uuid(), $1, 'Mal ' || i FROM generate_series(1, $3::int) i RETURNING id, name)
		INSERT INTO template_versions (account_id, template_id, version, name, text, created_by) SELECT $1, id, 1, name, 'Hei', $2 FROM made`, as.Account.ID, as.User, dispatch.PileTemplate.Most())

	_, another := form("90000124", "Teksten som ikke må bli borte")
	wantWords(t, b.post("/k/oppvekst/sms/ny", fields(another...)), "Du har 300 utkast til SMS", "Teksten som ikke må bli borte")
	if got := b.post("/k/oppvekst/sms/ny", fields(sms...)).location(); got != last {
		t.Errorf("the form %s with which the last one was made leads to %q, want %q", key, got, last)
	}
	got := b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString()))
	if wantWords(t, got, "Du har 100 utkast til forsendelser"); got.StatusCode != http.StatusConflict {
		t.Errorf("a shipment: got %d", got.StatusCode)
	}
	kind, body := listForm("nokkel", uuid.NewString(), "liste", "Mobil\n90000101\n")
	wantWords(t, b.do(http.MethodPost, "/k/oppvekst/sms/ny/flere", kind, body), "Du har 50 utkast til SMS til flere", "90000101")
	lead := s.browser(t, accountAdmin)
	wantWords(t, lead.post("/k/oppvekst/maler/ny", fields("nokkel", uuid.NewString(), "navn", "En til", "tekst", "Hei på deg")), "Kontoen har 300 maler", "Hei på deg")
	s.run(t, `INSERT INTO exports (id, account_id, user_id, format, query, expires_at, done_at) SELECT gen_random_uuid(), $1, $2, 'csv', '', now() + interval '1 hour', now() FROM generate_series(1, $3::int)`, as.Account.ID, as.User, dispatch.PileExports.Most())
	wantWords(t, b.post("/k/oppvekst/eksport", fields("format", "csv")), "Du har bestilt 50 filer")
	if n := countRows(t, s, `SELECT count(*) FROM items WHERE state = 'draft'`); n != 400 {
		t.Errorf("%d drafts", n)
	}

	var id dispatch.TemplateID
	s.one(t, &id, `SELECT id FROM templates LIMIT 1`)
	s.run(t, `INSERT INTO template_versions (account_id, template_id, version, name, text, created_by) SELECT $1, $2, i, 'Mal', 'Hei ' || i, $3 FROM generate_series(2, $4::int) i`, as.Account.ID, id, as.User, dispatch.PileVersions.Most())
	s.run(t, `UPDATE templates SET version = $2 WHERE id = $1`, id, dispatch.PileVersions.Most())
	wantWords(t, lead.post("/k/oppvekst/maler/"+string(id)+"/endre", fields("versjon", "300", "navn", "Mal", "tekst", "Hei på deg")), "Malen har 300 versjoner", "Hei på deg")
}

// one reads one value from the database.
func (s *site) one(t testing.TB, to any, query string, args ...any) {
	t.Helper()
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), query, args...).Scan(to); err != nil {
		t.Fatal(err)
	}
}

// TestWorkEndsWhenTheClientLeaves: a query is cancelled when the client disconnects.
func TestWorkEndsWhenTheClientLeaves(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	pages := s.growing(t)
	held, err := storetest.DB(t, s.database).Begin()
	if err == nil {
		_, err = held.ExecContext(t.Context(), `LOCK TABLE items, listed, shipments, sms, documents, jobs, job_rows, templates, template_versions, saved_filters, exports, sign_ins, follow_ups IN ACCESS EXCLUSIVE MODE`)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Rollback() }()
	waiting := func() (n int) {
		s.one(t, &n, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		return n
	}
	for _, p := range pages {
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.server.URL+p.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		gone := make(chan error, 1)
		go func() {
			resp, err := b.client.Do(req)
			if err == nil {
				_ = resp.Body.Close()
			}
			gone <- err
		}()
		await.True(t, p.name+" to wait for the database", func() bool { return waiting() > 0 })
		leave()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", p.name, err)
		}
		await.True(t, p.name+" to end", func() bool { return waiting() == 0 })
	}
}
