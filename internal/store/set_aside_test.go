package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// fails runs a queue's work several times, each time after the retry delay of its poison message, and expects that it
// fails each time and is then reported to its account.
func (r rig) fails(t *testing.T, q dispatch.Queue, key string, do func() error) {
	t.Helper()
	for try := range dispatch.SetAsideAfter {
		r.exec(t, `UPDATE set_aside SET next_at = now()`)
		if err := do(); err == nil {
			t.Errorf("try %d did not fail", try+1)
		}
	}
	is := func(a dispatch.SetAside) bool {
		return a.Queue == q && a.Key == key && a.Tries >= dispatch.SetAsideAfter
	}
	all, err := r.s.AllSetAside(t.Context())
	if err != nil || !slices.ContainsFunc(all, is) || len(all) != 1 {
		t.Errorf("told: %+v, %v", all, err)
	}
	own, err := r.s.SetAsideOf(t.Context(), r.Account.ID)
	if err != nil || len(own) != 1 && q != dispatch.QueueReseal || len(own) == 1 && own[0].Name != r.Account.Name {
		t.Errorf("told to its account: %+v, %v", own, err)
	}
	if n, err := r.s.AsideCounts(t.Context()); n[q] != 1 || err != nil {
		t.Errorf("counted %v, %v", n, err)
	}
	if err := do(); err != nil {
		t.Errorf("it is not left out: %v", err)
	}
}

