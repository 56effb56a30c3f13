package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestGiroPagesComeFromTheList: each recipient's own part has the giro pages that the row names, on the review, in the cost and in what
// is sent. A row that names a page that the part does not have stops all, and is corrected in its own form.
func TestGiroPagesComeFromTheList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET price_print = 1000, price_sheet = 100, price_giro = 50`)
	b, as := s.browser(t, caseworker), s.as(t, caseworker)
	draft, file := s.listDraft(t, caseworker, "Faktura")
	at := "/k/oppvekst/utkast/" + string(draft) + "/flere"
	kind, body := listForm("liste", "Navn;Adresse;Postnr;Sted;Giroark\nOla;Storgata 1;7713;Steinkjer;2\nKari;Storgata 1;7713;Steinkjer;3\nSiv;Storgata 1;7713;Steinkjer;\n")
	b.do(http.MethodPost, at+"/liste", kind, body)
	if got := b.get(at).page(t).Find("#girokolonne option[selected]").AttrOr("value", ""); got != "giroark" {
		t.Errorf("the form proposes the column %q", got)
	}
	job, err := items.In(s.store).ShipmentJobs.ByID(t.Context(), as.Account.ID, draft, as.User)
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, `UPDATE documents SET pages = 6 WHERE id = $1`, file)
	err = items.In(s.store).Slices.Divide(t.Context(), as.Account.ID, job.ID, as.Actor, dispatch.Division{Document: file, By: dispatch.DivideByPages, Pages: 2}, func(add items.AddSlice) error {
		for _, name := range []string{"Ola", "Kari", "Siv"} {
			r := readShipment(name)
			r.LaterRead = true
			if err := add(strings.NewReader("%PDF-1.7 "+name), dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: 2, Reading: r}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	choose := func(column string) answer {
		return b.post(at, fields("fordeling", "deler", "fordelt-fil", string(file), "sider", "2", "girokolonne", column))
	}
	wantWords(t, choose("hund"), "Listen har ingen kolonne som heter «hund»")
	wrong := b.led(t, choose("giroark"))
	wantWords(t, wrong, "Rader som må rettes", "Rad 3")
	if got := problems(t, wrong)["felt4-3"]; got != "Dokumentet har sidene 1–2." {
		t.Errorf("the field of giro pages says %q", got)
	}
	b.post(at+"/feil", fields("rad", "3", "felt4-3", "1–2"))
	review := b.get(at + "/kontroll")
	wantWords(t, review, "2 sider Giroark: side 2 Endre", "Giroark: side 1–2", "5 ark til sammen", "3 av arkene er giroark", "Skrives alle ut: 5 ark og 36,50 kr til sammen, fra 11,00 kr til 13,00 kr per brev")
	if got := b.send(at, "likevel", "true"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("not sent: %d", got.StatusCode)
	}
	s.makeItems(t)
	s.run(t, `UPDATE items SET state = 'rejected', reason_at = now() WHERE job_id IS NOT NULL`)
	var got []string
	for it, err := range items.In(s.store).ShipmentJobs.EachShipment(t.Context(), as.Account.ID, job.ID) {
		if err != nil {
			t.Fatal(err)
		}
		sent, err := items.In(s.store).Shipments.ByID(t.Context(), as.Account.ID, it.ID)
		if err != nil || len(sent.Documents) != 1 {
			t.Fatal(sent.Documents, err)
		}
		copied := b.get(b.post("/k/oppvekst/forsendelser/"+string(it.ID)+"/kopier", fields("nokkel", uuid.NewString())).location()).page(t)
		got = append(got, fmt.Sprint(it.Recipient.Postal.Name, sent.Documents[0].GiroPages, " ", copied.Find("[name^=dok-][name$=-giro]").AttrOr("value", "?")))
	}
	if diff := cmp.Diff([]string{"Ola[2] 2", "Kari[1 2] 1–2", "Siv[] "}, got); diff != "" {
		t.Error(diff)
	}
	var costs string
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `
		SELECT string_agg(h.cost_print::text, ' ' ORDER BY it.job_position) FROM shipments h JOIN items it ON it.id = h.item_id WHERE it.job_id = $1`, job.ID).Scan(&costs); err != nil || costs != "1250 1300 1100" {
		t.Errorf("they cost %s, %v", costs, err)
	}
}

// TestTheGiroColumnIsStillThere: a new list without the column that was chosen stops until another is.
func TestTheGiroColumnIsStillThere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, as := s.browser(t, caseworker), s.as(t, caseworker)
	draft, job := s.shipmentJob(t, true)
	at := "/k/oppvekst/utkast/" + string(draft) + "/flere"
	post := func(list string) {
		t.Helper()
		kind, body := listForm("liste", list)
		if got := b.do(http.MethodPost, at+"/liste", kind, body); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
	}
	post("Navn;Adresse;Postnr;Sted;Giro\nOla;Storgata 1;7713;Steinkjer;1\n")
	if err := items.In(s.store).Slices.ChooseGiro(t.Context(), as.Account.ID, job, as.Actor, "giro"); err != nil {
		t.Fatal(err)
	}
	wantWords(t, b.get(at+"/kontroll"), "Giroark: side 1")
	post("Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\n")
	for _, page := range []answer{b.get(at + "/kontroll"), b.send(at, "likevel", "true")} {
		wantWords(t, page, "Listen har ingen kolonne som heter «giro»")
	}
	if n := s.audits(t, "job.send"); n != 0 {
		t.Errorf("%d jobs were sent", n)
	}
}
