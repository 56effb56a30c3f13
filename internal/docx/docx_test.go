package docx_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/docx"
)

var words = docx.Words{Language: "nb-NO", Title: "Brevmal <1>", Address: []string{"Navn", "Adresse & vei", "0000 Sted"}, Heading: "Overskrift", Body: []string{"Skriv her."}}

// parts are the parts of a written template, each of them well-formed.
func parts(t *testing.T, r dispatch.PrintRules) map[string]string {
	t.Helper()
	var b bytes.Buffer
	if err := docx.Write(&b, r, words); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(content)
		for d := xml.NewDecoder(bytes.NewReader(content)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
	return all
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	sheet, bare := dispatch.DefaultPrintRules(), dispatch.DefaultPrintRules()
	bare.CoverSheet = false
	with, without := parts(t, sheet), parts(t, bare)
	for name, want := range map[string][]string{
		"word/document.xml": {`<w:pgSz w:w="11906" w:h="16838"/>`, `w:top="1134" w:right="1134" w:bottom="1134" w:left="1134"`, "Overskrift", "Skriv her."},
		"word/styles.xml":   {`w:lang w:val="nb-NO"`, `w:outlineLvl w:val="0"`},
		"docProps/core.xml": {"<dc:title>Brevmal &lt;1&gt;</dc:title>"},
	} {
		for _, w := range want {
			if !strings.Contains(with[name], w) {
				t.Errorf("%s lacks %s: %s", name, w, with[name])
			}
		}
	}
	if strings.Contains(with["word/document.xml"], "framePr") || strings.Contains(with["word/document.xml"], "Adresse") {
		t.Error("an address stands where the cover sheet bears it")
	}
	for name := range with {
		if strings.Contains(with[name], "creator") || strings.Contains(with[name], "lastModifiedBy") {
			t.Errorf("%s names an author", name)
		}
	}
	// The window is 125 × 89 mm in the corner: the frame is 20 to 120 mm from the left, from 20 mm from the top to below the window.
	frame := `<w:framePr w:w="5670" w:h="4082" w:hRule="exact" w:hSpace="0" w:wrap="notBeside" w:vAnchor="page" w:hAnchor="page" w:x="1134" w:y="1134"/>`
	if got := without["word/document.xml"]; strings.Count(got, frame) != 3 || !strings.Contains(got, "Adresse &amp; vei") {
		t.Errorf("the address is not in the window: %s", got)
	}
	if again := parts(t, sheet); again["word/document.xml"] != with["word/document.xml"] {
		t.Error("two of the same rules differ")
	}
}

// TestNothingStandsAboveTheAddressInTheWindow: where the window begins below the margin, the letter's text begins above it. The frame
// keeps it out of all of the window, and the address stands as far inside it as elsewhere.
func TestNothingStandsAboveTheAddressInTheWindow(t *testing.T) {
	t.Parallel()
	for _, top := range []int{0, 15, 20, 22, 40, 100} {
		r := dispatch.DefaultPrintRules()
		r.CoverSheet, r.WindowTop, r.WindowHeight = false, top, 45
		document := parts(t, r)["word/document.xml"]
		found := regexp.MustCompile(`<w:framePr w:w="\d+" w:h="(\d+)"[^>]* w:y="(\d+)"/>(?:<w:spacing w:before="(\d+)")?`).FindAllStringSubmatch(document, -1)
		if len(found) != 3 || found[1][3] != "" || found[2][3] != "" {
			t.Fatalf("window from %d mm: %v", top, found)
		}
		millimetres := func(twips string) float64 { n, _ := strconv.Atoi(twips); return float64(n) * 25.4 / 1440 }
		height, y, before := millimetres(found[0][1]), millimetres(found[0][2]), millimetres(found[0][3])
		if margin := float64(docx.LayoutOf(r).Top); y > margin+0.1 && y > float64(top) {
			t.Errorf("window from %d mm: text above the frame, which begins at %.1f mm, shows in it", top, y)
		}
		if want := float64(max(20, top+5)); math.Abs(y+before-want) > 0.1 {
			t.Errorf("window from %d mm: the address is at %.1f mm, want %.1f", top, y+before, want)
		}
		if y+height < float64(top+45) {
			t.Errorf("window from %d mm: text below the frame, which ends at %.1f mm, shows in it", top, y+height)
		}
	}
}

// TestLayoutKeepsTheRules, whatever an account says.
func TestLayoutKeepsTheRules(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 15, 50, 148, 210} {
		r := dispatch.PrintRules{WindowLeft: n, WindowTop: min(n, 148), WindowWidth: n, WindowHeight: min(n, 148), SideMargin: min(n, 50), EndMargin: min(n, 50), BarcodeWidth: min(n, 50)}
		l := docx.LayoutOf(r)
		if l.Left < r.SideMargin || l.Left <= r.BarcodeWidth || l.Right < r.SideMargin || l.Top < r.EndMargin || l.Bottom < r.EndMargin {
			t.Errorf("%+v: margins are %+v", r, l)
		}
		a := l.Address
		if a.Width < 0 || a.Height < 0 || a.Width > 0 && (a.X < r.WindowLeft || a.X+a.Width > r.WindowLeft+r.WindowWidth) || a.Height > 0 && (a.Y < r.WindowTop || a.Y+a.Height > r.WindowTop+r.WindowHeight) {
			t.Errorf("%+v: the address is at %+v", r, a)
		}
		parts(t, r)
	}
}
