package handlers_test

import (
	"archive/zip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// wordText is the document of a Word file.
func wordText(t *testing.T, a answer) string {
	t.Helper()
	if a.StatusCode != http.StatusOK || !strings.Contains(a.Header.Get("Content-Disposition"), "brevmal.docx") {
		t.Fatalf("got %d, %v", a.StatusCode, a.Header)
	}
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestPDFHelp: page and template keep the rules that the account has, and are linked from where files are chosen.
func TestPDFHelp(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const at = "/k/oppvekst/pdf-hjelp"
	draft, _ := s.listDraft(t, caseworker, "Vedtak")
	if got := b.get("/k/oppvekst/utkast/" + string(draft)); !strings.Contains(got.body, `href="`+at+`"`) {
		t.Error("the form does not link to it")
	}
	wantWords(t, b.get(at), "Last ned brevmalen", "Tjenesten legger et eget adresseark foran.", "10 mm på langsidene og 3 mm øverst", "mellom 95 og 175 mm", "Siden er ikke A4")
	if got := wordText(t, b.get(at+"/brevmal.docx")); strings.Contains(got, "Mottakerens navn") || !strings.Contains(got, `w:left="1134"`) {
		t.Errorf("got %s", got)
	}
	s.run(t, `UPDATE accounts SET print_rules = '{"CoverSheet": false, "WindowLeft": 20, "WindowTop": 40, "WindowWidth": 90, "WindowHeight": 45, "SideMargin": 30, "EndMargin": 5, "BarcodeWidth": 15, "Smaller": 0, "MaxPages": 0, "Chosen": {"size": "tip"}}' WHERE id = $1`, s.oppvekst.Account.ID)
	page := b.get(at)
	wantWords(t, page, "90 mm bredt og 45 mm høyt, 20 mm fra venstre kant og 40 mm fra toppen", "30 mm på langsidene", "Et fødselsnummer vises i vinduet")
	if strings.Contains(page.body, "Siden er ikke A4") {
		t.Error("a rule that stops nothing is told as one that does")
	}
	if got := wordText(t, b.get(at+"/brevmal.docx")); !strings.Contains(got, "Mottakerens navn") || !strings.Contains(got, `w:left="1701"`) || !strings.Contains(got, `w:x="1701" w:y="2098"/><w:spacing w:before="454"/>`) {
		t.Errorf("got %s", got)
	}
	if got := wordText(t, s.browser(t, nobody).get("/hjelp/brevmal.docx")); strings.Contains(got, "Mottakerens navn") {
		t.Error("the public template has a window")
	}
	if !strings.Contains(b.get("/hjelp").body, "/hjelp/brevmal.docx") {
		t.Error("help does not link to the template")
	}
}
