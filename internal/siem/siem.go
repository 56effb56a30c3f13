// Package siem forwards the event log to the municipality's log server: each line at least once, in the order of the chain, from a
// cursor in the database. Any number of processes may run it; a lease lets one forward at a time. Lines contain ids, times and
// acts, and nothing that names a person. Nothing waits for it.
package siem

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// Options configure a Forwarder.
type Options struct {
	Store  *store.Store
	Log    *slog.Logger
	Server Server           // nil: none
	Now    func() time.Time // nil: time.Now
	Batch  int              // most lines per call; 0: 200

	CallTime time.Duration // bounds one call; 0: 30 s
}

const (
	sendEvery = 5 * time.Second
	// The lease outlasts a call, so that two processes never send at the same time.
	callTime  = 30 * time.Second
	leaseTime = 2 * callTime
	batchSize = 200
	// longestPause bounds the backoff.
	longestPause = 10 * time.Minute
)

// Forwarder forwards the log.
type Forwarder struct {
	o     Options
	token string
}

// New returns a forwarder; Run starts it.
func New(o Options) *Forwarder {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Batch, o.CallTime = cmp.Or(o.Batch, batchSize), cmp.Or(o.CallTime, callTime)
	return &Forwarder{o: o, token: uuid.NewString()}
}

// Run works until ctx ends. Without a server it does nothing.
func (f *Forwarder) Run(ctx context.Context) {
	if f.o.Server == nil {
		return
	}
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.Pass(ctx)
		}
	}
}

// Pass forwards chained lines until there are no more or a call fails.
func (f *Forwarder) Pass(ctx context.Context) {
	reg := registry.In(f.o.Store)
	for ctx.Err() == nil {
		now := f.o.Now()
		lease, err := reg.SIEM.Lease(ctx, f.token, now, now.Add(leaseTime))
		if !f.ok(ctx, "take the lease", err) || lease == nil {
			return
		}
		events, err := reg.SIEM.EventsAfter(ctx, lease.Position, f.o.Batch)
		if !f.ok(ctx, "read the event log", err) || len(events) == 0 {
			return
		}
		if gap := events[0].Position - lease.Position - 1; gap > 0 {
			f.o.Log.Error("lines of the event log were purged before the log server had them", "lines", gap)
		}
		call, cancel := context.WithTimeout(ctx, f.o.CallTime)
		fault := f.o.Server.Send(call, events)
		cancel()
		if fault != FaultNone {
			f.failed(ctx, lease, fault)
			return
		}
		last, end := events[len(events)-1].Position, f.o.Now()
		// Also during shutdown: otherwise the lines would be sent twice.
		if !f.ok(ctx, "note what was handed over", reg.SIEM.EventsTaken(context.WithoutCancel(ctx), lease, last, end, end.Add(leaseTime))) {
			return
		}
	}
}

// failed stores a failed attempt. The cursor stays, so the lines are sent again.
func (f *Forwarder) failed(ctx context.Context, l *registry.SIEMLease, fault Fault) {
	if ctx.Err() != nil {
		return // shutting down: the server is not to blame
	}
	f.o.Log.Warn("the log server did not take the event log", "fault", string(fault), "position", l.Position, "try", l.Tries+1)
	f.ok(ctx, "note a failed try", registry.In(f.o.Store).SIEM.EventsRefused(ctx, l, string(fault), f.o.Now().Add(Pause(l.Tries))))
}

// Pause is the backoff after a failed attempt, given the number of failures before it: five seconds, doubled each time.
func Pause(before int) time.Duration { return min(5*time.Second<<min(before, 10), longestPause) }

// ok tells whether a step succeeded, and logs failures.
func (f *Forwarder) ok(ctx context.Context, what string, err error) bool {
	return store.Note(ctx, f.o.Log, "log server: a step failed", err, "to", what)
}
