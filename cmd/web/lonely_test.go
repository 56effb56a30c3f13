package main_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/pdf/pdftest"
)

// TestChecksAnUploadedShipment checks shipments with the real child process: findings are shown, and none of them is
// logged.
func TestChecksAnUploadedShipment(t *testing.T) {
	t.Parallel()
	s := newShipmentStack(t)
	person := s.caller(t, "kari")
	name := private("Ola " + mark())
	person.uploadAndSee(person.draft(), pdftest.Addressed(name+" "+private("12847810082"), "Storgata 1").Bytes(), "Et fødselsnummer står på første side")
	person.uploadAndSee(person.draft(), pdftest.File{Pages: []pdftest.Page{{Box: "/MediaBox [0 0 612 792]"}}}.Bytes(), "Siden er ikke A4")
	person.uploadAndSee(person.draft(), pdftest.Truncated(), "ødelagt eller ufullstendig")
}

// TestWithoutTheReaderOfPDFs runs web without inspectpdf: it serves, and reports it wherever it matters.
func TestWithoutTheReaderOfPDFs(t *testing.T) {
	t.Parallel()
	s := newShipmentStack(t)
	s.web.stop(t)
	alone := lonelyWeb(t)
	s.startProgram(alone)
	if want := "uploaded PDFs are not checked"; !strings.Contains(s.web.output(), want) {
		t.Errorf("the log does not say %q", want)
	}
	person := s.caller(t, "kari")
	person.uploadAndSee(person.draft(), pdftest.Make(3), "Ikke kontrollert")

	env := map[string]string{"OIDC_CLIENT_SECRET": "x"}
	for _, setting := range s.env {
		name, value, _ := strings.Cut(setting, "=")
		env[name] = value
	}
	out, _, err := programAt(alone, env, "doctor")
	if want := "FAIL  uploaded PDFs: the program that reads them is missing"; err == nil || !strings.Contains(out, want) {
		t.Errorf("the doctor ends with %v and does not say %q:\n%s", err, want, out)
	}
}

// lonelyWeb copies the program to a directory of its own.
func lonelyWeb(t *testing.T) string {
	t.Helper()
	from, err := os.Open(made.web)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	name := filepath.Join(t.TempDir(), "web")
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if e := to.Close(); err != nil || e != nil {
		t.Fatal(err, e)
	}
	return name
}
