// Package compose has the pages that make something to send: SMS, shipments, jobs and their lists, templates, and look-ups.
//
// Each kind of page has a type of its own, with what it uses. They are listed here from the bottom up: a type knows those
// above it in this file, and none below (TestRooms).
package compose

import (
	"context"
	"io"
	"sync"

	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/upstream"
)

// What the pages share.
type (
	// review has what every review shows and refuses before something is sent: approval, protected people, what they got today.
	review struct{ *frame.Frame }

	// measure counts the segments of texts, and what they cost.
	measure struct {
		*frame.Frame
		lists *listLengths
	}

	// templateChoice fills forms of SMS from templates.
	templateChoice struct{ *frame.Frame }

	// unfinished autosaves forms of SMS.
	unfinished struct{ *frame.Frame }

	// uploads receives files.
	uploads struct {
		*frame.Frame
		PDF  *pdf.Inspector
		Scan func(context.Context, io.Reader) error // virus scanner, as clamd.Scanner; nil: none
	}

	// listIntake reads lists, again where the reader was mistaken, and gives out and corrects their faulty rows.
	listIntake struct {
		*frame.Frame
		uploads *uploads
	}

	// files shows files of drafts and pictures of their pages.
	files struct {
		*frame.Frame
		PDF      *pdf.Inspector
		pictures *pictures
	}

	// contactRegister tells how recipients can be reached.
	contactRegister struct {
		*frame.Frame
		Upstream *upstream.Clients
	}
)

// SMS.
type (
	// SMS has the pages of one SMS, from its form to Send.
	SMS struct {
		*frame.Frame
		review     *review
		measure    *measure
		choice     *templateChoice
		unfinished *unfinished
		contacts   *contactRegister
	}

	// smsJobDrafts has what the pages of drafts of SMS to many share.
	smsJobDrafts struct {
		*frame.Frame
		measure    *measure
		choice     *templateChoice
		unfinished *unfinished
		contacts   *contactRegister
	}

	// SMSLists has the pages that upload and correct the list of an SMS to many.
	SMSLists struct {
		*frame.Frame
		measure *measure
		intake  *listIntake
		jobs    *smsJobDrafts
	}

	// SMSJobs has the pages of an SMS to many: its text, review and Send.
	SMSJobs struct {
		*frame.Frame
		review     *review
		measure    *measure
		choice     *templateChoice
		unfinished *unfinished
		contacts   *contactRegister
		jobs       *smsJobDrafts
	}
)

// Shipments.
type (
	// drafts has what the pages of drafts of shipments share: reading, saving, parsing and showing them.
	drafts struct {
		*frame.Frame
		Upstream *upstream.Clients
		PDF      *pdf.Inspector
		places   func() map[string]string // places by postal code
	}

	// shipmentJobDrafts has what the pages of drafts of shipments to many share.
	shipmentJobDrafts struct {
		*frame.Frame
		contacts *contactRegister
		drafts   *drafts
		places   func() map[string]string
	}

	// Documents has the pages of a draft's documents.
	Documents struct {
		*frame.Frame
		uploads  *uploads
		files    *files
		drafts   *drafts
		PDF      *pdf.Inspector
		pictures *pictures
	}

	// Slices divides a PDF among the rows of a list, and shows each slice.
	Slices struct {
		*frame.Frame
		files  *files
		drafts *drafts
		lists  *shipmentJobDrafts
		PDF    *pdf.Inspector
	}

	// ShipmentLists has the pages of the list of a shipment to many: uploading and correcting it.
	ShipmentLists struct {
		*frame.Frame
		intake *listIntake
		drafts *drafts
		lists  *shipmentJobDrafts
	}

	// OwnFiles has the pages of files that belong to one row of a list each.
	OwnFiles struct {
		*frame.Frame
		uploads       *uploads
		drafts        *drafts
		lists         *shipmentJobDrafts
		shipmentLists *ShipmentLists
	}

	// ShipmentJobs has the pages of a shipment to many: how its files are given out, its review and Send.
	ShipmentJobs struct {
		*frame.Frame
		review   *review
		contacts *contactRegister
		drafts   *drafts
		lists    *shipmentJobDrafts
		slices   *Slices
		ownFiles *OwnFiles
	}

	// Receivers chooses a receiving system for a shipment.
	Receivers struct {
		*frame.Frame
		Upstream *upstream.Clients
		drafts   *drafts
	}
)

