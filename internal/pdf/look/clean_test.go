package look_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/look"
	"utsending/internal/pdf/pdftest"
)

// objectsOf splits a file that we wrote into its objects, by number, without any parser of PDFs.
func objectsOf(t *testing.T, file []byte) map[int]string {
	t.Helper()
	all := map[int]string{}
	for _, m := range regexp.MustCompile(`(?s)\n(\d+) 0 obj\n(.*?)\nendobj`).FindAllSubmatch(file, -1) {
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		all[n] = string(m[2])
	}
	return all
}

func clean(t *testing.T, file []byte) ([]byte, dispatch.Cleaning) {
	t.Helper()
	made, done, problem := look.Clean(file)
	if problem != "" {
		t.Fatalf("not cleaned: %s", problem)
	}
	return made, done
}

func TestCleanRemovesWhatItSays(t *testing.T) {
	t.Parallel()
	file := pdftest.Laden(address...)
	before := look.Into(file)
	made, done := clean(t, file)
	want := dispatch.Cleaning{Removed: dispatch.Cleanable()[:6], Changed: dispatch.PageSet{Count: 1, First: []int{1}}}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	for _, secret := range pdftest.Secrets() {
		if !bytes.Contains(file, []byte(secret)) {
			t.Errorf("%s was never there", secret)
		}
		if bytes.Contains(made, []byte(secret)) {
			t.Errorf("%s is still there", secret)
		}
	}
	for _, gone := range []string{"/AcroForm", "/EmbeddedFile", "/JavaScript", "/Widget", "/Popup", "/Launch", "/AA"} {
		if bytes.Contains(made, []byte(gone)) {
			t.Errorf("%s is still there", gone)
		}
	}
	after := look.Into(made)
	if after.Problem != "" || after.Pages != 2 || len(after.Reading.Active) > 0 || after.Reading.Irregular || !after.Reading.Tagged || !after.Reading.Language {
		t.Errorf("the copy reads as %+v, problem %q", after.Reading, after.Problem)
	}
	if diff := cmp.Diff(before.Reading.Words, after.Reading.Words); diff != "" {
		t.Errorf("the words differ: %s", diff)
	}
	if !bytes.Contains(made, []byte("Feltverdi 42")) || !bytes.Contains(made, []byte("Side to")) || !bytes.Contains(made, []byte("Vedtak om skyss")) {
		t.Error("the text is gone")
	}
}

// A screen reader finds a field by its annotation. When the field is content, the element has to lead to that.
func TestCleanKeepsTags(t *testing.T) {
	t.Parallel()
	made, _ := clean(t, pdftest.Laden(address...))
	all := objectsOf(t, made)
	find := func(parts ...string) (int, string) {
		t.Helper()
		for n, o := range all {
			if !containsNone(o, parts) {
				return n, o
			}
		}
		t.Fatalf("no object has %q", parts)
		return 0, ""
	}
	number, field := find("/StructElem", "/S/Form")
	mark := regexp.MustCompile(`/MCID (\d+)`).FindStringSubmatch(field)
	if mark == nil || strings.Contains(field, "OBJR") {
		t.Fatalf("the element of the field is %s", field)
	}
	if _, content := find("stream", "Feltverdi 42"); content == "" {
		t.Error("the field shows nothing")
	}
	find("stream", "/Form << /MCID "+mark[1]+" >> BDC")
	_, tree := find("/Nums")
	if row := regexp.MustCompile(`\[(\d+ 0 R) ` + strconv.Itoa(number) + ` 0 R\]`); !row.MatchString(tree) {
		t.Errorf("the parent tree does not lead from the page to element %d: %s", number, tree)
	}
	if _, link := find("/StructElem", "/S/Link"); !strings.Contains(link, "/OBJR") {
		t.Errorf("the link has lost its element: %s", link)
	}
	find("/Title", "Andre side")
	find("/Subtype/Link", "/GoTo")
}

