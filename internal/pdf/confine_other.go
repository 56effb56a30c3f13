//go:build !linux

package pdf

import (
	"os"
	"runtime/debug"
	"time"
)

const leastHeap = 64 << 20

// confine only asks the collector to be careful: the rest exists on Linux.
func confine(o order, _ Shutter) (Confinement, error) {
	debug.SetMemoryLimit(max(o.Memory-o.Size, leastHeap))
	return Confinement{}, nil
}

func room(size int64) ([]byte, error) {
	return make([]byte, size), nil
}

// limitThought ends a process that runs for too long, also when its parent is gone. The wall clock stands in for the
// processor's.
func limitThought(cpu int64) {
	time.AfterFunc(time.Duration(cpu)*time.Second+mostPageCPU, func() { os.Exit(exitTooSlow) })
}
