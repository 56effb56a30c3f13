package follow

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// What can be done with all that a list shows, as it stands in addresses.
const (
	BulkStop  = "stopp"
	BulkAgain = "send-igjen"
)

// BulkActs are all of them, in the order in which they are offered.
var BulkActs = []string{BulkStop, BulkAgain}

// BulkPage shows what an act would do to all that were chosen.
type BulkPage struct {
	views.Page
	Act    string
	Action string // where it is done
	Back   string // the list
	Items  []dispatch.ListRow
	More   bool // more are chosen than are done at once
}

// bulkShown is how many of the items stand on the page.
const bulkShown = 10

func (p BulkPage) first() []dispatch.ListRow { return p.Items[:min(len(p.Items), bulkShown)] }

// effect says what will happen: "Stopp 3 SMS og 2 forsendelser".
func (p BulkPage) effect(ctx context.Context) string {
	sms := 0
	for _, r := range p.Items {
		if r.Kind == dispatch.KindSMS {
			sms++
		}
	}
	return i18n.T(ctx, "bulk.act."+p.Act+".effect", "What", amounts(ctx, sms, len(p.Items)-sms))
}

// amounts names how many of each kind.
func amounts(ctx context.Context, sms, shipments int) string {
	of := func(key string, n int) string { return i18n.T(ctx, key, "N", n) }
	switch {
	case shipments == 0:
		return of("bulk.sms", sms)
	case sms == 0:
		return of("bulk.shipments", shipments)
	}
	return i18n.T(ctx, "bulk.both", "SMS", of("bulk.sms", sms), "Shipments", of("bulk.shipments", shipments))
}

// shared is the structured part of what is chosen, the kind included: it can be shared and kept.
func (p *ListPage) shared() string {
	a := p.List
	a.Fixed = false
	return a.Query()
}
