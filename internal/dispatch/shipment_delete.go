package dispatch

// Deletion tells which files of a shipment the service was asked to delete.
type Deletion string

// The deletions.
const (
	DeletedNone      Deletion = ""
	DeletedOriginals Deletion = "originals" // what we sent; what came of it, such as a signed copy, stays
	DeletedAll       Deletion = "all"
)

// Deletions are what the service can still be asked to delete of the item. Only V2 can be asked, of what it has taken.
//
// Assumption: originals and all differ only where something is made of the files, which signing does.
func (i ShipmentItem) Deletions() []Deletion {
	switch {
	case i.Over != IntegrationShipmentV2 || i.State != StateAccepted || i.UpstreamID == "" || i.Deleted == DeletedAll:
		return nil
	case i.Signing() && i.Deleted == DeletedNone:
		return []Deletion{DeletedOriginals, DeletedAll}
	}
	return []Deletion{DeletedAll}
}
