package main_test

import (
	"context"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/tier"
)

// torture is a storm on a primary with a standby, in which besides programs the database and the network fail.
type torture struct {
	*storm
	pair      *pair
	services  *network
	databases []*network
	webs      []*life
	acts      map[string]int
	want      map[string]int // how often each act is to happen
	troubles  []trouble
}

// trouble is a time in which answers may have been lost on their way.
type trouble struct{ from, to time.Time }

// tortureActs are the failures, and the least number of each: in a short run, and in one of ten minutes.
var tortureActs = []struct {
	name        string
	short, long int
	act         func(*torture, context.Context)
}{
	{"kill", 4, 100, (*torture).killOne},
	{"freeze", 1, 20, (*torture).freezeOne},
	{"cut services", 1, 15, func(x *torture, ctx context.Context) { x.disturb(ctx, networkCut, x.services) }},
	{"silence services", 0, 10, func(x *torture, ctx context.Context) { x.disturb(ctx, networkSilent, x.services) }},
	{"slow services", 0, 5, func(x *torture, ctx context.Context) { x.disturb(ctx, networkSlow, x.services) }},
	{"cut database", 1, 15, func(x *torture, ctx context.Context) { x.disturb(ctx, networkCut, x.databases...) }},
	{"silence database", 0, 5, func(x *torture, ctx context.Context) { x.disturb(ctx, networkSilent, x.databases...) }},
	{"restart database", 1, 5, (*torture).restartDatabase},
	{"fail over", 1, 3, (*torture).failOver},
}

// TestTorture is one short round; `make torture MINUTES=10 SEED=…` the long one. Two programs deliver over all channels
// and generations; what the service has taken is compared with the database in the end.
func TestTorture(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	minutes := killSetting(t, "TORTURE_MINUTES", 0)
	x := newTorture(t, killSetting(t, "KILL_SEED", rand.Uint64()), minutes)
	t.Logf("KILL_SEED=%d", x.seed)
	x.rage(time.Duration(minutes) * time.Minute)
	x.calm(x.webs)
	x.itemsOfJobs()
	x.compareBooks()
	t.Logf("acts: %v, of it programs that ended by themselves while the database was away: %d", x.acts, x.acts["ended"])
	if guard := x.guard(); guard != (queue.Guard{}) {
		t.Errorf("the guard is %+v", guard)
	}
}

func newTorture(t *testing.T, seed, minutes uint64) *torture {
	t.Helper()
	x := &torture{pair: newPair(t), acts: map[string]int{}, want: map[string]int{}}
	x.storm = newStormOn(t, seed, x.pair.database)
	for _, act := range tortureActs {
		x.want[act.name] = act.short
		if minutes > 0 {
			x.want[act.name] = max(1, act.long*int(minutes)/10)
		}
	}
	x.disturbed, x.skew = x.inTrouble, skew
	jobs := 2000
	if minutes == 0 {
		x.rest, jobs = 12, 400
	}
	x.services = newNetwork(t, strings.TrimPrefix(x.address, "http://"))
	x.addressed("http://" + x.services.own.Addr().String())
	hosts := make([]string, 0, 2)
	for _, pg := range []string{x.pair.primary.SocketDir(), x.pair.standby.SocketDir()} {
		n, dir := newSocketNetwork(t, pg)
		x.databases, hosts = append(x.databases, n), append(hosts, dir)
	}
	x.env = append(x.env, "DATABASE_URL="+socketsAddress(hosts...))
	x.addJobs(jobs)
	return x
}

// rage sends while one failure follows the other, until each has happened as often as wanted and the time is over.
func (x *torture) rage(length time.Duration) {
	x.t.Helper()
	x.sim.SetChaos(x.fault)
	defer x.sim.SetChaos(nil)
	ctx, stop := context.WithCancel(x.t.Context())
	defer stop()
	var at sync.WaitGroup
	for _, sender := range x.senders {
		at.Go(func() { x.keepSending(ctx, sender) })
		at.Go(func() { x.keepPosting(ctx, sender) })
	}
	at.Go(func() { x.keepHelping(ctx) })
	at.Go(func() { x.refuseNowAndThen(ctx) })
	x.webs = []*life{x.start(), x.start()}
	began := time.Now()
	for due := x.due(); len(due) > 0 || time.Since(began) < length; due = x.due() {
		x.await("programs serve", func() bool { return x.webs[0].serves() && x.webs[1].serves() })
		name := "kill"
		if len(due) > 0 {
			name = due[x.number(len(due))]
		}
		for _, act := range tortureActs {
			if act.name == name {
				act.act(x, ctx)
				x.acts[name]++
			}
		}
		x.pause(ctx, 100, 1500)
	}
	stop()
	at.Wait()
	x.sim.RefuseTokens(0)
}

