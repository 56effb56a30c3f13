// Package follow holds the pages that follow up what was sent: lists, items, jobs, content, the worklist, search,
// exports, and the lead's figures.
package follow

import (
	"utsending/internal/bulk"
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/upstream"
)

// Pages are the handlers of this area.
type Pages struct {
	*frame.Frame
	Upstream *upstream.Clients
	Plan     dispatch.RefreshPlan
	Bulk     *bulk.Worker // performs acts on chosen items

	choices *choices
}

// New returns the pages, with a cache of filter choices.
func New(p Pages) *Pages {
	p.choices = newChoices(p.Store)
	return &p
}
