package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// shipmentFiles reads the files of a job's shipments, in the order of the list.
func (r rig) shipmentFiles(t *testing.T, id dispatch.JobID) (files []string) {
	t.Helper()
	for l, err := range items.In(r.s).ShipmentJobs.EachShipment(t.Context(), r.Account.ID, id) {
		if err != nil {
			t.Fatal(err)
		}
		documents, err := r.s.Documents(t.Context(), r.Account.ID, l.ID)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%d:", l.Position)
		for _, d := range documents {
			content, err := io.ReadAll(r.s.Content(t.Context(), r.Account.ID, d))
			if err != nil {
				t.Fatal(err)
			}
			line += " " + string(content)
		}
		files = append(files, line)
	}
	return files
}

// wantShipmentEach expects one shipment for each row, each with a recipient of its own.
func (r rig) wantShipmentEach(t *testing.T, id dispatch.JobID, n int) {
	t.Helper()
	got := read[string](t, r, `
		SELECT concat_ws(' ', count(*), count(DISTINCT it.job_position), min(it.job_position), max(it.job_position), count(DISTINCT h.number_hash),
		                 (SELECT count(*) FROM events e JOIN items i ON i.id = e.item_id WHERE i.job_id = $1 AND e.kind = 'queued'))
		FROM items it JOIN shipments h ON h.item_id = it.id WHERE it.job_id = $1`, id)
	if want := fmt.Sprintf("%d %d 1 %d %d %d", n, n, n, n, n); got != want {
		t.Errorf("got shipments, positions from and to, recipients, events %s, want %s", got, want)
	}
	if j := r.job(t, id); j.Made != n || j.Recipients != n || j.MadeAt.IsZero() {
		t.Errorf("the job has made %d of %d, at %v", j.Made, j.Recipients, j.MadeAt)
	}
}

// TestShipmentsShareTheirFiles: common files are stored once, and the draft has become the job.
func TestShipmentsShareTheirFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(3))
	r.SendShipments(t, r.s, l)
	if _, err := items.In(r.s).Drafts.ByID(t.Context(), r.Account.ID, l.Draft, r.Actor.User); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the draft is still there: %v", err)
	}
	if j, err := items.In(r.s).ShipmentJobs.ByID(t.Context(), r.Account.ID, l.Draft, r.Actor.User); err != nil || j.ID != l.Job || j.State != dispatch.JobRunning || j.Text != "Vedtak" {
		t.Errorf("the draft does not lead to its job: %+v %v", j, err)
	}
	r.made(t)
	r.wantShipmentEach(t, l.Job, 3)
	if diff := cmp.Diff([]string{"1: til alle", "2: til alle", "3: til alle"}, r.shipmentFiles(t, l.Job)); diff != "" {
		t.Error(diff)
	}
	if n := read[int](t, r, `SELECT count(*) FROM document_chunks`); n != 1 {
		t.Errorf("the file is stored in %d pieces, want 1", n)
	}
	if err := items.In(r.s).ShipmentJobs.Send(t.Context(), r.Account, l.Job, r.Actor, l.Shipment, true); !errors.Is(err, store.ErrChanged) {
		t.Errorf("sent twice: %v", err)
	}
}

// TestSharedFilesStayWhileShipmentsDo: a job with shipments cannot be deleted.
func TestSharedFilesStayWhileShipmentsDo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(2))
	r.SendShipments(t, r.s, l)
	r.made(t)
	if _, err := r.db.ExecContext(t.Context(), `DELETE FROM jobs WHERE id = $1`, l.Job); err == nil {
		t.Error("the files of shipments that are there could be deleted")
	}
	if got := r.shipmentFiles(t, l.Job); len(got) != 2 {
		t.Errorf("got %q", got)
	}
}

