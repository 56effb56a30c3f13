package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// leastHeap is the least heap size at which garbage is collected, in bytes. The live heap is small: collecting at
	// twice its size, as the runtime does by default, took nearly a quarter of the processor time under load.
	leastHeap = 16 << 20
	// most is leastHeap in percent of 4 MiB, which the runtime takes as the minimum of the live heap.
	most = 100 * leastHeap / (4 << 20)
)

// collection has a finalizer that runs at the next garbage collection.
type collection struct{ _ *collection }

// relaxHeap lets the heap grow to leastHeap, or to twice the live heap if that is more. set is the current GOGC; it
// is adjusted after each collection.
func relaxHeap(set int) {
	now := heapGrowth(figure("/gc/heap/live:bytes"), figure("/gc/scan/stack:bytes")+figure("/gc/scan/globals:bytes"))
	if now < set-set/10 || now > set+set/10 {
		debug.SetGCPercent(now)
		set = now
	}
	runtime.AddCleanup(&collection{}, relaxHeap, set)
}

// heapGrowth is the GOGC for a live heap and the roots beside it, both in bytes.
func heapGrowth(live, roots uint64) int {
	if 2*live >= leastHeap {
		return 100
	}
	return min(max(100, int((leastHeap-live)*100/(live+roots+1))), most)
}

// figure is a metric of the runtime, in bytes.
func figure(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
