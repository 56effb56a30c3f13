package compose

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// AskContact is the value of the button that asks the contact register about a recipient. FieldUnclear includes recipients without
// an answer in the rest, and FieldRest is the size of the rest that was shown.
const (
	AskContact   = "oppslag"
	FieldUnclear = "uten-svar"
	FieldRest    = "antall"
)

// Contact shows whether a recipient can be reached, and the form that asks the contact register. The register's answer is shown
// once and stored nowhere.
type Contact struct {
	Kind    dispatch.Kind
	May     bool   // the viewer may ask the register
	Closed  string // catalogue key of why the account cannot; empty: it can
	Asked   bool   // the answer was asked for: the problems of the page are of that
	Purpose string // as typed
	ByPhone bool   // an SMS to a phone number: there is nothing to ask about

	Entry   *dispatch.LookupEntry // the answer; nil: there is none
	Strange int                   // answers about numbers that were not asked about
	Failure dispatch.Reason
	Answer  dispatch.Answer
}

// shown tells whether there is an answer to show or a question to ask.
func (k Contact) shown() bool { return k.Kind != "" && (k.May || k.Kind == dispatch.KindShipment) }

// open tells whether the panel is unfolded.
func (k Contact) open() bool { return k.Asked || k.ByPhone }

// look is how the answer is shown.
func (k Contact) look(ctx context.Context) views.Look {
	l := contactLook(ctx, *k.Entry)
	if k.Entry.Group() == dispatch.GroupValid {
		l.Word = i18n.T(ctx, "reach.word.valid")
	}
	return l
}

// says is the answer as a sentence that promises nothing.
func (k Contact) says(ctx context.Context) string {
	g := k.Entry.Group()
	if g == dispatch.GroupOther {
		return i18n.T(ctx, "reach.says.other", "Status", string(k.Entry.Status))
	}
	if k.Kind == dispatch.KindShipment && !k.Entry.Number.Person() && g != dispatch.GroupUnanswered {
		return i18n.T(ctx, "reach.says.organization."+string(g))
	}
	return i18n.T(ctx, "reach.says."+string(k.Kind)+"."+string(g))
}

// ContactsPage tells which recipients of a list can be reached, and asks the contact register about them.
type ContactsPage struct {
	views.Page
	Job      dispatch.Job
	Draft    dispatch.ItemID // of a shipment; empty: an SMS job
	Forecast dispatch.ContactForecast
	May      bool
	Closed   string
	Purpose  string

	MaySendShipments bool // the viewer and the account can send shipments
	Name, Address    bool // the list has columns that shipments need
	Key              string

	// Faults of the answers to this request.
	Failure           dispatch.Reason
	Answer            dispatch.Answer
	Strange, Extra, N int // N: how many have no answer
}

// at is an address below the draft's.
func (p ContactsPage) at(more string) string { return ContactsPath(p.Account, p.Job, p.Draft, more) }

// ContactsPath is an address of a draft's list; draft is empty for an SMS job.
func ContactsPath(a dispatch.Account, j dispatch.Job, draft dispatch.ItemID, more string) string {
	if draft != "" {
		return views.AccountPath(a, "utkast", string(draft), "flere", more)
	}
	return views.AccountPath(a, "jobber", string(j.ID), more)
}

// askable is how many are asked about at the next press.
func (p ContactsPage) askable() int { return min(p.Forecast.Unanswered, dispatch.LookupMax) }

// when tells how old the answers are.
func (p ContactsPage) when(ctx context.Context) string {
	return i18n.T(ctx, "reach.asked_at", "When", views.Near(ctx, p.Forecast.At, p.Now), "Until", views.Near(ctx, p.Forecast.At.Add(24*time.Hour), p.Now))
}

// forecastLine is a forecast in one line: "Kan nås på SMS: 3 · ikke funnet: 1".
func forecastLine(ctx context.Context, f dispatch.ContactForecast) string {
	line := i18n.T(ctx, "reach.line", "Reachable", f.Reachable(), "Not", f.Rest(false), "Unclear", f.Unclear())
	if f.Numberless > 0 {
		line += " · " + i18n.T(ctx, "reach.line.numberless", "Numberless", f.Numberless)
	}
	if f.Unsent() > 0 {
		line += " · " + i18n.T(ctx, "reach.line.unsent", "Unsent", f.Unsent())
	}
	return line + "."
}

// nothingToAsk tells whether the register need not be asked: all who can be sent to have a phone number in the list, or there are none.
func (p ContactsPage) nothingToAsk() bool {
	f := p.Forecast
	return p.Draft == "" && !f.Asked() && f.Valid+f.Invalid+f.NotFound+f.Unclear() == 0
}

// lead is the catalogue key of the paragraph under the title.
func (p ContactsPage) lead() string {
	switch {
	case p.nothingToAsk() && p.Forecast.ByPhone == 0:
		return "reach.nobody"
	case p.nothingToAsk():
		return "reach.nothing"
	}
	if p.Draft != "" {
		return "reach.lead.shipment"
	}
	return "reach.lead.sms"
}

// restKey is the catalogue key of the heading above the rest: recipients whom no SMS reaches.
func restKey(unclear bool) string {
	if unclear {
		return "reach.rest.with_unclear"
	}
	return "reach.rest"
}

// back is where the page leads back to.
func (p ContactsPage) back() string {
	if p.Draft != "" {
		return views.AccountPath(p.Account, "utkast", string(p.Draft), "flere")
	}
	return p.at("endre")
}
