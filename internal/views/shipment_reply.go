package views

import (
	"strings"

	"utsending/internal/dispatch"
)

// replyForm is the account's address for replies as it stands in a new form.
func replyForm(a dispatch.Account) PostalForm {
	p := a.Reply.Postal
	return PostalForm{Name: p.Name, Line1: p.Line1, Line2: p.Line2, Line3: p.Line3, PostalCode: p.PostalCode, City: p.City, Country: orText(p.Country, "Norge")}
}

// empty tells whether nothing of an address is filled in. The country alone says nothing.
func (f PostalForm) empty() bool {
	return !filled(f.Name + f.Line1 + f.Line2 + f.Line3 + f.PostalCode + f.City)
}

func (f PostalForm) domain() dispatch.PostalAddress {
	return dispatch.PostalAddress{
		Name: strings.TrimSpace(f.Name), Line1: strings.TrimSpace(f.Line1), Line2: strings.TrimSpace(f.Line2), Line3: strings.TrimSpace(f.Line3),
		PostalCode: strings.TrimSpace(f.PostalCode), City: strings.TrimSpace(f.City), Country: strings.TrimSpace(f.Country),
	}
}

// hasReply tells whether anything of the reply address is filled in.
func (f ShipmentForm) hasReply() bool { return !f.Reply.empty() || filled(f.ReplyNumber) }

// replies counts what is said about replies, for the summary of the folded part.
func (f ShipmentForm) replies() int { return count(f.hasReply(), f.ReplyLink, filled(f.InReplyTo)) }

// parseReply reads the reply address, if there is any.
func (f ShipmentForm) parseReply(s *dispatch.Shipment) dispatch.Problems {
	var ps dispatch.Problems
	s.ReplyTo, ps = parseReplyAddress(f.Reply, f.ReplyNumber, dispatch.ParseReplyNumber)
	return ps
}

// parseReplyAddress reads an address for replies; nil when nothing of it is filled in.
func parseReplyAddress(f PostalForm, number string, parse func(field, typed string) (dispatch.DigitalAddress, *dispatch.Problem)) (*dispatch.Address, dispatch.Problems) {
	if f.empty() && !filled(number) {
		return nil, nil
	}
	to := &dispatch.Address{Postal: f.domain()}
	if !filled(number) {
		return to, nil
	}
	var p *dispatch.Problem
	if to.Digital, p = parse(dispatch.FieldReplyNumber, number); p != nil {
		return to, dispatch.Problems{*p}
	}
	return to, nil
}

// count counts what is so.
func count(all ...bool) int {
	n := 0
	for _, so := range all {
		if so {
			n++
		}
	}
	return n
}
