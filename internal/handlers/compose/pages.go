// Package compose has the pages that make something to send: SMS, shipments, jobs and their lists, templates, and look-ups.
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
	Scan     func(context.Context, io.Reader) error // virus scanner, as clamd.Scanner; nil: none

	places   func() map[string]string // places by postal code
	pictures *pictures
	lists    *listLengths
}

// New returns the pages with their caches.
func New(p Pages) *Pages {
	p.places, p.pictures, p.lists = sync.OnceValue(p.Assets.PostalPlaces), newPictures(), &listLengths{}
	return &p
}
