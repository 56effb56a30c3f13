// Package follow holds the pages on which people see what became of what was sent: lists, items, jobs, content, the
// worklist, search, exports, and the lead's figures.
package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/upstream"
)

// Pages are the handlers of this area.
type Pages struct {
	*frame.Frame
	Upstream *upstream.Clients
	Plan     dispatch.RefreshPlan

	choices *choices
}

// New returns the pages, which keep for a moment what lists can be narrowed to.
func New(p Pages) *Pages {
	p.choices = newChoices(p.Store)
	return &p
}
