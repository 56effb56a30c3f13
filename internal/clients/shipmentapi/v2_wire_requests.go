package shipmentapi

import (
	"slices"

	"utsending/internal/dispatch"
)

func toForsendelseV2(s dispatch.Shipment) forsendelseV2 {
	f := forsendelseV2{
		Mottaker:                     toAdresseV2(s.Recipient),
		EksponertFor:                 toEksponertForV2(s.SharedWith),
		AvgivendeSystem:              s.SourceSystem,
		AvgivendeSystemAktor:         s.SourceActor,
		Tittel:                       s.Title,
		Konteringskode:               s.BillingCode,
		KunDigitalLevering:           s.DigitalOnly,
		Kryptert:                     s.Encrypted,
		KrevNiva4Innlogging:          s.RequireLevel4,
		SvarPaForsendelseLink:        s.ReplyLink,
		TaushetsbelagtPost:           s.Confidential,
		Utskriftskonfigurasjon:       utskriftV2{UtskriftMedFarger: s.Print.Color, Tosidig: s.Print.Duplex},
		MetadataFraAvleverendeSystem: toCaseV2(s.Case),
		MetadataForImport:            toImportV2(s.Import),
		SvarPaForsendelse:            s.InReplyTo,
		Dokumenter:                   toDokumenterV2(s.Documents),
		Lenker:                       toLenkerV2(s.Links),
		Forsendelsestype:             s.Type,
		EksternReferanse:             s.ExternalReference,
		Korrelasjonsid:               s.CorrelationID,
		SigneringUtloper:             timestamp(s.SignBy),
		SignaturType:                 string(s.SignatureType),
	}
	if s.ReplyTo != nil {
		f.SvarSendesTil = new(toAdresseV2(*s.ReplyTo))
	}
	return f
}

func toAdresseV2(a dispatch.Address) adresseV2 {
	p := a.Postal
	return adresseV2{
		DigitalID: digitalIDV2(a.Digital), Navn: p.Name,
		Adresselinje1: p.Line1, Adresselinje2: p.Line2, Adresselinje3: p.Line3,
		Poststed: p.City, Postnummer: p.PostalCode, Land: p.Country,
	}
}

// toEksponertForV2 writes a set: each number once.
func toEksponertForV2(shared []dispatch.DigitalAddress) []string {
	var all []string
	for _, d := range shared {
		if id := digitalIDV2(d); id != "" && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

func toCaseV2(c *dispatch.CaseMetadata) *noarkAvleverendeV2 {
	if c == nil {
		return nil
	}
	return &noarkAvleverendeV2{
		noarkFellesV2: noarkFellesV2{
			MappeID: c.FolderID, MappeSystemID: c.FolderSystemID, SystemID: c.SystemID, RegistreringsID: c.RegistrationID,
			Saksaar: c.CaseYear, Sakssekvensnummer: c.CaseSequence,
			Journalaar: c.JournalYear, Journalsekvensnummer: c.JournalSequence, Journalpostnummer: c.JournalPost,
			Journalposttype: c.JournalPostType, Journalstatus: c.JournalStatus,
			DokumentetsDato: timestamp(c.DocumentDate), Tittel: c.Title,
		},
		Journaldato: timestamp(c.JournalDate), Saksbehandler: c.Caseworker, EkstraMetadata: toEntries(c.Extra),
	}
}

func toImportV2(m *dispatch.ImportMetadata) *noarkFellesV2 {
	if m == nil {
		return nil
	}
	return &noarkFellesV2{
		MappeID: m.FolderID, MappeSystemID: m.FolderSystemID, SystemID: m.SystemID, RegistreringsID: m.RegistrationID,
		Saksaar: m.CaseYear, Sakssekvensnummer: m.CaseSequence,
		Journalaar: m.JournalYear, Journalsekvensnummer: m.JournalSequence, Journalpostnummer: m.JournalPost,
		Journalposttype: m.JournalPostType, Journalstatus: m.JournalStatus,
		DokumentetsDato: timestamp(m.DocumentDate), Tittel: m.Title,
	}
}

func toDokumenterV2(documents []dispatch.Document) []dokumentV2 {
	all := make([]dokumentV2, len(documents))
	for i, d := range documents {
		all[i] = dokumentV2{
			Filnavn: d.FileName, MimeType: d.MimeType, SkalSigneres: d.Sign, DokumentType: d.Type, GiroarkSider: d.GiroPages,
			SkalEkskluderesFraUtskrift: d.ExcludeFromPrint, EkstraMetadata: toEntries(d.Extra),
			InneholderPersonsensitivInformasjon: d.Sensitive,
		}
	}
	return all
}

func toLenkerV2(links []dispatch.Link) []lenkeV2 {
	var all []lenkeV2
	for _, l := range links {
		all = append(all, lenkeV2{URL: l.URL, Tekst: l.Text, Ledetekst: l.Lead})
	}
	return all
}
