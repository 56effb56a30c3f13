package pdf

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

// pages is the report on a sound file of A4 pages.
func pages(n int) Report {
	return sized(n, dispatch.PageSize{Width: 210, Height: 297, First: 1, Pages: n})
}

func sized(n int, sizes ...dispatch.PageSize) Report {
	return Report{Pages: n, Reading: &dispatch.FileReading{Sizes: sizes}}
}

func irregular(n int) Report { return breaking(pages(n)) }

// breaking is a report on a file that breaks rules of the format.
func breaking(report Report) Report {
	report.Reading.Irregular = true
	return report
}

// outside is a report without what was read inside the pages, which other tests look at.
func outside(report Report) Report {
	if r := report.Reading; r != nil {
		report.Reading = &dispatch.FileReading{Sizes: r.Sizes, Irregular: r.Irregular}
	}
	report.First = nil
	return report
}

func problem(p Problem) Report { return Report{Problem: p} }

type fileCase struct {
	name string
	file []byte
	want Report
}

// checkFiles reads files with what the child reads them with, in this process: to start children takes far longer, and what
// stands around them has tests of its own.
func checkFiles(t *testing.T, cases []fileCase) {
	t.Helper()
	i := New(child(t, partReal, Options{}))
	engine.Lock()
	defer engine.Unlock()
	if err := work.Start(i.Prepare(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Report{}
			if bytes.HasPrefix(c.file, []byte("%PDF-")) {
				got = look(c.file)
			} else {
				got = inspect(t, i, c.file)
			}
			if diff := cmp.Diff(c.want, outside(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// engine is held by those who read files in this process.
var engine sync.Mutex

func TestCountsAndMeasuresPages(t *testing.T) {
	t.Parallel()
	turned := sized(4,
		dispatch.PageSize{Width: 210, Height: 297, First: 1, Pages: 2},
		dispatch.PageSize{Width: 297, Height: 210, First: 2, Pages: 2})
	checkFiles(t, []fileCase{
		{"counts one page", pdftest.Make(1), pages(1)},
		{"counts three pages", pdftest.Make(3), pages(3)},
		{"counts a hundred pages", pdftest.Make(100), pages(100)},
		{"counts a thousand pages", pdftest.Make(1000), pages(1000)},
		{"counts pages inside object streams", pdftest.Compact(100), pages(100)},
		{"counts a page that is there twice", withKids("/Count 2 /Kids [3 0 R 3 0 R]"), pages(2)},
		{"turns rotated pages", pdftest.Pages(pdftest.A4, pdftest.A4+" /Rotate 90", pdftest.A4+" /Rotate 180", pdftest.A4+" /Rotate -90"), turned},
		{"takes no notice of a rotation that is no quarter turn", pdftest.Pages(pdftest.A4 + " /Rotate 45"), irregular(1)},
		{"lists each of mixed sizes once", pdftest.Pages(pdftest.A4, "/MediaBox [0 0 612 792]", pdftest.A4), sized(3,
			dispatch.PageSize{Width: 210, Height: 297, First: 1, Pages: 2},
			dispatch.PageSize{Width: 215.9, Height: 279.4, First: 2, Pages: 1})},
		{"measures from any corner", pdftest.Pages("/MediaBox [595.276 841.89 0 0]"), pages(1)},
		{"measures what is left of a cropped page", pdftest.Pages("/MediaBox [0 0 700 900] /CropBox [-50 0 595.276 841.89]"), pages(1)},
		{"multiplies by the page's own unit", pdftest.Pages("/MediaBox [0 0 297.638 420.945] /UserUnit 2"), pages(1)},
	})
}

func TestInheritsSizes(t *testing.T) {
	t.Parallel()
	a4 := dispatch.PageSize{Width: 210, Height: 297, First: 1, Pages: 1}
	letter := dispatch.PageSize{Width: 215.9, Height: 279.4, First: 2, Pages: 1}
	checkFiles(t, []fileCase{
		{"from the tree above", withKids("/Count 1 /Rotate 90 /Kids [4 0 R] " + pdftest.A4), sized(1, dispatch.PageSize{Width: 297, Height: 210, First: 1, Pages: 1})},
		{"not from the page before", withKids("/Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 612 792]"), sized(2, a4, letter)},
		{"from readers' custom when nobody tells", withKids("/Count 2 /Kids [3 0 R 4 0 R]"), sized(2, a4, letter)},
		{"from readers' custom when the box is none", withKids("/Count 2 /Kids [3 0 R 5 0 R]"), breaking(sized(2, a4, letter))},
	})
}

// withKids gives a PDF with this page tree over three pages: 3 is A4, 4 does not tell its size, and 5's is nonsense.
func withKids(tree string) []byte {
	return pdftest.Build("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages "+tree+" >>",
		"<< /Type /Page /Parent 2 0 R "+pdftest.A4+" >>",
		"<< /Type /Page /Parent 2 0 R >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0 (x)] >>")
}

func TestTellsEncryption(t *testing.T) {
	t.Parallel()
	open := pages(3)
	open.Encrypted = true
	locked := Report{Encrypted: true, NeedsPassword: true, Problem: ProblemPassword}
	certificate := bytes.Replace(pdftest.Encrypted("", "eier"), []byte("/Filter/Standard"), []byte("/Filter/Adobe.PS"), 1)
	checkFiles(t, []fileCase{
		{"that needs a password to open", pdftest.Encrypted("hemmelig", "eier"), locked},
		{"of a file inside alone", pdftest.EncryptedAttachment(), Report{Pages: 1, Encrypted: true, Reading: pages(1).Reading}},
		{"that opens for everybody", pdftest.Encrypted("", "eier"), open},
		{"that needs something we do not know", certificate, locked},
	})
}

func TestTellsWhatIsNoUsablePDF(t *testing.T) {
	t.Parallel()
	whole := pdftest.Make(10)
	late := append([]byte(strings.Repeat("x", headLength)), whole...)
	checkFiles(t, []fileCase{
		{"a text file", []byte("Hei, dette er ikke en PDF.\n"), problem(ProblemNotPDF)},
		{"a file whose header comes too late", late, problem(ProblemNotPDF)},
		{"no bytes", nil, problem(ProblemEmpty)},
		{"no pages", withKids("/Count 0 /Kids []"), problem(ProblemEmpty)},
		{"only a header", []byte("%PDF-1.7\n"), problem(ProblemBroken)},
		{"a truncated file", pdftest.Truncated(), problem(ProblemBroken)},
		{"a page tree that contains itself", pdftest.Circular(), problem(ProblemBroken)},
		{"a page tree that misses a page", withKids("/Count 2 /Kids [3 0 R 99 0 R]"), problem(ProblemBroken)},
		{"a page tree that miscounts", withKids("/Count 7 /Kids [3 0 R]"), problem(ProblemBroken)},
		{"a catalogue without pages", pdftest.Build("<< /Type /Catalog >>"), problem(ProblemEmpty)},
		{"noise after the header", append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("startxref 9 %%EOF\n"), 500)...), problem(ProblemBroken)},
	})
}

func TestReadsAroundDamage(t *testing.T) {
	t.Parallel()
	whole := pdftest.Make(10)
	moved := bytes.Replace(whole, []byte("startxref\n"), []byte("startxref\n1"), 1)
	shifted := append([]byte("noise before the header\n"), whole...)
	trailing := append(bytes.Clone(whole), bytes.Repeat([]byte{0}, 5000)...)
	outline := bytes.Replace(whole, []byte("/Type /Catalog"), []byte("/Type /Catalog /OpenAction 3 0 R"), 1)
	checkFiles(t, []fileCase{
		{"a wrong pointer to the table of objects", moved, pages(10)},
		{"bytes before the header", shifted, pages(10)},
		{"bytes after the end", trailing, pages(10)},
		{"and tells when the rest is irregular", outline, irregular(10)},
	})
}

func TestNeverTakesAPartForTheWhole(t *testing.T) {
	t.Parallel()
	whole := pdftest.Make(4)
	table := bytes.LastIndex(whole, []byte("xref\n0"))
	for length := range table {
		if got := look(whole[:length]); got.Problem != ProblemBroken {
			t.Errorf("%d bytes of %d: got %+v, want broken", length, len(whole), got)
		}
	}
	edited := append(bytes.Clone(whole), "4 0 obj\n<< /Type /Page >>\nendobj\n"...)
	if got := look(edited); got.Problem != ProblemBroken {
		t.Errorf("before it was edited: got %+v, want broken", got)
	}
}
