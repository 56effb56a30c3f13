package dispatch

import "time"

// Source is one thing that is read from the shipment service beside the status.
type Source string

// The sources.
const (
	SourceHistory   Source = "history"   // historikk
	SourceSigning   Source = "signing"   // signeringhistorikk
	SourceDocuments Source = "documents" // dokumentMetadata
)

// ServiceEvent is one line of a history at the service. Text is free text with eleven-digit runs masked; it is never
// read as a status.
type ServiceEvent struct {
	At     time.Time
	Said   string `json:",omitempty"` // how the service wrote a time that we cannot read
	Text   string
	Status SigningStatus // of the signing history only
}

// ServiceDocument is what the service tells of one file.
type ServiceDocument struct {
	FileName    string
	MimeType    string
	Size        int64
	SHA256      string
	Type        string
	DownloadURL string // for people with a browser; never fetched by us
	SigningURL  string
	Signable    bool
	Sensitive   bool
	Extra       []Entry
}

// Reading tells when a source was last read, and what went wrong since.
type Reading struct {
	At     time.Time // last successful read; zero: never
	Failed Reason    // zero when the last read went well
}

// ShipmentItem is a shipment with what became of it.
type ShipmentItem struct {
	Item
	Shipment
	SigningStatus   SigningStatus
	SigningAt       time.Time
	Events          []ServiceEvent // newest first
	SigningEvents   []ServiceEvent // newest first
	Files           []ServiceDocument
	Read            map[Source]Reading
	Fault           Fault  // why the service did not take it
	Answer          Answer // what it said then, or when the status could not be read
	SentReference   string // external reference that went out latest instead of the person's own
	Template        TemplateUse
	ServiceStatusAt time.Time       // when the status changed, as the service tells; zero: it does not
	TemplateName    string          // of that version
	Over            IntegrationKind // what it was accepted over; empty: it was not
	Deleted         Deletion        // of its files at the service
	Purged          bool            // its content has been kept for as long as it may
}

// MayCopy tells whether a new draft may be made of the shipment: its fate is known. Of one that may have been sent, a copy
// could be a second shipment.
func (i ShipmentItem) MayCopy() bool {
	if i.Purged {
		return false
	}
	switch i.State {
	case StateAccepted, StateRejected, StateFailed, StateCancelled:
		return true
	}
	return false
}

// CameToNothing tells whether the recipient will surely not get the shipment as it is: it was not taken, or it was
// dismissed afterwards.
func (i ShipmentItem) CameToNothing() bool {
	return i.EndedBadly()
}