// TestNothingGoesWhileARowIsFaulty: nor after a change since the rows were checked.
func TestNothingGoesWhileARowIsFaulty(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(20))
	send := func() error {
		return items.In(r.s).ShipmentJobs.Send(t.Context(), r.Account, l.Job, r.Actor, l.Shipment, true)
	}
	if err := send(); !errors.Is(err, store.ErrStale) {
		t.Errorf("sent before anybody has looked: %v", err)
	}
	rows, _, err := items.In(r.s).Rows.Read(t.Context(), r.Account.ID, l.Job, items.RowsAll, 6, 1)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	rows[0].Problem, rows[0].Column = dispatch.Problem{Field: "postnummer", Key: "problem.postal_code"}, "postnummer"
	seen := r.SeenJob(t, r.s, l.Job)
	if err := items.In(r.s).ShipmentJobs.KeepChecks(t.Context(), r.Account.ID, l.Job, r.Actor, seen, items.Checks{As: l.ChecksVersion, Rows: rows}); err != nil {
		t.Fatal(err)
	}
	wantErr(t, items.In(r.s).ShipmentJobs.KeepChecks(t.Context(), r.Account.ID, l.Job, r.Actor, seen, items.Checks{As: l.ChecksVersion}), store.ErrStale) // the list is another one now
	if err := send(); !errors.Is(err, items.ErrFaulty) {
		t.Errorf("sent with a faulty row: %v", err)
	}
	if err := items.In(r.s).ShipmentJobs.LeaveOutFaulty(t.Context(), r.Account.ID, l.Job, r.Actor); err != nil {
		t.Fatal(err)
	}
	if err := send(); !errors.Is(err, store.ErrStale) {
		t.Errorf("sent after a change, without a new look: %v", err)
	}
	r.SendShipments(t, r.s, l)
	r.made(t)
	if n := r.job(t, l.Job).Made; n != 19 {
		t.Errorf("%d shipments, want 19", n)
	}
	t.Run("a file that came since", func(t *testing.T) {
		l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(1))
		r.LookOver(t, r.s, l)
		_, err := items.In(r.s).Documents.Add(t.Context(), items.Upload{Account: r.Account.ID, Item: l.Draft, User: r.Actor.User, FileName: "ny.pdf", Content: strings.NewReader("ny"),
			Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
				return dispatch.Document{}, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		if err := items.In(r.s).ShipmentJobs.Send(t.Context(), r.Account, l.Job, r.Actor, l.Shipment, true); !errors.Is(err, store.ErrStale) {
			t.Errorf("sent without the new file: %v", err)
		}
	})
}

// TestShipmentsAreMadeByTwo: two processes create the shipments of one job, and one of them dies repeatedly. Each row
// becomes one shipment, with its own slice.
func TestShipmentsAreMadeByTwo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const n = 1200 // two transactions
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(n))
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("del %d", i+1)
	}
	r.divided(t, l, parts...)
	r.SendShipments(t, r.s, l)
	var all sync.WaitGroup
	end := time.Now().Add(5 * time.Minute)
	for dying := range 2 {
		s := storetest.Open(t, r.url)
		for range 2 {
			all.Go(func() {
				for i := 1; time.Now().Before(end); i++ {
					ctx, cancel := context.WithCancel(t.Context())
					if dying == 1 {
						time.AfterFunc(time.Duration(i)*7*time.Millisecond, cancel) // its connection breaks off in mid-transaction
					}
					_, err := items.In(s).Maker.Make(ctx, merged)
					cancel()
					if err != nil && dying == 0 {
						t.Error(err)
						return
					}
					if j, err := items.In(r.s).Jobs.ByID(t.Context(), r.Account.ID, l.Job); err != nil || !j.MadeAt.IsZero() {
						return
					}
				}
			})
		}
	}
	all.Wait()
	r.wantShipmentEach(t, l.Job, n)
	wrong := read[int](t, r, `
		SELECT count(*) FROM items it LEFT JOIN documents d ON d.item_id = it.id
		WHERE it.job_id = $1 AND d.part IS DISTINCT FROM it.job_position`, l.Job)
	if wrong != 0 {
		t.Errorf("%d shipments have a part that is not theirs", wrong)
	}
}

// TestStoppedShipmentsAreCancelled, also those that are not made yet; and a restored job's are uncertain.
func TestStoppedShipmentsAreCancelled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(1200))
	r.SendShipments(t, r.s, l)
	r.makeSome(t)
	if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, l.Job, r.Actor); err != nil {
		t.Fatal(err)
	}
	r.made(t)
	if got := r.jobStates(t, l.Job); got != "1200 cancelled" {
		t.Errorf("got %s", got)
	}
}

func TestShipmentsOutOfABackup(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(1200))
	r.SendShipments(t, r.s, l)
	r.makeSome(t)
	r = r.restored(t)
	if n := r.makeSome(t); n != 0 {
		t.Errorf("%d were made before anybody looked which database it is", n)
	}
	r.checkGuard(t)
	r.resume(t)
	r.made(t)
	if got := r.jobStates(t, l.Job); got != "1200 uncertain" {
		t.Errorf("got %s", got)
	}
}

