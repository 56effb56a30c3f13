package dispatch

import "time"

// KindShipment is a shipment: PDFs delivered to a digital mailbox or printed and posted.
const KindShipment Kind = "shipment"

// Kinds are the two kinds.
var Kinds = []Kind{KindSMS, KindShipment}

// SignatureType is the kind of signature, verbatim.
type SignatureType string

// The signature types (Shipment spec, Enumerations).
const (
	SignatureAuthenticated SignatureType = "AUTENTISERT_SIGNATUR"
	SignatureAdvanced      SignatureType = "AVANSERT_SIGNATUR"
)

// PrintOptions are the choices for printing.
type PrintOptions struct{ Color, Duplex bool }

// Link is a link shown with the shipment.
type Link struct{ URL, Text, Lead string }

// CaseMetadata is archive metadata of the sending system (Noark). Zero numbers and dates are omitted; V1 also lacks
// the ids.
type CaseMetadata struct {
	FolderID, FolderSystemID, SystemID, RegistrationID                string // V2
	CaseSequence, CaseYear, JournalYear, JournalSequence, JournalPost int
	JournalPostType, JournalStatus                                    string
	JournalDate, DocumentDate                                         time.Time
	Title, Caseworker                                                 string
	Extra                                                             []Entry
}

// ImportMetadata is archive metadata for the receiving system (Noark). V1 lacks the ids and the journal fields.
type ImportMetadata struct {
	FolderID, FolderSystemID, SystemID, RegistrationID string // V2
	JournalYear, JournalSequence, JournalPost          int    // V2

	CaseSequence, CaseYear         int
	JournalPostType, JournalStatus string
	DocumentDate                   time.Time
	Title                          string
}

// Shipment is the content of one shipment (Shipment spec, Forsendelse).
type Shipment struct {
	Recipient         Address
	SourceSystem      string
	SourceActor       string // user of that system; V2
	Title             string
	BillingCode       string
	DigitalOnly       bool
	Encrypted         bool
	Print             PrintOptions
	RequireLevel4     bool
	Case              *CaseMetadata
	Import            *ImportMetadata
	ReplyTo           *Address
	InReplyTo         string // id of the shipment to which this one replies
	Documents         []Document
	Links             []Link
	Type              string
	ExternalReference string
	CorrelationID     string // to search for in the service's own pages; V2
	ReplyLink         bool
	SignBy            time.Time // end of the last day to sign; zero: nothing to sign
	SignatureType     SignatureType
	SharedWith        []DigitalAddress
	Confidential      bool
	Health            *Health   // into the health network, instead of to the recipient; nil: to the recipient
	SendAt            time.Time // zero: at once. It is our schedule, not sent to the service
}

// goes returns the send time of a shipment that is queued now, without undo window.
func (s Shipment) goes(now time.Time) time.Time {
	if s.SendAt.After(now) {
		return s.SendAt
	}
	return now
}

// Signing tells whether a document is to be signed.
func (s Shipment) Signing() bool {
	for _, d := range s.Documents {
		if d.Sign {
			return true
		}
	}
	return false
}

// Size is the total size of the files in bytes.
func (s Shipment) Size() int64 {
	var n int64
	for _, d := range s.Documents {
		n += d.Size
	}
	return n
}

// Sheets counts the printed sheets, each document for itself, and how many of them are giro sheets.
func (s Shipment) Sheets() (sheets, giro int) {
	for _, d := range s.Documents {
		sheets += d.Sheets(s.Print.Duplex)
		if !d.ExcludeFromPrint {
			giro += len(d.GiroPages)
		}
	}
	return sheets, giro
}
