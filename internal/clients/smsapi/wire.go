package smsapi

import (
	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// The wire types use the specification's names (SMS spec, Resources and their fields).

type smsMeldingRequest struct {
	Tekst              string `json:"tekst"`
	SkjulTekstIRapport bool   `json:"skjulTekstIRapport"`
	Fnr                string `json:"fnr,omitempty"`
	Telefonnummer      string `json:"telefonnummer,omitempty"`
}

type smsBatchRequest struct {
	Telefonnummere     []string `json:"telefonnummere"`
	Tekst              string   `json:"tekst"`
	SkjulTekstIRapport bool     `json:"skjulTekstIRapport"`
}

type smsID struct {
	ID string `json:"id"`
}

type smsRespons struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

type oppslagRequest struct {
	FnrOrgnrs []string `json:"fnrOrgnrs"`
}

type kontaktInformasjonRespons struct {
	FnrOrgnr            string `json:"fnrOrgnr"`
	Telefonnummer       string `json:"telefonnummer"`
	TelefonnummerStatus string `json:"telefonnummerStatus"`
}

func toRequest(m dispatch.SMS) smsMeldingRequest {
	return smsMeldingRequest{
		Tekst:              dispatch.NormalizeText(m.Text),
		SkjulTekstIRapport: m.HideInReport,
		Fnr:                m.Recipient.NationalID.Reveal(),
		Telefonnummer:      m.Recipient.Phone.Reveal(),
	}
}

// toLookup encodes a look-up; false if the specification forbids the numbers.
func toLookup(numbers []dispatch.LookupNumber) (oppslagRequest, bool) {
	if len(numbers) == 0 || len(numbers) > LookupMax {
		return oppslagRequest{}, false
	}
	request := oppslagRequest{FnrOrgnrs: make([]string, len(numbers))}
	for i, n := range numbers {
		if !n.Valid() {
			return oppslagRequest{}, false
		}
		request.FnrOrgnrs[i] = n.Reveal()
	}
	return request, true
}

func (k kontaktInformasjonRespons) toDomain() dispatch.Contact {
	return dispatch.Contact{
		Number: dispatch.LookupNumber(clients.Word(k.FnrOrgnr)), Phone: dispatch.Phone(clients.Word(k.Telefonnummer)), Status: dispatch.ContactStatus(clients.Word(k.TelefonnummerStatus)),
	}
}
