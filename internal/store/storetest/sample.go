package storetest

import (
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
)

// Sample is an account that can send, with a user who may.
type Sample struct {
	Account     dispatch.Account
	Integration dispatch.Integration
	User        dispatch.UserID
	Actor       store.Actor
}

// ServiceName is the configured service of sample integrations.
const ServiceName = "sms"

// ClientID and ClientSecret are the credentials of sample integrations.
const (
	ClientID     = "utsending"
	ClientSecret = "utsending-test"
)

// NewSample creates an integration, an account with that short name and no undo window, and its caseworker.
func NewSample(t testing.TB, s *store.Store, slug string) Sample {
	t.Helper()
	in := dispatch.Integration{Name: "SMS " + slug, Kind: dispatch.IntegrationSMS, Service: ServiceName, Parallelism: 4, RatePerSec: 10000}
	var err error
	if in.ID, err = registry.In(s).Integrations.Save(t.Context(), in, dispatch.Credentials{ClientID: ClientID, ClientSecret: ClientSecret}); err != nil {
		t.Fatal(err)
	}
	a := dispatch.Account{Slug: slug, Name: "Konto " + slug, SMSAccountID: uuid.NewString(), SMSIntegration: in.ID, SenderName: "Fjordvik"}
	if a.ID, err = registry.In(s).Accounts.Save(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	user, err := s.SaveLogin(t.Context(), store.Login{Issuer: "https://login.example", Subject: slug, Name: "Kari Nordmann"})
	if err != nil {
		t.Fatal(err)
	}
	return Sample{Account: a, Integration: in, User: user, Actor: store.Actor{User: user, Origin: "127.0.0.1"}}
}

// ToPhone is an SMS to a phone number.
func ToPhone(number, text string) dispatch.SMS {
	return dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: dispatch.Phone(number)}, Text: text}
}

// Draft stores a draft of an SMS.
func (sm Sample) Draft(t testing.TB, s *store.Store, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	id, err := items.In(s).SMS.SaveDraft(t.Context(), sm.Account.ID, sm.Actor, uuid.NewString(), m)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Queue stores an SMS and sends it.
func (sm Sample) Queue(t testing.TB, s *store.Store, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	id := sm.Draft(t, s, m)
	if err := items.In(s).SMS.Queue(t.Context(), sm.Account, id, sm.Seen(t, s, id), sm.Actor); err != nil {
		t.Fatal(err)
	}
	return id
}

// Seen is the current revision of a draft, as its review shows.
func (sm Sample) Seen(t testing.TB, s *store.Store, id dispatch.ItemID) string {
	t.Helper()
	return sm.Item(t, s, id).Revision
}

// Item reads an SMS of the sample's account.
func (sm Sample) Item(t testing.TB, s *store.Store, id dispatch.ItemID) dispatch.SMSItem {
	t.Helper()
	it, err := items.In(s).SMS.ByID(t.Context(), sm.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return it
}
