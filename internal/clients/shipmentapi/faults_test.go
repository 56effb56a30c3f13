package shipmentapi_test

import (
	"testing"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

func TestFaultOf(t *testing.T) {
	t.Parallel()
	said := func(message, code, details string) *clients.Error {
		return &clients.Error{Outcome: dispatch.OutcomeRejected, Message: &clients.ErrorMessage{Message: message, ErrorCode: code, ErrorJSON: details}}
	}
	for name, tt := range map[string]struct {
		e    *clients.Error
		want dispatch.Fault
	}{
		"a field in the message":           {said("tittel mangler", "", ""), dispatch.Fault{Field: "tittel", Said: "tittel mangler"}},
		"in the details":                   {said("Ugyldig forespørsel", "X", `{"detail":"konteringsKode does not fit"}`), dispatch.Fault{Field: "kontering", Said: "Ugyldig forespørsel: konteringsKode does not fit"}},
		"as V2 spells it":                  {said("", "", "konteringskode"), dispatch.Fault{Field: "kontering", Said: "konteringskode"}},
		"with a Norwegian letter":          {said("fødselsNummer er ugyldig", "", ""), dispatch.Fault{Field: "nummer", Said: "fødselsNummer er ugyldig"}},
		"of the recipient's address":       {said("mottaker.postAdresse.navn is missing", "", ""), dispatch.Fault{Field: "navn", Said: "mottaker.postAdresse.navn is missing"}},
		"of the address for replies":       {said("svarSendesTil.postAdresse.postNummer is missing", "", ""), dispatch.Fault{Field: "svar-postnummer", Said: "svarSendesTil.postAdresse.postNummer is missing"}},
		"the number for replies":           {said("svarSendesTil.digitalAdresse", "", ""), dispatch.Fault{Field: "svar-nummer", Said: "svarSendesTil.digitalAdresse"}},
		"the address as a whole":           {said("mottaker.postAdresse", "", ""), dispatch.Fault{Field: "adresse1", Said: "mottaker.postAdresse"}},
		"the closest, not the first":       {said("skalSigneres without signeringUtloper", "", ""), dispatch.Fault{Field: "frist", Said: "skalSigneres without signeringUtloper"}},
		"the link, not what it goes to":    {said("svarPaForsendelseLink without svarSendesTil", "", ""), dispatch.Fault{Field: "svarlenke", Said: "svarPaForsendelseLink without svarSendesTil"}},
		"the first of two":                 {said("krevNiva4Innlogging without kryptert", "", ""), dispatch.Fault{Field: "niva4", Said: "krevNiva4Innlogging without kryptert"}},
		"a common word is no field":        {said("Ukjent navn på et land", "", ""), dispatch.Fault{Said: "Ukjent navn på et land"}},
		"part of a word is no field":       {said("undertittel", "", ""), dispatch.Fault{Said: "undertittel"}},
		"nothing that we know":             {said("Systemet er lei", "", ""), dispatch.Fault{Said: "Systemet er lei"}},
		"no message":                       {&clients.Error{Outcome: dispatch.OutcomeRejected}, dispatch.Fault{}},
		"an outcome that is not rejection": {&clients.Error{Outcome: dispatch.OutcomeUnavailable, Message: &clients.ErrorMessage{Message: "tittel"}}, dispatch.Fault{}},
		"none":                             {nil, dispatch.Fault{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := shipmentapi.FaultOf(tt.e); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
