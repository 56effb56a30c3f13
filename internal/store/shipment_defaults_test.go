package store_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
)

// TestAccountShipmentDefaults: what an account fills in in its shipments is kept however the account is saved.
func TestAccountShipmentDefaults(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.Account
	a.Reply = dispatch.Address{Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"},
		Postal: dispatch.PostalAddress{Name: "Fjordvik", Line1: "Rådhuset", Line3: "C", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}
	a.Archive = dispatch.ArchiveDefaults{CasePostType: "U", CaseStatus: "J", ImportPostType: "I", ImportStatus: "M"}
	stored := func(t *testing.T, slug string) dispatch.Account {
		t.Helper()
		all, err := registry.In(r.s).Accounts.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range all {
			if got.Slug == slug {
				return got
			}
		}
		t.Fatal("the account is gone")
		return dispatch.Account{}
	}
	check := func(t *testing.T, slug string, want dispatch.Account) {
		t.Helper()
		if got := stored(t, slug); got.Reply != want.Reply || got.Archive != want.Archive {
			t.Errorf("got %s and %+v", got.Reply.Postal.Name, got.Archive)
		}
	}
	check(t, a.Slug, dispatch.Account{})
	if _, err := registry.In(r.s).Accounts.Save(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	check(t, a.Slug, a)
	changed := stored(t, a.Slug)
	changed.Reply, changed.Archive.CaseStatus = dispatch.Address{}, "E"
	if err := registry.In(r.s).Accounts.Update(t.Context(), changed, r.Actor); err != nil {
		t.Fatal(err)
	}
	check(t, a.Slug, changed)
	fresh := a
	fresh.Slug, fresh.Name = slug(), "Konto "+slug()
	if err := registry.In(r.s).Accounts.Create(t.Context(), fresh, r.Actor); err != nil {
		t.Fatal(err)
	}
	check(t, fresh.Slug, a)
}

// TestWholeShipment: what is sent comes back as it was, every field of it, and stands sealed in the database.
func TestWholeShipment(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := items.In(r.s).Documents.Add(t.Context(), items.Upload{
		Account: r.Account.ID, Item: id, User: r.User, FileName: "brev.pdf", Content: strings.NewReader("%PDF-1.7"),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 2}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Type, d.Extra, d.Sensitive, d.MimeType, d.Pages = "Vedtak", []dispatch.Entry{{Key: "Elev", Value: "hemmelig-elev"}}, true, dispatch.MimePDF, 2
	organization, day := dispatch.DigitalAddress{OrganizationNumber: "974760673"}, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	address := dispatch.PostalAddress{Name: "Fjordvik", Line1: "a", Line2: "b", Line3: "c", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	want := dispatch.Shipment{
		Recipient: dispatch.Address{Postal: address, Digital: organization}, ReplyTo: &dispatch.Address{Postal: address, Digital: organization},
		SourceSystem: "Utsending", SourceActor: "A", Title: "Vedtak", BillingCode: "4100", DigitalOnly: true, Encrypted: true, RequireLevel4: true,
		Print: dispatch.PrintOptions{Color: true, Duplex: true}, InReplyTo: uuid.NewString(), ReplyLink: true, Confidential: true,
		Links: []dispatch.Link{{URL: "https://a.example", Text: "t", Lead: "l"}}, Type: "Byggesøknad", ExternalReference: "2026/12", CorrelationID: "c",
		SharedWith: []dispatch.DigitalAddress{{NationalID: nationalID}, organization}, Documents: []dispatch.Document{d},
		Case: &dispatch.CaseMetadata{CaseYear: 2026, CaseSequence: 1, JournalYear: 2025, JournalSequence: 2, JournalPost: 3, JournalPostType: "U", JournalStatus: "J",
			JournalDate: day, DocumentDate: day, Title: "hemmelig-sak", Caseworker: "Kari", FolderID: "m", FolderSystemID: "n", SystemID: "s", RegistrationID: "r",
			Extra: []dispatch.Entry{{Key: "k", Value: "v"}}},
		Import: &dispatch.ImportMetadata{CaseYear: 2024, CaseSequence: 4, JournalYear: 2023, JournalSequence: 5, JournalPost: 6, JournalPostType: "I", JournalStatus: "M",
			DocumentDate: day, Title: "t", FolderID: "m", FolderSystemID: "n", SystemID: "s", RegistrationID: "r"},
	}
	if err := items.In(r.s).Drafts.Queue(t.Context(), r.Account, id, r.Actor, 1, want); err != nil {
		t.Fatal(err)
	}
	got, err := items.In(r.s).Shipments.ByID(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.Shipment, want, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	for _, secret := range []string{"hemmelig-elev", "hemmelig-sak", nationalID} {
		if strings.Contains(dump(t, r), secret) {
			t.Errorf("%q can be read in the database", secret)
		}
	}
}
