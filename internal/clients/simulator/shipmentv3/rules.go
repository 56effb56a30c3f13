package shipmentv3

import (
	"slices"
	"strings"

	"utsending/internal/clients/simulator"
)

// own are the fields that only V3 has, for its rules.
type own struct {
	reply   *replyTo
	print   *printing
	country *address
	extra   [][]entry
	health  *health
}

// Rules is the table of what V3 refuses, besides the rules of single values, for the four submissions together.
func Rules() []simulator.Rule {
	var all []simulator.Check
	seen := map[string]bool{}
	for _, c := range slices.Concat(personRules(), organizationRules(), healthRules(), healthContent()) {
		if !seen[c.Text] {
			seen[c.Text] = true
			all = append(all, c)
		}
	}
	return simulator.Told(all)
}

func rule(text string, broken func(l *simulator.Metadata, o own) bool) simulator.Check {
	return simulator.Check{Text: text, Broken: func(l *simulator.Metadata, _ simulator.Terms) bool {
		o, _ := l.Own.(own)
		return broken(l, o)
	}}
}

const maxLinks, maxExtra = 5, 20

// sharedRules hold for all submissions but those into the health network (R and C rules of the V3 specification).
func sharedRules() []simulator.Check {
	return slices.Concat([]simulator.Check{
		rule("svarSendesTil.digitalId does not fit its type", func(_ *simulator.Metadata, o own) bool {
			if o.reply == nil {
				return false
			}
			id := of(o.reply.DigitalID)
			fits := map[string]func(string) bool{"PERSON": isPerson, "ORGANISASJON": isOrganization, "NHN_MOTTAKER": func(string) bool { return true }}
			return !fits[of(o.reply.Type)](id)
		}),
		rule("eksponertFor holds something else than a person's or an organisation's number", func(l *simulator.Metadata, _ own) bool {
			return slices.ContainsFunc(l.SharedWith, func(n string) bool { return !isPerson(n) && !isOrganization(n) })
		}),
		rule("eksponertFor holds a number twice", func(l *simulator.Metadata, _ own) bool { return repeats(l.SharedWith) }),
		rule("lenker holds more than five", func(l *simulator.Metadata, _ own) bool { return len(l.Links) > maxLinks }),
		rule("sikkerhetsniva HOYESTE without kryptert", func(l *simulator.Metadata, _ own) bool { return l.Level4 && !l.Encrypted }),
		rule("kanSvareViaEdialog without an organisation in svarSendesTil", func(l *simulator.Metadata, _ own) bool {
			return l.ReplyLink && (l.ReplyTo == nil || l.ReplyTo.OrganizationNumber == "")
		}),
		rule("adresse is missing where the shipment may be printed", func(l *simulator.Metadata, o own) bool { return !l.DigitalOnly && o.country == nil }),
		rule("postnummer of a Norwegian address is not four digits", func(l *simulator.Metadata, o own) bool {
			norwegian := o.country != nil && (o.country.Country == nil || *o.country.Country == "NO")
			return norwegian && !l.DigitalOnly && !simulator.IsNumber(of(o.country.Code), 4)
		}),
		rule("there is no document", func(l *simulator.Metadata, _ own) bool { return len(l.Files) == 0 }),
		rule("eksternReferanse is missing", func(l *simulator.Metadata, _ own) bool { return l.ExternalReference == "" }),
		rule("giroarkSide is a back side", func(l *simulator.Metadata, o own) bool {
			duplex := o.print != nil && of(o.print.Duplex) && !l.DigitalOnly
			return duplex && slices.ContainsFunc(l.Files, func(f simulator.File) bool { return len(f.GiroPages) > 0 && f.GiroPages[0]%2 == 0 })
		}),
	}, simulator.FileRules(), simulator.LinkRules("url", "tekst"))
}

func personRules() []simulator.Check {
	return slices.Concat(sharedRules(), []simulator.Check{
		rule("digitalId is not a person's", func(l *simulator.Metadata, _ own) bool { return !isPerson(l.To.DigitalID) }),
		rule("signering without a document to be signed", func(l *simulator.Metadata, _ own) bool { return l.SignBy != nil && len(l.Signed()) == 0 }),
		rule("a document to be signed without an organisation in svarSendesTil", func(l *simulator.Metadata, _ own) bool {
			return len(l.Signed()) > 0 && (l.ReplyTo == nil || l.ReplyTo.OrganizationNumber == "")
		}),
	}, simulator.SigningRules("a national id in digitalId"))
}

func organizationRules() []simulator.Check {
	return slices.Concat(sharedRules(), []simulator.Check{
		rule("digitalId is not an organisation's", func(l *simulator.Metadata, _ own) bool { return !isOrganization(l.To.DigitalID) }),
		rule("ekstraMetadata holds more than 20, or a pair twice", func(_ *simulator.Metadata, o own) bool {
			return slices.ContainsFunc(o.extra, func(entries []entry) bool {
				var pairs []string
				for _, e := range entries {
					pairs = append(pairs, of(e.Key)+"\n"+of(e.Value))
				}
				return len(pairs) > maxExtra || repeats(pairs)
			})
		}),
		rule("forsendelsestype is not one of the service's", func(l *simulator.Metadata, _ own) bool {
			return l.ShipmentType != "" && !slices.Contains(simulator.ShipmentTypes(), l.ShipmentType)
		}),
	})
}

func healthRules() []simulator.Check {
	return []simulator.Check{
		rule("mottakerHerId is not there exactly for HER_ID", func(_ *simulator.Metadata, o own) bool {
			return o.health != nil && (of(o.health.RecipientType) == "HER_ID") != (o.health.HERID != nil)
		}),
		rule("mottakerHerId is not in the address register", func(_ *simulator.Metadata, o own) bool {
			return o.health != nil && o.health.HERID != nil && *o.health.HERID == unknownHERID
		}),
		rule("eksternReferanse is missing", func(l *simulator.Metadata, _ own) bool { return l.ExternalReference == "" }),
	}
}

// unknownHERID is the one HER-id that the address register does not have.
const unknownHERID = 404

// maxHealth is the size of the document.
//
// Assumption: MB are decimal.
const maxHealth = 18_000_000

func healthContent() []simulator.Check {
	return []simulator.Check{{Text: "the document for the health network is over 18 MB", Broken: func(l *simulator.Metadata, t simulator.Terms) bool {
		return l.Health && t.Size() > maxHealth
	}}}
}

// repeats tells whether a text is there twice, without regard to letter case.
func repeats(texts []string) bool {
	seen := map[string]bool{}
	for _, text := range texts {
		text = strings.ToLower(text)
		if seen[text] {
			return true
		}
		seen[text] = true
	}
	return false
}
