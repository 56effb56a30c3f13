package items

import (
	"encoding/json"
	"fmt"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

func when(condition bool, err error) error {
	if condition {
		return err
	}
	return nil
}

// hashNumber is the keyed hash of a recipient's number, used for search; nil: no number.
func (s contents) hashNumber(to dispatch.Address) ([]byte, error) {
	switch d := to.Digital; {
	case d.NationalID != "":
		return s.Keys.Hash("national_id", d.NationalID.Reveal())
	case d.OrganizationNumber != "":
		return s.Keys.Hash("organization", string(d.OrganizationNumber))
	}
	return nil, nil
}

// sealFields seals a form.
func (s contents) sealFields(f dispatch.DraftFields, place string) ([]byte, error) {
	plain, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return s.Keys.Seal(plain, place)
}

// openFields opens what sealFields sealed.
func (s contents) openFields(sealed []byte, place string) (f dispatch.DraftFields, err error) {
	plain, err := s.Keys.Open(sealed, place)
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(plain, &f)
}

func (s contents) sealSMS(id dispatch.ItemID, m dispatch.SMS) (sealedSMS, error) {
	c := sealedSMS{byPhone: m.Recipient.ByPhone(), segments: dispatch.Segment(m.Text)}
	number, kind, key := m.Recipient.NationalID.Reveal(), "national_id", m.Recipient.NationalID.Reveal()
	var err error
	if c.byPhone {
		number, kind, key = m.Recipient.Phone.Reveal(), "phone", m.Recipient.Phone.Comparable()
		if c.lastThree, err = s.Keys.Hash("last_three", m.Recipient.Phone.LastThree()); err != nil {
			return c, err
		}
	}
	if c.recipientHash, err = s.Keys.Hash(kind, key); err != nil {
		return c, err
	}
	if c.recipient, err = s.Keys.Seal([]byte(number), store.RecipientPlace(id)); err != nil {
		return c, err
	}
	c.text, err = s.Keys.Seal([]byte(dispatch.NormalizeText(m.Text)), store.TextPlace(id))
	return c, err
}

// sealShipment seals the content without its files, which are rows of their own, and hashes the recipient's number.
func (s contents) sealShipment(id dispatch.ItemID, content dispatch.Shipment) (sealed, hash []byte, err error) {
	plain, err := store.MarshalShipment(content)
	if err != nil {
		return nil, nil, fmt.Errorf("shipment content: %w", err)
	}
	if sealed, err = s.Keys.Seal(plain, store.ContentPlace(id)); err != nil {
		return nil, nil, err
	}
	hash, err = s.hashNumber(content.Recipient)
	return sealed, hash, err
}

func (s contents) sealReading(d dispatch.Document) ([]byte, error) {
	if d.Reading == nil {
		return nil, nil
	}
	plain, err := json.Marshal(d.Reading)
	if err != nil {
		return nil, fmt.Errorf("reading of a document: %w", err)
	}
	return s.Keys.Seal(plain, store.ReadingPlace(d.ID))
}

// openVersion opens a version of a template.
func (s contents) openVersion(id dispatch.TemplateID, r versionRow) (dispatch.TemplateVersion, error) {
	v := dispatch.TemplateVersion{
		TemplateContent: dispatch.TemplateContent{Name: r.Name, Text: r.Text, Nynorsk: r.Nynorsk},
		Number:          r.Number, RestoredFrom: r.RestoredFrom, By: r.By, At: r.At, Asked: r.Asked,
	}
	if r.Choices == nil {
		return v, nil
	}
	choices, err := s.Keys.Open(r.Choices, store.ChoicesPlace(id, r.Number))
	v.Choices = string(choices)
	return v, err
}

// recipientOf reads a shipment's recipient from its sealed content.
func (s contents) recipientOf(id dispatch.ItemID, sealed []byte) (dispatch.Address, error) {
	if len(sealed) == 0 { // purged
		return dispatch.Address{}, nil
	}
	plain, err := s.Keys.Open(sealed, store.ContentPlace(id))
	if err != nil {
		return dispatch.Address{}, fmt.Errorf("result of a job: %w", err)
	}
	content, err := store.UnmarshalShipment(plain, nil)
	return content.Recipient, err
}