func containsNone(o string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(strings.ReplaceAll(o, "/S /", "/S/"), part) {
			return true
		}
	}
	return false
}

func TestNotCleaned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		file []byte
		want pdf.Problem
	}{
		{"signed", pdftest.Signed(address...), pdf.ProblemSigned},
		{"signed without saying so", catalog("/X << /Type /Sig >>", "<< /Type /Sig /ByteRange [0 1 2 3] >>"), pdf.ProblemSigned},
		{"protected", pdftest.Encrypted("", "eier"), pdf.ProblemProtected},
		{"with a password", pdftest.Encrypted("passord", "eier"), pdf.ProblemPassword},
		{"a portfolio", catalog("/Collection << >> /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) /EF << /F 5 0 R >> >>] >> >>", pdftest.Stream("/Type /EmbeddedFile", "x")), pdf.ProblemBound},
		{"pages made by a program", catalog("/AcroForm << /XFA (x) /Fields [] >>"), pdf.ProblemBound},
		{"nothing to remove", pdftest.Addressed(address...).Bytes(), pdf.ProblemUnchanged},
		{"no PDF", []byte("%PDF-1.7 nei"), pdf.ProblemBroken},
		{"cut off", pdftest.Laden(address...)[:3000], pdf.ProblemBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, _, problem := look.Clean(c.file); problem != c.want {
				t.Errorf("problem %q, want %q", problem, c.want)
			}
		})
	}
}

// withField is a letter with one field.
func withField(form, entries string) []byte {
	f := withObject(pdftest.Addressed(address...), "<< /Type /Annot /Subtype /Widget /FT /Tx /T (navn) /F 4 /Rect [72 400 222 420] /DA (/F 11 Tf 0 g) "+entries+" >>")
	f.Catalog = "/AcroForm << " + form + " /Fields [5 0 R] /DR << /Font << /F 4 0 R >> >> /DA (/F 11 Tf 0 g) >>"
	f.Pages[0].Entries = "/Annots [5 0 R]"
	return f.Bytes()
}

// A value that only a reader of forms would draw is drawn before the field goes.
func TestCleanDrawsFieldsWithoutAppearance(t *testing.T) {
	t.Parallel()
	const needs = "/NeedAppearances true"
	made, done := clean(t, withField(needs, "/V (Feltverdi)"))
	if diff := cmp.Diff([]dispatch.ActiveKind{dispatch.ActiveForm}, done.Removed); diff != "" || len(done.Kept) > 0 {
		t.Errorf("%s, kept %v", diff, done.Kept)
	}
	if bytes.Contains(made, []byte("/Widget")) || done.Changed.Count != 1 {
		t.Errorf("the field is there, or its page is said to be as it was: %+v", done)
	}
	if blank, _ := clean(t, withField(needs, "")); bytes.Equal(draw(t, made), draw(t, blank)) {
		t.Error("the value is gone")
	}
}

// A value that this program cannot draw would be lost with its field, so the form stays, and what else there is goes.
func TestCleanKeepsAFieldThatItCannotDraw(t *testing.T) {
	t.Parallel()
	if _, _, problem := look.Clean(withField("", "/V (Feltverdi)")); problem != pdf.ProblemUnchanged {
		t.Errorf("problem %q", problem)
	}
	file := bytes.Replace(withField("/X << /S /JavaScript /JS (hemmelig) >>", "/V (Feltverdi)"), []byte("/Root"), []byte("/Info << /Author (hemmelig) >> /Root"), 1)
	made, done := clean(t, file)
	want := dispatch.Cleaning{Removed: []dispatch.ActiveKind{dispatch.ActiveScript}, Kept: []dispatch.ActiveKind{dispatch.ActiveForm}}
	if diff := cmp.Diff(want, done); diff != "" || !bytes.Contains(made, []byte("Feltverdi")) || bytes.Contains(made, []byte("hemmelig")) {
		t.Errorf("%s", diff)
	}
}

