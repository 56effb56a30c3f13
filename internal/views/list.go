package views

import (
	"context"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// titleOf is a shipment's title in a list.
func titleOf(ctx context.Context, r *dispatch.ListRow) string {
	if strings.TrimSpace(r.Title) == "" {
		return i18n.T(ctx, "list.untitled")
	}
	return r.Title
}

// PathOf is the address of an item.
func (p *Page) PathOf(it dispatch.Item) string {
	if it.Kind == dispatch.KindShipment {
		return p.PathTo("forsendelser", string(it.ID))
	}
	return p.PathTo("sms", string(it.ID))
}
