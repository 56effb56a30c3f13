package pdf

import (
	"context"
	"slices"
	"sync"
)

// party is a person on an account.
type party struct{ account, person string }

// turns is a fair queue for a number of slots: round-robin over accounts, and within an account over people.
type turns struct {
	mu       sync.Mutex
	free     int
	accounts []*accountTurn // waiting ones, the next one first
}

// accountTurn is an account with its waiting people, the next one first.
type accountTurn struct {
	name   string
	people []*personTurn
}

// personTurn holds a person's waiting files, oldest first. A channel is closed when its file gets a slot.
type personTurn struct {
	name  string
	files []chan struct{}
}

func newTurns(slots int) *turns { return &turns{free: slots} }

// take waits for a slot, to be returned by leave.
func (t *turns) take(ctx context.Context, who party) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.free > 0 { // the queue is empty then
		t.free--
		t.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	t.wait(who, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	given := !t.forget(who, mine)
	t.mu.Unlock()
	if given {
		t.leave()
	}
	return ctx.Err()
}

// leave returns a slot, to the next in turn.
func (t *turns) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.accounts) == 0 {
		t.free++
		return
	}
	a := t.accounts[0]
	p := a.people[0]
	close(p.files[0])
	p.files = p.files[1:]
	a.people = a.people[1:]
	if len(p.files) > 0 {
		a.people = append(a.people, p)
	}
	t.accounts = t.accounts[1:]
	if len(a.people) > 0 {
		t.accounts = append(t.accounts, a)
	}
}

// ahead tells whether a party's file is waiting, and how many files of others get a slot before it.
func (t *turns) ahead(who party) (n int, waits bool) {
	for line := t.line(); len(line.accounts) > 0; n++ {
		if a := line.accounts[0]; a.name == who.account && a.people[0].name == who.person {
			return n, true
		}
		line.leave()
	}
	return 0, false
}

// line is a copy of the queue.
func (t *turns) line() *turns {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := &turns{}
	for _, a := range t.accounts {
		account := &accountTurn{name: a.name}
		for _, p := range a.people {
			person := &personTurn{name: p.name}
			for range p.files {
				person.files = append(person.files, make(chan struct{}))
			}
			account.people = append(account.people, person)
		}
		line.accounts = append(line.accounts, account)
	}
	return line
}

func (t *turns) wait(who party, file chan struct{}) {
	i := slices.IndexFunc(t.accounts, func(a *accountTurn) bool { return a.name == who.account })
	if i < 0 {
		i = len(t.accounts)
		t.accounts = append(t.accounts, &accountTurn{name: who.account})
	}
	a := t.accounts[i]
	k := slices.IndexFunc(a.people, func(p *personTurn) bool { return p.name == who.person })
	if k < 0 {
		k = len(a.people)
		a.people = append(a.people, &personTurn{name: who.person})
	}
	a.people[k].files = append(a.people[k].files, file)
}

// forget removes a file from the queue, and tells whether it was in it.
func (t *turns) forget(who party, file chan struct{}) bool {
	for i, a := range t.accounts {
		for k, p := range a.people {
			at := slices.Index(p.files, file)
			if at < 0 {
				continue
			}
			if p.files = slices.Delete(p.files, at, at+1); len(p.files) == 0 {
				a.people = slices.Delete(a.people, k, k+1)
			}
			if len(a.people) == 0 {
				t.accounts = slices.Delete(t.accounts, i, i+1)
			}
			return true
		}
	}
	return false
}
