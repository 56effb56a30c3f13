package look

import (
	"time"

	"golang.org/x/sys/unix"
)

// spent is the processor time used by the process.
func spent() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0 // the kernel still limits the process
	}
	return time.Duration(t.Nano())
}