// TestGroupsOfShipments: the list behind each count holds what was counted.
func TestGroupsOfShipments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	fates := []string{"queued,", "accepted,", "accepted,MOTTATT", "accepted,VARSLET", "accepted,LEST", "accepted,PRINTET", "accepted,AVVIST", "accepted,MANUELT_HANDTERT",
		"accepted,SLETTET", "accepted,NOE_NYTT", "accepted,FEILET_UNDER_MOTTAK", "rejected,", "failed,", "uncertain,", "cancelled,"}
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(len(fates)))
	r.SendShipments(t, r.s, l)
	r.made(t)
	for i, fate := range fates {
		state, status, _ := strings.Cut(fate, ",")
		if _, err := r.db.ExecContext(t.Context(), `UPDATE items SET state = $3, status = $4, reason_at = now(), status_at = now(), accepted_at = now() WHERE job_id = $1 AND job_position = $2`, l.Job, i+1, state, status); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := items.In(r.s).Jobs.Counts(t.Context(), r.Account.ID, l.Job)
	if err != nil {
		t.Fatal(err)
	}
	want := dispatch.JobCounts{dispatch.JobWaiting: 1, dispatch.JobHandedOver: 2, dispatch.JobOnItsWay: 2, dispatch.JobArrived: 2, dispatch.JobNotDelivered: 2,
		dispatch.JobClosed: 2, dispatch.JobNotSent: 2, dispatch.JobUncertain: 1, dispatch.JobCancelled: 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
	for _, g := range dispatch.JobGroups() {
		list, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, ofJob(l.Job, g))
		if err != nil || len(list) != counts[g] {
			t.Errorf("%s: the list has %d, want %d (%v)", g, len(list), counts[g], err)
		}
	}
	if list, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, ofJob(l.Job, "")); err != nil || len(list) != len(fates) {
		t.Errorf("all: %d, %v", len(list), err)
	}
}

// ofJob asks the list for the shipments of a job, by their type too.
func ofJob(id dispatch.JobID, g dispatch.JobGroup) lists.ListQuery {
	return lists.ListQuery{Filter: dispatch.ListFilter{Kind: dispatch.KindShipment, Job: id, JobGroup: g, Type: "vedtak"}, Page: store.Page{Limit: 50}}
}

// TestShipmentsOfOthers: another account's, and another person's draft, are not there.
func TestShipmentsOfOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := storetest.NewSample(t, r.s, "helse")
	l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(2))
	ctx := t.Context()
	for name, err := range map[string]error{
		"job":    second(items.In(r.s).ShipmentJobs.ByID(ctx, other.Account.ID, l.Draft, r.Actor.User)),
		"person": second(items.In(r.s).ShipmentJobs.ByID(ctx, r.Account.ID, l.Draft, other.Actor.User)),
		"create": second(items.In(r.s).ShipmentJobs.Create(ctx, other.Account.ID, l.Draft, r.Actor)),
		"leave":  items.In(r.s).ShipmentJobs.LeaveOutFaulty(ctx, other.Account.ID, l.Job, r.Actor),
		"send":   items.In(r.s).ShipmentJobs.Send(ctx, other.Account, l.Job, other.Actor, l.Shipment, true),
		"part":   second(items.In(r.s).Slices.ByID(ctx, other.Account.ID, l.Job, 1)),
		"again":  second(items.In(r.s).Repeats.ShipmentsAgain(ctx, other.Account.ID, l.Job, r.Actor, uuid.NewString())),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestShipmentsOfJobsAreClaimed: each job waits in a lane of its own, also what is pinned to an earlier integration; a paused
// one has none.
func TestShipmentsOfJobsAreClaimed(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	r.Account.UndoWindow = 0
	var jobs []dispatch.JobID
	for range 2 {
		l := r.ShipmentJob(t, r.s, "til alle", storetest.ShipmentRows(3))
		r.SendShipments(t, r.s, l)
		jobs = append(jobs, l.Job)
	}
	r.made(t)
	lanes := func() map[dispatch.JobID]queue.Lane {
		list, err := queue.In(r.s).Claims.Lanes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		by := map[dispatch.JobID]queue.Lane{}
		for _, l := range list {
			if _, there := by[l.Job]; there || l.Channel != dispatch.KindShipment {
				t.Errorf("lane %+v", l)
			}
			by[l.Job] = l
		}
		return by
	}
	now := lanes()
	if len(now) != 2 || now[jobs[0]].Job == "" || now[jobs[1]].Job == "" {
		t.Fatalf("the lanes are %+v", now)
	}
	c := r.tryClaim(t, now[jobs[0]])
	if c == nil || c.Shipment.Title != "Vedtak" || len(c.Shipment.Documents) != 1 || c.Shipment.Recipient.Postal.Name != "Mottaker 1" {
		t.Fatalf("claimed %+v", c)
	}
	content, err := io.ReadAll(r.s.Content(t.Context(), r.Account.ID, c.Shipment.Documents[0]))
	if err != nil || string(content) != "til alle" {
		t.Errorf("its file is %q, %v", content, err)
	}
	if err := items.In(r.s).Jobs.Pause(t.Context(), r.Account.ID, jobs[0], r.Actor); err != nil {
		t.Fatal(err)
	}
	if c := r.tryClaim(t, now[jobs[0]]); c != nil {
		t.Error("a shipment of a paused job was claimed")
	}
	if now = lanes(); len(now) != 1 || now[jobs[1]].Job == "" {
		t.Errorf("with one paused the lanes are %+v", now)
	}
	if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, jobs[1], r.Actor); err != nil {
		t.Fatal(err)
	}
	if got := r.jobStates(t, jobs[1]); got != "3 cancelled" {
		t.Errorf("the stopped job has %s", got)
	}
	if err := items.In(r.s).Jobs.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if j := r.job(t, jobs[0]); j.State != dispatch.JobPaused {
		t.Errorf("the paused job is %s", j.State)
	}
}

