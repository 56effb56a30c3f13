package handlers_test

import (
	"context"
	"sync"

	"utsending/internal/dispatch"
)

// letterService answers for the shipment service, which is delivery's own: what counts here is what pages make of it.
type letterService struct {
	mu        sync.Mutex
	receivers []dispatch.Receiver
	matches   []dispatch.ReferenceMatch
	failure   dispatch.Reason
	filters   []dispatch.ReceiverFilter // asked with
	searched  []string
	told      []dispatch.ReadElsewhere
	deleted   []dispatch.Deletion
}

// set changes what the service answers.
func (l *letterService) set(change func(*letterService)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(l)
}

func (l *letterService) types(context.Context, dispatch.Account) []string {
	return []string{"Byggesøknad", "Delingssøknad"}
}

func (l *letterService) findReceivers(_ context.Context, _ dispatch.Account, f dispatch.ReceiverFilter) ([]dispatch.Receiver, dispatch.Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.filters = append(l.filters, f)
	return l.receivers, l.failure
}

func (l *letterService) byReference(_ context.Context, _ dispatch.Account, reference string) ([]dispatch.ReferenceMatch, dispatch.Reason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.searched = append(l.searched, reference)
	return l.matches, l.failure
}

func (l *letterService) markRead(_ context.Context, _ dispatch.IntegrationID, _ string, r dispatch.ReadElsewhere) dispatch.Reason {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure.Key == "" {
		l.told = append(l.told, r)
	}
	return l.failure
}

func (l *letterService) deleteDocuments(_ context.Context, _ dispatch.IntegrationID, _ string, which dispatch.Deletion) dispatch.Reason {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure.Key == "" {
		l.deleted = append(l.deleted, which)
	}
	return l.failure
}
