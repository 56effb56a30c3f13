package dispatch

import "time"

// KindShipment is a shipment: PDFs delivered to a digital mailbox or printed and posted.
const KindShipment Kind = "shipment"

// SignatureType is how a document is signed, verbatim.
type SignatureType string

// The signature types (Shipment spec, Enumerations).
const (
	SignatureAuthenticated SignatureType = "AUTENTISERT_SIGNATUR"
	SignatureAdvanced      SignatureType = "AVANSERT_SIGNATUR"
)

// PrintOptions say how a shipment is printed.
type PrintOptions struct{ Color, Duplex bool }

// Link is an address in the shipment.
type Link struct{ URL, Text, Lead string }

// CaseMetadata is archive metadata of the delivering system (Noark). Zero numbers and dates are left out, and on V1 the
// ids, which it does not have.
type CaseMetadata struct {
	FolderID, FolderSystemID, SystemID, RegistrationID                string // V2
	CaseSequence, CaseYear, JournalYear, JournalSequence, JournalPost int
	JournalPostType, JournalStatus                                    string
	JournalDate, DocumentDate                                         time.Time
	Title, Caseworker                                                 string
	Extra                                                             []Entry
}

// ImportMetadata is archive metadata that matches the receiving system (Noark). V1 does not have the ids and what tells
// of the journal.
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
	SourceActor       string // who uses the system; V2
	Title             string
	BillingCode       string
	DigitalOnly       bool
	Encrypted         bool
	Print             PrintOptions
	RequireLevel4     bool
	Case              *CaseMetadata
	Import            *ImportMetadata
	ReplyTo           *Address
	InReplyTo         string // id of the shipment that this one answers
	Documents         []Document
	Links             []Link
	Type              string
	ExternalReference string
	CorrelationID     string // to search by in the service's own pages; V2
	ReplyLink         bool
	SignBy            time.Time // end of the last day to sign; zero: nothing to sign
	SignatureType     SignatureType
	SharedWith        []DigitalAddress
	Confidential      bool
	SendAt            time.Time // zero: when it is sent. The service is not told
}

// goes returns when the shipment goes if it is sent now, as far as it says itself.
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

// Size is the size of all files in bytes.
func (s Shipment) Size() int64 {
	var n int64
	for _, d := range s.Documents {
		n += d.Size
	}
	return n
}

// Sheets counts the sheets that the shipment is printed on, each document for itself, and how many of them are giro
// sheets.
func (s Shipment) Sheets() (sheets, giro int) {
	for _, d := range s.Documents {
		sheets += d.Sheets(s.Print.Duplex)
		if !d.ExcludeFromPrint {
			giro += len(d.GiroPages)
		}
	}
	return sheets, giro
}
