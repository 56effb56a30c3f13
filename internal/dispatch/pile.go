package dispatch

// Pile is a kind of stored thing whose number is limited, so that no page and no statement grows without bound.
type Pile string

// The limited kinds.
const (
	PileSMS       Pile = "sms"       // SMS drafts of a user on an account
	PileShipments Pile = "shipments" // shipment drafts of a user on an account
	PileLists     Pile = "lists"     // drafts of SMS jobs of a user on an account
	PileTemplate  Pile = "template"  // templates of one kind on an account, archived ones included
	PileVersions  Pile = "versions"  // versions of one template
	PileExports   Pile = "exports"   // exports of a user on an account, deleted after a day
)

// Most is the limit.
func (p Pile) Most() int {
	switch p {
	case PileShipments:
		return 100
	case PileLists, PileExports:
		return 50
	}
	return 300
}

// Full returns the problem, at a field of a form, that the limit is reached.
func (p Pile) Full(field string) Problem {
	return Problem{Field: field, Key: "full." + string(p), Args: Args{"Most": p.Most()}}
}
