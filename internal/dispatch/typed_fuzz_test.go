package dispatch_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// FuzzDay: a day that is read is a day in Oslo, and reads back from every form that we print.
func FuzzDay(f *testing.F) {
	for _, seed := range []string{"", "1.2.2026", "01.02.26", "01022026", "2026-02-01", " 31.12.9999 ", "29.02.2025", "0.0.0", "28.10.2026", "1.1.0001", "1.2.2026\x00"} {
		f.Add(seed, "08.30")
	}
	f.Add("25.10.2026", "02.30") // comes twice
	f.Add("29.03.2026", "02.30") // never comes
	f.Add("26.11.2026", "24.00")
	now := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, day, clock string) {
		at, ok := dispatch.ParseDay(day)
		if ok {
			if at.Location() != dispatch.Oslo || at.Year() < 0 || at.Year() > 9999 {
				t.Fatalf("%q is %s", day, at)
			}
			for _, form := range []string{"02.01.2006", "2006-01-02", "2.1.2006"} {
				if again, read := dispatch.ParseDay(at.Format(form)); !read || !again.Equal(at) {
					t.Fatalf("%q is %s, then %s", day, at, again)
				}
			}
		}
		minutes, isClock := dispatch.ParseClock(clock)
		if isClock {
			if again, read := dispatch.ParseClock(dispatch.ClockText(minutes)); minutes < 0 || minutes > 24*60 || !read || again != minutes%(24*60) {
				t.Fatalf("%q is minute %d, then %d", clock, minutes, again)
			}
		}
		sent, problems := dispatch.ParseSendAt(day, clock, now)
		if len(problems) > 0 || sent.IsZero() {
			return
		}
		if h, m, _ := sent.In(dispatch.Oslo).Clock(); !ok || !isClock || h*60+m != minutes || !sent.After(now) || sent.Sub(now) > dispatch.MaxAhead || sent.In(dispatch.Oslo).YearDay() != at.YearDay() {
			t.Fatalf("%q at %q goes at %s", day, clock, sent.In(dispatch.Oslo))
		}
	})
}

// FuzzPages: pages that are read are sorted, each once, at least 1, not after the last, few enough to keep, and read back from our text.
func FuzzPages(f *testing.F) {
	for _, seed := range []string{"", "2", "2, 4–6", "6-4", "1-5001", "9223372036854775807", "1—3;2", "-1", "+2", "0", "1-5000,5001-9000,1-5000", strings.Repeat("1-5000,", 30)} {
		f.Add(seed, 3)
		f.Add(seed, 0)
	}
	f.Fuzz(func(t *testing.T, typed string, last int) {
		pages, problem := dispatch.ParsePages("f", typed, last)
		if problem != nil {
			if len(pages) > 0 || problem.Field != "f" {
				t.Fatalf("got %d pages with %+v", len(pages), problem)
			}
			return
		}
		for i, n := range pages {
			if n < 1 || last > 0 && n > last || i > 0 && n <= pages[i-1] {
				t.Fatalf("%q of %d is %v", typed, last, pages)
			}
		}
		if len(pages) > dispatch.MaxPagesNamed {
			t.Fatalf("%q of %d names %d pages", typed, last, len(pages))
		}
		if again, wrong := dispatch.ParsePages("f", dispatch.PagesText(pages), last); wrong != nil || !slices.Equal(again, pages) {
			t.Fatalf("%q reads back as %v, %v", dispatch.PagesText(pages), again, wrong)
		}
	})
}

// FuzzEntries: key-value pairs read back from our text.
func FuzzEntries(f *testing.F) {
	for _, seed := range []string{"", "a=b", "a = b = c\n\n x=", "=b", "a", "a=\r\nb=1", "\u2028=\u2028", "a=b\rc=d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		entries, _ := dispatch.ParseEntries("f", typed)
		again, ps := dispatch.ParseEntries("f", dispatch.EntriesText(entries))
		if len(ps) > 0 || !slices.Equal(again, entries) {
			t.Fatalf("%q gives %q, then %q: %v", typed, entries, again, ps)
		}
	})
}