// Flattening, which is how annotations are read and drawn, took a page that inherits its size for US Letter.
func TestReadsAnnotatedPagesThatInheritTheirSize(t *testing.T) {
	t.Parallel()
	file := pdftest.Build("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] "+pdftest.A4+" >>",
		"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F 4 0 R >> >> /Annots [<< /Type /Annot /Subtype /Link /F 4 /Rect [72 400 222 420] /A << /S /URI /URI (https://kommune.example) >> >>] >>",
		pdftest.Helvetica, pdftest.Stream("", pdftest.Address(address...)))
	if r := look.Into(file).Reading; len(r.Words) == 0 || r.Words[0].Text != "Åse" {
		t.Errorf("read %+v, outside words %+v", r.Words, r.Wordless)
	}
}

// draw draws the first page.
func draw(t *testing.T, file []byte) []byte {
	t.Helper()
	_, pages := look.Look(file)
	if pages == nil {
		t.Fatal("cannot be read")
	}
	defer pages.Close()
	return pages.First().Pix
}

func TestCleanKeepsWhatIsLaidOnALetter(t *testing.T) {
	t.Parallel()
	look := pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 150 20] /Resources << /Font << /F 4 0 R >> >>", "BT /F 11 Tf 2 5 Td (Skrevet paa) Tj ET")
	for _, c := range []struct {
		annotation string
		kept       bool
	}{
		{"/Subtype /FreeText /F 4", true},
		{"/Subtype /Stamp /F 4", true},
		{"/Subtype /FreeText /F 4 /IT /FreeTextCallout", false},
		{"/Subtype /Square /F 4", false},
		{"/Subtype /Stamp /F 6", false}, // hidden
	} {
		f := withObject(pdftest.Addressed(address...), "<< /Type /Annot "+c.annotation+" /Rect [72 400 222 420] /AP << /N 6 0 R >> >>", look)
		f.Pages[0].Entries = "/Annots [5 0 R]"
		made, _ := clean(t, f.Bytes())
		if kept := bytes.Contains(made, []byte("Skrevet paa")); kept != c.kept || bytes.Contains(made, []byte("/Annot ")) {
			t.Errorf("%s: kept %t", c.annotation, kept)
		}
	}
}

// Names of resources can be any, also those of entries that are removed elsewhere.
func TestCleanTakesNoResourceForAnAction(t *testing.T) {
	t.Parallel()
	f := withObject(pdftest.Addressed(address...), pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 4 0 R >> >>", pdftest.Text(25, 150, "Fra skjema")))
	f.Pages[0].Objects = "/AA 5 0 R /EF 5 0 R /Metadata 5 0 R"
	f.Pages[0].Fonts = "/AF 4 0 R /Next 4 0 R"
	f.Pages[0].Content += "/AA Do /EF Do /Metadata Do " + strings.ReplaceAll(pdftest.Text(25, 170, "Med AF"), "/F ", "/AF ")
	f.Catalog = "/OpenAction << /S /JavaScript /JS (x) >>"
	made, done := clean(t, f.Bytes())
	if done.Changed.Count > 0 || !bytes.Contains(made, []byte("Fra skjema")) || strings.Count(string(made), "/AF") < 2 {
		t.Errorf("%+v", done)
	}
}

func TestCleanManyPages(t *testing.T) {
	t.Parallel()
	f := pdftest.Addressed(address...)
	for n := range 499 {
		f.Pages = append(f.Pages, pdftest.Page{Content: pdftest.Text(25, 110, fmt.Sprint("Side ", n))})
	}
	f.Pages[320] = annotated("/Subtype /Text /F 4 /Contents (hemmelig)")
	made, done := clean(t, f.Bytes())
	if r := look.Into(made); r.Pages != 500 || bytes.Contains(made, []byte("hemmelig")) || done.Changed.Count > 1 {
		t.Errorf("%d pages, %+v", r.Pages, done)
	}
}
