package follow

import (
	"context"
	"sync"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/lists"
	"utsending/internal/views/follow"
)

// choices caches the values that each account's lists can be filtered by: they hardly change, and every list shows
// them.
type choices struct {
	store *store.Store

	mu   sync.Mutex
	kept map[dispatch.AccountID]keptChoices
}

func newChoices(s *store.Store) *choices {
	return &choices{store: s, kept: map[dispatch.AccountID]keptChoices{}}
}

// of returns the values that an account's lists can be filtered by.
func (k *choices) of(ctx context.Context, account dispatch.AccountID, now time.Time) (follow.ListChoices, error) {
	k.mu.Lock()
	kept, ok := k.kept[account]
	k.mu.Unlock()
	if ok && now.Before(kept.until) {
		return kept.ListChoices, nil
	}
	read, err := lists.In(k.store).Items.Choices(ctx, account)
	if err != nil {
		return follow.ListChoices{}, err
	}
	kept = keptChoices{follow.ListChoices{BillingCodes: read.BillingCodes, Types: read.Types, Statuses: read.Statuses}, now.Add(choicesLife)}
	for _, sender := range read.Senders {
		kept.Senders = append(kept.Senders, follow.Sender(sender))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[account] = kept
	return kept.ListChoices, nil
}
