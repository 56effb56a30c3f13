package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/pdf/pdftest"
)

// rowsWithFiles uploads a file for each of three rows; one cannot be opened, and one is another recipient's. Both are replaced, the
// list is uploaded again in another order, an upload fails once without script, and each recipient gets their own file.
func rowsWithFiles(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		v := s.as(t, b, o, "kari")
		names, numbers := shipmentPeople(3)
		folder, want := t.TempDir(), map[string]string{}
		save := func(name string, content []byte) string {
			t.Helper()
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		letter := func(i int, pages int) []byte {
			f := pdftest.Addressed(names[i], fmt.Sprintf("Storgata %d", i+1), "7713 Steinkjer")
			for range pages - 1 {
				f.Pages = append(f.Pages, pdftest.Page{Content: pdftest.Text(25, 60, "Vedlegg")})
			}
			return f.Bytes()
		}
		for i, content := range [][]byte{letter(0, 1), letter(1, 3), letter(2, 2)} {
			sum := sha256.Sum256(content)
			want[numbers[i]] = "Vedtak til " + names[i] + " " + hex.EncodeToString(sum[:])
		}
		rows := strings.Split(strings.TrimSpace(shipmentList(names, numbers)), "\n")
		for i, cell := range []string{"Filnavn", "Åse 1.pdf", "BREV 2", "brev 3"} {
			rows[i] += ";" + cell
		}
		v.newShipment()
		v.Fill("#tittel", "Vedtak til ((navn))")
		v.ClickText("button", "Flere mottakere")
		v.Fill("#liste", strings.Join(rows, "\n"))
		v.ClickText("button", "Kontroller listen")
		v.wantText("main", "Rader i listen")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantHeading("Filene til mottakerne")
		upload := func(files ...string) {
			t.Helper()
			v.Upload("#fil", files...)
			if !v.scripts {
				v.ClickText("button", "Last opp valgte filer")
			}
		}
		upload(save("A\u030ase 1.PDF", letter(2, 1)), save("brev 2.pdf", pdftest.Encrypted("hemmelig", "")), save("Brev 3.pdf", letter(2, 2)), save("annet.pdf", letter(0, 1)))
		v.WaitText("main", "4 filer er lastet opp")
		v.wantText("main", "brev 2.pdf er passordbeskyttet")
		v.wantText("#overflodige", "1 fil som ingen får")
		v.look("shipment-job-files-" + v.mode())
		v.Click("#rad-3 td:last-child a")
		v.wantHeading("Rett mottakeren")
		v.Upload("#fil", save("vedtak.pdf", letter(1, 3)))
		v.ClickText("button", "Last opp filen")
		v.wantText("[role=status]", "Raden har fått filen")
		v.wantText("main", "vedtak.pdf")

		t.Log("the same people in another order, and the file of the second by its new name")
		v.ClickText("link", "Kontrollen")
		v.wantHeading("Se over og send")
		v.ClickText("link", "De første mottakerne")
		v.wantText("main", "Første side nevner ikke mottakeren")
		v.ClickText("link", "Tilbake til listen")
		rows[2] = strings.Replace(rows[2], "BREV 2", "Vedtak", 1)
		slices.Reverse(rows[1:])
		v.unfold("#liste")
		v.Fill("#liste", strings.Join(rows, "\n"))
		v.ClickText("button", "Bytt listen")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantHeading("Filene til mottakerne")
		v.Click("#rad-4 td:last-child a")
		v.Upload("#fil", save("Åse 1 ny.pdf", letter(0, 1)))
		v.ClickText("button", "Last opp filen")
		v.wantText("[role=status]", "Raden har fått filen")
		v.ClickText("link", "Kontrollen")
		v.ClickText("link", "De første mottakerne")
		v.wantText("#antall", "3 mottakere får hvert sitt brev")
		v.wantText("main", "Vedtak til "+names[1])
		v.wantText("#rad-3", "3 sider")
		if strings.Contains(v.Text("main"), "Første side nevner ikke mottakeren") {
			t.Error("a right letter is in doubt")
		}
		v.look("shipment-job-files-review-" + v.mode())
		var failed atomic.Bool
		s.sim.SetChaos(func(string, string) simulator.Fault {
			if !v.scripts && failed.CompareAndSwap(false, true) {
				return simulator.Status(503)
			}
			return simulator.NoFault
		})
		v.ClickText("button", "Send 3 forsendelser")
		v.awaitJob(t, "Ferdig", "Sendt")
		got := map[string]string{}
		for _, b := range s.sim.Shipments() {
			for _, d := range b.Documents {
				got[b.NationalID] += b.Title + " " + d.SHA256
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("the service has\n%v\nwant\n%v", got, want)
		}
	}
}

func TestFilesOfRows(t *testing.T) {
	walk(t, []journey{
		{"each of a list gets a file of their own", rowsWithFiles(browsertest.PageOptions{})},
		{"each of a list gets a file of their own without JavaScript", rowsWithFiles(withoutScript)},
	})
}
