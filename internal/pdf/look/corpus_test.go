package look_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font/gofont/goregular"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/look"
	"utsending/internal/pdf/pdftest"
)

// recipient is whom all letters here are to.
var recipient = dispatch.PostalAddress{Name: "Åse Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}

var address = []string{"Åse Nordmann", "Storgata 1", "7713 Steinkjer"}

// page puts an object of the file's own into it: its number is pdftest.FirstObject.
func withObject(f pdftest.File, objects ...string) pdftest.File {
	f.Objects = objects
	return f
}

// catalog is a good letter whose catalogue says more.
func catalog(entries string, objects ...string) []byte {
	f := withObject(pdftest.Addressed(address...), objects...)
	f.Catalog = entries
	return f.Bytes()
}

// twoPages is a good letter with a second page.
func twoPages(second pdftest.Page, objects ...string) []byte {
	f := withObject(pdftest.Addressed(address...), objects...)
	f.Pages = append(f.Pages, second)
	return f.Bytes()
}

// set is a letter whose window is set in another font.
func set(font, content string, objects ...string) []byte {
	f := withObject(pdftest.Addressed(), objects...)
	f.Pages[0].Font, f.Pages[0].Content = font, content
	return f.Bytes()
}

// wide is a font with two bytes a character; what they stand for is told by an object, or not at all.
func wide(toUnicode string) string {
	return "<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Calibri /Encoding /Identity-H " + toUnicode +
		" /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Calibri /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>" +
		" /DW 550 /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Calibri /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 6 0 R >> >>] >>"
}

// mapped is a map by which each code stands for the character 100 below, and the stream of a font.
var mapped = []string{
	pdftest.Stream("", "/CMapName /X def 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfrange <0064> <00FF> <0000> <0100> <01FF> <009C> endbfrange"),
	pdftest.Stream(fmt.Sprint("/Length1 ", len(goregular.TTF)), string(goregular.TTF)),
}

// wideText writes lines in a wide font.
func wideText(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "BT /F 11 Tf 1 0 0 1 70 %d Tm <", 690-15*i)
		for _, r := range line {
			fmt.Fprintf(&b, "%04X", r+100)
		}
		b.WriteString("> Tj ET\n")
	}
	return b.String()
}

func font(name, descriptor string) string {
	return "<< /Type /Font /Subtype /TrueType /BaseFont /" + name + " /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 32 /Widths [250] " + descriptor + " >>"
}

func descriptor(file string) string {
	return "/FontDescriptor << /Type /FontDescriptor /FontName /Calibri /Flags 32 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 " + file + " >>"
}

func annotated(annotation string) pdftest.Page {
	return pdftest.Page{Content: pdftest.Text(25, 110, "Side to"), Entries: "/Annots [<< /Type /Annot /Rect [0 0 9 9] " + annotation + " >>]"}
}

// form is a letter whose window is a form, moved by its own matrix.
func form() []byte {
	f := withObject(pdftest.Addressed(), pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Matrix [1 0 0 1 0 100] /Resources << /Font << /F 4 0 R >> >>",
		strings.ReplaceAll(pdftest.Address(address...), "1 0 0 1", "1 0 0 1")))
	f.Pages[0].Objects = "/X 5 0 R"
	f.Pages[0].Content = "q 1 0 0 1 0 -100 cm /X Do Q " + pdftest.Text(25, 110, "Vedtak")
	return f.Bytes()
}

// white paints a white rectangle, in millimetres from the left and upper edges of an A4 page.
func white(x, y, width, height float64) string {
	return strings.Replace(pdftest.Box(x, y, width, height), "0 g", "1 g", 1) + "0 g\n"
}

// turned is a letter on a page that lies and is turned upright by the reader.
func turned() []byte {
	content := "q 0 1 -1 0 841.89 0 cm\n" + pdftest.Address(address...) + "Q\n"
	return pdftest.File{Pages: []pdftest.Page{{Content: content, Box: "/MediaBox [0 0 841.89 595.276] /Rotate 90"}}}.Bytes()
}

