// Package keeper is the background maintenance of stored data: it chains the event log, seals values that earlier
// releases left in clear, and purges at night. Any number of processes may run it on one database.
package keeper

import (
	"context"
	"log/slog"
	"time"

	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// Options configure a Keeper. Zero durations mean the defaults.
type Options struct {
	Store *store.Store
	Owner *store.Store // works as the owner of the database, to purge the event log; nil: Store
	Log   *slog.Logger
	// KeepObjects is how long objects stay in object storage that no file names any more: as long as backups are kept.
	KeepObjects time.Duration
	Every       time.Duration // how often new lines of the event log are chained; 5 s
}

const (
	// chainBack is how far back each pass looks for lines: late commits are younger than this.
	chainBack = 10 * time.Minute
	// chainAll is how often a pass looks at all lines, for even later commits.
	chainAll = time.Hour
)

// Keeper maintains stored data until it is stopped.
type Keeper struct {
	o     Options
	all   time.Time // when all lines were last checked
	night time.Time // the last purged one
}

// New returns a keeper; Run starts it.
func New(o Options) *Keeper {
	if o.Every == 0 {
		o.Every = 5 * time.Second
	}
	if o.Owner == nil {
		o.Owner = o.Store
	}
	return &Keeper{o: o}
}

// Run works until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(k.o.Every)
	defer tick.Stop()
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			k.chain(ctx, now)
		case now := <-minute.C:
			k.sealHolds(ctx)
			k.ok(ctx, "end requests that waited too long", registry.In(k.o.Store).ActRequests.Expire(ctx, now))
			k.purgeTonight(ctx, now)
		}
	}
}

// chain adds the newest lines of the event log to the hash chain, and now and then all that are missing. It writes the head of the
// chain to our own log: an attacker who rewrites the whole chain cannot rewrite that too.
func (k *Keeper) chain(ctx context.Context, now time.Time) {
	since, whole := now.Add(-chainBack), now.Sub(k.all) >= chainAll
	if whole {
		since = time.Time{}
	}
	n, err := registry.In(k.o.Store).Audit.Chain(ctx, since)
	if !k.ok(ctx, "chain the event log", err) || !whole {
		return
	}
	end, err := registry.In(k.o.Store).Audit.LastLink(ctx)
	if k.ok(ctx, "read the end of the chain", err) {
		k.all = now
		k.o.Log.Info("event log is chained", "lines", n, "end", end.String())
	}
}

// sealHolds seals values that earlier releases, which may still run beside us, write in plaintext.
func (k *Keeper) sealHolds(ctx context.Context) {
	n, err := registry.In(k.o.Store).Holds.Seal(ctx)
	if k.ok(ctx, "seal the reasons of holds", err) && n > 0 {
		k.o.Log.Info("reasons of holds are sealed", "n", n)
	}
}

// ok tells whether a step succeeded, and logs failures.
func (k *Keeper) ok(ctx context.Context, what string, err error) bool {
	return store.Note(ctx, k.o.Log, "database refuses a statement", err, "to", what)
}
