package simulator

import (
	"slices"
	"strings"
)

// Limits of V2 (upstream-facts, section 1.3).
const (
	maxTitle  = 1000
	maxShort  = 100 // avgivendeSystem, forsendelsestype, eksternReferanse, korrelasjonsid
	maxLinks  = 5
	billingV2 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.øæåØÆÅ"
)

// ShipmentRulesV2 is the table of what V2 refuses, as [ShipmentRules] is of V1.
func ShipmentRulesV2() []Rule { return told(metadataRulesV2()) }

// metadataRulesV2 can be judged before the documents are read.
func metadataRulesV2() []letterRule {
	recipient := func(l *letter) *address { return l.to }
	replies := func(l *letter) *address { return l.replyTo }
	return slices.Concat(
		plainRulesV2(), lengthRulesV2(),
		addressRulesV2("mottaker", recipient, func(l *letter) bool { return !l.digitalOnly }),
		addressRulesV2("svarSendesTil", replies, func(*letter) bool { return true }),
		fileRules(), signingRules("a national id in digitalId"), linkRules("url", "tekst"),
		rejections(),
	)
}

func plainRulesV2() []letterRule {
	rule := func(text string, broken func(*letter) bool) letterRule {
		return letterRule{text: text, broken: func(l *letter, _ terms) bool { return broken(l) }}
	}
	return []letterRule{
		rule("tittel is missing", func(l *letter) bool { return blank(l.title) }),
		rule("mottaker is missing", func(l *letter) bool { return l.to == nil }),
		rule("mottaker.digitalId is missing where nothing may be printed", func(l *letter) bool {
			return l.digitalOnly && l.to.digitalID == ""
		}),
		rule("konteringskode does not fit its pattern", func(l *letter) bool {
			return strings.Trim(l.billingCode, billingV2) != "" || units(l.billingCode) > maxBillingCode
		}),
		rule("eksponertFor holds something else than 9 or 11 digits", func(l *letter) bool {
			return slices.ContainsFunc(l.sharedWith, func(n string) bool { return !isNumber(n, 9) && !isNumber(n, 11) })
		}),
		rule("eksponertFor holds a number twice", func(l *letter) bool { return repeats(l.sharedWith) }),
		rule("giroarkSider holds a page twice", func(l *letter) bool {
			return slices.ContainsFunc(l.files, func(f file) bool { return repeats(f.giroPages) })
		}),
		rule("svarPaForsendelse is not a uuid", func(l *letter) bool { return l.inReplyTo != nil && !isUUID(*l.inReplyTo) }),
		rule("krevNiva4Innlogging without kryptert", func(l *letter) bool { return l.level4 && !l.encrypted }),
		rule("a date is not ISO 8601 with an offset", func(l *letter) bool { return l.badDate }),
		rule("lenker holds more than five", func(l *letter) bool { return len(l.links) > maxLinks }),
	}
}

func lengthRulesV2() []letterRule {
	rule := func(text string, most int, of func(*letter) string) letterRule {
		return letterRule{text: text, broken: func(l *letter, _ terms) bool { return units(of(l)) > most }}
	}
	return []letterRule{
		rule("tittel is over 1000 characters", maxTitle, func(l *letter) string { return l.title }),
		rule("avgivendeSystem is over 100 characters", maxShort, func(l *letter) string { return l.sourceSystem }),
		rule("forsendelsestype is over 100 characters", maxShort, func(l *letter) string { return l.shipmentType }),
		rule("eksternReferanse is over 100 characters", maxShort, func(l *letter) string { return l.externalReference }),
		rule("korrelasjonsid is over 100 characters", maxShort, func(l *letter) string { return l.correlationID }),
	}
}

// addressRulesV2 are the rules for one of the two addresses of a letter. full says whether it must be one that a postman
// finds.
func addressRulesV2(field string, of func(*letter) *address, full func(*letter) bool) []letterRule {
	rule := func(text string, bad func(a *address, full bool) bool) letterRule {
		return letterRule{text: field + text, broken: func(l *letter, _ terms) bool {
			a := of(l)
			return a != nil && bad(a, full(l))
		}}
	}
	return []letterRule{
		rule(".navn is missing", func(a *address, _ bool) bool { return blank(a.postal.name) }),
		rule(".poststed is missing", func(a *address, full bool) bool { return full && blank(a.postal.city) }),
		rule(".postnummer is missing", func(a *address, full bool) bool {
			return full && blank(a.postal.code) && isNorway(a.postal.country)
		}),
		rule(".postnummer is not four digits", func(a *address, _ bool) bool {
			return a.postal.code != "" && isNorway(a.postal.country) && !isNumber(a.postal.code, 4)
		}),
		rule(".digitalId is neither 11 nor 9 digits", func(a *address, _ bool) bool {
			return a.digitalID != "" && a.nationalID == "" && a.organizationNumber == ""
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
