package follow

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Bulk acts on listed items, as named in addresses.
const (
	BulkStop  = "stopp"
	BulkAgain = "send-igjen"
)

// BulkActs are all acts, in the order in which they are offered.
var BulkActs = []string{BulkStop, BulkAgain}

// BulkPage shows what a bulk act would do to the listed items.
type BulkPage struct {
	views.Page
	Act    string
	Action string // address of the form
	Back   string // the list
	Items  []dispatch.ListRow
	More   bool // there are more than one act can change
}

// bulkShown is how many of the items are listed.
const bulkShown = 10

func (p BulkPage) first() []dispatch.ListRow { return p.Items[:min(len(p.Items), bulkShown)] }

// effect describes the act: "Stopp 3 SMS og 2 forsendelser".
func (p BulkPage) effect(ctx context.Context) string {
	sms := 0
	for _, r := range p.Items {
		if r.Kind == dispatch.KindSMS {
			sms++
		}
	}
	return i18n.T(ctx, "bulk.act."+p.Act+".effect", "What", amounts(ctx, sms, len(p.Items)-sms))
}

// amounts describes how many items of each kind there are.
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

// shared is the structured part of the list's address, with the kind: it can be shared and saved.
func (p *ListPage) shared() string {
	a := p.List
	a.Fixed = false
	return a.Query()
}
