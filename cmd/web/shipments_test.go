package main_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// TestShipments walks the journeys of shipments.
func TestShipments(t *testing.T) {
	walk(t, []journey{
		{"a shipment of two files with a giro page is read", sendsShipment},
		{"a shipment is signed", sendsForSigning},
		{"an xml goes digitally alone", sendsDigitally},
		{"a caseworker corrects every problem of a shipment", correctsShipment},
		{"a shipment goes without JavaScript", sendsShipmentWithoutScript},
		{"a draft is open in two tabs", keepsTabsApart},
		{"a shipment is checked when its files are in", waitsForFiles},
		{"the messages of a shipment go one by one", settlesMessages},
		{"files that are chosen together lie in the order they were chosen", keepsOrderOfFiles},
		{"a file that begins to arrive first and ends last lies where it was chosen", keepsOrderOfOvertaken},
		{"a page is closed in the middle of an upload", closesMidUpload},
		{"an organisation is found among the receiving systems and gets a link to reply", sendsToOrganization},
		{"every field is filled in without JavaScript and reaches the service", fillsInEveryField},
		{"a shipment at level 4 is encrypted on its way out", encryptsShipment},
		{"a shipment waits for its time", plansShipment},
		{"the proof of a shipment and of an SMS is printed", provesSending},
		{"a shipment begins with a template", beginsFromTemplate},
		{"a draft is handed to a colleague", handsOver},
		{"a letter is archived, and its recipient protected", archivesAndProtects},
		{"a shipment that the service did not take is corrected and sent", resendsRejected},
		{"a shipment is found again when its answer is lost", findsShipmentAgain},
		{"letters go over the third generation", sendsOverV3},
		{"a shipment goes into the health network", sendsToHealth},
		{"the files of shipments are deleted at the service", deletesDocuments},
	})
}

// sendsShipment goes from an empty form to Lest, with two files of which one has a giro page.
func sendsShipment(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.Go("/k/oppvekst/utkast")
	v.glance("shipment-drafts-empty")
	l := toPerson("Vedtak [lest]")
	v.newShipment()
	v.glance("shipment-new")
	decision, invoice := file(t, ".pdf", pdftest.Make(5)), file(t, ".pdf", pdftest.Make(2))
	v.attach(decision, invoice)
	v.write(l)
	v.giro(invoice, "2")
	v.look("shipment-filled-in")
	v.check()
	v.wantText("main", l.name)
	v.wantText("main", "giroark: side 2")
	v.glance("shipment-review")
	v.post()
	v.awaitShipment("Lest")
	v.WaitText("#forsendelse", "Samme fil hos tjenesten")
	v.glance("shipment-read")

	got := s.wantShipped(t, l)
	if len(got.Documents) != 2 || got.Documents[0].FileName != filepath.Base(decision) || got.Documents[1].FileName != filepath.Base(invoice) {
		t.Errorf("the service got %+v, want the two files in order", got.Documents)
	}
	if !strings.Contains(string(got.Metadata), `"giroarkSider":[2]`) {
		t.Errorf("the service got %s, want giro page 2", got.Metadata)
	}
	v.ClickText("link", "Forsendelser")
	v.wantText("tbody", l.title)
	v.glance("shipment-list")
}

// sendsForSigning sends a document for signing; the history of the shipment and that of the signing are shown side by side and
// merged.
func sendsForSigning(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, withoutScript, "kari")
	l := toPerson("Avtale [lest]")
	v.newShipment()
	contract := file(t, ".pdf", pdftest.Make(1))
	v.attach(contract)
	v.write(l)
	v.Check("#skal-signeres")
	v.Select("#signer", filepath.Base(contract))
	v.Fill("#frist", fortnight())
	v.unfold("#svar-nummer")
	v.fillAll(replyAddress)
	v.Fill("#svar-nummer", "974760673")
	v.check()
	v.wantText("main", "skal signeres innen")
	v.glance("shipment-review-signing")
	v.post()
	v.awaitShipment("Lest", "Signert")
	v.reloadUntil("section[aria-labelledby=signering]", "Signert")
	for _, history := range []string{"historikk", "signering"} {
		if v.Count("section[aria-labelledby="+history+"] .timeline-item") == 0 {
			t.Errorf("%s is empty", history)
		}
	}
	v.glance("shipment-signed")
	v.ClickText("link", "Alt i én tidslinje")
	v.wantNone("section[aria-labelledby=signering]")
	v.wantText("section[aria-labelledby=historikk]", "Signert")
	v.glance("shipment-signed-joined")
	s.wantShipped(t, l)
}

