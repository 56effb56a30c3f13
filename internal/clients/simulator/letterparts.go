package simulator

import (
	"slices"
	"strings"
)

const pdf = "application/pdf"

// addressRules are the rules for one of the two addresses of a letter. full says whether it must be one that a postman
// finds.
func addressRules(field string, of func(*letter) *address, full func(*letter) bool) []letterRule {
	rule := func(text string, bad func(a *address, l *letter, t terms) bool) letterRule {
		return letterRule{text: field + text, broken: func(l *letter, t terms) bool {
			a := of(l)
			return a != nil && bad(a, l, t)
		}}
	}
	post := func(text string, bad func(p *postal, full bool, t terms) bool) letterRule {
		return rule(".postAdresse"+text, func(a *address, l *letter, t terms) bool {
			return a.postal != nil && bad(a.postal, full(l), t)
		})
	}
	return []letterRule{
		rule(".postAdresse is missing", func(a *address, _ *letter, _ terms) bool { return a.postal == nil }),
		post(".navn is missing", func(p *postal, _ bool, _ terms) bool { return blank(p.name) }),
		post(".postSted is missing", func(p *postal, full bool, _ terms) bool { return full && blank(p.city) }),
		post(".postNummer is missing", func(p *postal, full bool, t terms) bool {
			return full && blank(p.code) && (t.strict || isNorway(p.country))
		}),
		// The deployed service takes a missing land for Norway: its own samples have none.
		post(".land is missing", func(p *postal, full bool, t terms) bool { return full && t.strict && blank(p.country) }),
		post(".postNummer is not four digits", func(p *postal, _ bool, _ terms) bool {
			return p.code != "" && isNorway(p.country) && !isNumber(p.code, 4)
		}),
		rule(".digitalAdresse is not one of a person and an organisation", func(a *address, _ *letter, _ terms) bool {
			return a.digital && (a.nationalID == "") == (a.organizationNumber == "")
		}),
		rule(".fodselsNummer is not eleven digits", func(a *address, _ *letter, _ terms) bool {
			return a.nationalID != "" && !isNumber(a.nationalID, 11)
		}),
		rule(".organisasjonsNummer is not nine digits", func(a *address, _ *letter, _ terms) bool {
			return a.organizationNumber != "" && !isNumber(a.organizationNumber, 9)
		}),
	}
}

// isNorway takes a missing country for Norway.
//
// Assumption: "valid names of Norway", as the deployed service's schema has it, are these.
func isNorway(country string) bool {
	names := []string{"", "norge", "noreg", "norway", "no", "nor"}
	return slices.Contains(names, strings.ToLower(strings.TrimSpace(country)))
}

func fileRules() []letterRule {
	rule := func(text string, bad func(f file, l *letter, t terms) bool) letterRule {
		return letterRule{text: text, broken: func(l *letter, t terms) bool {
			return slices.ContainsFunc(l.files, func(f file) bool { return bad(f, l, t) })
		}}
	}
	return []letterRule{
		rule("filnavn is missing", func(f file, _ *letter, _ terms) bool { return blank(f.name) }),
		rule("filnavn is over 226 characters", func(f file, _ *letter, _ terms) bool { return units(f.name) > maxFileName }),
		rule("filnavn holds an invalid character", func(f file, _ *letter, _ terms) bool {
			return strings.ContainsAny(f.name, `"<>?*|:/\`)
		}),
		{text: "filnavn is given twice", broken: func(l *letter, _ terms) bool { return repeatsName(l.files) }},
		rule("mimeType is missing", func(f file, _ *letter, _ terms) bool { return blank(f.mimeType) }),
		rule("a file to be printed is not PDF", func(f file, l *letter, _ terms) bool {
			return !l.digitalOnly && !f.excludeFromPrint && f.mimeType != pdf
		}),
		// Assumption: the specification does not say whether such a file may ride along, so Options.RefuseExcluded asks.
		rule("a file left out of the print is not PDF", func(f file, l *letter, t terms) bool {
			return t.refuseExcluded && !l.digitalOnly && f.excludeFromPrint && f.mimeType != pdf
		}),
		rule("giroarkSider holds a page below 1", func(f file, _ *letter, _ terms) bool {
			return slices.ContainsFunc(f.giroPages, func(page int) bool { return page < 1 })
		}),
	}
}

// repeatsName compares without regard to letter case.
func repeatsName(files []file) bool {
	seen := map[string]bool{}
	for _, f := range files {
		name := strings.ToLower(f.name)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// signingRules names the field that holds a national id as the generation does.
func signingRules(nationalID string) []letterRule {
	rule := func(text string, bad func(l *letter, t terms) bool) letterRule {
		return letterRule{text: text, broken: func(l *letter, t terms) bool {
			return len(l.signed()) > 0 && bad(l, t)
		}}
	}
	return []letterRule{
		{text: "signaturType is unknown", broken: func(l *letter, _ terms) bool {
			return !slices.Contains([]string{"", "AUTENTISERT_SIGNATUR", "AVANSERT_SIGNATUR"}, l.signatureType)
		}},
		rule("skalSigneres on more than one document", func(l *letter, _ terms) bool { return len(l.signed()) > 1 }),
		rule("skalSigneres on a document that is not PDF", func(l *letter, _ terms) bool {
			return l.signed()[0].mimeType != pdf
		}),
		rule("skalSigneres without "+nationalID, func(l *letter, _ terms) bool { return l.to.nationalID == "" }),
		rule("skalSigneres without signeringUtloper", func(l *letter, _ terms) bool { return l.signBy == nil }),
		rule("signeringUtloper is less than a day ahead", func(l *letter, t terms) bool {
			return l.signBy.Before(t.now.Add(minSigning - signingSlack))
		}),
		rule("skalSigneres without signaturType", func(l *letter, _ terms) bool { return l.signatureType == "" }),
	}
}
