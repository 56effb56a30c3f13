package look_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/look"
	"utsending/internal/pdf/parser"
	"utsending/internal/pdf/pdftest"
)

// letters is one file of letters of two pages each, to the names.
func letters(names ...string) pdftest.File {
	var f pdftest.File
	for _, name := range names {
		f.Pages = append(f.Pages, pdftest.Addressed(name, "Storgata 1", "7713 Steinkjer").Pages[0], pdftest.Page{Content: pdftest.Text(25, 60, "Vedlegg til "+name)})
	}
	return f
}

// split divides a file and returns its slices.
func split(t *testing.T, file []byte, each int) (parts [][]byte, problem pdf.Problem) {
	t.Helper()
	problem, err := look.Split(file, dispatch.Cut{Pages: each}, func(part []byte) error {
		parts = append(parts, bytes.Clone(part))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return parts, problem
}

func TestPartsHoldTheirPages(t *testing.T) {
	t.Parallel()
	parts, problem := split(t, letters("Kari Nordmann", "Ola Nordmann", "Åse Nordmann").Bytes(), 2)
	if problem != "" || len(parts) != 3 {
		t.Fatalf("%d parts, problem %q; want 3 parts", len(parts), problem)
	}
	for i, name := range []string{"Kari", "Ola", "Åse"} {
		r := look.Into(parts[i])
		if r.Problem != "" || r.Pages != 2 || r.Reading.Irregular || len(r.Reading.Words) == 0 {
			t.Errorf("part %d: %+v", i+1, r)
			continue
		}
		if got := r.Reading.Words[0].Text; got != name {
			t.Errorf("part %d is to %q, want %q", i+1, got, name)
		}
	}
}

// Mail merge programs share one dictionary of resources between all pages, link pages to each other, and describe the
// file. None of that may take one recipient's letter to another.
func TestPartsHoldNothingOfOthers(t *testing.T) {
	t.Parallel()
	form := func(name string) string {
		return pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 4 0 R >> /XObject 10 0 R >>", "BT /F 11 Tf 72 700 Td ("+name+") Tj ET")
	}
	page := func(form string, next int) string {
		return fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Resources << /XObject 10 0 R /Font << /F 4 0 R >> >> /StructParents 0 /Contents %s "+
			"/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [%d 0 R /Fit] /P %d 0 R >> << /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://kommune.example) >> >>] "+
			"/PieceInfo << /X << /Private (hemmelig-kari) >> >> /Metadata 9 0 R >>", form, next, next)
	}
	file := pdftest.Build(
		"<< /Type /Catalog /Pages 2 0 R /StructTreeRoot << /K (hemmelig-ola) >> /Names << /Dests << >> >> /Lang (nb-NO) >>",
		"<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] /MediaBox [0 0 595.276 841.89] >>",
		page("6 0 R", 5), pdftest.Helvetica, page("7 0 R", 3),
		pdftest.Stream("", "/Kari Do"), pdftest.Stream("", "/Ola Do"),
		form("hemmelig-kari"), form("hemmelig-ola"), "<< /Kari 8 0 R /Ola 9 0 R >>")
	parts, problem := split(t, file, 1)
	if problem != "" || len(parts) != 2 {
		t.Fatalf("%d parts, problem %q; want 2", len(parts), problem)
	}
	for i, own := range []string{"hemmelig-kari", "hemmelig-ola"} {
		other := []string{"hemmelig-ola", "hemmelig-kari"}[i]
		if !bytes.Contains(parts[i], []byte(own)) || bytes.Contains(parts[i], []byte(other)) {
			t.Errorf("part %d holds its own: %t, another's: %t", i+1, bytes.Contains(parts[i], []byte(own)), bytes.Contains(parts[i], []byte(other)))
		}
		if r := look.Into(parts[i]); r.Pages != 1 || r.Reading == nil || !r.Reading.Language || r.Reading.Sizes[0].Width != 210 {
			t.Errorf("part %d: %+v", i+1, r)
		}
		if n := bytes.Count(parts[i], []byte("/Type/Page/")) + bytes.Count(parts[i], []byte("/Type /Page ")); n > 1 {
			t.Errorf("part %d holds %d pages", i+1, n)
		}
		if !bytes.Contains(parts[i], []byte("kommune.example")) {
			t.Errorf("part %d lost its link to the net", i+1)
		}
	}
}

// A form without resources of its own uses those of its page.
func TestPartsKeepWhatFormsBorrow(t *testing.T) {
	t.Parallel()
	file := pdftest.Build("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R "+pdftest.A4+" /Resources << /XObject << /X 6 0 R >> /Font << /F#31 4 0 R /G 4 0 R >> >> /Contents [5 0 R 5 0 R] >>",
		pdftest.Helvetica, pdftest.Stream("", "/X Do"),
		pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842]", "BT /F1 11 Tf 72 700 Td (Hei) Tj ET"))
	parts, problem := split(t, file, 1)
	if problem != "" || len(parts) != 1 {
		t.Fatalf("%d parts, problem %q", len(parts), problem)
	}
	if !bytes.Contains(parts[0], []byte("/F1 ")) || bytes.Contains(parts[0], []byte("/G ")) {
		t.Errorf("fonts of the part: %s", parts[0])
	}
	if r := look.Into(parts[0]); r.Problem != "" || !r.Reading.Text {
		t.Errorf("part: %+v", r)
	}
}

func TestSomeFilesCannotBeDivided(t *testing.T) {
	t.Parallel()
	good := letters("Kari Nordmann", "Ola Nordmann").Bytes()
	field := pdftest.Pages(pdftest.A4, pdftest.A4+" /Annots [<< /Subtype /Widget /Rect [0 0 9 9] >>]")
	for _, c := range []struct {
		name string
		file []byte
		each int
		want pdf.Problem
	}{
		{"pages that do not divide evenly", good, 3, pdf.ProblemUneven},
		{"fields on a page", field, 1, pdf.ProblemMarked},
		{"a password", pdftest.Encrypted("hemmelig", ""), 1, pdf.ProblemPassword},
		{"restricted", pdftest.Encrypted("", "eier"), 1, pdf.ProblemProtected},
		{"cut off", good[:len(good)/2], 2, pdf.ProblemBroken},
		{"no PDF at all", []byte("%PDF-1.7 startxref 12"), 1, pdf.ProblemBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			parts, problem := split(t, c.file, c.each)
			if problem != c.want || len(parts) > 0 {
				t.Errorf("got %q and %d parts, want %q and none", problem, len(parts), c.want)
			}
		})
	}
}

