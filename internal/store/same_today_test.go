package store_test

import (
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// TestSameListToday: a list that was sent the same today is told with how many got it or may get it; nobody is asked about one that
// reached nobody.
func TestSameListToday(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	text := items.JobText{Text: "Hei der", Segments: 3}
	first := r.SendJob(t, r.s, listOf(3), text)
	same := r.JobDraft(t, r.s, listOf(3), text)
	told := func(reached int) {
		t.Helper()
		want := dispatch.SameJob{ID: first, Reached: reached, All: 3}
		if reached == 0 {
			want = dispatch.SameJob{}
		}
		if got, err := items.In(r.s).SMSJobs.SameToday(t.Context(), r.job(t, same)); err != nil || got != want {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
	told(3) // nothing is made yet
	r.exec(t, `UPDATE jobs SET state = 'stopped', stopped_at = now() WHERE id = $1`, first)
	told(0)
	r.exec(t, `UPDATE jobs SET state = 'running', stopped_at = NULL WHERE id = $1`, first)
	r.made(t)
	told(3)
	each := func(position int, change string) {
		t.Helper()
		r.exec(t, `UPDATE items SET `+change+` WHERE job_id = $1 AND job_position = $2`, first, position)
	}
	each(1, `state = 'rejected', reason_key = 'reason.rejected'`)
	each(2, `state = 'accepted', accepted_at = now(), upstream_id = gen_random_uuid(), status = '`+string(dispatch.StatusNotDelivered)+`'`)
	each(3, `state = 'uncertain'`)
	told(1)
	wantErr(t, items.In(r.s).SMSJobs.Send(t.Context(), r.Account, same, r.SeenJob(t, r.s, same), r.Actor, false), items.ErrRepeated)
	each(3, `state = 'failed', reason_key = 'reason.rejected'`)
	told(0)
	r.exec(t, `INSERT INTO attempts (id, item_id, account_id, integration_id, started_at, sent_at, finished_at, outcome, resolution, resolved_by)
		SELECT gen_random_uuid(), id, account_id, $2, now(), now(), now(), 'uncertain', 'not_sent', created_by FROM items WHERE job_id = $1 AND job_position = 3`, first, r.Integration.ID)
	told(1) // a person took it for unsent, without proof
	r.exec(t, `DELETE FROM attempts`)
	wantErr(t, items.In(r.s).SMSJobs.Send(t.Context(), r.Account, same, r.SeenJob(t, r.s, same), r.Actor, false), nil)
}
