package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/look"
	"utsending/internal/pdf/pdftest"
)

// shipmentPeople are recipients that no other test uses.
func shipmentPeople(n int) (names, numbers []string) {
	for range n {
		names, numbers = append(names, "Ola "+named(mark())), append(numbers, nationalID())
	}
	return names, numbers
}

// shipmentList is a list of them, as a spreadsheet saves it.
func shipmentList(names, numbers []string) string {
	var b strings.Builder
	b.WriteString("Fødselsnummer;Navn;Adresse;Postnr;Poststed\n")
	for i := range names {
		fmt.Fprintf(&b, "%s;%s;Storgata %d;7713;Steinkjer\n", numbers[i], names[i], i+1)
	}
	return b.String()
}

// sendsShipmentToTwenty sends one shipment to a list of twenty, in which one row has a wrong postal code and one
// recipient is repeated. Nothing is sent before both are corrected.
func sendsShipmentToTwenty(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		v := s.as(t, b, o, "kari")
		names, numbers := shipmentPeople(20)
		list := strings.Replace(shipmentList(names, numbers), "Storgata 7;7713", "Storgata 7;77130", 1)
		list += fmt.Sprintf("%s;%s;Storgata 1;7713;Steinkjer\n", numbers[0], names[0])
		v.newShipment()
		v.Fill("#tittel", "Vedtak "+mark())
		v.attach(file(t, ".pdf", pdftest.Make(2)))
		v.ClickText("button", "Flere mottakere")
		v.wantHeading("Forsendelse til flere")
		v.glance("shipment-job-new-" + v.mode())
		v.Upload("input[type=file]", file(t, ".csv", []byte(list)))
		v.ClickText("button", "Kontroller listen")
		v.wantText("main", "2 rader må rettes eller utelates")
		v.glance("shipment-job-edit-" + v.mode())

		t.Log("nothing goes while a row is wrong")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantHeading("Rader som må rettes")
		v.wantText("main", "Mottakeren står også på rad 2")
		v.wantText("#rad-8", "Postnummer skal ha fire siffer")
		v.glance("shipment-job-faults-" + v.mode())
		v.Fill("#postnummer-8", "7713")
		v.Check("#utelat-22")
		v.ClickText("button", "Lagre rettelsene")
		v.wantText("[role=status]", "1 rettet, 1 utelatt")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("#antall", "20 mottakere får hvert sitt brev")
		v.wantText("main", "1 rad er utelatt")
		v.wantText("#ark", "blir det 1 ark i hvert brev og 20 til sammen")
		v.glance("shipment-job-review-" + v.mode())
		if n := len(s.sim.Shipments()); n != 0 {
			t.Fatalf("the service has %d shipments before anybody has sent one", n)
		}
		v.ClickText("button", "Send 20 forsendelser")
		v.wantText("[role=status]", "Utsendingen er tatt imot for sending")
		v.awaitJob(t, "Ferdig", "Sendt")
		v.wantText("#grupper", "Hva som skjedde")
		v.glance("shipment-job-" + v.mode())
		got := s.shipmentRecipients()
		slices.Sort(numbers)
		if !slices.Equal(got, numbers) {
			t.Errorf("the service has shipments to %d recipients, want each of the 20 once", len(got))
		}

		v.Go("/k/oppvekst/forsendelser?jobb=" + path.Base(v.Path())) // a count's own list changes while the service works
		v.wantText("main", "Listen viser bare forsendelser fra én utsending")
		v.glance("shipment-job-shipments-" + v.mode())
		v.ClickText("link", "Vedtak")
		v.wantText("main", "2 sider")
		v.Go("/k/oppvekst/jobber")
		v.wantText("main", "Vedtak")
	}
}

// dividesPDF uploads one PDF with the shipments of three, which first does not divide evenly, and sends each their own.
func dividesPDF(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		v := s.as(t, b, o, "kari")
		names, numbers := shipmentPeople(3)
		var all pdftest.File
		for i, name := range names {
			street := fmt.Sprintf("Storgata %d", i+1)
			all.Pages = append(all.Pages, pdftest.Addressed(name, street, "7713 Steinkjer").Pages[0], pdftest.Page{Content: pdftest.Text(25, 60, "Vedlegg")})
		}
		v.newShipment()
		v.Fill("#tittel", "Faktura "+mark())
		v.attach(file(t, ".pdf", all.Bytes()))
		v.ClickText("button", "Flere mottakere")
		v.Fill("#liste", shipmentList(names, numbers))
		v.ClickText("button", "Kontroller listen")
		v.wantText("main", "Rader i listen")
		v.Check("[name=fordeling][value=deler]")
		v.unfold("#sider")
		v.Fill("#sider", "4")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("main", "Filen har 6 sider, som ikke går opp med 4 sider til hver")
		v.glance("shipment-job-uneven-" + v.mode())
		v.Fill("#sider", "3")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("main", "Filen gir 2 brev, men listen har 3 rader")
		v.Fill("#sider", "2")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("#antall", "3 mottakere får hvert sitt brev")
		if strings.Contains(v.Text("main"), "er ikke de samme som i listen") {
			t.Error("the review warns of addresses that are right")
		}
		if v.scripts {
			eventually(t, "the first page of each part is shown", func() bool { return v.Count(".recipient .page img") == 3 })
		}
		v.look("shipment-job-parts-" + v.mode())
		v.ClickText("button", "Send 3 forsendelser")
		v.awaitJob(t, "Ferdig", "Sendt")
		if got, want := s.filesOf(), ownSlices(t, all.Bytes(), numbers); !maps.Equal(got, want) {
			t.Errorf("the service has\n%v\nwant\n%v", got, want)
		}
	}
}

