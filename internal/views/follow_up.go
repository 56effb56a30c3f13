package views

import (
	"utsending/internal/dispatch"
)

// Counted is a number, or that it is more than counted: "1 000+".
func Counted(n int, more bool) string {
	if more {
		return Number(n) + "+"
	}
	return Number(n)
}

// badge is the number of follow-ups in the navigation.
func (p *Page) badge() string { return Counted(p.FollowUps, p.FollowUps >= 100) }

// ItemPath is the page of an item.
func (p *Page) ItemPath(it dispatch.Item, more ...string) string {
	return ItemPath(p.Account, it, more...)
}

// ItemPath is the page of an item of an account, or one below it.
func ItemPath(a dispatch.Account, it dispatch.Item, more ...string) string {
	kind := "sms"
	if it.Kind == dispatch.KindShipment {
		kind = "forsendelser"
	}
	return AccountPath(a, append([]string{kind, string(it.ID)}, more...)...)
}