// shifted is a letter whose page does not begin at the origin.
func shifted() []byte {
	f := pdftest.Addressed(address...)
	f.Pages[0].Box, f.Pages[0].Content = "/MediaBox [100 200 695.276 1041.89]", "q 1 0 0 1 100 200 cm "+f.Pages[0].Content+" Q"
	return f.Bytes()
}

func scanned(pages ...pdftest.Page) []byte {
	return withObject(pdftest.File{Pages: pages}, pdftest.Picture).Bytes()
}

var picture = pdftest.Page{Content: pdftest.WholePage, Objects: "/P 5 0 R"}

// cropped is a letter on a page of these boxes.
func cropped(box string, more ...string) []byte {
	f := pdftest.Addressed(address...)
	f.Pages[0].Box = box
	f.Pages[0].Content += strings.Join(more, "")
	return f.Bytes()
}

// widget is an annotation in the window that shows a text, with these entries.
func widget(entries, text string) pdftest.File {
	f := withObject(pdftest.Addressed(address...),
		pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 200 16] /Resources << /Font << /F 4 0 R >> >>", "BT /F 11 Tf 2 4 Td ("+text+") Tj ET"),
		"<< /Type /Annot /Rect [70 620 270 636] /AP << /N 5 0 R >> "+entries+" >>")
	f.Pages[0].Entries = "/Annots [6 0 R]"
	return f
}

func field(flags, text string) []byte {
	f := widget("/Subtype /Widget /FT /Tx /T (a) /V ("+text+") /DA (/F 11 Tf) "+flags, text)
	f.Catalog = "/AcroForm << /Fields [6 0 R] /DA (/F 11 Tf) >>"
	return f.Bytes()
}

// bareField is a field that readers have to draw themselves.
func bareField(text string) []byte {
	f := withObject(pdftest.Addressed(address...), "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V ("+text+") /DA (/F 11 Tf 0 g) /F 4 /Rect [70 620 270 636] >>")
	f.Pages[0].Entries = "/Annots [5 0 R]"
	f.Catalog = "/AcroForm << /Fields [5 0 R] /NeedAppearances true /DA (/F 11 Tf 0 g) /DR << /Font << /F 4 0 R >> >> >>"
	return f.Bytes()
}

func comment(flags, text string) []byte {
	return widget("/Subtype /FreeText /DA (/F 11 Tf) /Contents ("+text+") "+flags, text).Bytes()
}

// combining is a map as mapped, whose font has letters and their marks apart.
var combining = []string{
	pdftest.Stream("", "/CMapName /X def 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfrange <0064> <00FF> <0000> <0100> <01FF> <009C> endbfrange 1 beginbfchar <0250> <030A> endbfchar"),
	pdftest.Stream(fmt.Sprint("/Length1 ", len(goregular.TTF)), string(goregular.TTF)),
}

// pictured is a letter whose window holds a picture, with text below.
func pictured() []byte {
	f := withObject(pdftest.Addressed(), pdftest.Picture)
	f.Pages[0].Objects, f.Pages[0].Content = "/P 5 0 R", "q 120 0 0 40 72 650 cm /P Do Q "+f.Pages[0].Content
	return f.Bytes()
}

// layered is a letter with a number in a layer.
func layered(state string) []byte {
	f := withObject(pdftest.Addressed(address...), "<< /Type /OCG /Name (a) >>")
	f.Catalog = "/OCProperties << /OCGs [5 0 R] /D << " + state + " >> >>"
	f.Pages[0].Properties = "/L 5 0 R"
	f.Pages[0].Content += "/OC /L BDC " + pdftest.Text(25, 70, "12847810082") + " EMC"
	return f.Bytes()
}

type finding struct {
	check    dispatch.Check
	severity dispatch.Severity
	page     int // the first one; 0: the whole file
}

// undrawn is what every file here is told of, since nothing draws it.
var undrawn = []finding{{dispatch.CheckMargin, dispatch.SeverityUnchecked, 0}, {dispatch.CheckBarcode, dispatch.SeverityUnchecked, 0}}

