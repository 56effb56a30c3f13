package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// growth is what the runtime may have taken from the kernel beyond its own accounting: it allocates large blocks.
	growth = 64 << 20
	// leastHeap keeps the garbage collector from running all the time when the file leaves it little.
	leastHeap = 64 << 20
	maxStack  = 64 << 20
)

// confine drops, for good, everything that a parser does not need, and reports what the kernel granted.
func confine(o order, shut Shutter) (Confinement, error) {
	prepareRuntime(o)
	blameFirst()
	watch()
	data, err := dataSize()
	if err != nil {
		return Confinement{}, err
	}
	landlocked := shut() // needs a descriptor, so before the limits
	if err := setLimits(o, data); err != nil {
		return Confinement{}, err
	}
	err = dropSystemCalls()
	return Confinement{Filtered: systemCallsDropped(), Landlocked: landlocked}, err
}

// setLimits sets the resource limits; data is what the data limit counts already.
func setLimits(o order, data uint64) error {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("processor time used: %w", err)
	}
	cpu := uint64(used.Utime.Sec+used.Stime.Sec) + 1 + uint64(o.CPU) // the start does not count
	limits := []struct {
		resource int
		soft     uint64
		hard     uint64
	}{
		// Address space would be the obvious limit, but the Go runtime reserves gigabytes that it never uses. Data
		// counts what can be written, which is what memory is needed for. The limit is in addition to what the program
		// has at its start, which depends on its size and on the race detector.
		{unix.RLIMIT_DATA, data + uint64(o.Memory), data + uint64(o.Memory)},
		// From the first on the kernel tells us each second, and watch exits; at the second it kills us.
		{unix.RLIMIT_CPU, cpu, cpu + uint64(seconds(mostPageCPU)) + 5},
		{unix.RLIMIT_FSIZE, 0, 0},
		{unix.RLIMIT_CORE, 0, 0},
		// No new descriptor of any kind: no file to read, no socket, no program to start. Those open stay open.
		{unix.RLIMIT_NOFILE, 0, 0},
	}
	for _, l := range limits {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.soft, Max: l.hard}); err != nil {
			return fmt.Errorf("limit resource %d: %w", l.resource, err)
		}
	}
	return nil
}

// prepareRuntime makes the runtime open its descriptors now, and sets its limits.
func prepareRuntime(o order) {
	time.AfterFunc(time.Hour, func() {}).Stop() // the first timer opens two descriptors
	// Leave processors to others, and ask the kernel no more how many there are. The engine's compiled code cannot be
	// interrupted by the runtime, so that a second one is needed to hear the limits.
	runtime.GOMAXPROCS(2)
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(max(o.Memory-o.Size-growth, leastHeap))
}

// blameFirst makes the OOM killer choose this process rather than the service.
func blameFirst() {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // if not allowed, the data limit still applies
}

// dataSize is how much the data limit counts already.
func dataSize() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		fields := bytes.Fields(line)
		if len(fields) > 1 && string(fields[0]) == "VmData:" {
			kilobytes, err := strconv.ParseUint(string(fields[1]), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("data size is not told")
}

// room allocates memory for the file outside the heap, where it would delay garbage collection.
func room(size int64) ([]byte, error) {
	return unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

// watch ends the process when its processor time, extended by Grant, is used up.
func watch() {
	used := make(chan os.Signal, 1)
	signal.Notify(used, unix.SIGXCPU)
	go func() {
		for told := int64(0); told <= pagesTime.Load(); told++ {
			<-used
		}
		os.Exit(exitTooSlow)
	}()
}

// limitThought does nothing: the kernel counts the processor time already.
func limitThought(int64) {}