// The same file gives the same slices, so that sent slices can be verified from it.
func TestPartsAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	file := pdftest.Compact(4)
	first, _ := split(t, file, 2)
	for range 5 {
		again, _ := split(t, file, 2)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatal("the parts differ")
		}
	}
}

func TestDivisionEndsWithWhoTakes(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	n := 0
	_, err := look.Split(letters("Kari", "Ola").Bytes(), dispatch.Cut{Pages: 1}, func([]byte) error { n++; return full })
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("error %v after %d parts", err, n)
	}
}

// Slices of the corpus's valid files are valid: each page reads as before.
func TestPartsReadAsTheirPages(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"compact": pdftest.Compact(6), "plain": pdftest.Make(6), "scanned": twoPages(pdftest.Page{Content: pdftest.WholePage, Objects: "/P 5 0 R"}, pdftest.Picture),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := look.Into(file)
			parts, problem := split(t, file, 1)
			if problem != "" || len(parts) != whole.Pages {
				t.Fatalf("%d parts, problem %q; want %d", len(parts), problem, whole.Pages)
			}
			first := look.Into(parts[0])
			if diff := cmp.Diff(whole.Reading.Words, first.Reading.Words); diff != "" {
				t.Errorf("words of the first page differ:\n%s", diff)
			}
			for i, part := range parts {
				if r := look.Into(part); r.Problem != "" || r.Pages != 1 || r.Reading.Irregular && !whole.Reading.Irregular || r.Reading.Unread.Count > 0 {
					t.Errorf("part %d: %+v %s", i+1, r, strings.TrimSpace(string(part[:min(len(part), 300)])))
				}
			}
		})
	}
}

// TestLettersOfUnequalLength: a slice that begins or continues with another's letter is in doubt, and no other is.
func TestLettersOfUnequalLength(t *testing.T) {
	t.Parallel()
	people := []dispatch.PostalAddress{
		{Name: "Åse Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer"},
		{Name: "Ola Hansen", Line1: "Storgata 2", PostalCode: "7713", City: "Steinkjer"},
		{Name: "Kari Berg", Line1: "Storgata 3", PostalCode: "7713", City: "Steinkjer"},
	}
	type doubts = []dispatch.SliceDoubt
	for name, c := range map[string]struct {
		pages []int // of each letter
		want  []doubts
	}{
		"as they should be": {[]int{2, 2, 2}, []doubts{nil, nil, nil}},
		"1, 3 and 2 pages":  {[]int{1, 3, 2}, []doubts{{dispatch.SliceLater}, {dispatch.SliceUnnamed}, nil}},
		"2, 1 and 3 pages":  {[]int{2, 1, 3}, []doubts{nil, {dispatch.SliceLater}, {dispatch.SliceUnnamed}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f pdftest.File
			for i, to := range people {
				f.Pages = append(f.Pages, pdftest.Addressed(to.Name, to.Line1, to.PostalCode+" "+to.City).Pages[0])
				for page := 2; page <= c.pages[i]; page++ {
					f.Pages = append(f.Pages, pdftest.Page{Content: pdftest.Text(25, 60, "Dette gjelder fra 2026 for alle i kommunen")})
				}
			}
			parts, problem := split(t, f.Bytes(), 2)
			if problem != "" || len(parts) != len(people) {
				t.Fatalf("%d parts, problem %q", len(parts), problem)
			}
			for i, part := range parts {
				r := look.Slice(part)
				if r.Problem != "" || r.Reading.Check(2) != nil {
					t.Fatalf("part %d: %+v", i+1, r)
				}
				d := dispatch.Document{MimeType: dispatch.MimePDF, Pages: r.Pages, Reading: r.Reading, Slice: i + 1}
				if got := d.Doubts(dispatch.DefaultPrintRules(), people[i]); !slices.Equal(got, c.want[i]) {
					t.Errorf("part %d: got %v, want %v; %+v", i+1, got, c.want[i], r.Reading)
				}
			}
		})
	}
}

