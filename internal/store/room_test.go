package store_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"utsending/internal/store"
	"utsending/internal/store/storetest"
)

// TestFullServerIsWaitedFor: a server without free connections counts as unavailable, like one that is starting.
func TestFullServerIsWaitedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	address, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	storetest.EndSessions(t, r.url)
	limit := `ALTER DATABASE ` + strings.TrimPrefix(address.Path, "/") + ` CONNECTION LIMIT `
	r.exec(t, limit+`0`)
	s := storetest.Open(t, r.url)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := s.Ping(ctx); ctx.Err() == nil || !store.Unreachable(err) {
		t.Errorf("got %v before its time was over", err)
	}
	r.exec(t, limit+`-1`)
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}
