package pdf

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// waiting counts the waiting files.
func (t *turns) waiting() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range t.accounts {
		for _, p := range a.people {
			n += len(p.files)
		}
	}
	return n
}

// queue enqueues files one after the other, and returns the channels of their turns.
func queue(t *testing.T, ts *turns, files ...party) <-chan party {
	t.Helper()
	served := make(chan party, len(files))
	for _, who := range files {
		before := ts.waiting()
		go func() {
			if ts.take(t.Context(), who) == nil {
				served <- who
			}
		}()
		for ts.waiting() == before { // the test program's own limit tells what hangs
			time.Sleep(time.Millisecond)
		}
	}
	return served
}

// TestTurnsAreSharedByAccountAndPerson (fair queueing): a person with one file waits for one file of each other
// account, not for all files enqueued before.
func TestTurnsAreSharedByAccountAndPerson(t *testing.T) {
	t.Parallel()
	ts := newTurns(1)
	if err := ts.take(t.Context(), party{"a", "x"}); err != nil {
		t.Fatal(err)
	}
	many := slices.Repeat([]party{{"a", "x"}}, 6)
	served := queue(t, ts, append(many, party{"a", "y"}, party{"b", "z"}, party{"b", "z"}, party{"c", "w"})...)
	var got []string
	for range 10 {
		ts.leave()
		who := <-served
		got = append(got, who.account+who.person)
	}
	if want := []string{"ax", "bz", "cw", "ay", "bz", "ax", "ax", "ax", "ax", "ax"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	ts.leave()
	if ts.free != 1 || ts.waiting() != 0 {
		t.Errorf("%d slots are free, %d files wait", ts.free, ts.waiting())
	}
}

// TestTurnsAreLeft: a waiting file that gives up takes no slot.
func TestTurnsAreLeft(t *testing.T) {
	t.Parallel()
	ts := newTurns(1)
	if err := ts.take(t.Context(), party{}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	for i := range 3 {
		go func() { ended <- ts.take(ctx, party{"a", fmt.Sprint(i)}) }()
	}
	for ts.waiting() < 3 {
		time.Sleep(time.Millisecond)
	}
	stop()
	for range 3 {
		if err := <-ended; err == nil {
			t.Error("somebody who stopped has a slot")
		}
	}
	ts.leave()
	if err := ts.take(t.Context(), party{"b", "z"}); err != nil || ts.waiting() != 0 {
		t.Errorf("the slot is gone: %v, %d wait", err, ts.waiting())
	}
}

// TestAhead: the number of files ahead that a waiting person is told is right.
func TestAhead(t *testing.T) {
	t.Parallel()
	ts := newTurns(1)
	kari, ola, helse := party{"oppvekst", "kari"}, party{"oppvekst", "ola"}, party{"helse", "hilde"}
	if err := ts.take(t.Context(), kari); err != nil {
		t.Fatal(err)
	}
	queue(t, ts, kari, kari, kari, ola, helse, helse)
	for who, want := range map[party]int{kari: 0, helse: 1, ola: 2} {
		if n, waits := ts.ahead(who); !waits || n != want {
			t.Errorf("%s: %d ahead (waits: %t), want %d", who.person, n, waits, want)
		}
	}
	if n, waits := ts.ahead(party{"helse", "per"}); n != 0 || waits {
		t.Errorf("got %d, %t for who has no file there", n, waits)
	}
	if ts.waiting() != 6 {
		t.Errorf("%d wait after that", ts.waiting())
	}
	ts.leave()
	if n, waits := ts.ahead(kari); !waits || n != 3 {
		t.Errorf("%d ahead of the next one (%t), want helse's, ola's and helse's", n, waits)
	}
	for range 6 {
		ts.leave()
	}
}
