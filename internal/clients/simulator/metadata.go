package simulator

import "time"

// Metadata is the metadata of a shipment of any generation, which converts its wire types to it. Texts that the
// service only passes on are left out.
type Metadata struct {
	Title             string
	SourceSystem      string
	BillingCode       string
	ExternalReference string
	CorrelationID     string
	ShipmentType      string
	To                *Address
	ReplyTo           *Address
	SharedWith        []string // national ids and organisation numbers
	InReplyTo         *string  // id of a shipment
	DigitalOnly       bool
	Encrypted         bool
	Level4            bool
	ReplyLink         bool
	SignBy            *time.Time
	BadDate           bool // a date is not in the generation's format
	SignatureType     string
	Files             []File
	Links             []Link
	Health            bool // into the health network
	Own               any  // as the generation has it
}

// Address is a recipient or a reply address.
type Address struct {
	Postal             *Postal
	Digital            bool   // there is a digital address, even an empty one
	DigitalID          string // of V2, which has one field for both numbers
	NationalID         string
	OrganizationNumber string
}

// Postal is a postal address.
type Postal struct {
	Name, Line1, Line2, Line3 string
	Code, City, Country       string
}

// File is the metadata of a document.
type File struct {
	Name             string
	MimeType         string
	Sign             bool
	Kind             *string
	GiroPages        []int
	ExcludeFromPrint bool
	Extra            []Entry
	Sensitive        *bool
}

// Link is a link beside the documents.
type Link struct{ URL, Text string }

// Entry is Entry, in metadata and in answers.
type Entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Signed returns the files to be signed.
func (l *Metadata) Signed() []File {
	var signed []File
	for _, f := range l.Files {
		if f.Sign {
			signed = append(signed, f)
		}
	}
	return signed
}

// recipientID is the number for digital delivery, or empty.
func (l *Metadata) recipientID() string {
	if l.To.NationalID != "" {
		return l.To.NationalID
	}
	return l.To.OrganizationNumber
}
