package delivery

import (
	"slices"
	"sync"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// known is what this process knows to be committed, so that after a failover it can tell whether the promoted
// standby lacks anything, see queue.Witness.
type known struct {
	mu       sync.Mutex
	beat     int64
	attempts []dispatch.AttemptID // begun since the heartbeat
}

// begun notes an attempt that has been committed, before its call.
func (k *known) begun(id dispatch.AttemptID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.attempts = append(k.attempts, id)
}

// count is how many attempts have been noted: what the next heartbeat will prove.
func (k *known) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.attempts)
}

// beaten notes a heartbeat, which proves the attempts noted before its statement began. 0 is none.
func (k *known) beaten(beat int64, earlier int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if beat > 0 {
		k.beat, k.attempts = beat, slices.Clone(k.attempts[earlier:])
	}
}

func (k *known) witness(worker string) queue.Witness {
	k.mu.Lock()
	defer k.mu.Unlock()
	return queue.Witness{Worker: worker, Beat: k.beat, Attempts: slices.Clone(k.attempts)}
}
