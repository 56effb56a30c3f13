package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// stranger is somebody on another account who asks for an item of r's account.
type stranger struct {
	r, other rig
	id       dispatch.ItemID
}

func TestAnotherAccountsItem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tests := []struct {
		name  string
		state dispatch.State // in which the owner could do it
		call  func(context.Context, *testing.T, stranger) error
		want  error // nil: no error, but no effect either
	}{
		{"is not read", dispatch.StateAccepted, func(ctx context.Context, _ *testing.T, x stranger) error {
			_, err := items.In(x.r.s).SMS.ByID(ctx, x.other.Account.ID, x.id)
			return err
		}, store.ErrNotFound},
		{"is not changed as a draft", dispatch.StateDraft, func(ctx context.Context, _ *testing.T, x stranger) error {
			return items.In(x.r.s).SMS.ChangeDraft(ctx, x.other.Account.ID, x.id, x.r.Actor, storetest.ToPhone("90000999", "Byttet"))
		}, store.ErrNotFound},
		{"is not sent", dispatch.StateDraft, func(ctx context.Context, t *testing.T, x stranger) error {
			return items.In(x.r.s).SMS.Queue(ctx, x.other.Account, x.id, x.r.Seen(t, x.r.s, x.id), x.r.Actor)
		}, store.ErrNotFound},
		{"is not discarded", dispatch.StateDraft, func(ctx context.Context, _ *testing.T, x stranger) error {
			return items.In(x.r.s).Drafts.Discard(ctx, x.other.Account.ID, dispatch.KindSMS, x.id, x.r.Actor)
		}, store.ErrNotFound},
		{"is not cancelled", dispatch.StateQueued, func(ctx context.Context, _ *testing.T, x stranger) error {
			return stop(x.r.s, ctx, x.other.Account.ID, x.id, x.r.Actor)
		}, store.ErrNotFound},
		{"is not confirmed", overdue, func(ctx context.Context, _ *testing.T, x stranger) error {
			return items.In(x.r.s).Decisions.Confirm(ctx, x.other.Account.ID, x.id, x.r.Actor)
		}, store.ErrNotFound},
		{"is not sent again", dispatch.StateFailed, func(ctx context.Context, _ *testing.T, x stranger) error {
			return items.In(x.r.s).Decisions.SendAgain(ctx, x.other.Account.ID, x.id, x.r.Actor)
		}, store.ErrNotFound},
		{"is not revealed", dispatch.StateAccepted, func(ctx context.Context, _ *testing.T, x stranger) error {
			return items.In(x.r.s).Decisions.Reveal(ctx, x.other.Account.ID, x.id, x.r.Actor)
		}, store.ErrNotFound},
		{"is not decided about", dispatch.StateUncertain, func(ctx context.Context, t *testing.T, x stranger) error {
			var errs []error
			for _, d := range []dispatch.Decision{dispatch.DecisionSent, dispatch.DecisionSendAgain, dispatch.DecisionDrop} {
				n, err := items.In(x.r.s).Decisions.Resolve(ctx, x.other.Account, []dispatch.ItemID{x.id}, d, x.r.Actor)
				wantCount(t, n, 0)
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		}, nil},
		{"is not decided about in bulk after a restore", dispatch.StateUncertain, func(ctx context.Context, t *testing.T, x stranger) error {
			x.r.exec(t, `UPDATE items SET restored_at = now() WHERE id = $1`, x.id)
			n, err := items.In(x.r.s).Decisions.ResolveRestored(ctx, x.other.Account, false, dispatch.DecisionDrop, x.r.Actor)
			x.r.exec(t, `UPDATE items SET restored_at = NULL WHERE id = $1`, x.id)
			wantCount(t, n, 0)
			return err
		}, nil},
		{"shows no timeline", dispatch.StateAccepted, func(ctx context.Context, t *testing.T, x stranger) error {
			events, err := x.r.s.Events(ctx, x.other.Account.ID, x.id)
			wantCount(t, len(events), 0)
			return err
		}, nil},
		{"is in no list", dispatch.StateAccepted, func(ctx context.Context, t *testing.T, x stranger) error {
			items, _, _, err := lists.In(x.r.s).Items.List(ctx, x.other.Account.ID, lists.ListQuery{Viewer: x.r.User, Page: store.Page{Limit: 10}})
			wantCount(t, len(items), 0)
			return err
		}, nil},
		{"is no latest draft", dispatch.StateDraft, func(ctx context.Context, _ *testing.T, x stranger) error {
			_, err := items.In(x.r.s).SMS.LatestDraft(ctx, x.other.Account.ID, x.r.User)
			return err
		}, store.ErrNotFound},
		{"does not count as uncertain", dispatch.StateUncertain, func(ctx context.Context, t *testing.T, x stranger) error {
			counts, err := lists.In(x.r.s).Items.Counts(ctx, x.other.Account.ID, x.r.User, "")
			wantCount(t, counts[dispatch.GroupUncertain].N, 0)
			return err
		}, nil},
		{"has no check pulled forward", dispatch.StateAccepted, func(ctx context.Context, t *testing.T, x stranger) error {
			pulled, err := queue.In(x.r.s).Checks.Pull(ctx, x.other.Account.ID, x.id, time.Second)
			if pulled {
				t.Error("got a pulled check")
			}
			return err
		}, nil},
		{"gets no status", dispatch.StateAccepted, func(ctx context.Context, _ *testing.T, x stranger) error {
			return queue.In(x.r.s).Checks.SaveStatus(ctx, x.check(), dispatch.StatusDelivered, time.Now(), dispatch.DefaultRefreshPlan())
		}, store.ErrNotFound},
		{"gets no read error", dispatch.StateAccepted, func(ctx context.Context, _ *testing.T, x stranger) error {
			return queue.In(x.r.s).Checks.SaveError(ctx, x.check(), dispatch.Reason{Key: "reason.server_error"}, dispatch.Answer{}, true, time.Now())
		}, store.ErrNotFound},
		{"is not claimed", dispatch.StateQueued, func(ctx context.Context, t *testing.T, x stranger) error {
			if c := x.r.tryClaim(t, x.other.lane()); c != nil {
				t.Error("got a claim")
			}
			return nil
		}, nil},
		{"is not finished", dispatch.StateSending, func(ctx context.Context, t *testing.T, x stranger) error {
			return queue.In(x.r.s).Outcomes.Finish(ctx, queue.Ended{Claim: x.claim(t), Result: accepted(uuid.NewString())})
		}, store.ErrNotFound},
		{"has no lease prolonged", dispatch.StateSending, func(ctx context.Context, t *testing.T, x stranger) error {
			ok, err := queue.In(x.r.s).Claims.Extend(ctx, x.claim(t), time.Hour)
			if ok {
				t.Error("got a prolonged lease")
			}
			return err
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := stranger{r: r.other(t), other: r.other(t)}
			x.id = x.r.in(t, tt.state)
			before, events := x.r.row(t, x.id), x.r.events(t, x.id)
			wantErr(t, tt.call(t.Context(), t, x), tt.want)
			if x.r.row(t, x.id) != before || x.r.events(t, x.id) != events {
				t.Error("the row or its timeline has changed")
			}
		})
	}
}

