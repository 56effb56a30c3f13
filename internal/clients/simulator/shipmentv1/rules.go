package shipmentv1

import (
	"slices"
	"strings"
	"utsending/internal/clients/simulator"
)

// Rules is the table of what V1 refuses. A line of Violations ends with the text of the rule.
//
// Assumption: what the metadata alone shows is answered at once (upstream-facts, section 2.3: faults with the text
// "Ugyldig innhold"), and nothing is accepted. AVVIST is left for what the specification calls a rejected shipment, and
// for shipments that no file for print can be made from.
func Rules() []simulator.Rule {
	return simulator.Told(metadataRules())
}

// metadataRules can be checked before the documents are read.
func metadataRules() []simulator.Check {
	recipient := func(l *simulator.Metadata) *simulator.Address { return l.To }
	replies := func(l *simulator.Metadata) *simulator.Address { return l.ReplyTo }
	return slices.Concat(
		plainRules(),
		addressRules("mottaker", recipient, func(l *simulator.Metadata) bool { return !l.DigitalOnly }),
		addressRules("svarSendesTil", replies, func(*simulator.Metadata) bool { return true }),
		simulator.FileRules(), simulator.SigningRules("fodselsNummer"), simulator.LinkRules("urlLenke", "urlTekst"),
		simulator.Rejections(),
	)
}

func plainRules() []simulator.Check {
	rule := func(text string, broken func(*simulator.Metadata) bool) simulator.Check {
		return simulator.Check{Text: text, Broken: func(l *simulator.Metadata, _ simulator.Terms) bool { return broken(l) }}
	}
	return []simulator.Check{
		rule("tittel is missing", func(l *simulator.Metadata) bool { return simulator.Blank(l.Title) }),
		{Text: "avgivendeSystem is missing", Broken: func(l *simulator.Metadata, t simulator.Terms) bool {
			return t.Strict && simulator.Blank(l.SourceSystem)
		}},
		rule("konteringsKode does not fit its pattern", func(l *simulator.Metadata) bool { return !isBillingCode(l.BillingCode) }),
		rule("mottaker is missing", func(l *simulator.Metadata) bool { return l.To == nil }),
		rule("eksponertFor holds something else than 9 or 11 digits", func(l *simulator.Metadata) bool {
			return slices.ContainsFunc(l.SharedWith, func(n string) bool { return !simulator.IsNumber(n, 9) && !simulator.IsNumber(n, 11) })
		}),
		rule("svarPaForsendelse is not a uuid", func(l *simulator.Metadata) bool {
			return l.InReplyTo != nil && !simulator.IsUUID(*l.InReplyTo)
		}),
		rule("krevNiva4Innlogging without kryptert", func(l *simulator.Metadata) bool { return l.Level4 && !l.Encrypted }),
	}
}

// isBillingCode is ^[a-zA-Z0-9-.øæåØÆÅ]{0,20}$.
func isBillingCode(code string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.øæåØÆÅ"
	return strings.Trim(code, allowed) == "" && simulator.Units(code) <= simulator.MaxBillingCode
}

// addressRules are the rules for one of the two addresses of a shipment. full tells whether it must be a complete
// postal address.
func addressRules(field string, of func(*simulator.Metadata) *simulator.Address, full func(*simulator.Metadata) bool) []simulator.Check {
	rule := func(text string, bad func(a *simulator.Address, l *simulator.Metadata, t simulator.Terms) bool) simulator.Check {
		return simulator.Check{Text: field + text, Broken: func(l *simulator.Metadata, t simulator.Terms) bool {
			a := of(l)
			return a != nil && bad(a, l, t)
		}}
	}
	post := func(text string, bad func(p *simulator.Postal, full bool, t simulator.Terms) bool) simulator.Check {
		return rule(".postAdresse"+text, func(a *simulator.Address, l *simulator.Metadata, t simulator.Terms) bool {
			return a.Postal != nil && bad(a.Postal, full(l), t)
		})
	}
	return []simulator.Check{
		rule(".postAdresse is missing", func(a *simulator.Address, _ *simulator.Metadata, _ simulator.Terms) bool { return a.Postal == nil }),
		post(".navn is missing", func(p *simulator.Postal, _ bool, _ simulator.Terms) bool { return simulator.Blank(p.Name) }),
		post(".postSted is missing", func(p *simulator.Postal, full bool, _ simulator.Terms) bool { return full && simulator.Blank(p.City) }),
		post(".postNummer is missing", func(p *simulator.Postal, full bool, t simulator.Terms) bool {
			return full && simulator.Blank(p.Code) && (t.Strict || simulator.IsNorway(p.Country))
		}),
		// The deployed service takes a missing land for Norway: its own samples have none.
		post(".land is missing", func(p *simulator.Postal, full bool, t simulator.Terms) bool {
			return full && t.Strict && simulator.Blank(p.Country)
		}),
		post(".postNummer is not four digits", func(p *simulator.Postal, _ bool, _ simulator.Terms) bool {
			return p.Code != "" && simulator.IsNorway(p.Country) && !simulator.IsNumber(p.Code, 4)
		}),
		rule(".digitalAdresse is not one of a person and an organisation", func(a *simulator.Address, _ *simulator.Metadata, _ simulator.Terms) bool {
			return a.Digital && (a.NationalID == "") == (a.OrganizationNumber == "")
		}),
		rule(".fodselsNummer is not eleven digits", func(a *simulator.Address, _ *simulator.Metadata, _ simulator.Terms) bool {
			return a.NationalID != "" && !simulator.IsNumber(a.NationalID, 11)
		}),
		rule(".organisasjonsNummer is not nine digits", func(a *simulator.Address, _ *simulator.Metadata, _ simulator.Terms) bool {
			return a.OrganizationNumber != "" && !simulator.IsNumber(a.OrganizationNumber, 9)
		}),
	}
}
