package simulator

import "time"

// letter is the metadata of a shipment, whatever API it came by: each generation turns its wire types into it. Texts
// that the service only passes on are left out.
type letter struct {
	title             string
	sourceSystem      string
	billingCode       string
	externalReference string
	correlationID     string
	shipmentType      string
	to                *address
	replyTo           *address
	sharedWith        []string // national ids and organisation numbers
	inReplyTo         *string  // id of a shipment
	digitalOnly       bool
	encrypted         bool
	level4            bool
	replyLink         bool
	signBy            *time.Time
	badDate           bool // a date is not in the form that the generation has
	signatureType     string
	files             []file
	links             []link
}

type address struct {
	postal             *postal
	digital            bool   // there is a digital address, whatever it holds
	digitalID          string // of V2, which has one number for both
	nationalID         string
	organizationNumber string
}

type postal struct {
	name, line1, line2, line3 string
	code, city, country       string
}

type file struct {
	name             string
	mimeType         string
	sign             bool
	kind             *string
	giroPages        []int
	excludeFromPrint bool
	extra            []entry
	sensitive        *bool
}

type link struct{ url, text string }

// entry is Entry, in metadata and in answers.
type entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// signed returns the files that are to be signed.
func (l *letter) signed() []file {
	var signed []file
	for _, f := range l.files {
		if f.sign {
			signed = append(signed, f)
		}
	}
	return signed
}

// recipientID is the number that a shipment can be delivered to digitally, or empty.
func (l *letter) recipientID() string {
	if l.to.nationalID != "" {
		return l.to.nationalID
	}
	return l.to.organizationNumber
}
