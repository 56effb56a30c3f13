// Package await waits in tests for other goroutines and processes. Its only limit catches tests that hang and is far
// beyond what a busy machine needs; long before that it reports what is awaited and what is there instead.
package await

import (
	"fmt"
	"os"
	"testing"
	"time"
)

const (
	// Limit is the timeout after which a test fails.
	Limit = 5 * time.Minute
	// Told is how long a wait stays silent.
	Told = 30 * time.Second

	shortest, longest = 5 * time.Millisecond, 250 * time.Millisecond
)

// Mark begins each line that tells of a long wait. Such lines go to standard error at once: what a test logs is seen when it
// has ended.
const Mark = "WAITING: "

// True polls until the condition holds, and fails the test after Limit.
func True(t testing.TB, what string, holds func() bool) {
	t.Helper()
	Seen(t, what, holds, func() string { return "not so" })
}

// Seen is True that reports what there is instead.
func Seen(t testing.TB, what string, holds func() bool, instead func() string) {
	t.Helper()
	start := time.Now()
	next := start.Add(Told)
	for { // the pause grows to a tenth of the wait
		asked := time.Now()
		if holds() {
			return
		}
		now := time.Now()
		if now.Sub(start) > Limit {
			t.Fatalf("after %s: waited in vain: %s\n%s", Limit, what, instead())
		}
		if now.After(next) {
			Tell(t, start, what, instead())
			next = now.Add(Told)
		}
		time.Sleep(max(Pause(now.Sub(asked)), min(now.Sub(start)/10, longest)))
	}
}

// Tell reports at once that a test has waited since start for something, and what there is instead.
func Tell(t testing.TB, start time.Time, what, instead string) {
	fmt.Fprintf(os.Stderr, "%s%s: since %s: %s: %s\n", Mark, t.Name(), time.Since(start).Round(time.Second), what, instead)
}

// Pause is the pause before polling again, given how long polling takes. Polling uses processor time that the awaited
// work needs too: at most a fifth of the time goes into it.
func Pause(asking time.Duration) time.Duration {
	return min(max(shortest, 4*asking), longest)
}
