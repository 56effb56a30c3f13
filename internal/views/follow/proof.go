package follow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// proofPage proves, printed too, that an item was sent: content, recipient, channel and full timeline. Numbers are
// masked.
type proofPage struct {
	views.Page
	Back  string // the item's page
	what  string // catalogue key of the heading over the facts
	facts []proofFact
	files []dispatch.Document
	lines []line // oldest first
}

// proofFact is a catalogue key with its value.
type proofFact struct{ Label, Value string }

// proofOfShipment is the proof of a shipment, from its page.
func proofOfShipment(ctx context.Context, p ShipmentPage) proofPage {
	p.Joined, p.Opened = true, Opened{}
	to := p.Item.Recipient
	proof := proofPage{Page: p.Page, Back: p.at(), files: p.Item.Documents, lines: oldestFirst(p.history(ctx))}
	proof.add("shipment.title", p.Item.Shipment.Title)
	proof.add("shipment.name", to.Postal.Name)
	if to.Digital.NationalID != "" {
		proof.add("sms.national_id", to.Digital.NationalID.Masked())
	}
	proof.add("shipment.item.organization", to.Digital.OrganizationNumber.Grouped())
	if p.opens() { // an address is content
		proof.add("shipment.line1", AddressLine(to.Postal))
	}
	proof.add("shipment.country", to.Postal.Country)
	proof.add("shipment.item.delivery", i18n.T(ctx, views.DeliveryKey(p.Item)))
	if p.Item.Encrypted {
		proof.add("shipment.encrypt.item", i18n.T(ctx, "shipment.review.encrypt"))
	}
	proof.add("shipment.item.reference", p.Item.ExternalReference)
	proof.addItem(ctx, p.Item.Item, p.Page)
	return proof
}

// proofOfSMS is the proof of an SMS, from its page. A hidden or a colleague's text has no checksum either: it would
// confirm a guess of the text.
func proofOfSMS(ctx context.Context, p SMSPage) proofPage {
	proof := proofPage{Page: p.Page, Back: p.PathTo("sms", string(p.Item.ID)), lines: oldestFirst(eventLines(ctx, dispatch.KindSMS, p.Events))}
	proof.add("proof.recipient", p.Item.Recipient.Masked())
	proof.add("sms.item.parts", views.Number(p.Item.Segments.Count))
	if !p.Item.HideInReport && p.Reach == dispatch.ReachOpen {
		sum := sha256.Sum256([]byte(p.Item.Text))
		proof.add("proof.text", hex.EncodeToString(sum[:]))
	}
	proof.addItem(ctx, p.Item.Item, p.Page)
	return proof
}

func (p *proofPage) add(label, value string) {
	if value != "" {
		p.facts = append(p.facts, proofFact{label, value})
	}
}

// addItem adds the common facts of items.
func (p *proofPage) addItem(ctx context.Context, it dispatch.Item, page views.Page) {
	p.what = whatKey(it.State)
	p.add("sms.item.account", page.Account.Name)
	p.add("proof.made", i18n.T(ctx, "proof.made.by", "When", views.Precise(ctx, it.CreatedAt), "Who", it.Creator))
	p.add("sms.item.status", views.LookOf(ctx, it, page.Now).Word)
	p.add("sms.item.id", it.UpstreamID)
	p.add("sms.item.own_id", string(it.ID))
}

// whatKey is the catalogue key of the heading over the facts: the page also shows what never left.
func whatKey(s dispatch.State) string {
	switch s {
	case dispatch.StateAccepted:
		return "proof.what"
	case dispatch.StateUncertain:
		return "proof.what.uncertain"
	case dispatch.StateCancelled, dispatch.StateRejected, dispatch.StateFailed:
		return "proof.what.never"
	default:
		return "proof.what.waiting"
	}
}

func oldestFirst(lines []line) []line {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
}