// TestCopyOfAShipmentOfAJob has files of its own, and its slice if the file was divided.
func TestCopyOfAShipmentOfAJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(2))
	r.divided(t, l, "en", "to")
	l.Fields.Documents = map[dispatch.DocumentID]dispatch.DocumentFields{l.Content.Documents[0].ID: {Giro: "1"}}
	r.SendShipments(t, r.s, l)
	r.made(t)
	second := read[dispatch.ItemID](t, r, `SELECT id FROM items WHERE job_id = $1 AND job_position = 2`, l.Job)
	id, err := items.In(r.s).Shipments.Copy(t.Context(), r.Account.ID, r.Actor, items.Copy{Of: second, Key: uuid.NewString()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := items.In(r.s).Drafts.ByID(t.Context(), r.Account.ID, id, r.Actor.User)
	if err != nil || len(d.Documents) != 1 || d.CopyOf != second {
		t.Fatalf("%d files, a copy of %s, %v", len(d.Documents), d.CopyOf, err)
	}
	content, err := io.ReadAll(r.s.Content(t.Context(), r.Account.ID, d.Documents[0]))
	if err != nil || string(content) != "to" || d.Fields.Documents[d.Documents[0].ID].Giro != "1" {
		t.Errorf("the copy's file is %q, %v; what was typed is about %v", content, err, d.Fields.Documents)
	}
}

// TestAListGoesWithItsDraft: to a colleague, and away.
func TestAListGoesWithItsDraft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(2))
	colleague, err := r.s.SaveLogin(t.Context(), store.Login{Issuer: "https://login.example", Subject: uuid.NewString(), Name: "Amir"})
	if err != nil {
		t.Fatal(err)
	}
	theirs := store.Actor{User: colleague}
	if _, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, theirs, uuid.NewString(), dispatch.DraftFields{}); err != nil {
		t.Fatal(err)
	}
	if err := items.In(r.s).HandOvers.Give(t.Context(), r.Account.ID, l.Draft, colleague, r.Actor); err != nil {
		t.Fatal(err)
	}
	if _, err := items.In(r.s).ShipmentJobs.ByID(t.Context(), r.Account.ID, l.Draft, r.Actor.User); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the list stayed: %v", err)
	}
	if j, err := items.In(r.s).ShipmentJobs.ByID(t.Context(), r.Account.ID, l.Draft, colleague); err != nil || j.List.Read != 2 {
		t.Errorf("the colleague has %+v, %v", j, err)
	}
	if err := items.In(r.s).Drafts.Discard(t.Context(), r.Account.ID, dispatch.KindShipment, l.Draft, theirs); err != nil {
		t.Fatal(err)
	}
	if n := read[int](t, r, `SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM job_rows) + (SELECT count(*) FROM document_chunks)`); n != 0 {
		t.Errorf("%d rows are left of a draft that was discarded", n)
	}
}
