package smsapi

import "utsending/internal/dispatch"

// The wire types carry the specification's names (SMS spec, Resources and their fields).

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
