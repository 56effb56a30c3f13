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
	tried    int64                // heartbeats
	beat     int64                // the number of the last that is known to be committed
	attempts []dispatch.AttemptID // begun since that
}

// begun notes an attempt that has been committed, before its call.
func (k *known) begun(id dispatch.AttemptID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.attempts = append(k.attempts, id)
}

// beating numbers a heartbeat that is about to be written, and counts the attempts that it will prove.
func (k *known) beating() (beat int64, earlier int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried++
	return k.tried, len(k.attempts)
}

// beaten notes that a heartbeat is committed, and with it the attempts noted before it.
func (k *known) beaten(beat int64, earlier int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.beat, k.attempts = beat, slices.Clone(k.attempts[earlier:])
}

func (k *known) witness(worker string) queue.Witness {
	k.mu.Lock()
	defer k.mu.Unlock()
	return queue.Witness{Worker: worker, Beat: k.beat, Attempts: slices.Clone(k.attempts)}
}
