package handlers_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"utsending/internal/handlers"
	"utsending/internal/pdf"
)

// namedFile is an upload of one small PDF, whose name goes out as it is.
func namedFile(name string) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, _ := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="fil"; filename="` + name + `"`}})
	_, _ = part.Write([]byte("%PDF-1.7"))
	_ = w.WriteField("versjon", "1")
	_ = w.Close()
	return w.FormDataContentType(), b.String()
}

// TestFileNamesAreRepaired: repairs are shown with old and new name, and never produce a duplicate.
func TestFileNamesAreRepaired(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
		o.PDF = pdf.New(pdf.Options{Command: []string{"/nothing/inspectpdf"}}) // what is in the files is not looked at
		return handlers.New(o)
	}})
	b, as := s.browser(t, caseworker), s.as(t, caseworker)
	for name, tt := range map[string]struct{ sent, name, old string }{
		"composed form is no other name": {"Vedtak A\u030ase på So\u0308r.pdf", "Vedtak Åse på Sör.pdf", ""},
		"an ordinary name":               {"Vedtak – 100% ferdig (kopi) 😀.pdf", "Vedtak – 100% ferdig (kopi) 😀.pdf", ""},
		"a name in Windows' folders":     {`C:\Brev\Vedtak.pdf`, "Vedtak.pdf", ""},
		"the name of our own part":       {"forsendelse", "forsendelse-fil", "forsendelse"},
		"in capitals":                    {"FORSENDELSE ", "FORSENDELSE-fil", "FORSENDELSE "},
		"blanks at the ends":             {" Vedtak.pdf\u00a0", "Vedtak.pdf", " Vedtak.pdf\u00a0"},
		"turned writing":                 {"Vedtak \u202efdp.exe.pdf", "Vedtak fdp.exe.pdf", "Vedtak [U+202E]fdp.exe.pdf"},
		"a line separator":               {"Vedtak\u2028linje.pdf", "Vedtak linje.pdf", "Vedtak[U+2028]linje.pdf"},
		"a control of C1":                {"Vedtak\u0085c1.pdf", "Vedtak c1.pdf", "Vedtak[U+0085]c1.pdf"},
		"a blank without width":          {"Ved\u200btak.pdf", "Vedtak.pdf", "Ved[U+200B]tak.pdf"},
		"our part with a mark in it":     {"Forsen\u00addelse", "Forsendelse-fil", "Forsen[U+00AD]delse"},
		"what other programs decode":     {"=?utf-8?q?Vedtak?=.pdf", "=-utf-8-q-Vedtak-=.pdf", "=?utf-8?q?Vedtak?=.pdf"},
		"escapes and signs of the form":  {"Vedtak%20A; del=1 &2.pdf", "Vedtak%20A; del=1 &2.pdf", ""},
		"a mark at the beginning":        {"\ufeffVedtak.pdf", "Vedtak.pdf", "[U+FEFF]Vedtak.pdf"},
		"characters that are not taken":  {"12:30 <ny>?.pdf", "12-30 -ny--.pdf", "12:30 <ny>?.pdf"},
	} {
		t.Run(name, func(t *testing.T) {
			id, _ := s.listDraft(t, caseworker, "Vedtak")
			at := "/k/oppvekst/utkast/" + string(id)
			kind, body := namedFile(tt.sent)
			if got := b.do(http.MethodPost, at+"/dokumenter", kind, body); got.StatusCode != http.StatusSeeOther {
				t.Fatalf("got %d: %.500s", got.StatusCode, got.body)
			}
			documents, err := s.store.Documents(t.Context(), as.Account.ID, id)
			if err != nil || len(documents) != 2 {
				t.Fatalf("%d files, %v", len(documents), err)
			}
			if d := documents[1]; d.FileName != tt.name || d.Renamed != tt.old {
				t.Errorf("got %q from %q, want %q from %q", d.FileName, d.Renamed, tt.name, tt.old)
			}
			page := b.get(at)
			if told := strings.Contains(page.page(t).Find("#dokumenter, .doc").Text(), "Filen het «"); told != (tt.old != "") {
				t.Errorf("the change is told: %t", told)
			}
		})
	}
	t.Run("two spellings of one name", func(t *testing.T) {
		id, _ := s.listDraft(t, caseworker, "Vedtak")
		at := "/k/oppvekst/utkast/" + string(id) + "/dokumenter"
		for i, name := range []string{"Vedtak Åse.pdf", "vedtak a\u030ase.pdf", "Vedtak \u200eÅse.pdf"} {
			kind, body := namedFile(name)
			got := b.do(http.MethodPost, at, kind, body)
			if ok := got.StatusCode == http.StatusSeeOther; ok != (i == 0) {
				t.Errorf("%q: got %d", name, got.StatusCode)
			}
		}
	})
}
