//go:build !linux

package look

import "time"

var begun = time.Now()

// spent is the time since the start, as a substitute for the processor time.
func spent() time.Duration { return time.Since(begun) }