// waitsForFiles presses Send while a large file is uploading, and reaches the review with the file.
func waitsForFiles(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.newShipment()
	v.write(toPerson("Vedtak"))
	large := file(t, ".pdf", append(pdftest.Make(1), make([]byte, 40<<20)...))
	v.Upload("#fil", large)
	v.ClickText("button", "Se over og send")
	v.WaitText("h1", "Se over og send")
	v.wantText("main", filepath.Base(large))
}

// settlesMessages corrects what the check of an empty shipment found: each message goes with its cause, also where the cause was another
// field or an upload, and no part of the form is called ready beside one.
func settlesMessages(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.newShipment()
	v.Fill("#postnummer", "12")
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "Last opp minst ett dokument.")
	shown := func(field string) int { return v.Count("#" + field + "-s[data-niva=feil]:not([hidden])") }
	gone := func(fields ...string) {
		t.Helper()
		eventually(t, strings.Join(fields, " ")+" settled", func() bool {
			for _, f := range fields {
				if shown(f) > 0 || v.Count(`.ds-error-summary:not([hidden]) li:not([data-endret]) a[href="#`+f+`"]`) > 0 {
					return false
				}
			}
			return true
		})
		for _, part := range []string{"del-1", "del-2", "del-3", "del-4"} {
			if v.Count(`main:has(section[aria-labelledby="`+part+`"] [data-niva=feil]:not([hidden])) #stand li:has([data-color=success]) a[href="#`+part+`"]`) > 0 {
				t.Errorf("%s is called ready beside a message", part)
			}
		}
	}
	if shown("navn")+shown("tittel")+shown("dokumenter")+shown("postnummer") != 4 {
		t.Fatal("the check found less")
	}
	v.Fill("#navn", "Ola Nordmann")
	v.Focus("#tittel")
	gone("navn")
	if shown("tittel") != 1 {
		t.Error("a message is gone that still holds")
	}
	v.Fill("#postnummer", "13")
	v.Focus("#tittel")
	gone("postnummer")
	v.Fill("#postnummer", "12")
	v.Focus("#tittel")
	if eventually(t, "the message at what was sent is there again", func() bool { return shown("postnummer") == 1 }); v.Count("#postnummer[aria-invalid=true]") != 1 {
		t.Error("the postal code is not marked again")
	}
	v.attach(file(t, ".pdf", pdftest.Make(1)))
	gone("dokumenter", "fil")
	v.glance("shipment-settled")
	v.Fill("#nummer", nationalID())
	v.Check("[name=levering][value=digitalt]") // needs no address
	gone("nummer", "adresse1", "poststed")
	if shown("postnummer") != 1 {
		t.Error("a wrong postal code is called right because none is needed")
	}
	v.Fill("#postnummer", "")
	v.Focus("#tittel")
	gone("postnummer")
	v.Fill("#tittel", "Vedtak")
	v.Focus("#navn")
	gone("tittel")
	eventually(t, "nothing is left to correct", func() bool { return v.Count(".ds-error-summary:not([hidden])") == 0 })
}

