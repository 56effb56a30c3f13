package dispatch

// Deletion tells which files of a shipment the service was asked to delete.
type Deletion string

// The deletions.
const (
	DeletedNone      Deletion = ""
	DeletedOriginals Deletion = "originals" // the files that we sent; files made from them, such as a signed copy, stay
	DeletedAll       Deletion = "all"
)

// Deletions returns what the service can still be asked to delete of the item. V1 cannot be asked.
//
// Assumption: originals and all differ only where the service makes files from ours, which signing does.
func (i ShipmentItem) Deletions() []Deletion {
	switch {
	case !i.Over.Row().Deletes || i.State != StateAccepted || i.UpstreamID == "" || i.Deleted == DeletedAll:
		return nil
	case i.Signing() && i.Deleted == DeletedNone:
		return []Deletion{DeletedOriginals, DeletedAll}
	}
	return []Deletion{DeletedAll}
}
