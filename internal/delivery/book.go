package delivery

import (
	"context"
	"sync"
	"time"

	"utsending/internal/store/queue"
)

// bookAtMost is how many answers may wait to be written. When the database falls behind, nothing more is claimed: what
// is answered but not written is in doubt if we die.
const bookAtMost = 64

// bookTime is how long an answer waits for others to be written with.
const bookTime = 5 * time.Millisecond

// book writes accepted SMS, those that come in together with one transaction.
type book struct {
	answers chan answer
	done    sync.WaitGroup
}

// answer is an accepted SMS with when its call began.
type answer struct {
	queue.Ended
	start time.Time
}

// openBook returns a book that writes until it is closed.
func (w *Worker) openBook(ctx context.Context) *book {
	b := &book{answers: make(chan answer, bookAtMost)}
	b.done.Go(func() {
		for first := range b.answers {
			w.write(ctx, b.waiting(first))
		}
	})
	return b
}

// close returns when everything is written. Nothing may be added any more.
func (b *book) close() {
	close(b.answers)
	b.done.Wait()
}

// waiting returns one answer with those that come within bookTime.
func (b *book) waiting(first answer) []answer {
	list := []answer{first}
	over := time.NewTimer(bookTime)
	defer over.Stop()
	for len(list) < bookAtMost {
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

// write writes answers together, and one by one when that fails.
func (w *Worker) write(ctx context.Context, answers []answer) {
	together := make([]queue.Ended, len(answers))
	for i, a := range answers {
		together[i] = a.Ended
	}
	try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	written := w.db.note(ctx, queue.In(w.o.Store).Finish(try, together...))
	cancel()
	for _, a := range answers {
		if written || w.record(ctx, a.Ended) {
			w.tell(a.Ended, a.start)
		}
	}
}
