package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// storedShipment is the plaintext of the sealed column. Numbers are plain strings here, since the domain's types
// refuse to be marshalled; files are rows of their own.
type storedShipment struct {
	Recipient         storedAddress
	SourceSystem      string
	Title             string
	BillingCode       string
	DigitalOnly       bool
	Encrypted         bool
	Print             dispatch.PrintOptions
	RequireLevel4     bool
	Case              *dispatch.CaseMetadata   `json:",omitempty"`
	Import            *dispatch.ImportMetadata `json:",omitempty"`
	ReplyTo           *storedAddress           `json:",omitempty"`
	InReplyTo         string                   `json:",omitempty"`
	Links             []dispatch.Link          `json:",omitempty"`
	Type              string                   `json:",omitempty"`
	ExternalReference string                   `json:",omitempty"`
	CorrelationID     string                   `json:",omitempty"`
	SourceActor       string                   `json:",omitempty"`
	ReplyLink         bool
	SignBy            time.Time
	SignatureType     dispatch.SignatureType `json:",omitempty"`
	SignDocument      dispatch.DocumentID    `json:",omitempty"`
	SharedWith        []storedNumber         `json:",omitempty"`
	Confidential      bool
	Health            *storedHealth                            `json:",omitempty"`
	Extra             map[dispatch.DocumentID][]dispatch.Entry `json:",omitempty"` // of the files, sealed because it is free text
}

type storedHealth struct {
	HERID, About, Phone, PatientID string
	Contact, Patient               dispatch.PersonName
}

func toStoredHealth(h *dispatch.Health) *storedHealth {
	if h == nil {
		return nil
	}
	return &storedHealth{HERID: h.HERID, About: h.About, Phone: h.Phone, PatientID: h.PatientID.Reveal(), Contact: h.Contact, Patient: h.Patient}
}

func (h *storedHealth) domain() *dispatch.Health {
	if h == nil {
		return nil
	}
	return &dispatch.Health{HERID: h.HERID, About: h.About, Phone: h.Phone, PatientID: dispatch.NationalID(h.PatientID), Contact: h.Contact, Patient: h.Patient}
}

type storedNumber struct {
	NationalID         string `json:",omitempty"`
	OrganizationNumber string `json:",omitempty"`
}

type storedAddress struct {
	Postal  StoredPostal
	Digital storedNumber
}

// StoredPostal has the fields of the domain's address, without its redaction.
type StoredPostal dispatch.PostalAddress

func toStoredNumber(d dispatch.DigitalAddress) storedNumber {
	return storedNumber{d.NationalID.Reveal(), string(d.OrganizationNumber)}
}

func (n storedNumber) domain() dispatch.DigitalAddress {
	return dispatch.DigitalAddress{NationalID: dispatch.NationalID(n.NationalID), OrganizationNumber: dispatch.OrganizationNumber(n.OrganizationNumber)}
}

func toStoredAddress(a dispatch.Address) storedAddress {
	return storedAddress{StoredPostal(a.Postal), toStoredNumber(a.Digital)}
}

func (a storedAddress) domain() dispatch.Address {
	return dispatch.Address{Postal: dispatch.PostalAddress(a.Postal), Digital: a.Digital.domain()}
}

// MarshalShipment encodes the content of a shipment without its files.
func MarshalShipment(s dispatch.Shipment) ([]byte, error) {
	st := storedShipment{
		Recipient: toStoredAddress(s.Recipient), SourceSystem: s.SourceSystem, Title: s.Title, BillingCode: s.BillingCode,
		DigitalOnly: s.DigitalOnly, Encrypted: s.Encrypted, Print: s.Print, RequireLevel4: s.RequireLevel4, Case: s.Case, Import: s.Import,
		InReplyTo: s.InReplyTo, Links: s.Links, Type: s.Type, ExternalReference: s.ExternalReference, ReplyLink: s.ReplyLink,
		SignBy: s.SignBy, SignatureType: s.SignatureType, Confidential: s.Confidential,
		CorrelationID: s.CorrelationID, SourceActor: s.SourceActor, Health: toStoredHealth(s.Health),
	}
	if s.ReplyTo != nil {
		a := toStoredAddress(*s.ReplyTo)
		st.ReplyTo = &a
	}
	for _, d := range s.SharedWith {
		st.SharedWith = append(st.SharedWith, toStoredNumber(d))
	}
	for _, d := range s.Documents {
		if d.Sign {
			st.SignDocument = d.ID
		}
		if len(d.Extra) > 0 {
			if st.Extra == nil {
				st.Extra = map[dispatch.DocumentID][]dispatch.Entry{}
			}
			st.Extra[d.ID] = d.Extra
		}
	}
	return json.Marshal(st)
}

// UnmarshalShipment decodes the content of a shipment and adds its files.
func UnmarshalShipment(plain []byte, documents []dispatch.Document) (dispatch.Shipment, error) {
	var st storedShipment
	if err := json.Unmarshal(plain, &st); err != nil {
		return dispatch.Shipment{}, fmt.Errorf("shipment content: %w", err)
	}
	s := dispatch.Shipment{
		Recipient: st.Recipient.domain(), SourceSystem: st.SourceSystem, Title: st.Title, BillingCode: st.BillingCode,
		DigitalOnly: st.DigitalOnly, Encrypted: st.Encrypted, Print: st.Print, RequireLevel4: st.RequireLevel4, Case: st.Case, Import: st.Import,
		InReplyTo: st.InReplyTo, Links: st.Links, Type: st.Type, ExternalReference: st.ExternalReference, ReplyLink: st.ReplyLink,
		SignBy: st.SignBy, SignatureType: st.SignatureType, Confidential: st.Confidential, Documents: documents,
		CorrelationID: st.CorrelationID, SourceActor: st.SourceActor, Health: st.Health.domain(),
	}
	if st.ReplyTo != nil {
		a := st.ReplyTo.domain()
		s.ReplyTo = &a
	}
	for _, n := range st.SharedWith {
		s.SharedWith = append(s.SharedWith, n.domain())
	}
	for i := range s.Documents {
		s.Documents[i].Sign = s.Documents[i].ID == st.SignDocument
		s.Documents[i].Extra = st.Extra[s.Documents[i].ID]
	}
	return s, nil
}

// OpenShipment opens the sealed content of a shipment and reads its files.
func (s *Store) OpenShipment(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, sealed []byte) (dispatch.Shipment, error) {
	documents, err := s.Documents(ctx, account, id)
	return s.openShipment(id, sealed, documents, err)
}

// OpenShipmentIn is OpenShipment in a transaction: a second connection might be held by one that waits for its locks.
func (s *Store) OpenShipmentIn(ctx context.Context, q sqlx.QueryerContext, account dispatch.AccountID, id dispatch.ItemID, sealed []byte) (dispatch.Shipment, error) {
	var rows []DocumentRow
	err := sqlx.SelectContext(ctx, q, &rows, selectDocuments, id, account)
	documents, err := s.OpenDocuments(rows, err)
	return s.openShipment(id, sealed, documents, err)
}

func (s *Store) openShipment(id dispatch.ItemID, sealed []byte, documents []dispatch.Document, err error) (dispatch.Shipment, error) {
	if err != nil {
		return dispatch.Shipment{}, err
	}
	plain, err := s.Keys.Open(sealed, ContentPlace(id))
	if err != nil {
		return dispatch.Shipment{}, err
	}
	return UnmarshalShipment(plain, documents)
}