// dividesByAddress uploads a PDF with shipments of unequal length in another order than the list, with a page for nobody, an empty page and
// pages to somebody else. A row without a slice stops the job until it is left out.
func dividesByAddress(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		v := s.as(t, b, o, "kari")
		names, numbers := shipmentPeople(4)
		to := func(name string, i int) pdftest.Page {
			return pdftest.Addressed(name, fmt.Sprintf("Storgata %d", i), "7713 Steinkjer").Pages[0]
		}
		text := func(line string) pdftest.Page { return pdftest.Page{Content: pdftest.Text(25, 60, line)} }
		all := pdftest.File{Pages: []pdftest.Page{
			text("Innhold"), to(names[2], 3), text("Vedlegg"), {}, to("Eva Moe", 9), text("Vedlegg"), to(names[0], 1), to(names[1], 2), text("Vedlegg"),
		}}
		v.newShipment()
		v.Fill("#tittel", "Faktura "+mark())
		v.attach(file(t, ".pdf", all.Bytes()))
		v.ClickText("button", "Flere mottakere")
		v.Fill("#liste", shipmentList(names, numbers))
		v.ClickText("button", "Kontroller listen")
		v.wantText("main", "Rader i listen")
		v.Check("[name=fordeling][value=adresse]")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("main", "Ingen sider i filen er bare til denne mottakeren")
		v.Check("#utelat-5")
		v.ClickText("button", "Lagre rettelsene")
		v.wantText("main", "3 sider i filen går ikke til noen")
		v.wantText("#ufordelt", "Side 5–6: Ingen i listen er nevnt i adressefeltet.")
		v.look("shipment-job-unassigned-" + v.mode())
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("#antall", "3 mottakere får hvert sitt brev")
		v.wantText("#ark", "blir det 4 ark til sammen")
		v.ClickText("button", "Send 3 forsendelser")
		v.awaitJob(t, "Ferdig", "Sendt")
		want := map[string]string{}
		i := 0
		_, err := look.Split(all.Bytes(), dispatch.Cut{Rules: dispatch.DefaultPrintRules()}, func(part []byte) error {
			sum := sha256.Sum256(part)
			if row, ok := map[int]int{1: 2, 3: 0, 4: 1}[i]; ok {
				want[numbers[row]] = hex.EncodeToString(sum[:])
			}
			i++
			return nil
		})
		if got := s.filesOf(); err != nil || !maps.Equal(got, want) {
			t.Errorf("the service has\n%v\nwant\n%v, %v", got, want, err)
		}
	}
}

// shipmentRecipients are those whom the service has shipments to, in order.
func (s *stack) shipmentRecipients() (numbers []string) {
	for _, b := range s.sim.Shipments() {
		numbers = append(numbers, b.NationalID)
	}
	slices.Sort(numbers)
	return numbers
}

// filesOf is the hash of the file that the service has for each recipient.
func (s *stack) filesOf() map[string]string {
	files := map[string]string{}
	for _, b := range s.sim.Shipments() {
		for _, d := range b.Documents {
			files[b.NationalID] += d.SHA256
		}
	}
	return files
}

// ownSlices is the hash of the slice of two pages that each recipient is to get.
func ownSlices(t *testing.T, file []byte, numbers []string) map[string]string {
	t.Helper()
	parts := map[string]string{}
	_, err := look.Split(file, dispatch.Cut{Pages: 2}, func(part []byte) error {
		sum := sha256.Sum256(part)
		parts[numbers[len(parts)]] = hex.EncodeToString(sum[:])
		return nil
	})
	if err != nil || len(parts) != len(numbers) {
		t.Fatalf("%d parts for %d recipients: %v", len(parts), len(numbers), err)
	}
	return parts
}

// TestShipmentJobs walks the journeys of shipments to many.
func TestShipmentJobs(t *testing.T) {
	walk(t, []journey{
		{"a shipment goes to twenty of a list", sendsShipmentToTwenty(browsertest.PageOptions{})},
		{"a shipment goes to twenty of a list without JavaScript", sendsShipmentToTwenty(withoutScript)},
		{"one PDF is divided among its recipients", dividesPDF(browsertest.PageOptions{})},
		{"one PDF is divided without JavaScript", dividesPDF(withoutScript)},
		{"one PDF is divided by the addresses in it", dividesByAddress(withoutScript)},
	})
}
