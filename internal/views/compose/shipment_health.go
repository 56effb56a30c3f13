package compose

import (
	"utsending/internal/dispatch"
)

// The recipients in the health network: the values of dispatch.FieldByHERID.
const (
	ByDoctor = "fastlege"
	ByHERID  = "herid"
)

// offersHealth tells whether the form offers a recipient in the health network: the account may send there, and the draft
// goes to one. A chosen one is always shown, with what is wrong about it.
func (p ShipmentFormPage) offersHealth() bool {
	return p.Account.ReachesHealth() && p.Many == 0 || p.Form.ToHealth()
}

// notHealth is the class of a part of the form that a recipient in the health network has no use for; empty where it is
// filled in or wrong, since it must be seen to be emptied.
func notHealth(filled bool) string {
	if filled {
		return ""
	}
	return "not-health"
}

// fileTypes says which types of files the account's generation takes for recipients outside of the health network.
func (p ShipmentFormPage) fileTypes() string {
	if p.Account.Generation().Files(dispatch.ToPaper).Others {
		return "upload.types"
	}
	return "upload.types.numbered"
}

// healthMB is the most that the file for the health network may hold.
func (p ShipmentFormPage) healthMB() int {
	return int(p.Account.Generation().Files(dispatch.ToHealth).Size / 1_000_000)
}

// recipientKind is the chosen kind of recipient.
func (p ShipmentFormPage) recipientKind() string {
	switch k := p.Form.RecipientKind; k {
	case KindOrganization, KindHealth:
		return k
	}
	return KindPerson
}

// nameFields are the parts of a name.
func nameFields(prefix, label string, n dispatch.PersonName) []nameField {
	return []nameField{
		{prefix + dispatch.NameFirst, label + ".first", n.First}, {prefix + dispatch.NameMiddle, label + ".middle", n.Middle}, {prefix + dispatch.NameLast, label + ".last", n.Last},
	}
}

// nameField is one part of a name.
type nameField struct{ Name, Label, Value string }

// titleHint says who sees the title.
func (p ShipmentFormPage) titleHint() string {
	if p.Form.ToHealth() {
		return "shipment.title.hint.health"
	}
	return "shipment.title.hint"
}

// sizeMost is how large the files may be together, in bytes.
func (p ShipmentFormPage) sizeMost() int64 {
	if p.Form.ToHealth() {
		return int64(p.Account.Generation().Row().Limits.HealthSize)
	}
	return dispatch.PrintSizeMax
}
