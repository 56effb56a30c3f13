package v3

import (
	"slices"
	"strconv"

	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// toForsendelse returns the last part of the operation's path, and its metadata (Shipment V3 spec, Which kind).
func toForsendelse(s dispatch.Shipment) (kind string, metadata any) {
	switch s.Addressee() {
	case dispatch.ToPerson:
		return "person", toPerson(s)
	case dispatch.ToOrganization:
		return "organisasjon", toOrganisasjon(s)
	case dispatch.ToHealth:
		return "nhn", toNhn(s)
	}
	return "print", printForsendelse{
		felles: toFelles(s), Mottaker: postadresse{Navn: s.Recipient.Postal.Name, Adresse: toAdresse(s.Recipient.Postal)},
		SvarSendesTil: toSvar(s.ReplyTo), Dokumenter: wire.Each(s.Documents, toDokument),
	}
}

func toFelles(s dispatch.Shipment) felles {
	return felles{
		Tittel: s.Title, AvgivendeSystem: s.SourceSystem, AvgivendeSystemAktor: s.SourceActor, Konteringskode: s.BillingCode,
		Kryptert: s.Encrypted, Utskriftskonfigurasjon: &utskrift{Tosidig: s.Print.Duplex},
		SvarPaForsendelseID: s.InReplyTo, EksternReferanse: s.ExternalReference, Korrelasjonsid: s.CorrelationID,
	}
}

func toNummerert(s dispatch.Shipment) nummerert {
	n := nummerert{
		Mottaker:     mottaker{Navn: s.Recipient.Postal.Name, DigitalID: wire.DigitalID(s.Recipient.Digital), Adresse: optionalAdresse(s)},
		EksponertFor: toEksponertFor(s.SharedWith), KunDigitalLevering: s.DigitalOnly, Sikkerhetsniva: "BETYDELIG",
		SvarSendesTil: toSvar(s.ReplyTo), KanSvareViaEdialog: s.ReplyLink,
		Lenker: wire.Each(s.Links, func(l dispatch.Link) lenke {
			return lenke{URL: dispatch.PlainLink(l.URL), Tekst: l.Text, Ledetekst: l.Lead}
		}),
	}
	if s.RequireLevel4 {
		n.Sikkerhetsniva = "HOYESTE"
	}
	return n
}

func toPerson(s dispatch.Shipment) personForsendelse {
	f := personForsendelse{felles: toFelles(s), nummerert: toNummerert(s), Dokumenter: wire.Each(s.Documents, toPersonDokument)}
	if s.Signing() {
		f.Signering = &signering{SigneringUtloper: wire.Timestamp(s.SignBy), SignaturType: string(s.SignatureType)}
	}
	return f
}

func toOrganisasjon(s dispatch.Shipment) organisasjonForsendelse {
	return organisasjonForsendelse{
		felles: toFelles(s), nummerert: toNummerert(s), Dokumenter: wire.Each(s.Documents, toOrganisasjonDokument),
		Forsendelsestype: s.Type, MetadataFraAvleverendeSystem: toCase(s.Case), MetadataForImport: toImport(s.Import), TaushetsbelagtPost: s.Confidential,
	}
}

// toNhn leaves out what the general practitioner's shipment must not have (C10), and printing, which it has no use for.
func toNhn(s dispatch.Shipment) nhnForsendelse {
	h := s.Health
	f := nhnForsendelse{
		felles: toFelles(s), Beskrivelse: h.About, Mottakertype: "FASTLEGE",
		AvsenderKontakt: kontakt{toNavn(h.Contact), h.Phone}, Pasient: pasient{toNavn(h.Patient), h.PatientID.Reveal()},
	}
	f.Utskriftskonfigurasjon = nil
	if n, err := strconv.Atoi(h.HERID); err == nil {
		f.Mottakertype, f.MottakerHerID = "HER_ID", n
	}
	return f
}

func toNavn(n dispatch.PersonName) navn {
	return navn{Fornavn: n.First, Mellomnavn: n.Middle, Etternavn: n.Last}
}

// optionalAdresse leaves an incomplete address of a shipment that is never printed out: an address without a line or a
// place is wrong.
func optionalAdresse(s dispatch.Shipment) *adresse {
	a := toAdresse(s.Recipient.Postal)
	if s.DigitalOnly && (a.Adresselinje1 == "" || a.Poststed == "") {
		return nil
	}
	return &a
}

// toAdresse closes gaps between the lines, since the first is required.
func toAdresse(p dispatch.PostalAddress) adresse {
	lines := append(p.Lines(), "", "", "")
	code, _ := dispatch.CountryCode(p.Country)
	return adresse{
		Adresselinje1: lines[0], Adresselinje2: lines[1], Adresselinje3: lines[2],
		Poststed: p.City, Postnummer: p.PostalCode, Landkode: code,
	}
}

func toSvar(to *dispatch.Address) *svar {
	if to == nil {
		return nil
	}
	s := &svar{Navn: to.Postal.Name, Type: "ORGANISASJON", DigitalID: wire.DigitalID(to.Digital), Adresse: toAdresse(to.Postal)}
	if to.Digital.NationalID != "" {
		s.Type = "PERSON"
	}
	return s
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

func toDokument(d dispatch.Document) dokument {
	to := dokument{Filnavn: d.FileName, MimeType: d.MimeType}
	if len(d.GiroPages) > 0 {
		to.GiroarkSide = d.GiroPages[0]
	}
	return to
}

func toPersonDokument(d dispatch.Document) personDokument {
	return personDokument{dokument: toDokument(d), SkalSigneres: d.Sign, SkalEkskluderesFraUtskrift: d.ExcludeFromPrint}
}

func toOrganisasjonDokument(d dispatch.Document) organisasjonDokument {
	return organisasjonDokument{
		dokument: toDokument(d), SkalEkskluderesFraUtskrift: d.ExcludeFromPrint, DokumentType: d.Type,
		EkstraMetadata: wire.ToEntries(d.Extra), InneholderPersonsensitivInformasjon: d.Sensitive,
	}
}

func toCase(c *dispatch.CaseMetadata) *noarkAvleverende {
	if c == nil {
		return nil
	}
	return &noarkAvleverende{
		noark: noark{
			MappeID: c.FolderID, MappeSystemID: c.FolderSystemID, SystemID: c.SystemID, RegistreringsID: c.RegistrationID,
			Saksaar: c.CaseYear, Sakssekvensnummer: c.CaseSequence,
			Journalaar: c.JournalYear, Journalsekvensnummer: c.JournalSequence, Journalpostnummer: c.JournalPost,
			Journalposttype: c.JournalPostType, Journalstatus: c.JournalStatus,
			DokumentetsDato: wire.Timestamp(c.DocumentDate), Tittel: c.Title,
		},
		Journaldato: wire.Timestamp(c.JournalDate), Saksbehandler: c.Caseworker, EkstraMetadata: wire.ToEntries(c.Extra),
	}
}

func toImport(m *dispatch.ImportMetadata) *noark {
	if m == nil {
		return nil
	}
	return &noark{
		MappeID: m.FolderID, MappeSystemID: m.FolderSystemID, SystemID: m.SystemID, RegistreringsID: m.RegistrationID,
		Saksaar: m.CaseYear, Sakssekvensnummer: m.CaseSequence,
		Journalaar: m.JournalYear, Journalsekvensnummer: m.JournalSequence, Journalpostnummer: m.JournalPost,
		Journalposttype: m.JournalPostType, Journalstatus: m.JournalStatus,
		DokumentetsDato: wire.Timestamp(m.DocumentDate), Tittel: m.Title,
	}
}