// Templates, and what ties these together.
type (
	// Templates has the pages of templates; its forms are those of SMS.
	Templates struct {
		*frame.Frame
		measure *measure
	}

	// ShipmentTemplates makes templates from drafts of shipments, and drafts from them.
	ShipmentTemplates struct {
		*frame.Frame
		drafts    *drafts
		templates *Templates
	}

	// Shipments has the pages of one shipment, from its form to Send.
	Shipments struct {
		*frame.Frame
		review            *review
		contacts          *contactRegister
		drafts            *drafts
		shipmentJobs      *ShipmentJobs
		shipmentTemplates *ShipmentTemplates
	}

	// HandOver hands a draft over to a colleague.
	HandOver struct {
		*frame.Frame
		drafts *drafts
	}

	// Contacts has the pages that tell who of a list can be reached, and leave out the rest.
	Contacts struct {
		*frame.Frame
		Upstream *upstream.Clients
		contacts *contactRegister
		jobs     *smsJobDrafts
		drafts   *drafts
		lists    *shipmentJobDrafts
	}

	// OtherWay begins an SMS about a shipment, and a shipment in place of an SMS.
	OtherWay struct{ *frame.Frame }

	// Approvals has the requests for approval: deciding a colleague's, and withdrawing one's own.
	Approvals struct {
		*frame.Frame
		review       *review
		files        *files
		sms          *SMS
		smsJobs      *SMSJobs
		drafts       *drafts
		lists        *shipmentJobDrafts
		shipmentJobs *ShipmentJobs
		shipments    *Shipments
	}

	// Lookups asks the contact register about people, and makes drafts to those found.
	Lookups struct {
		*frame.Frame
		Upstream *upstream.Clients
	}

	// PDFHelp explains what a PDF must be like for print, and gives the Word template.
	PDFHelp struct{ *frame.Frame }
)

// Options are what the pages use.
type Options struct {
	Frame    *frame.Frame
	Upstream *upstream.Clients
	PDF      *pdf.Inspector
	Scan     func(context.Context, io.Reader) error // virus scanner, as clamd.Scanner; nil: none
}

// Pages are all pages of this area.
type Pages struct {
	SMS               *SMS
	SMSLists          *SMSLists
	SMSJobs           *SMSJobs
	Shipments         *Shipments
	Documents         *Documents
	Slices            *Slices
	OwnFiles          *OwnFiles
	ShipmentLists     *ShipmentLists
	ShipmentJobs      *ShipmentJobs
	Receivers         *Receivers
	Templates         *Templates
	ShipmentTemplates *ShipmentTemplates
	HandOver          *HandOver
	Contacts          *Contacts
	OtherWay          *OtherWay
	Approvals         *Approvals
	Lookups           *Lookups
	PDFHelp           *PDFHelp
}

// New puts the pages together.
func New(o Options) *Pages {
	f := o.Frame
	places, kept := sync.OnceValue(f.Assets.PostalPlaces), newPictures()
	review, measure, choice, unfinished := &review{f}, &measure{f, &listLengths{}}, &templateChoice{f}, &unfinished{f}
	uploads, files, contacts := &uploads{f, o.PDF, o.Scan}, &files{f, o.PDF, kept}, &contactRegister{f, o.Upstream}
	intake := &listIntake{f, uploads}
	jobs := &smsJobDrafts{f, measure, choice, unfinished, contacts}
	drafts := &drafts{f, o.Upstream, o.PDF, places}
	lists := &shipmentJobDrafts{f, contacts, drafts, places}

	p := &Pages{
		SMS:           &SMS{f, review, measure, choice, unfinished, contacts},
		SMSLists:      &SMSLists{f, measure, intake, jobs},
		SMSJobs:       &SMSJobs{f, review, measure, choice, unfinished, contacts, jobs},
		Documents:     &Documents{f, uploads, files, drafts, o.PDF, kept},
		Slices:        &Slices{f, files, drafts, lists, o.PDF},
		ShipmentLists: &ShipmentLists{f, intake, drafts, lists},
		Receivers:     &Receivers{f, o.Upstream, drafts},
		Templates:     &Templates{f, measure},
		HandOver:      &HandOver{f, drafts},
		Contacts:      &Contacts{f, o.Upstream, contacts, jobs, drafts, lists},
		OtherWay:      &OtherWay{f},
		Lookups:       &Lookups{f, o.Upstream},
		PDFHelp:       &PDFHelp{f},
	}
	p.OwnFiles = &OwnFiles{f, uploads, drafts, lists, p.ShipmentLists}
	p.ShipmentJobs = &ShipmentJobs{f, review, contacts, drafts, lists, p.Slices, p.OwnFiles}
	p.ShipmentTemplates = &ShipmentTemplates{f, drafts, p.Templates}
	p.Shipments = &Shipments{f, review, contacts, drafts, p.ShipmentJobs, p.ShipmentTemplates}
	p.Approvals = &Approvals{f, review, files, p.SMS, p.SMSJobs, drafts, lists, p.ShipmentJobs, p.Shipments}
	return p
}