// due are the acts that have not happened often enough, each as many times as it is lacking.
func (x *torture) due() (names []string) {
	for _, act := range tortureActs {
		names = append(names, slices.Repeat([]string{act.name}, max(0, x.want[act.name]-x.acts[act.name]))...)
	}
	return names
}

// await waits for something that programs do, and replaces those that have ended because the database was away.
func (x *torture) await(what string, holds func() bool) {
	x.t.Helper()
	eventually(x.t, what, func() bool {
		for i, web := range x.webs {
			if !web.ended() {
				continue
			}
			if len(x.troubles) == 0 {
				x.t.Errorf("web ended by itself: %v\n%s", web.err, web.tail())
			}
			x.acts["ended"]++
			x.webs[i] = x.start()
		}
		return holds()
	})
}

func (x *torture) killOne(context.Context) { x.replace(x.webs, x.number(2)) }

func (x *torture) freezeOne(ctx context.Context) {
	i := x.number(2)
	if !x.freeze(ctx, x.webs[i].process) {
		x.replace(x.webs, i)
	}
}

// disturb disturbs connections for some seconds.
func (x *torture) disturb(ctx context.Context, state networkState, networks ...*network) {
	x.inTroubleFor(func() {
		for _, n := range networks {
			n.set(state)
		}
		x.pause(ctx, 200, 4000)
		for _, n := range networks {
			n.set(networkOpen)
		}
	})
}

func (x *torture) restartDatabase(context.Context) {
	x.inTroubleFor(func() {
		if err := x.pair.primary.Kill(); err != nil {
			x.t.Fatal(err)
		}
		if err := x.pair.primary.Restart(x.t.Context()); err != nil {
			x.t.Fatal(err)
		}
	})
}

// failOver promotes the standby. First the heartbeats of killed programs are made a minute older, so that they count as gone.
func (x *torture) failOver(context.Context) {
	x.t.Helper()
	var since string // a dead program's last heartbeat is older, whichever server's clock it has
	x.await("only living programs are witnesses", func() bool {
		if since == "" && x.db.QueryRowContext(x.t.Context(), `SELECT (clock_timestamp() + $1 * interval '1 second')::text`, skew.Seconds()).Scan(&since) != nil {
			return false
		}
		_, _ = x.db.ExecContext(x.t.Context(), `UPDATE workers SET seen_at = seen_at - interval '1 minute' WHERE seen_at < now() - interval '5 seconds'`) // again if the database is away
		return x.count(`SELECT count(*) FROM workers`) == 2 && x.count(`SELECT count(*) FROM workers WHERE seen_at > '`+since+`'`) == 2 && x.witnesses() == 2
	})
	before := x.promotions()
	x.inTroubleFor(x.pair.failOver)
	x.await("the standby is accepted", func() bool {
		if x.guard().Paused {
			x.t.Fatalf("the standby was taken for a restored backup:\n%s\n%s", x.webs[0].tail(), x.webs[1].tail())
		}
		return x.promotions() > before
	})
	x.inTroubleFor(x.pair.follow)
}

// inTroubleFor notes the time in which answers may have been lost, and adds the longest duration of a call.
func (x *torture) inTroubleFor(act func()) {
	from := time.Now()
	act()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.troubles = append(x.troubles, trouble{from.Add(-time.Second), time.Now().Add(time.Second + skew)})
}

// inTrouble tells whether one of an item's calls may have lost its answer on the way.
func (x *torture) inTrouble(attempts []dispatch.Attempt) bool {
	return slices.ContainsFunc(attempts, func(a dispatch.Attempt) bool {
		return slices.ContainsFunc(x.troubles, func(tr trouble) bool { return a.StartedAt.Before(tr.to) && a.FinishedAt.After(tr.from) })
	})
}

// socketsAddress is the address of the primary among servers that are reached by their sockets.
func socketsAddress(dirs ...string) string {
	ports := slices.Repeat([]string{"5432"}, len(dirs))
	query := url.Values{"host": {strings.Join(dirs, ",")}, "port": {strings.Join(ports, ",")}, "sslmode": {"disable"}, "target_session_attrs": {"read-write"}}
	return (&url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: query.Encode()}).String()
}
