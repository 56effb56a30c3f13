package follow

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ReferencePage is the search for an external reference.
type ReferencePage struct {
	views.Page
	Reference string                  // as typed
	Find      *dispatch.ReferenceFind // nil: no search yet
}

// about describes a shipment that was not sent from here, besides its id.
func about(ctx context.Context, m dispatch.ReferenceMatch) string {
	switch {
	case m.SourceSystem != "" && !m.At.IsZero():
		return m.SourceSystem + ", " + views.Span(ctx, m.At)
	case !m.At.IsZero():
		return views.Span(ctx, m.At)
	}
	return m.SourceSystem
}
