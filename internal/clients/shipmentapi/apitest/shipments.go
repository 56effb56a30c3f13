package apitest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

// Shipment returns a valid shipment with one document, and its content.
func Shipment() (dispatch.Shipment, shipmentapi.Content) {
	return ShipmentOf("%PDF-1.7 brev")
}

// ShipmentOf returns a valid shipment whose document has that content.
func ShipmentOf(content string) (dispatch.Shipment, shipmentapi.Content) {
	s := dispatch.Shipment{
		Recipient: dispatch.Address{
			Postal:  dispatch.PostalAddress{Name: "Kari Prøve", Line1: "Prøveveien 1", PostalCode: "0123", City: "Oslo", Country: "Norge"},
			Digital: dispatch.DigitalAddress{NationalID: "02813299900"},
		},
		SourceSystem: "Utsending",
		Title:        "Vedtak",
		Documents:    []dispatch.Document{pdf("brev.pdf", content)},
	}
	return s, texts(map[string]string{"brev.pdf": content})
}

func pdf(name, content string) dispatch.Document {
	return dispatch.Document{ID: dispatch.DocumentID(name), FileName: name, MimeType: dispatch.MimePDF, Size: int64(len(content)), Pages: 1}
}

// texts returns content by file name.
func texts(byName map[string]string) shipmentapi.Content {
	return func(_ context.Context, d dispatch.Document) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(byName[d.FileName])), nil
	}
}

// FullShipment returns a shipment with every field set and every boolean true.
func FullShipment() dispatch.Shipment {
	address := func(name string) dispatch.PostalAddress {
		return dispatch.PostalAddress{
			Name: name, Line1: "Prøveveien 1", Line2: "c/o <Berg>", Line3: "Inngang B & C", PostalCode: "0123", City: "Oslo", Country: "Norge",
		}
	}
	signed := pdf("Vedtak æøå, 1.pdf", "%PDF en")
	signed.Sign, signed.Type, signed.GiroPages, signed.ExcludeFromPrint, signed.Sensitive = true, "VEDTAK", []int{1, 3}, true, true
	signed.Pages, signed.Extra = 3, []dispatch.Entry{{Key: "nøkkel", Value: "verdi"}, {Key: "tom", Value: ""}}
	return dispatch.Shipment{
		Recipient:    dispatch.Address{Postal: address("Kari Prøve"), Digital: dispatch.DigitalAddress{NationalID: "02813299900"}},
		SourceSystem: "Utsending", Title: `Vedtak «8» & "svar" <nå>`, BillingCode: "4711-Ø.ab",
		DigitalOnly: true, Encrypted: true, Print: dispatch.PrintOptions{Color: true, Duplex: true}, RequireLevel4: true,
		Case: &dispatch.CaseMetadata{
			CaseSequence: 17, CaseYear: 2026, JournalYear: 2025, JournalSequence: 18, JournalPost: 19,
			JournalPostType: "U", JournalStatus: "J",
			JournalDate: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), DocumentDate: time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC),
			Title: "Sakstittel", Caseworker: "Saks Behandler", Extra: []dispatch.Entry{{Key: "mappe", Value: "12"}},
		},
		Import: &dispatch.ImportMetadata{
			CaseSequence: 20, CaseYear: 2024, JournalPostType: "I", JournalStatus: "M",
			DocumentDate: time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC), Title: "Importtittel",
		},
		ReplyTo:   &dispatch.Address{Postal: address("Prøve kommune"), Digital: dispatch.DigitalAddress{OrganizationNumber: "987654329"}},
		InReplyTo: OtherID,
		Documents: []dispatch.Document{signed, pdf("vedlegg.pdf", "%PDF to")},
		Links:     []dispatch.Link{{URL: "https://example.no/a?b=1&c=2", Text: "Mer", Lead: "Les mer:"}, {URL: "ftp://example.no/fil", Text: "Fil"}},
		Type:      "vedtak", ExternalReference: "sak 2026/17", ReplyLink: true,
		SignBy: time.Date(2026, 3, 10, 22, 59, 59, 0, time.UTC), SignatureType: dispatch.SignatureAdvanced,
		SharedWith:   []dispatch.DigitalAddress{{NationalID: "02813299901"}, {}, {OrganizationNumber: "987654328"}},
		Confidential: true,
	}
}

// FullContent is the content of FullShipment.
var FullContent = texts(map[string]string{"Vedtak æøå, 1.pdf": "%PDF en", "vedlegg.pdf": "%PDF to"})

// OddlyNamed returns a shipment whose file names need escaping.
func OddlyNamed() dispatch.Shipment {
	s, _ := Shipment()
	s.DigitalOnly, s.Documents = true, nil
	for _, name := range []string{"ÆØÅ æøå.pdf", "a;b=c,'d'.pdf", "100 %25 [x] {y} #1.pdf", "日本語 😀.pdf", " foran og bak .pdf ", "..pdf"} {
		s.Documents = append(s.Documents, pdf(name, name))
	}
	return s
}

// Repeated returns content of the announced size.
func Repeated(_ context.Context, d dispatch.Document) (io.ReadCloser, error) {
	return io.NopCloser(io.LimitReader(Endless{}, d.Size)), nil
}

// Endless is a reader without end.
type Endless struct{}

// Read implements io.Reader.
func (Endless) Read(p []byte) (int, error) { return copy(p, manyX), nil }

var manyX = strings.Repeat("x", 32<<10)

// SignBy requests a signature by a time.
func SignBy(at time.Time) func(*dispatch.Shipment) {
	return func(s *dispatch.Shipment) {
		s.Documents[0].Sign, s.SignBy, s.SignatureType = true, at, dispatch.SignatureAuthenticated
	}
}

// SecretShipment returns a shipment at level 4 with files of the given sizes.
func SecretShipment(sizes ...int) dispatch.Shipment {
	s, _ := Shipment()
	s.Encrypted, s.RequireLevel4, s.Documents = true, true, nil
	for i, n := range sizes {
		s.Documents = append(s.Documents, pdf(fmt.Sprintf("brev %d.pdf", i), strings.Repeat("x", n)))
	}
	return s
}
