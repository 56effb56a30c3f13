package dispatch

import (
	"regexp"
	"sync"
)

// pattern compiles lazily: compiling all took a tenth of the start-up time, and Unicode classes take much memory.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
