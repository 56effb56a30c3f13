package dispatch

import (
	"regexp"
	"sync"
)

// pattern is compiled when it is first used: together they took a tenth of the start, and classes of letters take much
// memory.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
