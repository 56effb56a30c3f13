package dispatch_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

func TestValidateAccount(t *testing.T) {
	t.Parallel()
	const kontoID = "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02"
	sound := dispatch.Account{Name: "Oppvekst", Slug: "oppvekst", UndoWindow: time.Minute}
	tests := map[string]struct {
		change func(*dispatch.Account)
		want   string // field and key, empty: none
	}{
		"the least":                    {func(*dispatch.Account) {}, ""},
		"everything":                   {func(a *dispatch.Account) { *a = filled(*a, kontoID) }, ""},
		"without a name":               {func(a *dispatch.Account) { a.Name = " " }, "navn problem.account.name"},
		"a name too long":              {func(a *dispatch.Account) { a.Name = strings.Repeat("æ", 101) }, "navn problem.name.long"},
		"a name just short enough":     {func(a *dispatch.Account) { a.Name = strings.Repeat("æ", 100) }, ""},
		"a short name in capitals":     {func(a *dispatch.Account) { a.Slug = "Oppvekst" }, "kortnavn problem.slug"},
		"a short name that is a route": {func(a *dispatch.Account) { a.Slug = "ny" }, "kortnavn problem.slug"},
		"no organisation number":       {func(a *dispatch.Account) { a.OrganizationNumber = "123" }, "orgnr problem.organization.length"},
		"a kontoId that is no UUID":    {func(a *dispatch.Account) { a.SMSAccountID = "konto 1" }, "sms-konto-id problem.account_id"},
		"a UUID in braces":             {func(a *dispatch.Account) { a.ShipmentAccountID = "{" + kontoID + "}" }, "forsendelse-konto-id problem.account_id"},
		"a sender of one character":    {func(a *dispatch.Account) { a.SenderName = "A" }, "avsender problem.sender_name"},
		"a sender of twelve":           {func(a *dispatch.Account) { a.SenderName = "Kommunen1234" }, "avsender problem.sender_name"},
		"a source system too long":     {func(a *dispatch.Account) { a.SourceSystem = strings.Repeat("a", 101) }, "avgivende problem.source_system.long"},
		"an underscore on V1":          {func(a *dispatch.Account) { a.BillingCode = "a_b" }, "kontering problem.billing_code"},
		"an underscore on V2": {func(a *dispatch.Account) {
			a.BillingCode, a.ShipmentKind = "a_b", dispatch.IntegrationShipmentV2
		}, ""},
		"a reply without a number on V2": {func(a *dispatch.Account) {
			a.Reply, a.ShipmentKind = dispatch.Address{Postal: replyPlace("Norge")}, dispatch.IntegrationShipmentV2
		}, ""},
		"a reply without a number on V3": {func(a *dispatch.Account) {
			a.Reply, a.ShipmentKind = dispatch.Address{Postal: replyPlace("Norge")}, dispatch.IntegrationShipmentV3
		}, "svar-nummer problem.reply_number"},
		"a reply to a country that V3 does not know": {func(a *dispatch.Account) {
			a.Reply, a.ShipmentKind = dispatch.Address{Postal: replyPlace("Blåland"), Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"}}, dispatch.IntegrationShipmentV3
		}, "svar-land problem.country.unknown"},
		"a budget without prices": {func(a *dispatch.Account) {
			a.Budget = dispatch.Budget{Limit: 100, Rule: dispatch.BudgetRules()[0]}
		}, "budsjett problem.budget.prices"},
		"a negative undo window":  {func(a *dispatch.Account) { a.UndoWindow = -time.Second }, "angre problem.undo"},
		"an undo window too long": {func(a *dispatch.Account) { a.UndoWindow = time.Hour + time.Second }, "angre problem.undo"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := sound
			tt.change(&a)
			wantProblem(t, a.Validate(), tt.want)
		})
	}
}

// replyPlace is a complete address in a country.
func replyPlace(country string) dispatch.PostalAddress {
	return dispatch.PostalAddress{Name: "Fjordvik kommune", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: country}
}

func filled(a dispatch.Account, id string) dispatch.Account {
	a.OrganizationNumber, a.SMSAccountID, a.ShipmentAccountID, a.SenderName = "974760673", id, id, "Fjordvik"
	a.SourceSystem, a.BillingCode = "Utsending", "4711-ÆØÅ."
	return a
}

// wantProblem expects exactly one problem, written as its field and key, or none.
func wantProblem(t *testing.T, ps dispatch.Problems, want string) {
	t.Helper()
	got := ""
	for _, p := range ps {
		got = strings.TrimSpace(got + " " + p.Field + " " + p.Key)
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChannelsOfAnAccount(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		account        dispatch.Account
		sms, shipments bool
		generation     dispatch.Generation
	}{
		"neither": {dispatch.Account{}, false, false, dispatch.V1},
		"V1 needs no kontoId": {
			dispatch.Account{ShipmentIntegration: "i", ShipmentKind: dispatch.IntegrationShipmentV1}, false, true, dispatch.V1},
		"V2 without kontoId": {
			dispatch.Account{ShipmentIntegration: "i", ShipmentKind: dispatch.IntegrationShipmentV2}, false, false, dispatch.V2},
		"V2 with kontoId": {
			dispatch.Account{ShipmentIntegration: "i", ShipmentKind: dispatch.IntegrationShipmentV2, ShipmentAccountID: "k"}, false, true, dispatch.V2},
		"SMS without kontoId": {dispatch.Account{SMSIntegration: "i"}, false, false, dispatch.V1},
		"SMS with kontoId":    {dispatch.Account{SMSIntegration: "i", SMSAccountID: "k"}, true, false, dispatch.V1},
	} {
		if a := tt.account; a.HasSMS() != tt.sms || a.HasShipments() != tt.shipments || a.Generation() != tt.generation {
			t.Errorf("%s: SMS %t, shipments %t, generation %d", name, a.HasSMS(), a.HasShipments(), a.Generation())
		}
	}
}