// TestPoisonIsSetAside: a poison message blocks no other work in its queue.
func TestPoisonIsSetAside(t *testing.T) {
	t.Parallel()
	for q, test := range map[dispatch.Queue]func(t *testing.T, r rig){
		dispatch.QueueMake: func(t *testing.T, r rig) {
			two := r.other(t)
			id := r.SendJob(t, r.s, listOf(2), items.JobText{Text: "Hei", Segments: 2})
			r.exec(t, `UPDATE job_rows SET content = 'nonsense' WHERE job_id = $1 AND position = 2`, id)
			healthy := two.SendJob(t, r.s, listOf(3), items.JobText{Text: "Hei", Segments: 3})
			if _, err := items.In(r.s).Maker.Make(t.Context(), merged); err == nil {
				t.Error("the poison is made")
			}
			if n := r.makeSome(t); n != 3 {
				t.Errorf("made %d of the healthy one", n)
			}
			two.wantOneEach(t, healthy, 3)
			r.fails(t, dispatch.QueueMake, string(id), func() error { _, err := items.In(r.s).Maker.Make(t.Context(), merged); return err })
			if a, err := r.s.FailedMaking(t.Context(), r.Account.ID, id); a.Cause != dispatch.AsideSealed || err != nil {
				t.Errorf("the job's page tells %+v, %v", a, err)
			}
			if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, id, r.Actor); err != nil {
				t.Fatal(err)
			}
			if err := items.In(r.s).Jobs.Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
			j := r.job(t, id)
			counts, err := items.In(r.s).Jobs.Counts(t.Context(), r.Account.ID, id)
			if j.State != dispatch.JobStopped || j.MadeAt.IsZero() || counts[dispatch.JobCancelled] != 2 || err != nil {
				t.Errorf("the stopped job is %s, made at %v, %v, %v", j.State, j.MadeAt, counts, err)
			}
			if all, err := r.s.AllSetAside(t.Context()); len(all) != 0 || err != nil {
				t.Errorf("it is still told: %+v, %v", all, err)
			}
		},
		dispatch.QueueClaim: func(t *testing.T, r rig) {
			two := r.sharing(t)
			id, healthy, foreign := r.queued(t), r.queued(t), two.queued(t)
			r.exec(t, `UPDATE items SET due_at = due_at - interval '1 minute' WHERE id = $1`, id)
			r.exec(t, `UPDATE sms SET text = 'nonsense' WHERE item_id = $1`, id)
			due := func() error {
				r.exec(t, `UPDATE items SET due_at = now() WHERE id = $1 AND unavailable_count < 3`, id)
				c, err := queue.In(r.s).Claims.Claim(t.Context(), r.lane(), time.Minute)
				if c != nil && c.Item == id {
					t.Error("the poison is claimed")
				}
				return err
			}
			r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour' WHERE id = $1`, healthy)
			r.fails(t, dispatch.QueueClaim, string(id), due)
			r.exec(t, `UPDATE items SET due_at = now() WHERE id = $1`, healthy)
			if c := r.claim(t); c.Item != healthy {
				t.Errorf("got %s", c.Item)
			}
			if c := two.claim(t); c.Item != foreign {
				t.Errorf("got %s", c.Item)
			}
		},
		dispatch.QueueRefresh: func(t *testing.T, r rig) {
			two := r.sharing(t)
			id, healthy := r.in(t, dispatch.StateAccepted), two.in(t, dispatch.StateAccepted)
			check := func() (failed error) {
				r.exec(t, `UPDATE items SET next_check_at = now()`)
				checks, err := queue.In(r.s).Checks.Claim(t.Context(), r.Integration.ID, 10)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range checks {
					status := dispatch.StatusDelivered
					if c.Item == id {
						status = "NY\x00"
					}
					if err := queue.In(r.s).Checks.SaveStatus(t.Context(), c, status, time.Now(), dispatch.RefreshPlan{}); err != nil {
						failed = err
					}
				}
				return failed
			}
			r.fails(t, dispatch.QueueRefresh, string(id), check)
			if it := two.Item(t, r.s, healthy); it.Status != dispatch.StatusDelivered {
				t.Errorf("the healthy one is %q", it.Status)
			}
		},
		dispatch.QueueRecover: func(t *testing.T, r rig) {
			r = r.shipments(t)
			id := r.diedShipment(t).Item
			r.exec(t, `UPDATE shipments SET content = 'nonsense' WHERE item_id = $1`, id)
			healthy := r.diedShipment(t).Item
			in := r.lookedUpAt(t)
			r.fails(t, dispatch.QueueRecover, string(id), func() error {
				r.exec(t, `UPDATE items SET recover_at = now() - interval '1 second' WHERE recover_at IS NOT NULL`)
				list, err := queue.In(r.s).Recoveries.Claim(t.Context(), in, 16)
				if len(list) != 1 || list[0].Item != healthy {
					t.Errorf("got %d look-ups", len(list))
				}
				return err
			})
		},
		dispatch.QueueExport: func(t *testing.T, r rig) {
			order := func() string {
				id, err := lists.In(r.s).Exports.Order(t.Context(), lists.ExportOrder{Account: r.Account.ID, By: r.Actor, Format: dispatch.FormatCSV})
				if err != nil {
					t.Fatal(err)
				}
				return id
			}
			id := order()
			r.exec(t, `UPDATE exports SET query = 'nonsense' WHERE id = $1`, id)
			healthy := order() // of the same account: another one would go before
			var claimed *lists.Export
			r.fails(t, dispatch.QueueExport, id, func() (err error) {
				r.exec(t, `UPDATE exports SET lease_until = now() - interval '1 second' WHERE id = $1`, id)
				claimed, err = lists.In(r.s).Exports.Claim(t.Context())
				return err
			})
			if claimed == nil || claimed.ID != healthy {
				t.Errorf("got %+v", claimed)
			}
			if !read[bool](t, r, `SELECT failed_at IS NOT NULL FROM exports WHERE id = $1`, id) {
				t.Error("its asker is not told that it failed")
			}
		},
		dispatch.QueueFollowUps: func(t *testing.T, r rig) {
			two := r.other(t)
			id, healthy := r.queued(t), two.queued(t)
			r.exec(t, `UPDATE items SET due_since = now() - interval '2 days', due_at = now() + interval '1 hour'`)
			r.exec(t, `DELETE FROM follow_ups`)
			r.exec(t, `ALTER TABLE follow_ups ADD CONSTRAINT poison CHECK (item_id <> '`+string(id)+`')`)
			r.fails(t, dispatch.QueueFollowUps, string(id), func() error { _, err := lists.In(r.s).FollowUps.Sweep(t.Context()); return err })
			if n := read[int](t, r, `SELECT count(*) FROM follow_ups WHERE item_id = $1`, healthy); n != 1 {
				t.Errorf("%d follow-ups of the healthy one", n)
			}
		},
		dispatch.QueueNumbers: func(t *testing.T, r rig) {
			two := r.other(t)
			r.exec(t, `ALTER TABLE stats ADD CONSTRAINT poison CHECK (account_id <> '`+string(r.Account.ID)+`')`)
			r.queued(t)
			two.queued(t)
			change := read[string](t, r, `SELECT id FROM stat_changes WHERE account_id = $1`, r.Account.ID)
			r.fails(t, dispatch.QueueNumbers, change, func() error { return lists.In(r.s).Statistics.Fold(t.Context()) })
			if n := read[int](t, r, `SELECT count(*) FROM stat_changes WHERE account_id = $1`, two.Account.ID); n != 0 {
				t.Errorf("%d changes of the healthy one are not put together", n)
			}
			if n, err := lists.In(r.s).Statistics.Drift(t.Context()); n != 0 || err != nil {
				t.Errorf("%d numbers are not what the items say, %v", n, err)
			}
		},
		dispatch.QueueChain: func(t *testing.T, r rig) {
			two := r.other(t)
			r.queued(t)
			two.queued(t)
			line := read[string](t, r, `SELECT min(id) FROM audit_events WHERE account_id = $1`, r.Account.ID)
			r.exec(t, `UPDATE audit_events SET at = 'infinity' WHERE id = $1`, line)
			r.fails(t, dispatch.QueueChain, line, func() error { _, err := registry.In(r.s).Audit.Chain(t.Context(), time.Time{}); return err })
			if n := read[int](t, r, `SELECT count(*) FROM audit_events e WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = e.id)`); n != 1 {
				t.Errorf("%d lines are in no chain", n)
			}
		},
		dispatch.QueuePurge: func(t *testing.T, r rig) {
			two := r.other(t)
			id, healthy := r.ended(t), two.ended(t)
			r.exec(t, `ALTER TABLE sms ADD CONSTRAINT poison CHECK (text IS NOT NULL OR item_id <> '`+string(id)+`')`)
			owner := storetest.Open(t, storetest.Owner(r.url))
			r.fails(t, dispatch.QueuePurge, string(id), func() error {
				_, err := registry.In(owner).Retention.Purge(t.Context(), dispatch.DefaultRetention(), time.Now().AddDate(0, 0, 91))
				return err
			})
			if it := two.Item(t, r.s, healthy); it.Text != "" {
				t.Error("the healthy one is not purged")
			}
		},
	} {
		t.Run(string(q), func(t *testing.T) {
			t.Parallel()
			test(t, newRig(t))
		})
	}
	t.Run(string(dispatch.QueueReseal), func(t *testing.T) {
		t.Parallel()
		first, err := seal.New()
		if err != nil {
			t.Fatal(err)
		}
		r := keyedRig(t, first)
		id, healthy := r.Queue(t, r.s, storetest.ToPhone(phone, text)), r.Queue(t, r.s, storetest.ToPhone(phone, text))
		r.exec(t, `ALTER TABLE sms ADD CONSTRAINT poison CHECK (item_id <> '`+string(id)+`' OR substring(text FROM 1 FOR 5) = '\x`+
			read[string](t, r, `SELECT encode(substring(text FROM 1 FOR 5), 'hex') FROM sms WHERE item_id = $1`, id)+`')`)
		r.s = keyed(t, r.url, next(t, next(t, first, seal.Rotate, seal.RotationAdded), seal.Rotate, seal.RotationUsed))
		for range dispatch.SetAsideAfter {
			r.exec(t, `UPDATE set_aside SET next_at = now()`)
			if _, left, err := r.s.Reseal(t.Context()); left != 1 || err != nil {
				t.Errorf("left %d, %v; want the poison", left, err)
			}
		}
		if all, err := r.s.AllSetAside(t.Context()); len(all) != 1 || all[0].Key != "sms/"+string(id)+"/text" || err != nil {
			t.Errorf("told: %+v, %v", all, err)
		}
		if it, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, healthy); err != nil || it.Text != text {
			t.Error(err)
		}
	})
}

// TestFailuresOfTheDatabaseSetNothingAside: work that fails because the database is away or busy is retried as
// before.
func TestFailuresOfTheDatabaseSetNothingAside(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.SendJob(t, r.s, listOf(1), items.JobText{Text: "Hei", Segments: 1})
	ended, end := context.WithCancel(t.Context())
	end()
	if err := r.s.SetAside(ended, dispatch.QueueMake, string(id), context.Canceled); err == nil {
		t.Error("the failure is gone")
	}
	if n := read[int](t, r, `SELECT count(*) FROM set_aside`); n != 0 {
		t.Error("it is set aside")
	}
	if n := r.makeSome(t); n != 1 {
		t.Errorf("made %d", n)
	}
}
