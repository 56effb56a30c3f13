// Package bulk performs acts on chosen items in the background, in batches. Each item is checked and changed by itself, as on its
// own page. Any number of processes may run it on one database.
package bulk

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
)

// Options configure a Worker.
type Options struct {
	Store *store.Store
	Log   *slog.Logger
	Wake  func()           // makes delivery look for new work; nil: it looks by itself
	Now   func() time.Time // nil: time.Now
	Poll  time.Duration    // polling interval; 1 s
}

// Worker performs acts, one at a time.
type Worker struct{ o Options }

// New returns a worker; Run starts it.
func New(o Options) *Worker {
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wake == nil {
		o.Wake = func() {}
	}
	return &Worker{o}
}

// purgeEvery is the time between two purges.
const purgeEvery = time.Minute

// Run performs acts until ctx ends. An interrupted one is continued by another worker.
func (w *Worker) Run(ctx context.Context) {
	tick := time.NewTicker(w.o.Poll)
	defer tick.Stop()
	var purged time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if now.Sub(purged) > purgeEvery {
				w.note(ctx, lists.In(w.o.Store).BulkOrders.Purge(ctx))
				purged = now
			}
			for ctx.Err() == nil {
				did, err := w.Perform(ctx, "")
				if !w.note(ctx, err) || !did {
					break
				}
			}
		}
	}
}

func (w *Worker) note(ctx context.Context, err error) bool {
	return store.Note(ctx, w.o.Log, "an act on chosen items is not done", err)
}

// batch is how many items are done between two writes of results, and turn how many batches before another act may go on.
const (
	batch = 50
	turn  = 20
)

// Perform performs an act until it is done, its turn is over or ctx ends: the one with that id, or the next. It tells whether there was
// one.
func (w *Worker) Perform(ctx context.Context, id string) (bool, error) {
	b, err := lists.In(w.o.Store).BulkOrders.Claim(ctx, id)
	if err != nil || b == nil {
		return false, err
	}
	done, err := w.perform(ctx, b)
	if err != nil && !errors.Is(err, store.ErrChanged) && ctx.Err() == nil {
		err = w.o.Store.SetAside(ctx, dispatch.QueueBulk, b.ID, err)
	}
	if ctx.Err() != nil {
		err = nil // the next worker does the rest
	}
	return true, errors.Join(err, lists.In(w.o.Store).BulkOrders.GiveBack(context.WithoutCancel(ctx), b, done))
}

func (w *Worker) perform(ctx context.Context, b *lists.Bulk) (done bool, err error) {
	account, err := registry.In(w.o.Store).Accounts.ByID(ctx, b.Account)
	if err != nil {
		return false, err
	}
	for range turn {
		ids, err := lists.In(w.o.Store).BulkOrders.Remaining(ctx, b, batch)
		if err != nil || len(ids) == 0 {
			return err == nil, err
		}
		results, err := w.batch(ctx, b, account, ids)
		if kept := lists.In(w.o.Store).BulkOrders.Keep(context.WithoutCancel(ctx), b, results); err == nil {
			err = kept
		}
		w.o.Wake()
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// batch performs the act on some items. After an error it returns the results so far.
func (w *Worker) batch(ctx context.Context, b *lists.Bulk, account dispatch.Account, ids []dispatch.ItemID) (map[dispatch.ItemID]dispatch.BulkResult, error) {
	results := map[dispatch.ItemID]dispatch.BulkResult{}
	found, err := lists.In(w.o.Store).Selections.Items(ctx, account.ID, b.User, ids)
	if err != nil {
		return results, err
	}
	for _, id := range ids {
		it, ok := found[id]
		if !ok {
			results[id] = dispatch.BulkChanged
			continue
		}
		if results[id], err = w.one(ctx, b, account, it); err != nil {
			delete(results, id)
			return results, err
		}
	}
	return results, nil
}

// one performs the act on an item and returns its result. An error that concerns more than this item is returned.
func (w *Worker) one(ctx context.Context, b *lists.Bulk, account dispatch.Account, it dispatch.BulkItem) (dispatch.BulkResult, error) {
	it.Reach = reach(b, it)
	if why := b.Act.LeftOut(it); why != "" {
		return why, nil
	}
	err := w.act(ctx, b, account, it)
	for _, known := range outcomes {
		if errors.Is(err, known.err) {
			return known.result, nil
		}
	}
	if err != nil && store.OwnFault(ctx, err) {
		w.note(ctx, err)
		return dispatch.BulkFailed, nil
	}
	return dispatch.BulkDid, err
}

// errAsked: a request to stop the item is stored; it is stopped if the running call did not send it.
var errAsked = errors.New("it is stopped if it was not sent")

// outcomes are the errors for which an item is left out.
var outcomes = []struct {
	err    error
	result dispatch.BulkResult
}{
	{errAsked, dispatch.BulkAsked}, {store.ErrChanged, dispatch.BulkChanged}, {store.ErrNotFound, dispatch.BulkChanged}, {store.ErrStale, dispatch.BulkChanged},
	{items.ErrQuota, dispatch.BulkQuota}, {items.ErrBudget, dispatch.BulkBudget}, {items.ErrApproval, dispatch.BulkApproval},
	{items.ErrFaulty, dispatch.BulkFaulty}, {store.ErrProtected, dispatch.BulkProtected},
}

// reach is how much of an item the user may open. Whoever ordered the act had shown which colleagues' items they may open, for the
// given reason.
func reach(b *lists.Bulk, it dispatch.BulkItem) dispatch.Reach {
	switch {
	case it.CreatedBy == b.User:
		return dispatch.ReachOpen
	case b.Terms.Opens(it.CreatedBy):
		return dispatch.ReachReason
	}
	return dispatch.ReachNone
}

// act performs the act on one item. The reason is logged only if the act opens content.
func (w *Worker) act(ctx context.Context, b *lists.Bulk, account dispatch.Account, it dispatch.BulkItem) error {
	by := b.By
	if it.CreatedBy != b.User && b.Act.Opens(it) {
		by.Reason = b.Terms.Reason
	}
	switch b.Act {
	case dispatch.BulkStop:
		asked, err := items.In(w.o.Store).Decisions.Stop(ctx, account.ID, it.ID, by)
		if asked && err == nil {
			return errAsked
		}
		return err
	case dispatch.BulkAgain:
		return items.In(w.o.Store).Resends.Resend(ctx, items.Resend{Account: account, ID: it.ID, Kind: it.Kind, Paper: b.Terms.Paper, Now: w.o.Now()}, by)
	case dispatch.BulkLook:
		return items.In(w.o.Store).Decisions.LookAgain(ctx, account.ID, it.ID, by)
	case dispatch.BulkDecide:
		return some(items.In(w.o.Store).Decisions.Resolve(ctx, account, []dispatch.ItemID{it.ID}, b.Terms.Decision, by))
	case dispatch.BulkAssign, dispatch.BulkDone:
		return lists.In(w.o.Store).FollowUps.Handle(ctx, account.ID, it.ID, b.Terms.Handling, by)
	}
	return store.ErrChanged
}

// some is store.ErrChanged if nothing was changed.
func some(n int, err error) error {
	if err == nil && n == 0 {
		return store.ErrChanged
	}
	return err
}