// sendsDigitally sends a file that cannot be printed.
func sendsDigitally(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, withoutScript, "kari")
	l := toPerson("Melding [digitalt]")
	v.newShipment()
	message := file(t, ".xml", []byte("<?xml version=\"1.0\"?><melding/>"))
	v.attach(message)
	v.write(l)
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "er ikke en PDF")
	v.Check("[name=levering][value=digitalt]")
	v.check()
	v.wantText("main", "Leveres bare digitalt og skrives aldri ut.")
	v.glance("shipment-review-digital")
	v.post()
	v.awaitShipment("Sendt digitalt")
	v.glance("shipment-digital")
	if got := s.wantShipped(t, l); !got.DigitalOnly || len(got.Documents) != 1 || !strings.Contains(got.Documents[0].MimeType, "xml") {
		t.Errorf("the service got %+v, want the xml digitally", got)
	}
}

// correctsShipment makes several kinds of mistakes, corrects them, and sends one shipment.
func correctsShipment(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	l := toPerson("Rettet [lest]")
	wrong := l
	wrong.postalCode = "123"
	v.newShipment()
	good, bad := file(t, ".pdf", pdftest.Make(3)), file(t, ".pdf", []byte("Dette er ingen PDF."))
	v.attach(good, bad)
	v.wantText("#dok-"+v.documentID(bad), "Filen er ikke en PDF og kan ikke skrives ut.")
	v.write(wrong)
	v.giro(good, "9")
	v.ClickText("button", "Se over og send")
	v.wantHeading("Ny forsendelse")
	v.wantText(".ds-error-summary h2", "Du må rette tre feil")
	v.wantText(".ds-error-summary", "Dokumentet har sidene 1–3.")
	v.wantText(".ds-error-summary", filepath.Base(bad)+" er ikke en PDF, selv om navnet sier det.")
	if got := v.Value("#postnummer") + v.Value("#dok-"+v.documentID(good)+"-giro"); got != "1239" {
		t.Errorf("the form holds %q, want what was typed", got)
	}
	if v.Count("#postnummer[aria-invalid=true]") != 1 {
		t.Error("the postal code is not marked")
	}
	v.look("shipment-problems")

	v.Click(`#dok-` + v.documentID(bad) + ` button[formaction$="/fjern"]`)
	v.wantNone(`[data-navn="` + filepath.Base(bad) + `"]`)
	if got := v.Value("#tittel"); got != l.title {
		t.Errorf("the title is %q after a file was taken out", got)
	}
	v.giro(good, "3")
	v.Fill("#postnummer", l.postalCode)
	v.check()
	v.Back()
	v.WaitText("h1", "Ny forsendelse")
	v.check()
	v.post()
	v.awaitShipment("Lest")
	if got := s.wantShipped(t, l); len(got.Documents) != 1 {
		t.Errorf("the service got %+v, want the good file alone", got.Documents)
	}
}

// sendsShipmentWithoutScript does the same without script.
func sendsShipmentWithoutScript(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.drawn(t, b, withoutScript).loggedIn("kari")
	l := toPerson("Uten skript [print]")
	v.newShipment()
	v.write(l)
	v.Upload("#fil", file(t, ".pdf", pdftest.Make(2)))
	v.ClickText("button", "Last opp valgte filer")
	v.wantHeading("Ny forsendelse")
	if v.Count("#dokumentliste > li") != 1 || v.Value("#tittel") != l.title {
		t.Errorf("%d files and the title %q are kept", v.Count("#dokumentliste > li"), v.Value("#tittel"))
	}
	v.look("shipment-without-script")
	v.check()
	v.post()
	v.awaitShipment("Skrevet ut")
	v.look("shipment-printed-without-script")
	s.wantShipped(t, l)
}

// keepsTabsApart saves one draft in two windows; the second is warned, and nothing that the first saved is lost.
func keepsTabsApart(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	first, second := s.as(t, b, withoutScript, "kari"), s.as(t, b, withoutScript, "kari")
	first.newShipment()
	draft := first.Path()
	second.Go(draft)
	first.Fill("#tittel", "Den første")
	first.ClickText(".actions button", "Lagre utkast")
	first.wantText("[role=status]", "Utkastet er lagret")
	second.Fill("#tittel", "Den andre")
	second.ClickText(".actions button", "Lagre utkast")
	second.wantHeading("Utkastet er endret i en annen fane")
	second.glance("shipment-stale")
	second.Go(draft)
	if got := second.Value("#tittel"); got != "Den første" {
		t.Errorf("the title is %q, want the first one's", got)
	}
}

