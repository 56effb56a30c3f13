package delivery

import (
	"sync"

	"utsending/internal/dispatch"
)

// errands are what is done for integrations side by side, for each one thing at a time.
type errands struct {
	mu   sync.Mutex
	busy map[dispatch.IntegrationID]bool
	all  sync.WaitGroup
}

func newErrands() *errands {
	return &errands{busy: map[dispatch.IntegrationID]bool{}}
}

// begin does something for an integration and returns at once. It is left out where the last one has not ended.
func (e *errands) begin(in dispatch.IntegrationID, do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.busy[in] {
		return
	}
	e.busy[in] = true
	e.all.Go(func() {
		defer e.end(in)
		do()
	})
}

func (e *errands) end(in dispatch.IntegrationID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.busy, in)
}

// wait returns when nothing is left to do.
func (e *errands) wait() { e.all.Wait() }
