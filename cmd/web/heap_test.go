package main

import (
	"runtime"
	"testing"
	"time"
)

// TestHeapGrowth: garbage is collected at 16 MiB, or at twice the live heap if that is more.
func TestHeapGrowth(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, test := range []struct {
		live, roots uint64
		want        int
	}{
		{0, 0, 400}, {1 * mib, mib / 2, 400}, {3 * mib, mib, 324}, {4 * mib, 0, 299}, {6 * mib, 2 * mib, 124}, {8*mib - 1, 0, 100},
		{7 * mib, 4 * mib, 100}, {8 * mib, 0, 100}, {500 * mib, mib, 100},
	} {
		if got := heapGrowth(test.live, test.roots); got != test.want {
			t.Errorf("%d living, %d of roots: got %d, want %d", test.live, test.roots, got, test.want)
		}
	}
}

// TestHeapIsSeenToAfterEachCollection: the limit follows the live heap, up and down.
func TestHeapIsSeenToAfterEachCollection(t *testing.T) {
	await := func(what string, ok func(percent uint64) bool) {
		t.Helper()
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for range 1000 {
			runtime.GC()
			if ok(figure("/gc/gogc:percent")) {
				return
			}
			<-tick.C
		}
		t.Errorf("not so: %s", what)
	}
	relaxHeap(100)
	held := make([]byte, leastHeap)
	await("much lives, and the heap may double", func(percent uint64) bool { return percent == 100 })
	runtime.KeepAlive(held)
	await("little lives, and the heap may grow to 16 MiB", func(percent uint64) bool { return percent > 100 })
}
