package dispatch_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"utsending/internal/dispatch"
)

// digits tells whether a text is ASCII digits only.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// seedNumbers are numbers as people write them.
func seedNumbers(f *testing.F) {
	for _, seed := range []string{
		"", "91234567", "+47 912 34 567", "004791234567", "+0123456789", "00", "+", "9123456７", "٩١٢٣٤٥٦٧", "912345678901234567", "1", "123", "987654325",
		"128479 01258", "12847901258", "128479-01258", "02813299900\n987654329;1,2", "0d9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01", "Kari 912", "\u200e91234567", "\xff912",
	} {
		f.Add(seed)
	}
}

// FuzzPhone: a number that is taken is sent as digits with at most a prefix, reads back as itself, is the same number however it is
// written, and hides all but its end.
func FuzzPhone(f *testing.F) {
	seedNumbers(f)
	f.Fuzz(func(t *testing.T, typed string) {
		p, problem := dispatch.ParsePhone("f", typed)
		if problem != nil {
			if p != "" || problem.Field != "f" || problem.Key == "" {
				t.Fatalf("got %q with %+v", p.Reveal(), problem)
			}
			return
		}
		sent := p.Reveal()
		bare := strings.TrimPrefix(sent, "+")
		if !digits(bare) || len(bare) < dispatch.PhoneMinDigits || len(sent) > dispatch.PhoneMaxDigits+2 {
			t.Fatalf("%q is sent as %q", typed, sent)
		}
		if again, wrong := dispatch.ParsePhone("f", sent); wrong != nil || again != p {
			t.Fatalf("%q reads back as %q, %v", sent, again.Reveal(), wrong)
		}
		same, wrong := dispatch.ParsePhone("f", p.Comparable())
		if wrong != nil && len(p.Comparable()) > 1+dispatch.PhoneMaxDigits {
			return // without its country code it was just short enough
		}
		if wrong != nil || same.Comparable() != p.Comparable() || same.Foreign() != p.Foreign() {
			t.Fatalf("%q compares as %q, which is %v", sent, p.Comparable(), wrong)
		}
		shown := 0
		for _, r := range p.Masked() {
			if r >= '0' && r <= '9' {
				shown++
			}
		}
		if shown > 5 || !strings.HasSuffix(p.Masked(), sent[len(sent)-3:]) || strings.Contains(p.Masked(), sent) {
			t.Fatalf("%q is masked as %q", sent, p.Masked())
		}
	})
}

// FuzzNationalID: a number that is taken is eleven digits and reads back as itself. Of any text, what is masked holds no number any
// more, is valid, and is masked once.
func FuzzNationalID(f *testing.F) {
	seedNumbers(f)
	for _, seed := range []string{"Fnr 128479 01258.", "12847901258,12847901258", "128479\u00a0–\u00a001258", "1284790125812847901258", "+12847901258", "１２８４７９０１２５８", "1,12847901258"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		if n, problem := dispatch.ParseNationalID("f", typed); problem == nil {
			again, wrong := dispatch.ParseNationalID("f", n.Reveal())
			if wrong != nil || again != n || !digits(n.Reveal()) || len(n) != dispatch.NationalIDLength || strings.Contains(n.Masked(), n.Reveal()[6:]) && n.Reveal()[6:] != n.Reveal()[:5] && n.Reveal()[6:] != n.Reveal()[1:6] {
				t.Fatalf("%q became %q, then %q", typed, n.Reveal(), again.Reveal())
			}
			if n.CheckDigitsFit() && n.DateFits() && !dispatch.HoldsNationalID(n.Reveal()) {
				t.Fatalf("%q is not seen in a text", n.Reveal())
			}
		}
		masked := dispatch.MaskNationalIDs(typed)
		if dispatch.HoldsNationalID(masked) {
			t.Fatalf("%q is masked as %q", typed, masked)
		}
		if utf8.ValidString(typed) && !utf8.ValidString(masked) || dispatch.MaskNationalIDs(masked) != masked {
			t.Fatalf("%q is masked as %q, then as %q", typed, masked, dispatch.MaskNationalIDs(masked))
		}
		if all := dispatch.MaskPhones(masked); dispatch.HoldsNationalID(all) {
			t.Fatalf("%q is masked as %q", typed, all)
		}
	})
}

// FuzzSearch: a search is words, an id or a number, never a mixture, and its number reads back; a problem names the field.
func FuzzSearch(f *testing.F) {
	seedNumbers(f)
	f.Fuzz(func(t *testing.T, typed string) {
		s, problem := dispatch.ParseSearch(typed)
		if problem != nil {
			if s != (dispatch.Search{}) || problem.Field != dispatch.FieldSearch {
				t.Fatalf("got %+v with %+v", s, problem)
			}
			return
		}
		if !utf8.ValidString(s.Words) || utf8.RuneCountInString(s.Words) > 200 {
			t.Fatalf("%q is searched for as %q", typed, s.Words)
		}
		kinds := 0
		for _, is := range []bool{s.Words != "", s.ID != "", s.Person()} {
			if is {
				kinds++
			}
		}
		if kinds != 1 || s.LastThree != "" && (len(s.LastThree) != 3 || !digits(s.LastThree)) || s.ID != "" && len(s.ID) != 36 {
			t.Fatalf("%q is %+v", typed, s)
		}
		person, wrong := dispatch.ParsePersonSearch(typed)
		if s.Person() != (wrong == nil) || s.Person() && person != s {
			t.Fatalf("%q is %+v, and as a person %+v", typed, s, person)
		}
		for _, number := range []string{s.NationalID.Reveal(), s.Phone.Reveal(), string(s.Number)} {
			if number == "" {
				continue
			}
			if again, wrong := dispatch.ParseSearch(number); wrong != nil || again != s {
				t.Fatalf("%q searches for %+v, %v", number, again, wrong)
			}
		}
	})
}

// FuzzLookup: the numbers of a look-up are those that the register accepts, each once, on a line that there is; what is shared with
// others is read from the same text by the same rules.
func FuzzLookup(f *testing.F) {
	seedNumbers(f)
	f.Fuzz(func(t *testing.T, typed string) {
		l, _ := dispatch.ParseLookup(typed, typed)
		lines := 1 + strings.Count(dispatch.NormalizeText(typed), "\n")
		seen := map[dispatch.LookupNumber]bool{}
		for _, e := range l.Entries {
			if !e.Number.Valid() || seen[e.Number] || e.Line < 1 || e.Line > lines {
				t.Fatalf("%q gives %q on line %d of %d", typed, e.Number.Reveal(), e.Line, lines)
			}
			seen[e.Number] = true
		}
		shared, ps := dispatch.ParseShared(typed)
		text := make([]string, len(shared))
		for i, d := range shared {
			text[i] = d.NationalID.Reveal() + string(d.OrganizationNumber)
		}
		again, wrong := dispatch.ParseShared(strings.Join(text, "\n"))
		if len(wrong) > 0 || len(again) != len(shared) {
			t.Fatalf("%q is shared with %q, then %q: %v %v", typed, shared, again, ps, wrong)
		}
		if why, problem := dispatch.ParsePurpose(typed); problem == nil && (dispatch.HoldsNationalID(why) || !utf8.ValidString(why) && utf8.ValidString(typed)) {
			t.Fatalf("%q is logged", why)
		}
	})
}