// decoded is all content of a file: its bytes, and all of its streams decoded.
func decoded(t *testing.T, file []byte) string {
	t.Helper()
	doc, err := pdfcpu.Read(bytes.NewReader(file), parser.Configuration())
	if err != nil {
		t.Fatal(err)
	}
	all := bytes.NewBuffer(bytes.Clone(file))
	for _, entry := range doc.Table {
		if sd, ok := entry.Object.(types.StreamDict); ok {
			if err := sd.Decode(); err != nil {
				t.Fatal(err)
			}
			all.Write(sd.Content)
		}
	}
	return all.String()
}

// TestPartsHoldNothingOfOthersInAnyObject: no object of a slice contains a word or picture of another recipient.
func TestPartsHoldNothingOfOthersInAnyObject(t *testing.T) {
	t.Parallel()
	names := []string{"Kari", "Ola", "Per"}
	parts, problem := split(t, pdftest.Shared(names...), 1)
	if problem != "" || len(parts) != len(names) {
		t.Fatalf("%d parts, problem %q", len(parts), problem)
	}
	for i, own := range names {
		content := decoded(t, parts[i])
		for _, name := range names {
			word, picture := strings.Contains(content, pdftest.SecretWord(name)), strings.Contains(content, pdftest.SecretPicture(name))
			if word != (name == own) || picture != (name == own) {
				t.Errorf("the part of %s holds of %s a word: %t, the picture: %t", own, name, word, picture)
			}
		}
	}
}

// TestDividesWhereLettersBegin: letters of unequal length, with empty pages and pages before the first.
func TestDividesWhereLettersBegin(t *testing.T) {
	t.Parallel()
	to := func(name string) pdftest.Page {
		return pdftest.Addressed(name, "Storgata 1", "7713 Steinkjer").Pages[0]
	}
	text := func(line string) pdftest.Page { return pdftest.Page{Content: pdftest.Text(25, 60, line)} }
	file := pdftest.File{Pages: []pdftest.Page{text("Innhold"), to("Kari Nordmann"), {}, text("Vedlegg"), to("Ola Nordmann"), to("Siv Berg"), text("Siste side")}}.Bytes()
	marked := pdftest.File{Pages: []pdftest.Page{text("Vedtak nr. 1"), text("Vedlegg"), text("VEDTAK NR. 2"), text("Vedtak nr. 3")}}.Bytes()
	rules := dispatch.DefaultPrintRules()
	for _, c := range []struct {
		name    string
		file    []byte
		cut     dispatch.Cut
		pages   []int
		problem pdf.Problem
	}{
		{"by address", file, dispatch.Cut{Rules: rules}, []int{1, 3, 1, 2}, ""},
		{"by a mark", marked, dispatch.Cut{Mark: "vedtak nr.", Rules: rules}, []int{2, 1, 1}, ""},
		{"without addresses", marked, dispatch.Cut{Rules: rules}, nil, pdf.ProblemNoBeginning},
		{"a mark that is nowhere", marked, dispatch.Cut{Mark: "Vedtaksnummer"}, nil, pdf.ProblemNoBeginning},
		{"a mark that the first page does not have", file, dispatch.Cut{Mark: "Vedlegg"}, nil, pdf.ProblemNoBeginning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var pages []int
			problem, err := look.Split(c.file, c.cut, func(part []byte) error {
				pages = append(pages, look.Into(part).Pages)
				return nil
			})
			if err != nil || problem != c.problem || !slices.Equal(pages, c.pages) {
				t.Errorf("got parts of %v pages, %q, %v; want %v, %q", pages, problem, err, c.pages, c.problem)
			}
		})
	}
}