// FuzzReference: a pattern without problems makes references that read back as their year and number.
func FuzzReference(f *testing.F) {
	for _, seed := range []string{"{år}/{nr}", "{enhet}-{år}-{nr:5}", "a{år}b{nr:9}c", "{nr}{år}", "{år}{", "}", "{nr:0}", "{år} {nr:+5}", "{nr}-{år}-{enhet}", "{år}0{nr}", "{enhet}.{nr}.{år}"} {
		f.Add(seed, "BYG", 2026, int64(42))
	}
	f.Add("{år}-{nr}{enhet}", "-1", 2026, int64(7))
	f.Fuzz(func(t *testing.T, pattern, unit string, year int, number int64) {
		rule := dispatch.ReferenceRule{Pattern: pattern, Unit: unit, Fill: true}
		if rule.Example(time.Unix(0, 0)) == "" {
			_, _, _ = rule.Number(pattern)
			return
		}
		year, number = 1000+abs(year)%9000, int64(abs(int(number)%9_999_999_999))
		made := rule.Reference(year, number)
		if y, n, ok := rule.Number(made); !ok || y != year || n != number {
			t.Fatalf("%q with %q makes %q, which reads as %d and %d (%t)", pattern, unit, made, y, n, ok)
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

// FuzzPlaceholders: what is found stands where it is said to stand, can be written, and is found again in its own form.
func FuzzPlaceholders(f *testing.F) {
	for _, seed := range []string{"", "Hei ((navn))", "((a))((b (c)))", "((( a )))", "((\u200e))", "(( a\u00a0b ))", "((a\n))", "{{navn}} ${navn} [navn]", "((navn) ((", "\xff((a\xff))", "((İ))"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, p := range dispatch.FindPlaceholders(text) {
			if p.From < end || p.To > len(text) || !strings.HasPrefix(text[p.From:p.To], "((") || !strings.HasSuffix(text[p.From:p.To], "))") {
				t.Fatalf("%q: %+v", text, p)
			}
			end = p.To
			if found := dispatch.FindPlaceholders("((" + p.Name + "))"); len(found) != 1 || found[0].Name != p.Name || !dispatch.Writable(p.Name) {
				t.Fatalf("%q: %q is found as %+v", text, p.Name, found)
			}
		}
		names := dispatch.Placeholders(text)
		if shown := dispatch.ShownPlaceholders(names); !slices.Equal(dispatch.Placeholders(shown), names) {
			t.Fatalf("%q: %q are found as %q", text, names, dispatch.Placeholders(shown))
		}
		if len(dispatch.MissingPlaceholders(text, text)) > 0 {
			t.Fatalf("%q lacks its own", text)
		}
		for _, stray := range dispatch.StrayPlaceholders(text, []string{"navn", "a"}) {
			if !strings.HasPrefix(stray, "$") && !strings.Contains(text, stray) {
				t.Fatalf("%q has no %q", text, stray)
			}
		}
	})
}

// FuzzDraft: any stored form is read, judged without a panic, and written as it was read; a shipment without problems is valid, and
// tells no number where it is printed by mistake.
func FuzzDraft(f *testing.F) {
	whole, err := json.Marshal(dispatch.DraftFields{
		RecipientKind: dispatch.RecipientPerson, Number: "02813299900", Name: "Kari Prøve", Line1: "Prøveveien 1", PostalCode: "0123", City: "Oslo", Country: "Norge", Title: "Vedtak",
		SourceSystem: "Utsending", Sign: true, SignDocument: "a", SignatureType: string(dispatch.SignatureAuthenticated), SignBy: "1.12.2026", Links: []dispatch.LinkFields{{URL: "https://example.no", Text: "x"}},
		SharedWith: "987654325\n02813299901", Documents: map[dispatch.DocumentID]dispatch.DocumentFields{"a": {Giro: "1", Extra: "a=b"}}, Timing: dispatch.TimingFields{Day: "1.12.2026", Clock: "8"},
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{string(whole), "{}", `{"Documents":{"a":{"Giro":"1-5000"}}}`, `{"Country":"Sverige","PostalCode":"x"}`, `{"Title":"\u0000","Links":[{},{"URL":"javascript:1"}]}`} {
		f.Add([]byte(seed))
	}
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	documents := []dispatch.Document{{ID: "a", FileName: "brev.pdf", MimeType: dispatch.MimePDF, Size: 100, Pages: 2}, {ID: "b", FileName: "vedlegg.pdf", MimeType: dispatch.MimePDF, Size: 100}}
	f.Fuzz(func(t *testing.T, stored []byte) {
		var form dispatch.DraftFields
		if json.Unmarshal(stored, &form) != nil {
			return
		}
		written, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		var again dispatch.DraftFields
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatal(err)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != string(written) {
			t.Fatalf("%s, then %s: %v", written, twice, err)
		}
		for _, g := range []dispatch.Generation{dispatch.V1, dispatch.V2, dispatch.V3} {
			s, ps := form.Parse(g, documents, now)
			same, psSame := again.Parse(g, documents, now)
			if !reflect.DeepEqual(s, same) || len(ps) != len(psSame) {
				t.Fatalf("read twice: %v, then %v", ps, psSame)
			}
			if len(ps) == 0 && len(s.Validate(now, g)) > 0 {
				t.Fatalf("no problem, yet %v", s.Validate(now, g))
			}
			for _, p := range ps {
				if p.Key == "" {
					t.Fatalf("%+v", ps)
				}
			}
		}
	})
}
