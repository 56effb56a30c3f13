// Package compose holds the pages on which something is made to be sent: SMS, shipments, jobs and their lists,
// templates, and the look-ups that help with them.
package compose

import (
	"context"
	"io"
	"sync"

	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/upstream"
)

// Pages are the handlers of this area.
type Pages struct {
	*frame.Frame
	Upstream *upstream.Clients
	PDF      *pdf.Inspector
	Scan     func(context.Context, io.Reader) error // looks for viruses, as clamd.Scanner does; nil: nobody does

	places   func() map[string]string // of Norway's postal codes
	pictures *pictures
	lists    *listLengths
}

// New returns the pages, which keep pictures of pages and lengths of lists for a moment.
func New(p Pages) *Pages {
	p.places, p.pictures, p.lists = sync.OnceValue(p.Assets.PostalPlaces), newPictures(), &listLengths{}
	return &p
}
