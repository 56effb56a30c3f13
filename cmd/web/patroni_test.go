package main_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// TestPatroni is the trial of docs/operations.md, `make patroni`: two programs deliver from a cluster under Patroni, in which the primary is
// changed on purpose, the standby is killed, and the primary is killed. It takes minutes, as Patroni does.
func TestPatroni(t *testing.T) {
	if os.Getenv("PATRONI_TRIAL") == "" {
		t.Skip("a trial of minutes: make patroni")
	}
	t.Setenv("PGPASSWORD", patroniPassword) // for the owner's connections of the rig
	p := startPatroni(t)
	s := newStormOn(t, killSetting(t, "KILL_SEED", rand.Uint64()), p.address())
	s.sim.SetChaos(func(string, string) simulator.Fault {
		time.Sleep(time.Duration(s.number(100)) * time.Millisecond) // so that calls are under way at any time
		return simulator.NoFault
	})
	x := &patroniTrial{storm: s, cluster: p}
	s.disturbed = x.inTrouble
	webs := []*life{s.start(), s.start()}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var senders sync.WaitGroup
	for _, by := range s.senders {
		senders.Go(func() { s.keepSending(ctx, by) })
		senders.Go(func() { s.keepPosting(ctx, by) })
	}
	eventually(t, "both deliver", func() bool { return s.witnesses() == len(webs) })
	x.handOver(50)

	x.act("switchover", 1, func(leader, standby string) {
		if out, err := p.ctl("switchover", "--leader", leader, "--candidate", standby, "--force", "utsending"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	})
	x.act("the standby is killed", 0, func(_, standby string) { x.down(standby) })
	x.act("the primary is killed", 1, func(leader, _ string) { x.down(leader) })

	stop()
	senders.Wait()
	if got := s.guard(); got != (queue.Guard{}) {
		t.Errorf("the guard says %+v", got)
	}
	s.calm(webs)
	s.compareBooks()
}

// patroniTrial measures what a change of the cluster does to delivery.
type patroniTrial struct {
	*storm
	cluster  *patroni
	troubles []trouble
}

// handOver waits until so many more are handed over.
func (x *patroniTrial) handOver(more int) {
	x.t.Helper()
	want := x.handedOver() + more
	eventually(x.t, "more is handed over", func() bool { return x.handedOver() >= want })
}

// act changes the cluster, waits until delivery and cluster are as before, and tells how long that took.
func (x *patroniTrial) act(name string, promotions int, change func(leader, standby string)) {
	x.t.Helper()
	leader, standby := x.cluster.roles()
	promoted, uncertain := x.promotions(), x.uncertain()
	began := time.Now()
	change(leader, standby)
	eventually(x.t, "the guard accepts the primary", func() bool { return x.promotions() == promoted+promotions })
	accepted := time.Since(began)
	if x.guard().Paused {
		x.t.Fatal("delivery is paused")
	}
	x.handOver(100)
	x.troubles = append(x.troubles, trouble{began.Add(-time.Second), time.Now()})
	for _, n := range x.cluster.nodes {
		if n.crashed {
			x.cluster.start(n)
		}
	}
	again := time.Now()
	x.cluster.awaitSynchronous()
	x.handOver(20)
	from, still := x.stillness(began)
	load, _ := os.ReadFile("/proc/loadavg") // only told
	x.t.Logf("%s: delivery stood still for %s, from %s after it; the guard accepted after %s; %d became uncertain; back in the cluster after %s; load %s",
		name, still.Round(100*time.Millisecond), from.Round(100*time.Millisecond), accepted.Round(100*time.Millisecond), x.uncertain()-uncertain,
		time.Since(again).Round(100*time.Millisecond), load)
}

// stillness is the longest time without a hand-over since then, and how long after it that began.
func (x *patroniTrial) stillness(since time.Time) (from, longest time.Duration) {
	last := since
	for _, c := range x.sim.Calls() {
		if c.Operation != simulator.OpSend || c.At.Before(since) {
			continue
		}
		if c.At.Sub(last) > longest {
			from, longest = last.Sub(since), c.At.Sub(last)
		}
		last = c.At
	}
	return from, longest
}

func (x *patroniTrial) uncertain() int {
	return x.count(`SELECT count(*) FROM attempts WHERE outcome = 'uncertain'`)
}

// down kills a node.
func (x *patroniTrial) down(name string) { x.cluster.crash(x.cluster.nodes[name]) }

// inTrouble tells whether one of an item's calls may have lost its answer on the way.
func (x *patroniTrial) inTrouble(attempts []dispatch.Attempt) bool {
	return slices.ContainsFunc(attempts, func(a dispatch.Attempt) bool {
		return slices.ContainsFunc(x.troubles, func(tr trouble) bool { return a.StartedAt.Before(tr.to) && a.FinishedAt.After(tr.from) })
	})
}
