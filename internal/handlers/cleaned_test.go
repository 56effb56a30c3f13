package handlers_test

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/handlers"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// withReader is a site with the program that reads PDFs.
func withReader(t *testing.T) *site {
	t.Helper()
	program := filepath.Join(t.TempDir(), "inspectpdf")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "utsending/cmd/inspectpdf").CombinedOutput(); err != nil {
		t.Fatalf("build inspectpdf: %v\n%s", err, said)
	}
	return newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
		o.PDF = pdf.New(pdf.Options{Command: []string{program}})
		return handlers.New(o)
	}})
}

// pdfDraft is a draft with this file, uploaded by the caseworker.
func (s *site) pdfDraft(t *testing.T, b *browser, file []byte) (at string, id dispatch.ItemID) {
	t.Helper()
	id, document := s.listDraft(t, caseworker, "Vedtak om skyss")
	as := s.as(t, caseworker)
	if err := items.In(s.store).Documents.Remove(t.Context(), as.Account.ID, id, as.Actor, document); err != nil {
		t.Fatal(err)
	}
	at = "/k/oppvekst/utkast/" + string(id)
	kind, body := listForm("fil", "fil:"+string(file))
	if got := b.do(http.MethodPost, at+"/dokumenter", kind, strings.Replace(body, "liste.csv", "brev.pdf", 1), "Accept", "text/html; fragment=dokument"); got.StatusCode != http.StatusOK {
		t.Fatalf("the upload: %d %s", got.StatusCode, got.body)
	}
	return at, id
}

