package dispatch_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, unit string
		number        int64
		want          string
	}{
		{"{år}-{nr:5}-{enhet}", "OPV", 42, "2027-00042-OPV"},
		{"{år}/{nr}", "", 42, "2027/42"},
		{"Sak {nr:2} i {år}", "", 1234, "Sak 1234 i 2027"}, // more digits than asked for are not cut
		{"{enhet}:{enhet}.{år}.{nr:9}", "Æ", 7, "Æ:Æ.2027.000000007"},
	} {
		if got := (dispatch.ReferenceRule{Pattern: tt.pattern, Unit: tt.unit}).Reference(2027, tt.number); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.pattern, got, tt.want)
		}
	}
	newYear := time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC) // in Oslo it is the next year
	if got := (dispatch.ReferenceRule{Pattern: "{år}-{nr:5}"}).Example(newYear); got != "2027-00042" {
		t.Errorf("the example is %q", got)
	}
}

func TestReferenceRules(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rule dispatch.ReferenceRule
		want string // field and key, empty: none
	}{
		"none":                         {dispatch.ReferenceRule{}, ""},
		"the usual":                    {dispatch.ReferenceRule{Pattern: "{år}-{nr:5}-{enhet}", Unit: "OPV", Fill: true}, ""},
		"none to fill in":              {dispatch.ReferenceRule{Fill: true}, "referansemonster problem.reference_pattern.none"},
		"without a number":             {dispatch.ReferenceRule{Pattern: "{år}-OPV"}, "referansemonster problem.reference_pattern.parts"},
		"without a year":               {dispatch.ReferenceRule{Pattern: "OPV-{nr}"}, "referansemonster problem.reference_pattern.parts"},
		"with two numbers":             {dispatch.ReferenceRule{Pattern: "{år}-{nr}-{nr:4}"}, "referansemonster problem.reference_pattern.parts"},
		"a brace that is not closed":   {dispatch.ReferenceRule{Pattern: "{år}-{nr"}, "referansemonster problem.reference_pattern.form"},
		"a brace that is not opened":   {dispatch.ReferenceRule{Pattern: "{år}-{nr}}"}, "referansemonster problem.reference_pattern.form"},
		"a name that is none":          {dispatch.ReferenceRule{Pattern: "{år}-{nr}-{konto}"}, "referansemonster problem.reference_pattern.form"},
		"no width":                     {dispatch.ReferenceRule{Pattern: "{år}-{nr:0}"}, "referansemonster problem.reference_pattern.form"},
		"a width too large":            {dispatch.ReferenceRule{Pattern: "{år}-{nr:10}"}, "referansemonster problem.reference_pattern.form"},
		"a width with a sign":          {dispatch.ReferenceRule{Pattern: "{år}-{nr:+5}"}, "referansemonster problem.reference_pattern.form"},
		"nothing between two":          {dispatch.ReferenceRule{Pattern: "{nr}{år}"}, "referansemonster problem.reference_pattern.form"},
		"as a list would fill it":      {dispatch.ReferenceRule{Pattern: "((navn))-{år}-{nr}"}, "referansemonster problem.reference_pattern.characters"},
		"a control character":          {dispatch.ReferenceRule{Pattern: "{år}-{nr}\x00"}, "referansemonster problem.reference_pattern.characters"},
		"as long as the service takes": {dispatch.ReferenceRule{Pattern: strings.Repeat("x", 85) + "{år}-{nr}"}, ""},
		"longer":                       {dispatch.ReferenceRule{Pattern: strings.Repeat("x", 86) + "{år}-{nr}"}, "referansemonster problem.reference_pattern.long"},
		"a unit that is not there":     {dispatch.ReferenceRule{Pattern: "{år}-{nr}-{enhet}"}, "referanseenhet problem.reference_unit.empty"},
		"a unit too long":              {dispatch.ReferenceRule{Unit: strings.Repeat("x", 21)}, "referanseenhet problem.reference_unit"},
		"a unit with braces":           {dispatch.ReferenceRule{Pattern: "{år}-{nr}-{enhet}", Unit: "{nr}"}, "referanseenhet problem.reference_unit"},
	} {
		got := ""
		for _, p := range (dispatch.Account{Name: "Oppvekst", Slug: "oppvekst", References: tt.rule}).Validate() {
			got += p.Field + " " + p.Key
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// TestReferenceNumber: what a pattern has made is read again, and nothing else is.
func TestReferenceNumber(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"{år}-{nr}", "{nr:5}/{år}", "OPP-{enhet}-{år}.{nr:3}-x", "{år}-{nr:4}-{enhet}", "7{år}/{nr}7"} {
		r := dispatch.ReferenceRule{Pattern: pattern, Unit: "12A"}
		for _, n := range []int64{1, 42, 999, 1000, 123456} {
			if year, got, ok := r.Number(r.Reference(2026, n)); !ok || year != 2026 || got != n {
				t.Errorf("%s: %s is read as %d, %d, %t", pattern, r.Reference(2026, n), year, got, ok)
			}
		}
		for _, other := range []string{"", "Sak 7", "2026-", "-1", "2026-1 ", "x" + r.Reference(2026, 1), r.Reference(2026, 1) + "x", "99999999999999999999-99999999999999999999"} {
			if year, n, ok := r.Number(other); ok {
				t.Errorf("%s: %q is read as %d, %d", pattern, other, year, n)
			}
		}
	}
	if _, _, ok := (dispatch.ReferenceRule{}).Number("2026-1"); ok {
		t.Error("without a pattern something is read")
	}
}
