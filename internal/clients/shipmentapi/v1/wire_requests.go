package v1

import (
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// dialect is the encoding of requests.
type dialect shipmentapi.Wire

const deployed = dialect(shipmentapi.WireDeployed)

func (w dialect) forsendelse(s dispatch.Shipment) forsendelse {
	f := forsendelse{
		Mottaker:               w.adresse(s.Recipient),
		AvgivendeSystem:        s.SourceSystem,
		Tittel:                 s.Title,
		KonteringsKode:         s.BillingCode,
		KunDigitalLevering:     s.DigitalOnly,
		Kryptert:               s.Encrypted,
		UtskriftsKonfigurasjon: utskriftsKonfigurasjon{UtskriftMedFarger: s.Print.Color, Tosidig: s.Print.Duplex},
		KrevNiva4Innlogging:    s.RequireLevel4,
		Dokumenter:             toDokumenter(s.Documents),
		Lenker:                 toLenker(s.Links),
		ForsendelsesType:       s.Type,
		EksternReferanse:       s.ExternalReference,
		SvarPaForsendelseLink:  s.ReplyLink,
		SigneringUtloper:       millis(s.SignBy),
		SignaturType:           string(s.SignatureType),
		EksponertFor:           w.eksponertFor(s.SharedWith),
		TaushetsbelagtPost:     s.Confidential,
	}
	f.MetadataFraAvleverendeSystem, f.MetadataForImport = toCase(s.Case), toImport(s.Import)
	if s.ReplyTo != nil {
		f.SvarSendesTil = new(w.adresse(*s.ReplyTo))
	}
	if s.InReplyTo != "" {
		f.SvarPaForsendelse = &wire.ID{ID: s.InReplyTo}
	}
	return f
}

func (w dialect) adresse(a dispatch.Address) adresse {
	p := a.Postal
	to := adresse{PostAdresse: postAdresse{
		Navn: p.Name, Adresse1: p.Line1, Adresse2: p.Line2, Adresse3: p.Line3,
		PostSted: p.City, PostNummer: p.PostalCode, Land: p.Country,
	}}
	if !a.Digital.Empty() {
		to.DigitalAdresse = new(w.digitalAdresse(a.Digital))
	}
	return to
}

func (w dialect) digitalAdresse(d dispatch.DigitalAddress) digitalAdresse {
	to := digitalAdresse{FodselsNummer: d.NationalID.Reveal()}
	if d.OrganizationNumber != "" {
		to.OrganisasjonsNummer = w.organisasjonsNummer(d.OrganizationNumber)
	}
	return to
}

// organisasjonsNummer is an object with an id in the specification, a string in the deployed service (upstream facts
// 2.1).
func (w dialect) organisasjonsNummer(n dispatch.OrganizationNumber) any {
	if w == deployed {
		return string(n)
	}
	return wire.ID{ID: string(n)}
}

// eksponertFor is a list of numbers in the specification, of digital addresses in the deployed service (upstream
// facts 2.1).
func (w dialect) eksponertFor(shared []dispatch.DigitalAddress) []any {
	var all []any
	for _, d := range shared {
		switch {
		case d.Empty():
		case w == deployed:
			all = append(all, w.digitalAdresse(d))
		case d.NationalID != "":
			all = append(all, d.NationalID.Reveal())
		default:
			all = append(all, string(d.OrganizationNumber))
		}
	}
	return all
}

// statuser is a list of objects with an id in the specification, of strings in the deployed service (upstream facts
// 2.2).
func (w dialect) statuser(ids []string) any {
	if w == deployed {
		return ids
	}
	all := make([]wire.ID, len(ids))
	for i, id := range ids {
		all[i].ID = id
	}
	return all
}

// lestAv includes the shipment's id in the specification; in the deployed service it is in the path only (upstream
// facts 2.2).
func (w dialect) lestAv(id string, r shipmentapi.Reading) lestAv {
	l := lestAv{LestAvFodselsNummer: r.NationalID.Reveal(), NavnPaEksterntSystem: r.System, DatoLest: millis(r.At)}
	if w != deployed {
		l.ForsendelsesID = &wire.ID{ID: id}
	}
	return l
}

func toCase(c *dispatch.CaseMetadata) *noarkMetadataFraAvleverendeSaksSystem {
	if c == nil {
		return nil
	}
	return &noarkMetadataFraAvleverendeSaksSystem{
		SaksSekvensNummer: c.CaseSequence, SaksAar: c.CaseYear,
		JournalAar: c.JournalYear, JournalSekvensNummer: c.JournalSequence, JournalPostNummer: c.JournalPost,
		JournalPostType: c.JournalPostType, JournalStatus: c.JournalStatus,
		JournalDato: millis(c.JournalDate), DokumentetsDato: millis(c.DocumentDate),
		Tittel: c.Title, SaksBehandler: c.Caseworker, EkstraMetadata: wire.ToEntries(c.Extra),
	}
}

func toImport(m *dispatch.ImportMetadata) *noarkMetadataForImport {
	if m == nil {
		return nil
	}
	return &noarkMetadataForImport{
		SaksSekvensNummer: m.CaseSequence, SaksAar: m.CaseYear, JournalPostType: m.JournalPostType, JournalStatus: m.JournalStatus,
		DokumentetsDato: millis(m.DocumentDate), Tittel: m.Title,
	}
}

func toDokumenter(documents []dispatch.Document) []dokument {
	all := make([]dokument, len(documents))
	for i, d := range documents {
		all[i] = dokument{
			Filnavn: d.FileName, MimeType: d.MimeType, SkalSigneres: d.Sign, DokumentType: d.Type, GiroarkSider: d.GiroPages,
			EkskluderesFraUtskrift: d.ExcludeFromPrint, EkstraMetadata: wire.ToEntries(d.Extra), InneholderPersonsensitivInformasjon: d.Sensitive,
		}
	}
	return all
}

func toLenker(links []dispatch.Link) []lenke {
	var all []lenke
	for _, l := range links {
		all = append(all, lenke{URLLenke: l.URL, URLTekst: l.Text, LedeTekst: l.Lead})
	}
	return all
}
