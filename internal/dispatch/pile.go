package dispatch

// Pile is a kind of thing that people make and leave lying. Each has a bound, so that no page and no statement grows without
// end.
type Pile string

// The piles.
const (
	PileSMS       Pile = "sms"       // drafts of SMS, of one person on an account
	PileShipments Pile = "shipments" // drafts of shipments, of one person on an account
	PileLists     Pile = "lists"     // drafts of SMS to many, of one person on an account
	PileTemplate  Pile = "template"  // templates of one kind on an account, archived ones too
	PileVersions  Pile = "versions"  // versions of one template
	PileExports   Pile = "exports"   // lists as files, of one person on an account, until they go after a day
)

// Most is how many of a kind may lie there.
func (p Pile) Most() int {
	switch p {
	case PileShipments:
		return 100
	case PileLists, PileExports:
		return 50
	}
	return 300
}

// Full says that there is no room for one more, at a field of a form.
func (p Pile) Full(field string) Problem {
	return Problem{Field: field, Key: "full." + string(p), Args: Args{"Most": p.Most()}}
}
