package dispatch

import "time"

// Draft is a shipment before it is sent: the form as typed, and its files.
type Draft struct {
	Item      Item
	Version   int       // counted up by each save, for optimistic locking
	SavedAt   time.Time // last; zero: it is as it was made
	By        PageSave  // the save of a page that is about to be stored
	Fields    DraftFields
	Documents []Document
	CopyOf    ItemID // the original, if the draft is a copy

	HandedBy string // name of the colleague who handed it over; empty: nobody
	HandedAt time.Time

	Template     TemplateUse // that it began with
	TemplateName string
}

// PageSave names a save of one loaded page. A page may store what it knows better than the version that it sends: where its own save was the
// latest, and its answer was lost.
type PageSave struct {
	Page   string // random; empty: unknown
	Number int    // counted up with each save
}

// Copied returns the fields for a copy; files maps each document to its copy. The deadline for signing, the time
// to send, and what is said of a list are not copied.
func (f DraftFields) Copied(files map[DocumentID]DocumentID) DraftFields {
	documents := map[DocumentID]DocumentFields{}
	for id, d := range f.Documents {
		documents[files[id]] = d
	}
	f.Documents, f.SignDocument, f.SignBy = documents, string(files[DocumentID(f.SignDocument)]), ""
	f.Timing, f.ReferenceEach = TimingFields{}, false
	return f
}