// TestCleanAPDF: what can be removed is removed at a button and brought back at another, without script; what may look different is
// looked over again before it is sent, and then only the copy is left.
func TestCleanAPDF(t *testing.T) {
	t.Parallel()
	s := withReader(t)
	b := s.browser(t, caseworker)
	file := pdftest.Laden("Ola Nordmann", "Storgata 1", "7713 Steinkjer")
	at, id := s.pdfDraft(t, b, file)
	press := func(button string) answer {
		t.Helper()
		page := b.get(at).page(t)
		to, found := page.Find("button[formaction$='/" + button + "']").Attr("formaction")
		if !found {
			t.Fatalf("no button %s: %s", button, page.Find(".doc").Text())
		}
		return b.post(to, heldForm(page))
	}
	wantWords(t, b.get(at), "Fjern kommentarer, forfatter, vedlegg inni filen, skjemafelt, skript og start av programmer", "Det som er fylt ut i feltene, blir vanlig tekst")
	first := string(s.filesOf(t, id)[0].ID)
	got := press("rydd")
	copied := s.filesOf(t, id)[0]
	if got.StatusCode != http.StatusSeeOther || got.location() != at+"#dok-"+string(copied.ID) || string(copied.ID) == first {
		t.Fatalf("got %d to %s with the file %s", got.StatusCode, got.location(), copied.ID)
	}
	wantWords(t, b.get(at), "Fjernet: kommentarer, forfatter, vedlegg inni filen, skjemafelt, skript og start av programmer", "Side 1 kan se annerledes ut", "Bruk den opprinnelige filen")
	content := b.get(at + "/dokumenter/" + string(copied.ID)).body
	for _, secret := range pdftest.Secrets() {
		if strings.Contains(content, secret) {
			t.Errorf("%s is still there", secret)
		}
	}
	if again := b.get(at + "/dokumenter/" + first); again.StatusCode != http.StatusNotFound {
		t.Errorf("the file that was replaced is given out: %d", again.StatusCode)
	}
	if got := b.post(at+"/dokumenter/"+first+"/rydd", heldForm(b.get(at).page(t))); got.StatusCode != http.StatusSeeOther || len(s.filesOf(t, id)) != 1 {
		t.Errorf("a second click: %d, %d files", got.StatusCode, len(s.filesOf(t, id)))
	}

	if got := press("opprinnelig"); got.location() != at+"#dok-"+first {
		t.Errorf("brought back: %d to %s", got.StatusCode, got.location())
	}
	if content := b.get(at + "/dokumenter/" + first).body; content != string(file) {
		t.Error("another file came back")
	}
	if s.audits(t, "document.clean") != 1 || s.audits(t, "document.restore") != 1 {
		t.Errorf("the event log: %d cleaned, %d restored", s.audits(t, "document.clean"), s.audits(t, "document.restore"))
	}

	press("rydd")
	copied = s.filesOf(t, id)[0]
	review := b.get(at + "/kontroll")
	wantWords(t, review, "Side 1 kan se annerledes ut enn i filen som ble lastet opp", "Jeg har sett over sidene i brev.pdf")
	form := heldForm(review.page(t))
	form.Del("sett-fil")
	if got := b.post(at+"/send", form); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Se over sidene i brev.pdf som kan se annerledes ut, og kryss av") {
		t.Errorf("sent unseen: %d", got.StatusCode)
	}
	form.Set("sett-fil", string(copied.ID))
	if got := b.post(at+"/send", form); got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.location(), "/forsendelser/"+string(id)) {
		t.Fatalf("not sent: %d to %s", got.StatusCode, got.location())
	}
	var left int
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT count(*) FROM documents WHERE replaced_by IS NOT NULL`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d replaced files are left, %v", left, err)
	}
	if got := b.post(at+"/dokumenter/"+string(copied.ID)+"/opprinnelig", form); got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.location(), "/forsendelser/"+string(id)) {
		t.Errorf("brought back when it is sent: %d to %s", got.StatusCode, got.location())
	}
}

// TestNotCleanedPDFs: a signed file is never changed, and one that cannot be cleaned stays as it was.
func TestNotCleanedPDFs(t *testing.T) {
	t.Parallel()
	s := withReader(t)
	b := s.browser(t, caseworker)
	for name, c := range map[string]struct {
		file       []byte
		page, said string
	}{
		"signed":    {pdftest.Signed("Ola Nordmann"), "Vi endrer ikke en fil som er signert", "kunne fjernes"},
		"protected": {pdftest.Encrypted("", "eier"), "", "kunne fjernes"},
		"clean":     {pdftest.Addressed("Ola Nordmann").Bytes(), "", "kunne fjernes"},
		// The checks find the field, and a value that cannot be drawn keeps it.
		"unchanged": {pdftest.Pages(pdftest.A4 + " /Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (b) /F 4 /Rect [72 400 222 420] >>]"), "Fjern skjemafelt", "kunne fjernes"},
	} {
		t.Run(name, func(t *testing.T) {
			at, id := s.pdfDraft(t, b, c.file)
			page := b.get(at)
			if c.page != "" {
				wantWords(t, page, c.page)
			}
			document := s.filesOf(t, id)[0]
			got := b.post(at+"/dokumenter/"+string(document.ID)+"/rydd", heldForm(page.page(t)))
			if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, c.said) {
				t.Errorf("got %d", got.StatusCode)
			}
			if now := s.filesOf(t, id); len(now) != 1 || now[0].SHA256 != document.SHA256 {
				t.Errorf("the draft has %+v", now)
			}
		})
	}
}

// TestCleanedForMany: who sends to a list looks over what was changed, too.
func TestCleanedForMany(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft, _ := s.shipmentJob(t, false)
	at := "/k/oppvekst/utkast/" + string(draft)
	as := s.as(t, caseworker)
	made, err := items.In(s.store).Documents.Clean(t.Context(), items.Upload{
		Account: as.Account.ID, Item: draft, User: as.User, FileName: "brev.pdf", Content: strings.NewReader("%PDF-1.7 uten"),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 2}, nil
		},
	}, as.Actor, s.filesOf(t, draft)[0].ID, dispatch.Cleaning{Removed: []dispatch.ActiveKind{dispatch.ActiveForm}, Changed: dispatch.PageSet{Count: 2, First: []int{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	review := b.get(at + "/flere/kontroll")
	wantWords(t, review, "Sidene 1–2 kan se annerledes ut enn i filen som ble lastet opp", "Jeg har sett over sidene i brev.pdf")
	if got := b.send(at+"/flere", "likevel", "true"); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "og kryss av") {
		t.Errorf("sent unseen: %d", got.StatusCode)
	}
	if got := b.send(at+"/flere", "likevel", "true", "sett-fil", string(made.ID)); got.StatusCode != http.StatusSeeOther || !strings.Contains(got.location(), "/jobber/") {
		t.Errorf("not sent: %d to %s", got.StatusCode, got.location())
	}
}

// TestForeignCleaning: only the own draft's files are changed.
func TestForeignCleaning(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	for _, c := range []struct{ who, account string }{{teamLead, "oppvekst"}, {outsider, "helse"}, {outsider, "oppvekst"}} {
		for _, act := range []string{"rydd", "opprinnelig"} {
			if got := s.browser(t, c.who).post("/k/"+c.account+"/utkast/"+string(id)+"/dokumenter/"+string(document)+"/"+act, fields("versjon", "1")); got.StatusCode != http.StatusNotFound {
				t.Errorf("%s by %s: got %d", act, c.who, got.StatusCode)
			}
		}
	}
}