const (
	stop      = dispatch.SeverityStop
	warning   = dispatch.SeverityWarning
	tip       = dispatch.SeverityTip
	unchecked = dispatch.SeverityUnchecked
)

// TestReadsGlyphNames: letters by their names in the Adobe Glyph List, as fonts of Sami and Polish text have them.
func TestReadsGlyphNames(t *testing.T) {
	t.Parallel()
	font := "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [33 /Dcroat /eogonek /lslash /Eng /Zcaron /yacute /edieresis] >> >>"
	report := look.Into(set(font, pdftest.Address("!or#e $ah\"i %&'")))
	var got []string
	for _, w := range report.Reading.Words {
		got = append(got, w.Text)
	}
	if want := []string{"Đorłe", "Ŋahęi", "Žýë"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCorpus: what each PDF must be told of, under the rules of an account whose first page shows in the window.
func TestCorpus(t *testing.T) {
	t.Parallel()
	one := func(c dispatch.Check, s dispatch.Severity, page int) []finding { return []finding{{c, s, page}} }
	for _, c := range []struct {
		name string
		file []byte
		want []finding
	}{
		{"a good letter", pdftest.Addressed(address...).Bytes(), nil},
		{"a good letter with its sender above the address", pdftest.Addressed(append([]string{"Fjordvik kommune"}, address...)...).Bytes(), nil},
		{"the address in small letters and with commas", pdftest.Addressed("ÅSE NORDMANN,", "storgata 1,", "7713 STEINKJER").Bytes(), nil},
		{"nothing in the window", pdftest.Addressed().Bytes(), nil},
		{"another recipient", pdftest.Addressed("Ola Nordmann", "Storgata 1", "7713 Steinkjer").Bytes(), one(dispatch.CheckRecipient, warning, 1)},
		{"another street number", pdftest.Addressed("Åse Nordmann", "Storgata 11", "7713 Steinkjer").Bytes(), one(dispatch.CheckRecipient, warning, 1)},
		{"the recipient below the window", pdftest.Addressed("", "", "", "", "", "", "", "", address[0], address[1], address[2]).Bytes(), nil},
		{"the address in a font of two bytes", set("7 0 R", wideText(address...), append(mapped, wide("/ToUnicode 5 0 R"))...), nil},
		{"another recipient in a font of two bytes", set("7 0 R", wideText("Ola Nordmann"), append(mapped, wide("/ToUnicode 5 0 R"))...), one(dispatch.CheckRecipient, warning, 1)},
		{"a font of two bytes that tells no characters", set("7 0 R", wideText(address...), append(mapped, wide(""))...), one(dispatch.CheckWindow, unchecked, 1)},
		{"letters by their names", set("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [33 /Aring /space 64 /uni0041] >> >>",
			strings.Replace(pdftest.Address(address...), `\305se`, `!se`, 1)), nil},
		{"letters as a Mac has them", set("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /MacRomanEncoding >>",
			strings.Replace(pdftest.Address(address...), `\305se`, `\201se`, 1)), nil},
		{"the address in pieces, set closer", set("", "BT /F 11 Tf 70 690 Td [(\\305s) 20 (e Nor) -30 (dmann)] TJ 0 -14 TD (Storgata) Tj ( 1) Tj T* (7713 S) Tj (teinkjer) Tj ET"), nil},
		{"the address twice, for boldness", set("", pdftest.Address(address...)+"1 0 0 1 0.2 0 cm "+pdftest.Address(address...)), nil},
		{"the address in a form of its own", form(), nil},
		{"the address on a turned page", turned(), nil},
		{"a page that begins elsewhere", shifted(), nil},
		{"a national identity number in the window", pdftest.Addressed("Åse Nordmann 128478 10082", address[1], address[2]).Bytes(), one(dispatch.CheckNumber, stop, 1)},
		{"digits of two lines", pdftest.Addressed(append([]string{"128478"}, append([]string{"10082"}, address...)...)...).Bytes(), nil},
		{"a bank account number", pdftest.Addressed(append([]string{"Bankkonto 1234 56 70058"}, address...)...).Bytes(), nil},
		{"a bank account number with points", pdftest.Addressed(append([]string{"Konto 1234.56.70058"}, address...)...).Bytes(), nil},
		{"zeros one by one", pdftest.Addressed(append([]string{"0 0 0 0 0 0 0 0 0 0 0"}, address...)...).Bytes(), nil},
		{"eleven digits that are none", pdftest.Addressed(append([]string{"12847810083"}, address...)...).Bytes(), nil},
		{"a national identity number below the window", pdftest.Addressed(append(slices.Clone(address), "", "", "", "", "", "128478 10082")...).Bytes(), nil},
		{"a page of Letter", twoPages(pdftest.Page{Box: "/MediaBox [0 0 612 792]"}), one(dispatch.CheckSize, stop, 2)},
		{"a page of A3", twoPages(pdftest.Page{Box: "/MediaBox [0 0 841.89 1190.55]"}), one(dispatch.CheckSize, stop, 2)},
		{"a page a little smaller than A4", twoPages(pdftest.Page{Box: "/MediaBox [0 0 578 820]"}), nil},
		{"a page that lies", twoPages(pdftest.Page{Box: "/MediaBox [0 0 841.89 595.276]"}), one(dispatch.CheckLandscape, warning, 2)},
		{"a font that is not embedded", twoPages(pdftest.Page{Font: font("Calibri", descriptor(""))}), one(dispatch.CheckFonts, warning, 2)},
		{"an embedded font", twoPages(pdftest.Page{Font: font("Calibri", descriptor("/FontFile2 5 0 R"))}, pdftest.Stream("/Length1 4", "glyf")), nil},
		{"a font that every printer has", twoPages(pdftest.Page{Font: font("Arial-BoldMT", descriptor(""))}), nil},
		{"a font that only begins like one", twoPages(pdftest.Page{Font: font("ArialNarrow", descriptor(""))}), one(dispatch.CheckFonts, warning, 2)},
		{"a script when it is opened", catalog("/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"), one(dispatch.CheckScript, warning, 0)},
		{"a script by name", catalog("/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>"), one(dispatch.CheckScript, warning, 0)},
		{"a script behind another action", twoPages(annotated("/Subtype /Link /A << /S /URI /URI (https://example.no) /Next << /S /JavaScript /JS (1) >> >>")), one(dispatch.CheckScript, warning, 2)},
		{"a link", twoPages(annotated("/Subtype /Link /A << /S /URI /URI (https://example.no) >>")), nil},
		{"a program to start", twoPages(annotated("/Subtype /Link /A << /S /Launch /F (cmd.exe) >>")), one(dispatch.CheckLaunch, stop, 2)},
		{"a file inside", catalog("/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) /EF << /F 5 0 R >> >>] >> >>", pdftest.Stream("/Type /EmbeddedFile", "x")), one(dispatch.CheckFile, warning, 0)},
		{"a file pinned to a page", twoPages(annotated("/Subtype /FileAttachment /FS << /Type /Filespec /F (a.txt) >>")), one(dispatch.CheckFile, warning, 2)},
		{"a form", catalog("/AcroForm << /Fields [5 0 R] /DA (/F 9 Tf) >>", "<< /FT /Tx /T (a) /DA (/F 9 Tf) /Type /Annot /Subtype /Widget /Rect [0 0 1 1] >>"), one(dispatch.CheckForm, warning, 0)},
		{"a form that a program makes", catalog("/AcroForm << /Fields [] /XFA 5 0 R >>", pdftest.Stream("", "<xdp/>")), one(dispatch.CheckXFA, stop, 0)},
		{"a film", twoPages(annotated("/Subtype /Screen /T (film)")), one(dispatch.CheckMedia, warning, 2)},
		{"a newer version", func() []byte { f := pdftest.Addressed(address...); f.Version = "2.0"; return f.Bytes() }(), one(dispatch.CheckVersion, warning, 0)},
		{"a broken rule of the format", catalog("/OpenAction 2 0 R"), one(dispatch.CheckIrregular, warning, 0)},
		{"a scanned second page", twoPages(picture, pdftest.Picture), one(dispatch.CheckScanned, tip, 2)},
		{"a scanned letter", scanned(picture), []finding{{dispatch.CheckWindow, unchecked, 1}, {dispatch.CheckScanned, tip, 1}}},
		{"a scanned letter with what a machine has read", scanned(pdftest.Page{Content: pdftest.WholePage + "3 Tr " + pdftest.Address(address...), Objects: "/P 5 0 R"}), nil},
		{"a page with a small picture and no text", twoPages(pdftest.Page{Content: "q 60 0 0 60 100 600 cm /P Do Q", Objects: "/P 5 0 R"}, pdftest.Picture), nil},
		{"a page cropped to A4", cropped("/MediaBox [0 0 612.28 858.9] /CropBox [8.5 8.5 603.78 850.39]"), nil},
		{"a page cropped to A5", cropped("/MediaBox [0 0 595.276 841.89] /CropBox [0 246.6 419.53 841.89]"), one(dispatch.CheckSize, stop, 1)},
		{"a national identity number that is cropped away", cropped("/MediaBox [-100 0 595.276 841.89] /CropBox [0 0 595.276 841.89]",
			strings.ReplaceAll(pdftest.Text(0, 60, "12847810082"), "0.00 ", "-90 ")), nil},
		{"a national identity number in a field", field("/F 4", "12847810082"), []finding{{dispatch.CheckForm, warning, 1}, {dispatch.CheckNumber, stop, 1}}},
		{"a national identity number in a field without a look of its own", bareField("12847810082"), []finding{{dispatch.CheckForm, warning, 1}, {dispatch.CheckNumber, stop, 1}}},
		{"a national identity number in a comment that is printed", comment("/F 4", "12847810082"), []finding{{dispatch.CheckComment, warning, 1}, {dispatch.CheckNumber, stop, 1}}},
		{"a comment that is not printed", comment("", "12847810082"), one(dispatch.CheckComment, warning, 1)},
		{"a comment that is hidden", comment("/F 6", "12847810082"), one(dispatch.CheckComment, warning, 1)},
		{"an address that cannot be read above text that can", set("7 0 R", wideText(address...)+strings.ReplaceAll(pdftest.Text(25, 110, "Vedtak om redusert foreldrebetaling"), "/F ", "/G "), append(mapped, wide(""))...), one(dispatch.CheckWindow, unchecked, 1)},
		{"letters in two pieces", set("7 0 R", strings.Replace(wideText("A\u030ase Nordmann", address[1], address[2]), "036E", "0250", 1), append(combining, wide("/ToUnicode 5 0 R"))...), nil},
		{"the address as a picture", pictured(), one(dispatch.CheckWindow, unchecked, 1)},
		{"a number that nothing is printed of", set("", pdftest.Address(address...)+"3 Tr "+pdftest.Text(25, 70, "12847810082")), nil},
		{"a number in white", set("", pdftest.Address(address...)+"1 g "+pdftest.Text(25, 70, "12847810082")), nil},
		{"an old address under a white box", set("", pdftest.Address("Kari Hansen", "Lia 2", "0001 Oslo")+white(20, 40, 100, 40)+pdftest.Address(address...)), nil},
		{"an old number under a white box, with words over it", set("", pdftest.Text(25, 62, "128478 10082")+white(20, 40, 100, 40)+pdftest.Address(address...)), nil},
		{"a number under a black box", set("", pdftest.Text(25, 72, "128478 10082")+pdftest.Box(24, 67, 40, 7)+pdftest.Address(address...)), nil},
		{"a number under a picture", func() []byte {
			f := withObject(pdftest.Addressed(), pdftest.Picture)
			f.Pages[0].Objects = "/P 5 0 R"
			f.Pages[0].Content = pdftest.Text(25, 72, "128478 10082") + "q 200 0 0 60 60 620 cm /P Do Q " + pdftest.Address(address...)
			return f.Bytes()
		}(), nil},
		{"a number whose box is only lined", set("", pdftest.Address(address...)+pdftest.Text(25, 72, "128478 10082")+"0 g 60 630 200 20 re S\n"), one(dispatch.CheckNumber, stop, 1)},
		{"a number over a grey box", set("", pdftest.Address(address...)+"0.8 g 60 630 200 20 re f 0 g\n"+pdftest.Text(25, 72, "128478 10082")), one(dispatch.CheckNumber, stop, 1)},
		{"a number of half strength", func() []byte {
			f := pdftest.Addressed()
			f.Pages[0].Content = pdftest.Address(address...) + "0.5 g " + pdftest.Text(25, 72, "128478 10082")
			return f.Bytes()
		}(), one(dispatch.CheckNumber, stop, 1)},
		{"a number that is printed twice", set("", pdftest.Address(address...)+strings.Repeat(pdftest.Text(25, 72, "128478 10082"), 2)), one(dispatch.CheckNumber, stop, 1)},
		{"a number in a layer that is off", layered("/OFF [5 0 R]"), nil},
		{"a number in a layer that is on", layered(""), one(dispatch.CheckNumber, stop, 1)},
		{"a number over other words", set("", pdftest.Address(address...)+pdftest.Text(35, 56, "12847810082")), one(dispatch.CheckNumber, stop, 1)},
		{"a script in a bookmark", catalog("/Outlines 5 0 R", "<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>", "<< /Title (a) /Parent 5 0 R /A << /S /JavaScript /JS (1) >> >>"), one(dispatch.CheckScript, warning, 0)},
		{"a program in a bookmark", catalog("/Outlines 5 0 R", "<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>", "<< /Title (a) /Parent 5 0 R /A << /S /Launch /F (cmd.exe) >> >>"), one(dispatch.CheckLaunch, stop, 0)},
		{"a script as a link", twoPages(annotated("/Subtype /Link /A << /S /URI /URI (JavaScript:alert\\(1\\)) >>")), one(dispatch.CheckScript, warning, 2)},
		{"a file that belongs to a page", twoPages(pdftest.Page{Content: pdftest.Text(25, 110, "Side to"), Entries: "/AF [<< /Type /Filespec /F (a.txt) >>]"}), one(dispatch.CheckFile, warning, 2)},
		{"a picture that nobody can decode", pdftest.BrokenScan(), []finding{{dispatch.CheckWindow, dispatch.SeverityUnchecked, 1}, {dispatch.CheckScanned, tip, 1}}},
		{"a portfolio", catalog("/Collection << /Type /Collection >>"), one(dispatch.CheckPortfolio, stop, 0)},
		{"Arial by numbers of its glyphs, not embedded", twoPages(pdftest.Page{Font: strings.ReplaceAll(strings.ReplaceAll(wide(""), "ABCDEF+Calibri", "ArialMT"), "/FontFile2 6 0 R", "")}), one(dispatch.CheckFonts, warning, 2)},
		{"nothing for screen readers", func() []byte { f := pdftest.Addressed(address...); f.Untold = true; return f.Bytes() }(),
			[]finding{{dispatch.CheckTags, tip, 0}, {dispatch.CheckLanguage, tip, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			report := look.Into(c.file)
			if report.Problem != "" || report.Reading.Check(report.Pages) != nil {
				t.Fatalf("got %+v", report)
			}
			rules := dispatch.DefaultPrintRules()
			rules.CoverSheet = false
			got, want := found(report, rules), append(slices.Clone(c.want), undrawn...)
			order := func(a, b finding) int { return strings.Compare(string(a.check), string(b.check)) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(finding{})); diff != "" {
				t.Errorf("%s\nwords: %+v", diff, report.Reading.Words)
			}
		})
	}
}

// found is what the only file of a letter to the recipient is told of.
func found(report pdf.Report, rules dispatch.PrintRules) []finding {
	s := dispatch.Shipment{Documents: []dispatch.Document{{ID: "a", MimeType: dispatch.MimePDF, Pages: report.Pages, Reading: report.Reading}}}
	s.Recipient.Postal = recipient
	var all []finding
	for _, f := range s.Findings(rules)["a"] {
		page := 0
		if f.Pages.Count > 0 {
			page = f.Pages.First[0]
		}
		all = append(all, finding{f.Check, f.Severity, page})
	}
	return all
}
