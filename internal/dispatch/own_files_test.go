package dispatch_test

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

func TestFileKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"brev.pdf", "Brev.PDF", " brev ", "BREV", "brev .pdf", "\u00a0brev.pdf\u00a0"},
		{"Åse Øvrebø.pdf", "åse øvrebø"},
		{"vedtak: 7?.pdf", "Vedtak- 7-.pdf"},
		{"brev.pdf.pdf"},
		{"brev.doc"},
		{"brev  1.pdf"},
		{"brev 1.pdf"},
		{strings.Repeat("ø", 300)},
	} {
		for _, name := range same {
			if got := dispatch.FileKey(name); got != dispatch.FileKey(same[0]) || got == "" {
				t.Errorf("%q: got %q, want that of %q", name, got, same[0])
			}
		}
	}
	seen := map[string]bool{}
	for _, name := range []string{"brev", "brev.pdf.pdf", "brev.doc", "brev 1", "brev  1", "brév"} {
		if key := dispatch.FileKey(name); seen[key] {
			t.Errorf("%q is taken for another", name)
		} else {
			seen[key] = true
		}
	}
	for _, name := range []string{"", " ", ".pdf", "mappe/brev.pdf", `C:\brev.pdf`, "../brev"} {
		if got := dispatch.FileKey(name); got != "" {
			t.Errorf("%q: got %q, want none", name, got)
		}
	}
}

func TestFilesGoToTheOnlyRowThatNamesThem(t *testing.T) {
	t.Parallel()
	m := dispatch.NewFileMatcher(1)
	for i, name := range []string{"a.pdf", "B", "c.pdf", "C.PDF", "", "mappe/d.pdf", "e.pdf", "a", "f.pdf", "F"} {
		r := dispatch.JobRow{Position: i + 2, Fields: []string{"Ola", name}}
		if i >= 7 {
			r.Problem.Key = dispatch.ProblemLeftOut
		}
		m.Add(r)
	}
	m.Add(dispatch.JobRow{Position: 12, Fields: []string{"Ola"}})
	for key, want := range map[string]int{"a": 1, "b": 2, "c": -1, "d": -1, "": -1, "e": 7, "f": -1, "g": -1} {
		if got := m.Place(key); got != want {
			t.Errorf("%q is for %d, want %d", key, got, want)
		}
	}
	for place, want := range map[int]string{
		3: dispatch.ProblemFileShared, 4: dispatch.ProblemFileShared, 5: dispatch.ProblemFileEmpty, 6: dispatch.ProblemFilePath, 7: dispatch.ProblemNoFile, 11: dispatch.ProblemFileEmpty,
	} {
		if got := m.Problem(place); got.Key != want || !got.OfFile() {
			t.Errorf("row %d: got %+v, want %s", place, got, want)
		}
	}
	if got := m.Problem(4).Args; got["Said"] != "4, 5" || got["Name"] != "C.PDF" {
		t.Errorf("got %v", got)
	}
	if got := dispatch.NewFileMatcher(-1); got.Place("a") != -1 {
		t.Error("a list without the column names a file")
	}
}

func TestFileColumn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		columns []string
		want    string
	}{
		{[]string{"navn", "filnavn"}, "filnavn"}, {[]string{"dokument", "navn på fil"}, "navn på fil"}, {[]string{"profil", "filial"}, ""}, {[]string{"pdf-fil"}, "pdf-fil"},
	} {
		if got := dispatch.FileColumn(test.columns); got != test.want {
			t.Errorf("%q: got %q, want %q", test.columns, got, test.want)
		}
	}
}
