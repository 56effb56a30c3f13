package main

import (
	"context"
	"errors"
	"io"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
)

// The measured user and the credentials. Everything here is fictional.
const (
	clientID     = "utsending"
	clientSecret = "utsending-bench"
	subject      = "kari"
	personName   = "Kari Nordmann"
	group        = "bench-saksbehandler"
	slug         = "bench"

	smsService      = "sms"
	shipmentService = "forsendelse-v1"
)

// sample is the account used for measurements, with its caseworker.
type sample struct {
	account dispatch.Account
	actor   store.Actor
}

// seed makes the account.
func (s *stage) seed(ctx context.Context) error {
	credentials := dispatch.Credentials{ClientID: clientID, ClientSecret: clientSecret}
	sms, err := registry.In(s.store).Integrations.Save(ctx,
		dispatch.Integration{Name: "SMS", Kind: dispatch.IntegrationSMS, Service: smsService, Parallelism: 8, RatePerSec: 1000}, credentials)
	if err != nil {
		return err
	}
	shipments, err := registry.In(s.store).Integrations.Save(ctx,
		dispatch.Integration{Name: "Forsendelser", Kind: dispatch.IntegrationShipmentV1, Service: shipmentService, Parallelism: 4, RatePerSec: 1000}, credentials)
	if err != nil {
		return err
	}
	a := dispatch.Account{Slug: slug, Name: "Oppvekst og utdanning", SMSAccountID: uuid.NewString(), SMSIntegration: sms,
		ShipmentIntegration: shipments, SenderName: "Fjordvik", SourceSystem: "Utsending"}
	if a.ID, err = registry.In(s.store).Accounts.Save(ctx, a); err != nil {
		return err
	}
	if err := s.store.MapRole(ctx, group, a.ID, dispatch.RoleCaseworker); err != nil {
		return err
	}
	user, err := s.store.SaveLogin(ctx, store.Login{Issuer: s.issuer, Subject: subject, Name: personName})
	s.sample = sample{a, store.Actor{User: user, Origin: "127.0.0.1"}}
	return err
}

// shipment is digital only, so that its file need not be a PDF.
func shipment(title, name string) dispatch.Shipment {
	return dispatch.Shipment{
		Title: title, SourceSystem: "Utsending", DigitalOnly: true, ExternalReference: "2026/1234",
		Recipient: dispatch.Address{Postal: dispatch.PostalAddress{Name: name}, Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"}},
	}
}

// draftWithFile makes a draft with one file.
func (s *stage) draftWithFile(ctx context.Context, name string, c content) (dispatch.ItemID, error) {
	id, err := items.In(s.store).Drafts.Create(ctx, s.sample.account.ID, s.sample.actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		return "", err
	}
	d, err := items.In(s.store).Documents.Add(ctx, items.Upload{
		Account: s.sample.account.ID, Item: id, User: s.sample.actor.User, FileName: name, Content: c.reader(), Inspect: inspectNothing,
	})
	if err == nil && d.Size != c.size {
		err = errors.New("stored file has another size")
	}
	return id, err
}

// inspectNothing replaces the check of a file.
func inspectNothing(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
	return dispatch.Document{MimeType: "application/octet-stream", Found: dispatch.DocumentNotPDF}, nil
}
