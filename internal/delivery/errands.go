package delivery

import (
	"sync"

	"utsending/internal/dispatch"
)

// errands run tasks of different integrations concurrently, one at a time for each integration.
type errands struct {
	mu   sync.Mutex
	busy map[dispatch.IntegrationID]bool
	all  sync.WaitGroup
}

func newErrands() *errands {
	return &errands{busy: map[dispatch.IntegrationID]bool{}}
}

// begin starts a task for an integration and returns at once. It is skipped while the integration's former task runs.
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

// wait returns when all tasks have ended.
func (e *errands) wait() { e.all.Wait() }
