package dispatch

import "time"

// Draft is a shipment before it is sent: what was typed, and its files.
type Draft struct {
	Item      Item
	Version   int // counted up by each save: one that was read earlier is not saved
	Fields    DraftFields
	Documents []Document
	CopyOf    ItemID // what the draft was made of; empty: of nothing

	HandedBy string // name of who handed it over; empty: nobody
	HandedAt time.Time

	Template     TemplateUse // that it began with
	TemplateName string
}

// Copied are the fields of a copy; files are its files by the documents that they are copies of. A deadline to sign by, and a
// time to go, were the first one's.
func (f DraftFields) Copied(files map[DocumentID]DocumentID) DraftFields {
	documents := map[DocumentID]DocumentFields{}
	for id, d := range f.Documents {
		documents[files[id]] = d
	}
	f.Documents, f.SignDocument, f.SignBy = documents, string(files[DocumentID(f.SignDocument)]), ""
	f.Timing = TimingFields{}
	return f
}
