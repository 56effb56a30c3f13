package shipmentapi

import (
	"strings"
	"unicode"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// faultFields map the field names of all generations, in lower case, to fields of the form.
var faultFields = map[string]string{
	"tittel": dispatch.FieldTitle, "avgivendesystem": dispatch.FieldSourceSystem, "konteringskode": dispatch.FieldBillingCode,
	"eksternreferanse": dispatch.FieldReference, "forsendelsestype": dispatch.FieldType, "korrelasjonsid": dispatch.FieldCorrelation,
	"postnummer": dispatch.FieldPostalCode, "poststed": dispatch.FieldCity, "adresse1": dispatch.FieldLine1, "adresselinje1": dispatch.FieldLine1,
	"digitalid": dispatch.FieldRecipientNumber, "digitaladresse": dispatch.FieldRecipientNumber, "fodselsnummer": dispatch.FieldRecipientNumber,
	"organisasjonsnummer": dispatch.FieldRecipientNumber, "filnavn": dispatch.FieldDocuments, "mimetype": dispatch.FieldDocuments,
	"giroarksider": dispatch.FieldDocuments, "signeringutloper": dispatch.FieldSignBy, "signaturtype": dispatch.FieldSignatureType,
	"urllenke": dispatch.FieldLinks, "urltekst": dispatch.FieldLinks, "lenker": dispatch.FieldLinks, "eksponertfor": dispatch.FieldSharedWith,
	"svarpaforsendelse": dispatch.FieldInReplyTo, "svarpaforsendelselink": dispatch.FieldReplyLink, "krevniva4innlogging": dispatch.FieldLevel4,
	"kryptert": dispatch.FieldEncrypt, "taushetsbelagtpost": dispatch.FieldConfidential,
	"mottakerherid": dispatch.FieldHERID, "mottakertype": dispatch.FieldHERID, "beskrivelse": dispatch.FieldAbout, "telefonnummer": dispatch.FieldHealthPhone,
	"landkode": dispatch.FieldCountry, "giroarkside": dispatch.FieldDocuments, "kansvareviaedialog": dispatch.FieldReplyLink,
	"svarpaforsendelseid": dispatch.FieldInReplyTo, "sikkerhetsniva": dispatch.FieldLevel4,
}

// faultAddress are field names of an address, which count only together with the name of the address.
var faultAddress = map[string]string{"navn": dispatch.FieldName, "land": dispatch.FieldCountry}

// faultParts are names of groups of fields: their first form field stands for them when nothing more specific is
// named.
var faultParts = map[string]string{
	"postadresse": dispatch.FieldLine1, "mottaker": dispatch.FieldRecipientNumber, "svarsendestil": dispatch.FieldReplyTo,
	"skalsigneres": dispatch.FieldSignDocument, "pasient": dispatch.FieldPatientID, "avsenderkontakt": dispatch.FieldContact + dispatch.NameFirst,
	"signering": dispatch.FieldSignDocument, "dokumenter": dispatch.FieldDocuments,
}

// ofReplies map the fields of the recipient's address to those of the reply address.
var ofReplies = map[string]string{
	dispatch.FieldName: dispatch.FieldReplyTo, dispatch.FieldLine1: "svar-adresse1", dispatch.FieldPostalCode: "svar-postnummer",
	dispatch.FieldCity: "svar-poststed", dispatch.FieldCountry: "svar-land", dispatch.FieldRecipientNumber: dispatch.FieldReplyNumber,
}

// FaultOf finds the field of the service's complaint about a shipment that it rejected.
//
// Assumption: a text that names a field as the specification spells it is about that field; the first one counts. No
// list of texts or codes is public.
func FaultOf(e *clients.Error) dispatch.Fault {
	if e == nil || e.Outcome != dispatch.OutcomeRejected || e.Message == nil {
		return dispatch.Fault{}
	}
	m := e.Message
	said := strings.TrimSpace(m.Message)
	if detail := strings.TrimSpace(clients.Texts(m.ErrorJSON)); detail != "" {
		said = strings.TrimPrefix(said+": "+detail, ": ")
	}
	return dispatch.Fault{Field: faultField(m.ErrorCode + " " + said), Said: said}
}

func faultField(said string) string {
	words := strings.FieldsFunc(strings.ToLower(said), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	field, part, inAddress, forReplies := "", "", false, false
	for _, word := range words {
		word = strings.NewReplacer("ø", "o", "å", "a").Replace(word)
		if of, ok := faultParts[word]; ok {
			inAddress, forReplies = true, forReplies || word == "svarsendestil"
			if part == "" || part == dispatch.FieldRecipientNumber {
				part = of
			}
		}
		if field == "" {
			field = faultFields[word]
		}
		if field == "" && inAddress {
			field = faultAddress[word]
		}
	}
	if field == "" {
		field = part
	}
	if reply, ok := ofReplies[field]; ok && forReplies {
		return reply
	}
	return field
}
