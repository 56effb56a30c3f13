package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"utsending/internal/dispatch"
	"utsending/internal/export"
	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
	"utsending/internal/views/follow"
)

// rig is an account in a database of its own, with a maker.
type rig struct {
	storetest.Sample
	url   string
	s     *store.Store
	words *i18n.Languages
	maker *export.Maker
}

func newRig(t *testing.T) rig {
	t.Helper()
	r := rig{url: storetest.Database(t)}
	r.s = storetest.Open(t, r.url)
	r.Sample = storetest.NewSample(t, r.s, "oppvekst")
	r.words = i18ntest.Languages(t)
	r.maker = r.another()
	return r
}

// another is a maker as in another process.
func (r rig) another() *export.Maker {
	return export.New(export.Options{Store: r.s, Languages: r.words, Log: slog.New(slog.DiscardHandler)})
}

func (r rig) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := storetest.DB(t, r.url).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// fill puts n shipments into the account; the title of the first would be a formula.
func (r rig) fill(t *testing.T, n int) {
	t.Helper()
	made := 0
	err := items.In(r.s).Filler.Fill(t.Context(), r.Account.ID, func() (items.Filled, bool) {
		made++
		h := &dispatch.Shipment{Title: fmt.Sprint("Brev ", made), SourceSystem: "Utsending"}
		h.Recipient.Postal.Name = "Åse Nordmann"
		if made == 1 {
			h.Title = "=1+1"
		}
		return items.Filled{At: time.Now().Add(-time.Duration(made) * time.Second), By: r.User, Shipment: h, State: dispatch.StateAccepted, Status: dispatch.StatusRead}, made <= n
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (r rig) order(t *testing.T, f dispatch.ExportFormat, q lists.ListQuery) string {
	t.Helper()
	q.Viewer = r.User
	id, err := lists.In(r.s).Exports.Order(t.Context(), lists.ExportOrder{Account: r.Account.ID, By: r.Actor, Format: f, Query: q})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (r rig) next(t *testing.T) {
	t.Helper()
	if made, err := r.maker.Next(t.Context()); err != nil || !made {
		t.Fatalf("made: %t, %v", made, err)
	}
}

// fetched is the file of an export.
func (r rig) fetched(t *testing.T, id string) []byte {
	t.Helper()
	e, err := lists.In(r.s).Exports.ByID(t.Context(), r.Account.ID, r.User, id)
	if err != nil || !e.Done {
		t.Fatalf("got %+v, %v", e.Export, err)
	}
	file := lists.In(r.s).Exports.File(t.Context(), e)
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil || int64(len(content)) != e.Size {
		t.Fatalf("%d bytes of %d, %v", len(content), e.Size, err)
	}
	return content
}

// expected are the rows of a list as a file has them.
func (r rig) expected(t *testing.T, q lists.ListQuery) (rows [][]string) {
	t.Helper()
	ctx := i18n.With(t.Context(), r.words.Default)
	rows = append(rows, follow.ExportColumns(ctx))
	q.Viewer, q.Page.Limit = r.User, 10_000
	items, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		rows = append(rows, follow.ExportRow(ctx, it, r.User, time.Now()))
	}
	return rows
}

func TestExportEqualsTheList(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fill(t, 1300)
	open := storetest.ToPhone("90000123", "-2+3")
	hidden := storetest.ToPhone("90000123", "Hemmelig")
	hidden.HideInReport = true
	r.Queue(t, r.s, open)
	r.Queue(t, r.s, hidden)
	words := lists.Search{Words: []string{"nordmann", "brev"}}
	for name, q := range map[string]lists.ListQuery{
		"everything":       {},
		"the oldest first": {Page: store.Page{Oldest: true}},
		"a filter":         {Filter: dispatch.ListFilter{Kind: dispatch.KindSMS}},
		"a search":         {Search: &words},
		"nothing":          {Filter: dispatch.ListFilter{BillingCode: "X"}},
	} {
		t.Run(name, func(t *testing.T) {
			id, other := r.order(t, dispatch.FormatXLSX, q), r.order(t, dispatch.FormatCSV, q)
			r.next(t)
			r.next(t)
			want := r.expected(t, q)
			book, err := excelize.OpenReader(bytes.NewReader(r.fetched(t, id)))
			if err != nil {
				t.Fatal(err)
			}
			defer book.Close()
			got, err := book.GetRows("Resultat")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("the workbook has %d rows that differ from the list's %d", len(got), len(want))
			}
			content := r.fetched(t, other)
			lines := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff"))))
			lines.Comma = ';'
			all, err := lines.ReadAll()
			if err != nil || len(all) != len(want) {
				t.Errorf("CSV has %d rows, %v; want %d", len(all), err, len(want))
			}
			for _, never := range []string{"Hemmelig", "90000123", ";=1+1", ";-2+3"} {
				if strings.Contains(string(content), never) {
					t.Errorf("%q stands in the file", never)
				}
			}
		})
	}
	if n := len(r.expected(t, lists.ListQuery{})); n != 1303 {
		t.Errorf("the list has %d rows", n)
	}
}

// TestExportIsForWhoAsked: an export is found only by the user who ordered it, and only until it expires.
func TestExportIsForWhoAsked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	elsewhere := storetest.NewSample(t, r.s, "helse")
	id := r.order(t, dispatch.FormatCSV, lists.ListQuery{})
	found := func(account dispatch.AccountID, user dispatch.UserID) bool {
		_, err := lists.In(r.s).Exports.ByID(t.Context(), account, user, id)
		return err == nil
	}
	if !found(r.Account.ID, r.User) || found(elsewhere.Account.ID, r.User) || found(r.Account.ID, elsewhere.User) {
		t.Error("somebody else finds it, or who asked does not")
	}
	r.next(t)
	r.exec(t, `UPDATE exports SET expires_at = now()`)
	if found(r.Account.ID, r.User) {
		t.Error("it is found after its time")
	}
	if err := lists.In(r.s).Exports.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left int
	err := storetest.DB(t, r.url).QueryRow(`SELECT (SELECT count(*) FROM exports) + (SELECT count(*) FROM export_chunks)`).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
}

// TestExportSurvivesDeath: an export interrupted by the death of a process is made by the next one, and late writes of the first
// are refused.
func TestExportSurvivesDeath(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fill(t, 600)
	id := r.order(t, dispatch.FormatCSV, lists.ListQuery{})
	first, err := lists.In(r.s).Exports.Claim(t.Context())
	if err != nil || first == nil {
		t.Fatal(err)
	}
	if made, err := r.maker.Next(t.Context()); made || err != nil {
		t.Fatalf("two make one export: %t, %v", made, err)
	}
	r.exec(t, `UPDATE exports SET lease_until = now() - interval '1 second'`)
	r.next(t)
	want := r.fetched(t, id)
	if err := lists.In(r.s).Exports.Keep(t.Context(), first, strings.NewReader("half of it")); err == nil {
		t.Error("who lost it could still end it")
	}
	if err := lists.In(r.s).Exports.Progress(t.Context(), first, 7); err == nil {
		t.Error("who lost it could still say how far it is")
	}
	if got := r.fetched(t, id); !bytes.Equal(got, want) || bytes.Count(got, []byte("\r\n")) != 601 {
		t.Errorf("the file has changed, or has %d rows", bytes.Count(got, []byte("\r\n")))
	}
	t.Run("but not for ever", func(t *testing.T) {
		id := r.order(t, dispatch.FormatCSV, lists.ListQuery{})
		for range 6 {
			if _, err := lists.In(r.s).Exports.Claim(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.exec(t, `UPDATE exports SET lease_until = now() - interval '1 second' WHERE done_at IS NULL`)
		}
		if e, err := lists.In(r.s).Exports.ByID(t.Context(), r.Account.ID, r.User, id); err != nil || !e.Failed {
			t.Errorf("got %+v, %v", e.Export, err)
		}
	})
}

// TestMakersAtOnce: processes share orders, each export is made once, and the limit per user holds.
func TestMakersAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fill(t, 50)
	var ids []string
	for range 3 {
		ids = append(ids, r.order(t, dispatch.FormatCSV, lists.ListQuery{}))
	}
	if _, err := lists.In(r.s).Exports.Order(t.Context(), lists.ExportOrder{Account: r.Account.ID, By: r.Actor, Format: dispatch.FormatCSV}); err == nil {
		t.Error("a fourth was taken")
	}
	var makers sync.WaitGroup
	for range 4 {
		makers.Go(func() {
			ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
			defer stop()
			maker := r.another()
			for {
				if made, err := maker.Next(ctx); err != nil || !made {
					if err != nil {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	makers.Wait()
	for _, id := range ids {
		if got := bytes.Count(r.fetched(t, id), []byte("\r\n")); got != 51 {
			t.Errorf("%d lines, want 51", got)
		}
	}
}

// TestExportStaysSmall: memory does not grow with the list.
func TestExportStaysSmall(t *testing.T) {
	r := newRig(t)
	r.fill(t, 30_000)
	id := r.order(t, dispatch.FormatXLSX, lists.ListQuery{})
	ctx, stop := context.WithCancel(t.Context())
	var most uint64
	watched := make(chan struct{})
	before := inUse()
	go func() {
		defer close(watched)
		for tick := time.Tick(20 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
				most = max(most, inUse())
			}
		}
	}()
	r.next(t)
	stop()
	<-watched
	if got := int(most-min(before, most)) >> 20; got > 40 {
		t.Errorf("%d MiB were held for 30 000 rows", got)
	}
	e, err := lists.In(r.s).Exports.ByID(t.Context(), r.Account.ID, r.User, id)
	if err != nil || e.Rows != 30_000 {
		t.Errorf("%d rows, %v", e.Rows, err)
	}
}

// inUse is the memory in use after a garbage collection.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestExportsBeforeAProtection: a file that was made, or begun, before its recipient was marked as protected does not hold them: it is made anew.
func TestExportsBeforeAProtection(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := storetest.NewSample(t, r.s, "helse")
	r.Queue(t, r.s, storetest.ToPhone("90000123", "Til den som skjermes"))
	r.Queue(t, r.s, storetest.ToPhone("90000124", "Til en annen"))
	done, theirs := r.order(t, dispatch.FormatCSV, lists.ListQuery{}), rig{other, r.url, r.s, r.words, r.maker}.order(t, dispatch.FormatCSV, lists.ListQuery{})
	r.next(t)
	r.next(t)
	if got := string(r.fetched(t, done)); !strings.Contains(got, "Til den som skjermes") {
		t.Fatalf("before: %s", got)
	}
	begun := r.order(t, dispatch.FormatCSV, lists.ListQuery{})
	claimed, err := lists.In(r.s).Exports.Claim(t.Context())
	if err != nil || claimed == nil || claimed.ID != begun {
		t.Fatal(claimed, err)
	}
	protection := dispatch.Protection{Phone: "90000123", Viewers: []dispatch.UserID{r.User}, Reason: "Adressesperre"}
	if err := items.In(r.s).Protected.Protect(t.Context(), r.Account.ID, protection, r.Actor); err != nil {
		t.Fatal(err)
	}
	e, err := lists.In(r.s).Exports.ByID(t.Context(), r.Account.ID, r.User, done)
	if err != nil || e.Done {
		t.Errorf("the old file can still be fetched: %+v, %v", e.Export, err)
	}
	if err := lists.In(r.s).Exports.Keep(t.Context(), claimed, strings.NewReader("Til den som skjermes")); err == nil {
		t.Error("a file that was begun before is kept")
	}
	r.next(t)
	r.next(t)
	for _, id := range []string{done, begun} {
		if got := string(r.fetched(t, id)); strings.Contains(got, "skjermes") || !strings.Contains(got, "Til en annen") {
			t.Errorf("made anew: %s", got)
		}
	}
	if e, err := lists.In(r.s).Exports.ByID(t.Context(), other.Account.ID, other.User, theirs); err != nil || !e.Done {
		t.Errorf("another account's file: %+v, %v", e.Export, err)
	}
}
