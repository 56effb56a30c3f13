package delivery

import (
	"slices"
	"sync"
	"time"
)

const (
	// callsPerMarked is how many calls at a time there are for each one whose attempt may be begun while it waits for its turn.
	callsPerMarked = 8
	// swift is how long calls take at most for that: at this pace, such a one waits for about six milliseconds.
	swift = 50 * time.Millisecond
	// waitMarked is how long it waits at most, when the pace falls.
	waitMarked = 50 * time.Millisecond
)

// turnstile lets an integration's calls through, so many at a time, who comes first goes first.
type turnstile struct {
	mu      sync.Mutex
	most    int
	through int             // calls that run
	waiting []chan struct{} // closed when it is their turn
	took    time.Duration   // by a call, of late; zero: not known
}

// allow sets how many calls may run at a time.
func (t *turnstile) allow(most int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.most = most
	t.admit()
}

// runners returns how many runners there are to be: a few more than calls at a time, whose next ones are ready when a call ends.
func (t *turnstile) runners() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.most + t.most/callsPerMarked
}

// ahead tells whether attempts are begun before it is their call's turn.
func (t *turnstile) ahead() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.took > 0 && t.took <= swift
}

// enter waits for a turn.
func (t *turnstile) enter() { <-t.join() }

// enterSoon waits for a turn, but not for long, and tells whether it got one. Who does not get it has seen that the pace fell.
func (t *turnstile) enterSoon() bool {
	turn := t.join()
	over := time.NewTimer(waitMarked)
	defer over.Stop()
	select {
	case <-turn:
		return true
	case <-over.C:
		return t.leaveQueue(turn)
	}
}

func (t *turnstile) join() chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	turn := make(chan struct{})
	t.waiting = append(t.waiting, turn)
	t.admit()
	return turn
}

// leaveQueue gives up waiting, unless the turn has just come.
func (t *turnstile) leaveQueue(turn chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.waiting, turn)
	if i < 0 {
		return true
	}
	t.waiting, t.took = slices.Delete(t.waiting, i, i+1), 2*swift
	return false
}

// exit ends a call that took so long; zero: none was made.
func (t *turnstile) exit(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case took == 0:
	case t.took == 0:
		t.took = took
	default:
		t.took += (took - t.took) / 8
	}
	t.through--
	t.admit()
}

// admit lets those through whose turn it is. The lock is held.
func (t *turnstile) admit() {
	for t.through < t.most && len(t.waiting) > 0 {
		close(t.waiting[0])
		t.waiting = t.waiting[1:]
		t.through++
	}
}
