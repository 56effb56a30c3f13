package shipmentv2

import (
	"slices"
	"strings"
	"utsending/internal/clients/simulator"
)

// Limits of V2 (upstream-facts, section 1.3).
const (
	maxTitle  = 1000
	maxShort  = 100 // avgivendeSystem, forsendelsestype, eksternReferanse, korrelasjonsid
	maxLinks  = 5
	billingV2 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.øæåØÆÅ"
)

// Rules is the table of what V2 refuses.
func Rules() []simulator.Rule { return simulator.Told(metadataRules()) }

// metadataRules can be checked before the documents are read.
func metadataRules() []simulator.Check {
	recipient := func(l *simulator.Metadata) *simulator.Address { return l.To }
	replies := func(l *simulator.Metadata) *simulator.Address { return l.ReplyTo }
	return slices.Concat(
		plainRules(), lengthRules(),
		addressRules("mottaker", recipient, func(l *simulator.Metadata) bool { return !l.DigitalOnly }),
		addressRules("svarSendesTil", replies, func(*simulator.Metadata) bool { return true }),
		simulator.FileRules(), simulator.SigningRules("a national id in digitalId"), simulator.LinkRules("url", "tekst"),
		simulator.Rejections(),
	)
}

func plainRules() []simulator.Check {
	rule := func(text string, broken func(*simulator.Metadata) bool) simulator.Check {
		return simulator.Check{Text: text, Broken: func(l *simulator.Metadata, _ simulator.Terms) bool { return broken(l) }}
	}
	return []simulator.Check{
		rule("tittel is missing", func(l *simulator.Metadata) bool { return simulator.Blank(l.Title) }),
		rule("mottaker is missing", func(l *simulator.Metadata) bool { return l.To == nil }),
		rule("mottaker.digitalId is missing where nothing may be printed", func(l *simulator.Metadata) bool {
			return l.DigitalOnly && l.To.DigitalID == ""
		}),
		rule("konteringskode does not fit its pattern", func(l *simulator.Metadata) bool {
			return strings.Trim(l.BillingCode, billingV2) != "" || simulator.Units(l.BillingCode) > simulator.MaxBillingCode
		}),
		rule("eksponertFor holds something else than 9 or 11 digits", func(l *simulator.Metadata) bool {
			return slices.ContainsFunc(l.SharedWith, func(n string) bool { return !simulator.IsNumber(n, 9) && !simulator.IsNumber(n, 11) })
		}),
		rule("eksponertFor holds a number twice", func(l *simulator.Metadata) bool { return repeats(l.SharedWith) }),
		rule("giroarkSider holds a page twice", func(l *simulator.Metadata) bool {
			return slices.ContainsFunc(l.Files, func(f simulator.File) bool { return repeats(f.GiroPages) })
		}),
		rule("svarPaForsendelse is not a uuid", func(l *simulator.Metadata) bool { return l.InReplyTo != nil && !simulator.IsUUID(*l.InReplyTo) }),
		rule("krevNiva4Innlogging without kryptert", func(l *simulator.Metadata) bool { return l.Level4 && !l.Encrypted }),
		rule("a date is not ISO 8601 with an offset", func(l *simulator.Metadata) bool { return l.BadDate }),
		rule("lenker holds more than five", func(l *simulator.Metadata) bool { return len(l.Links) > maxLinks }),
	}
}

func lengthRules() []simulator.Check {
	rule := func(text string, most int, of func(*simulator.Metadata) string) simulator.Check {
		return simulator.Check{Text: text, Broken: func(l *simulator.Metadata, _ simulator.Terms) bool { return simulator.Units(of(l)) > most }}
	}
	return []simulator.Check{
		rule("tittel is over 1000 characters", maxTitle, func(l *simulator.Metadata) string { return l.Title }),
		rule("avgivendeSystem is over 100 characters", maxShort, func(l *simulator.Metadata) string { return l.SourceSystem }),
		rule("forsendelsestype is over 100 characters", maxShort, func(l *simulator.Metadata) string { return l.ShipmentType }),
		rule("eksternReferanse is over 100 characters", maxShort, func(l *simulator.Metadata) string { return l.ExternalReference }),
		rule("korrelasjonsid is over 100 characters", maxShort, func(l *simulator.Metadata) string { return l.CorrelationID }),
	}
}

// addressRules are the rules for one of the two addresses of a shipment. full tells whether it must be a complete
// postal address.
func addressRules(field string, of func(*simulator.Metadata) *simulator.Address, full func(*simulator.Metadata) bool) []simulator.Check {
	rule := func(text string, bad func(a *simulator.Address, full bool) bool) simulator.Check {
		return simulator.Check{Text: field + text, Broken: func(l *simulator.Metadata, _ simulator.Terms) bool {
			a := of(l)
			return a != nil && bad(a, full(l))
		}}
	}
	return []simulator.Check{
		rule(".navn is missing", func(a *simulator.Address, _ bool) bool { return simulator.Blank(a.Postal.Name) }),
		rule(".poststed is missing", func(a *simulator.Address, full bool) bool { return full && simulator.Blank(a.Postal.City) }),
		rule(".postnummer is missing", func(a *simulator.Address, full bool) bool {
			return full && simulator.Blank(a.Postal.Code) && simulator.IsNorway(a.Postal.Country)
		}),
		rule(".postnummer is not four digits", func(a *simulator.Address, _ bool) bool {
			return a.Postal.Code != "" && simulator.IsNorway(a.Postal.Country) && !simulator.IsNumber(a.Postal.Code, 4)
		}),
		rule(".digitalId is neither 11 nor 9 digits", func(a *simulator.Address, _ bool) bool {
			return a.DigitalID != "" && a.NationalID == "" && a.OrganizationNumber == ""
		}),
	}
}

func repeats[T comparable](items []T) bool {
	seen := map[T]bool{}
	for _, item := range items {
		if seen[item] {
			return true
		}
		seen[item] = true
	}
	return false
}
