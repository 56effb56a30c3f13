package v2

import (
	"slices"

	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

func toForsendelse(s dispatch.Shipment) forsendelse {
	f := forsendelse{
		Mottaker:                     toAdresse(s.Recipient),
		EksponertFor:                 toEksponertFor(s.SharedWith),
		AvgivendeSystem:              s.SourceSystem,
		AvgivendeSystemAktor:         s.SourceActor,
		Tittel:                       s.Title,
		Konteringskode:               s.BillingCode,
		KunDigitalLevering:           s.DigitalOnly,
		Kryptert:                     s.Encrypted,
		KrevNiva4Innlogging:          s.RequireLevel4,
		SvarPaForsendelseLink:        s.ReplyLink,
		TaushetsbelagtPost:           s.Confidential,
		Utskriftskonfigurasjon:       utskrift{UtskriftMedFarger: s.Print.Color, Tosidig: s.Print.Duplex},
		MetadataFraAvleverendeSystem: toCase(s.Case),
		MetadataForImport:            toImport(s.Import),
		SvarPaForsendelse:            s.InReplyTo,
		Dokumenter:                   toDokumenter(s.Documents),
		Lenker:                       toLenker(s.Links),
		Forsendelsestype:             s.Type,
		EksternReferanse:             s.ExternalReference,
		Korrelasjonsid:               s.CorrelationID,
		SigneringUtloper:             wire.Timestamp(s.SignBy),
		SignaturType:                 string(s.SignatureType),
	}
	if s.ReplyTo != nil {
		f.SvarSendesTil = new(toAdresse(*s.ReplyTo))
	}
	return f
}

func toAdresse(a dispatch.Address) adresse {
	p := a.Postal
	return adresse{
		DigitalID: wire.DigitalID(a.Digital), Navn: p.Name,
		Adresselinje1: p.Line1, Adresselinje2: p.Line2, Adresselinje3: p.Line3,
		Poststed: p.City, Postnummer: p.PostalCode, Land: p.Country,
	}
}

// toEksponertFor encodes a set: each number once.
func toEksponertFor(shared []dispatch.DigitalAddress) []string {
	var all []string
	for _, d := range shared {
		if id := wire.DigitalID(d); id != "" && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

func toCase(c *dispatch.CaseMetadata) *noarkAvleverende {
	if c == nil {
		return nil
	}
	return &noarkAvleverende{
		noarkFelles: noarkFelles{
			MappeID: c.FolderID, MappeSystemID: c.FolderSystemID, SystemID: c.SystemID, RegistreringsID: c.RegistrationID,
			Saksaar: c.CaseYear, Sakssekvensnummer: c.CaseSequence,
			Journalaar: c.JournalYear, Journalsekvensnummer: c.JournalSequence, Journalpostnummer: c.JournalPost,
			Journalposttype: c.JournalPostType, Journalstatus: c.JournalStatus,
			DokumentetsDato: wire.Timestamp(c.DocumentDate), Tittel: c.Title,
		},
		Journaldato: wire.Timestamp(c.JournalDate), Saksbehandler: c.Caseworker, EkstraMetadata: wire.ToEntries(c.Extra),
	}
}

func toImport(m *dispatch.ImportMetadata) *noarkFelles {
	if m == nil {
		return nil
	}
	return &noarkFelles{
		MappeID: m.FolderID, MappeSystemID: m.FolderSystemID, SystemID: m.SystemID, RegistreringsID: m.RegistrationID,
		Saksaar: m.CaseYear, Sakssekvensnummer: m.CaseSequence,
		Journalaar: m.JournalYear, Journalsekvensnummer: m.JournalSequence, Journalpostnummer: m.JournalPost,
		Journalposttype: m.JournalPostType, Journalstatus: m.JournalStatus,
		DokumentetsDato: wire.Timestamp(m.DocumentDate), Tittel: m.Title,
	}
}

func toDokumenter(documents []dispatch.Document) []dokument {
	all := make([]dokument, len(documents))
	for i, d := range documents {
		all[i] = dokument{
			Filnavn: d.FileName, MimeType: d.MimeType, SkalSigneres: d.Sign, DokumentType: d.Type, GiroarkSider: d.GiroPages,
			SkalEkskluderesFraUtskrift: d.ExcludeFromPrint, EkstraMetadata: wire.ToEntries(d.Extra),
			InneholderPersonsensitivInformasjon: d.Sensitive,
		}
	}
	return all
}

func toLenker(links []dispatch.Link) []lenke {
	var all []lenke
	for _, l := range links {
		all = append(all, lenke{URL: l.URL, Tekst: l.Text, Ledetekst: l.Lead})
	}
	return all
}
