package delivery

import (
	"context"
	"sync"
	"time"

	"utsending/internal/store/queue"
)

// commitGroupMost limits the answers that wait to be written. When the database falls behind, nothing more is claimed: an
// answer that is not written becomes uncertain if we die.
const commitGroupMost = 64

// commitGroupWait is how long an answer waits to be written together with others.
const commitGroupWait = 5 * time.Millisecond

// groupCommit writes accepted SMS in batches (group commit).
type groupCommit struct {
	answers chan answer
	done    sync.WaitGroup
}

// answer is an accepted SMS with the start of its call.
type answer struct {
	queue.Ended
	start time.Time
}

// openGroupCommit returns a group commit that writes until it is closed.
func (w *Worker) openGroupCommit(ctx context.Context) *groupCommit {
	b := &groupCommit{answers: make(chan answer, commitGroupMost)}
	b.done.Go(func() {
		for first := range b.answers {
			w.write(ctx, b.waiting(first))
		}
	})
	return b
}

// close returns when everything is written. Nothing may be added after.
func (b *groupCommit) close() {
	close(b.answers)
	b.done.Wait()
}

// waiting returns one answer with those that arrive within commitGroupWait.
func (b *groupCommit) waiting(first answer) []answer {
	list := []answer{first}
	over := time.NewTimer(commitGroupWait)
	defer over.Stop()
	for len(list) < commitGroupMost {
		select {
		case next, open := <-b.answers:
			if !open {
				return list
			}
			list = append(list, next)
		case <-over.C:
			return list
		}
	}
	return list
}

// write writes answers together, and one by one if that fails.
func (w *Worker) write(ctx context.Context, answers []answer) {
	together := make([]queue.Ended, len(answers))
	for i, a := range answers {
		together[i] = a.Ended
	}
	try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	written := w.db.note(ctx, queue.In(w.o.Store).Outcomes.Finish(try, together...))
	cancel()
	for _, a := range answers {
		if written || w.record(ctx, a.Ended) {
			w.tell(a.Ended, a.start)
		}
	}
}