// closesMidUpload breaks the connection halfway through an upload: nothing of the file remains.
func closesMidUpload(t *testing.T, _ *browsertest.Browser) {
	s := newShipmentStack(t)
	c := s.caller(t, "kari")
	draft := c.draft()
	at, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+at.Port())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const whole = 64 << 20
	request := bufio.NewWriter(conn)
	fmt.Fprintf(request, "POST %s/dokumenter HTTP/1.1\r\nHost: %s\r\nAccept: text/html; fragment=dokument\r\nContent-Length: %d\r\n", draft, at.Host, whole)
	fmt.Fprint(request, "Content-Type: multipart/form-data; boundary=skille\r\n")
	for _, cookie := range c.client.Jar.Cookies(at) {
		fmt.Fprintf(request, "Cookie: %s=%s\r\n", cookie.Name, cookie.Value)
	}
	fmt.Fprintf(request, "\r\n--skille\r\nContent-Disposition: form-data; name=\"fil\"; filename=\"%s.pdf\"\r\nContent-Type: application/pdf\r\n\r\n", named(mark()))
	if _, err := request.Write(make([]byte, whole/2)); err != nil {
		t.Fatal(err)
	}
	if err := request.Flush(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "half of the file is stored", func() bool { return s.rows(t, "document_chunks") > 0 })
	_ = conn.Close()
	eventually(t, "nothing of it is left", func() bool { return s.rows(t, "documents")+s.rows(t, "document_chunks") == 0 })
	if status, body := c.get(draft); status != http.StatusOK || strings.Contains(body, "data-navn") {
		t.Errorf("the draft answers %d, or lists the file", status)
	}
}

// findsShipmentAgain sends a shipment whose answer is lost: it is found at the service, and is not sent twice.
func findsShipmentAgain(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t, "RECOVERY_WINDOW=3s")
	v := s.as(t, b, withoutScript, "kari")
	l := toPerson("[svar tapt] [lest]")
	v.newShipment()
	v.attach(file(t, ".pdf", pdftest.Make(1)))
	v.write(l)
	v.check()
	v.post()
	v.awaitShipment("Lest")
	v.wantText("section[aria-labelledby=historikk]", "Uavklart om den ble sendt")
	v.wantText("section[aria-labelledby=historikk]", "Vi fant den hos tjenesten")
	v.glance("shipment-found-again")
	s.wantShipped(t, l)
}

// resendsRejected corrects a rejected shipment at the field named by the service, and sends it again.
func resendsRejected(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, withoutScript, "kari")
	l := toPerson("Vedtak [feil tittel]")
	v.newShipment()
	decision := file(t, ".pdf", pdftest.Make(2))
	v.attach(decision)
	v.write(l)
	v.check()
	v.glance("shipment-review")
	v.post()
	v.awaitShipment("Kunne ikke sendes")
	v.wantText("#forsendelse", "tittel inneholder ord som ikke er tillatt")
	v.glance("shipment-rejected")
	v.ClickText("button", "Rett og send på nytt")
	v.wantHeading("Rett og send på nytt: " + l.title)
	v.wantText(".ds-error-summary", "tittel inneholder ord som ikke er tillatt")
	if v.Count("#tittel[aria-invalid=true]") != 1 || v.Count("#dokumentliste > li") != 1 {
		t.Error("the title is not marked, or the file is not there")
	}
	v.glance("shipment-resend")
	v.Fill("#tittel", "Vedtak "+mark())
	l.title = v.Value("#tittel")
	v.check()
	v.glance("shipment-review")
	v.post()
	v.awaitShipment("Lest")
	s.wantShipped(t, l)
}
