//go:build !linux

package pdf

import (
	"os"
	"runtime/debug"
	"time"
)

const leastHeap = 64 << 20

// confine only sets the garbage collector's limit: everything else is Linux-specific.
func confine(o order, _ Shutter) (Confinement, error) {
	debug.SetMemoryLimit(max(o.Memory-o.Size, leastHeap))
	return Confinement{}, nil
}

func room(size int64) ([]byte, error) {
	return make([]byte, size), nil
}

// limitThought ends a process that runs too long, even if its parent is gone. Wall-clock time replaces processor
// time.
func limitThought(cpu int64) {
	time.AfterFunc(time.Duration(cpu)*time.Second+mostPageCPU, func() { os.Exit(exitTooSlow) })
}
