package store_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/store/items"
)

// TestNobodyReadsOnForWhoLeft: reading an uploaded list stops when the client has disconnected, even within data that
// is in memory already.
func TestNobodyReadsOnForWhoLeft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, err := items.In(r.s).Jobs.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	var late error
	err = items.In(r.s).Lists.With(ctx, r.Account.ID, id, strings.NewReader("Mobil\n90000123\n"), func(list io.ReaderAt, _ int64) error {
		part := make([]byte, 5)
		if _, err := list.ReadAt(part, 0); err != nil {
			return err
		}
		leave()
		_, late = list.ReadAt(part, 6)
		return late
	})
	if !errors.Is(late, context.Canceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("read on: %v, %v", late, err)
	}
}