func wantCount(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("got %d items, want %d", got, want)
	}
}

// check is a check of the item in the name of the other account.
func (x stranger) check() queue.Check {
	return queue.Check{Item: x.id, Account: x.other.Account.ID, Integration: x.r.Integration.ID, AcceptedAt: time.Now()}
}

// claim is the item's claim in the name of the other account.
func (x stranger) claim(t *testing.T) *queue.Claim {
	t.Helper()
	c := &queue.Claim{Lane: x.other.lane(), Item: x.id}
	c.Token = read[string](t, x.r, `SELECT lease_token::text FROM items WHERE id = $1`, x.id)
	c.Attempt = dispatch.AttemptID(read[string](t, x.r, `SELECT id::text FROM attempts WHERE item_id = $1`, x.id))
	return c
}

func TestAnotherPersonsDraft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	user, err := r.s.SaveLogin(t.Context(), store.Login{Issuer: "https://login.example", Subject: "kollega", Name: "Ola Nordmann"})
	if err != nil {
		t.Fatal(err)
	}
	colleague := store.Actor{User: user}
	id := r.in(t, dispatch.StateDraft)
	before := r.row(t, id)
	wantErr(t, items.In(r.s).SMS.ChangeDraft(t.Context(), r.Account.ID, id, colleague, storetest.ToPhone("90000999", "Byttet")), store.ErrNotFound)
	wantErr(t, items.In(r.s).SMS.Queue(t.Context(), r.Account, id, r.Seen(t, r.s, id), colleague), store.ErrNotFound)
	wantErr(t, items.In(r.s).Drafts.Discard(t.Context(), r.Account.ID, dispatch.KindSMS, id, colleague), store.ErrNotFound)
	if _, err := items.In(r.s).SMS.LatestDraft(t.Context(), r.Account.ID, user); err != store.ErrNotFound {
		t.Errorf("got %v for a colleague's latest draft, want ErrNotFound", err)
	}
	if r.row(t, id) != before {
		t.Error("the draft has changed")
	}
}

// An id comes from an address: one that is no uuid is not found, and never an error of the database.
func TestMalformedID(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	acts := map[string]func(dispatch.ItemID) error{
		"read": func(id dispatch.ItemID) error {
			_, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, id)
			return err
		},
		"send": func(id dispatch.ItemID) error {
			return items.In(r.s).SMS.Queue(t.Context(), r.Account, id, "1", r.Actor)
		},
		"cancel": func(id dispatch.ItemID) error { return stop(r.s, t.Context(), r.Account.ID, id, r.Actor) },
		"discard": func(id dispatch.ItemID) error {
			return items.In(r.s).Drafts.Discard(t.Context(), r.Account.ID, dispatch.KindSMS, id, r.Actor)
		},
		"reveal": func(id dispatch.ItemID) error {
			return items.In(r.s).Decisions.Reveal(t.Context(), r.Account.ID, id, r.Actor)
		},
	}
	for name, act := range acts {
		for _, id := range []dispatch.ItemID{"", "1", "ny", dispatch.ItemID(strings.Repeat("a", 36)), dispatch.ItemID("{" + uuid.NewString() + "}")} {
			if err := act(id); err != store.ErrNotFound {
				t.Errorf("%s %q: got %v, want ErrNotFound", name, id, err)
			}
		}
	}
}
