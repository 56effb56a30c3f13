package follow

import (
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// place is where on an item's page an act is offered.
type place int

const (
	first  place = iota // the main button in this state
	beside              // next to it
	behind              // folded
)

// act is something that can be done with an item, offered on its page.
type act struct {
	Place       place
	Label, Icon string
	Hint        string // what it does, of a folded one; empty: its name says it
	Path        string
	Link        bool   // leads to a page; otherwise it posts
	Key         string // idempotency key of a post that makes a draft
	Paper       bool   // the draft may be printed
	Opens       bool   // it shows content: the reason for opening it is passed on
}

// acts are what a page offers, in order.
type acts []act

// add adds an act. Only one is first; any further one becomes beside.
func (a *acts) add(x act) {
	if x.Place == first && slices.ContainsFunc(*a, func(o act) bool { return o.Place == first }) {
		x.Place = beside
	}
	*a = append(*a, x)
}

// shown are the acts that are not folded, the first one first.
func (a acts) shown() acts {
	seen := slices.DeleteFunc(slices.Clone(a), func(x act) bool { return x.Place == behind })
	slices.SortStableFunc(seen, func(x, y act) int { return int(x.Place) - int(y.Place) })
	return seen
}

func (a acts) folded() acts {
	return slices.DeleteFunc(slices.Clone(a), func(x act) bool { return x.Place != behind })
}

// variant is how an act's button looks.
func (x act) variant() string {
	switch x.Place {
	case first:
		return ""
	case beside:
		return "secondary"
	}
	return "tertiary"
}

// replaced tells whether something was sent in place of the item: sent once more, it reaches the recipient twice.
func replaced(list []dispatch.Relative) bool {
	return slices.ContainsFunc(list, func(r dispatch.Relative) bool {
		return !r.Before && r.Origin == dispatch.OriginReplaces && r.State != dispatch.StateDraft && r.State != dispatch.StateCancelled
	})
}

// addStopping adds acts on an item that is certainly not sent; again: it may be sent as it is.
func (a *acts) addStopping(p views.Page, it dispatch.Item, reschedulable, again bool, at func(...string) string) {
	switch {
	case it.MayCancel():
		if it.MayConfirm(p.Now) {
			a.add(act{Place: first, Label: "sms.item.confirm", Path: at("bekreft")})
		}
		stop := act{Place: beside, Label: cancelKey(it, p.Now), Path: at("avbryt")}
		if views.SecondsLeft(it, p.Now) > 0 {
			stop.Place = first
		}
		a.add(stop)
		if reschedulable {
			a.add(act{Place: beside, Label: "sms.item.reschedule", Path: at("tidspunkt"), Link: true})
		}
	case it.MayAskToStop():
		a.add(act{Place: beside, Label: "sms.item.ask_stop", Path: at("avbryt")})
	case it.MaySendAgain() && again:
		a.add(act{Place: first, Label: "sms.item.send_again", Path: at("send-igjen")})
	}
}

// acts are what this user can do with the shipment now.
func (p ShipmentPage) acts() (a acts) {
	if p.May(dispatch.RightFollowUp) {
		a.addStopping(p.Page, p.Item.Item, p.reschedulable(), !replaced(p.Relatives), p.at)
		if p.decidable() {
			a.add(act{Place: beside, Label: "follow.act.let-igjen", Path: p.at("let-igjen")})
		}
	}
	if p.byPaper() {
		x := act{Place: beside, Label: "shipment.item.by_paper", Icon: "PrinterSmall", Path: p.at("kopier"), Key: p.CopyKey, Paper: true}
		switch {
		case p.refused() || replaced(p.Relatives):
			x.Place = behind // paper mends neither metadata nor a file
		case p.Item.EndedBadly() && p.Item.State == dispatch.StateAccepted:
			x.Place = first // sending the same again, digital only, would fail in the same way
		}
		a.add(x)
	}
	if p.copyable() {
		x := act{Place: behind, Label: p.copyLabel(), Icon: "Files", Path: p.at("kopier"), Key: p.CopyKey}
		if (p.Item.EndedBadly() || p.Item.SigningFailed() || p.Item.State == dispatch.StateCancelled) && !replaced(p.Relatives) {
			x.Place = first
		}
		a.add(x)
	}
	if label := p.bySMS(); label != "" {
		x := act{Place: behind, Label: label, Icon: "ChatElipsis", Path: p.at("sms"), Key: p.CopyKey}
		if p.Item.AwaitsSigning() {
			x.Place = beside
			if p.FollowUp.Open() {
				x.Place = first
			}
		}
		a.add(x)
	}
	if p.May(dispatch.RightFollowUp) && p.Item.MayMarkRead() {
		a.add(act{Place: behind, Label: "read.title", Hint: "read.hint", Icon: "EnvelopeOpen", Path: p.at("lest"), Link: true})
	}
	a.addCommon(p.Page, p.Item.Item, !p.Item.Recipient.Digital.Empty(), p.Reach, p.Kept, p.at)
	return a
}

// acts are what this user can do with the SMS now.
func (p SMSPage) acts() (a acts) {
	if p.May(dispatch.RightFollowUp) {
		a.addStopping(p.Page, p.Item.Item, p.reschedulable(), !replaced(p.Relatives), p.at)
	}
	if p.copyable() {
		x := act{Place: behind, Label: p.copyLabel(), Icon: "Files", Path: p.at("kopier"), Key: p.CopyKey}
		if (p.Item.EndedBadly() || p.Item.State == dispatch.StateCancelled) && !replaced(p.Relatives) {
			x.Place = first
		}
		a.add(x)
	}
	if p.mailable() {
		x := act{Place: beside, Label: "sms.item.by_shipment", Icon: "EnvelopeClosed", Path: p.at("brev"), Key: p.CopyKey}
		if replaced(p.Relatives) {
			x.Place = behind
		}
		a.add(x)
	}
	a.addCommon(p.Page, p.Item.Item, p.Item.Recipient != (dispatch.SMSRecipient{}), p.Reach, p.Kept, p.at)
	return a
}

// addCommon adds acts that are always offered, folded; numbered: the recipient has a number.
func (a *acts) addCommon(p views.Page, it dispatch.Item, numbered bool, reach dispatch.Reach, kept Kept, at func(...string) string) {
	if numbered && p.May(dispatch.RightFollowUp) {
		a.add(act{Place: behind, Label: "person.act", Icon: "Person", Path: at("person"), Link: true})
	}
	a.add(act{Place: behind, Label: "wrong.title", Icon: "QuestionmarkCircle", Path: at("feil-mottaker"), Link: true})
	a.add(act{Place: behind, Label: "proof.link", Icon: "Files", Path: at("dokumentasjon"), Link: true})
	if it.State != dispatch.StateDraft {
		if reach != dispatch.ReachNone {
			a.add(act{Place: behind, Label: "archive.pack", Icon: "Download", Path: at("arkivpakke"), Opens: true})
		}
		if p.May(dispatch.RightFollowUp) {
			a.add(act{Place: behind, Label: "archive.note", Icon: "ClipboardCheckmark", Path: at("arkivert"), Link: true})
		}
	}
	if p.May(dispatch.RightHold) && it.State != dispatch.StateDraft {
		label := "hold.title"
		if kept.By != "" {
			label = "hold.title.release"
		}
		a.add(act{Place: behind, Label: label, Icon: "ShieldLock", Path: at("behold"), Link: true})
	}
}
