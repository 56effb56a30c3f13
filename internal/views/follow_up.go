package views

import (
	"utsending/internal/dispatch"
)

// Counted formats a count with a limit: "1 000+".
func Counted(n int, more bool) string {
	if more {
		return Number(n) + "+"
	}
	return Number(n)
}

// badge is the number of open follow-ups in the navigation.
func (p *Page) badge() string { return Counted(p.FollowUps, p.FollowUps >= 100) }

// ItemPath is the address of an item's page, or of one below it.
func (p *Page) ItemPath(it dispatch.Item, more ...string) string {
	return ItemPath(p.Account, it, more...)
}

// ItemPath is the address of an item's page on an account, or of one below it.
func ItemPath(a dispatch.Account, it dispatch.Item, more ...string) string {
	kind := "sms"
	if it.Kind == dispatch.KindShipment {
		kind = "forsendelser"
	}
	return AccountPath(a, append([]string{kind, string(it.ID)}, more...)...)
}
