package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// leastHeap is how far the heap may grow before it is collected, in bytes. Little of it lives: collecting at twice
	// that, as the runtime does by itself, took nearly a quarter of this program's time under load.
	leastHeap = 16 << 20
	// most is leastHeap in percent of 4 MiB, which the runtime takes what lives for where it is less.
	most = 100 * leastHeap / (4 << 20)
)

// collection lives until garbage is collected next.
type collection struct{ _ *collection }

// relaxHeap lets the heap grow to leastHeap, or to twice what lives where that is more. set is the percentage of growth
// that holds; it is seen to after each collection.
func relaxHeap(set int) {
	now := heapGrowth(figure("/gc/heap/live:bytes"), figure("/gc/scan/stack:bytes")+figure("/gc/scan/globals:bytes"))
	if now < set-set/10 || now > set+set/10 {
		debug.SetGCPercent(now)
		set = now
	}
	runtime.AddCleanup(&collection{}, relaxHeap, set)
}

// heapGrowth is how much the heap may grow until it is collected, in percent of what lives and of the roots beside it,
// both in bytes.
func heapGrowth(live, roots uint64) int {
	if 2*live >= leastHeap {
		return 100
	}
	return min(max(100, int((leastHeap-live)*100/(live+roots+1))), most)
}

// figure is one of the runtime's, in bytes.
func figure(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
