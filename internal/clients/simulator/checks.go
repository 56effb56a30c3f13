package simulator

import (
	"slices"
	"strings"
)

const pdf = "application/pdf"

// IsNorway tells whether a country is Norway, or missing.
//
// Assumption: "valid names of Norway", as the deployed service's schema has it, are these.
func IsNorway(country string) bool {
	names := []string{"", "norge", "noreg", "norway", "no", "nor"}
	return slices.Contains(names, strings.ToLower(strings.TrimSpace(country)))
}

// FileRules are the rules for files that both generations share.
func FileRules() []Check {
	rule := func(text string, bad func(f File, l *Metadata, t Terms) bool) Check {
		return Check{Text: text, Broken: func(l *Metadata, t Terms) bool {
			return slices.ContainsFunc(l.Files, func(f File) bool { return bad(f, l, t) })
		}}
	}
	return []Check{
		rule("filnavn is missing", func(f File, _ *Metadata, _ Terms) bool { return Blank(f.Name) }),
		rule("filnavn is over 226 characters", func(f File, _ *Metadata, _ Terms) bool { return Units(f.Name) > maxFileName }),
		rule("filnavn holds an invalid character", func(f File, _ *Metadata, _ Terms) bool {
			return strings.ContainsAny(f.Name, `"<>?*|:/\`)
		}),
		{Text: "filnavn is given twice", Broken: func(l *Metadata, _ Terms) bool { return repeatsName(l.Files) }},
		rule("mimeType is missing", func(f File, _ *Metadata, _ Terms) bool { return Blank(f.MimeType) }),
		rule("a file to be printed is not PDF", func(f File, l *Metadata, _ Terms) bool {
			return !l.DigitalOnly && !f.ExcludeFromPrint && f.MimeType != pdf
		}),
		// Assumption: the specification does not say whether such a file may be included, so Options.RefuseExcluded
		// decides.
		rule("a file left out of the print is not PDF", func(f File, l *Metadata, t Terms) bool {
			return t.refuseExcluded && !l.DigitalOnly && f.ExcludeFromPrint && f.MimeType != pdf
		}),
		rule("giroarkSider holds a page below 1", func(f File, _ *Metadata, _ Terms) bool {
			return slices.ContainsFunc(f.GiroPages, func(page int) bool { return page < 1 })
		}),
	}
}

// repeatsName compares names without regard to letter case.
func repeatsName(files []File) bool {
	seen := map[string]bool{}
	for _, f := range files {
		name := strings.ToLower(f.Name)
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// SigningRules takes the generation's name of the field of a national id.
func SigningRules(nationalID string) []Check {
	rule := func(text string, bad func(l *Metadata, t Terms) bool) Check {
		return Check{Text: text, Broken: func(l *Metadata, t Terms) bool {
			return len(l.Signed()) > 0 && bad(l, t)
		}}
	}
	return []Check{
		{Text: "signaturType is unknown", Broken: func(l *Metadata, _ Terms) bool {
			return !slices.Contains([]string{"", "AUTENTISERT_SIGNATUR", "AVANSERT_SIGNATUR"}, l.SignatureType)
		}},
		rule("skalSigneres on more than one document", func(l *Metadata, _ Terms) bool { return len(l.Signed()) > 1 }),
		rule("skalSigneres on a document that is not PDF", func(l *Metadata, _ Terms) bool {
			return l.Signed()[0].MimeType != pdf
		}),
		rule("skalSigneres without "+nationalID, func(l *Metadata, _ Terms) bool { return l.To.NationalID == "" }),
		rule("skalSigneres without signeringUtloper", func(l *Metadata, _ Terms) bool { return l.SignBy == nil }),
		rule("signeringUtloper is less than a day ahead", func(l *Metadata, t Terms) bool {
			return t.SignsTooSoon(*l.SignBy)
		}),
		rule("skalSigneres without signaturType", func(l *Metadata, _ Terms) bool { return l.SignatureType == "" }),
	}
}
