package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/tier"
)

// sendsToMany uploads a list with faulty rows, corrects one, and sends it traceably; then pastes another and sends it
// fast.
func sendsToMany(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		v := s.as(t, b, o, "kari")
		file := filepath.Join(t.TempDir(), "foreldre.csv")
		list := "Mobil;Fornavn\n90001120;Kari\n12847800281;Ola\n123;Per\n90001120;Kari\n90002120;\n"
		if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
			t.Fatal(err)
		}
		v.Go("/k/oppvekst/sms/ny")
		v.ClickText("link", "Send til flere")
		v.glance("job-new-" + v.mode())
		v.Upload("#fil", file)
		v.ClickText("button", "Kontroller listen")
		v.wantText("main", "2 rader er utelatt")
		v.Fill("#tekst", "Hei ((fornavn)), møtet er flyttet.")
		v.look("job-edit-" + v.mode())
		v.ClickText("button", "Se over og send")
		v.wantText("#antall", "2 mottakere får meldingen")
		v.wantText("main", "Hei Kari, møtet er flyttet.")
		v.ClickText("link", "Se og rett radene")
		v.wantText("main", "Telefonnummeret må ha minst åtte siffer.")
		v.glance("job-faults-" + v.mode())
		v.Fill("#mottaker-4", "90003120")
		v.Fill("#felt-6-0", "Åse")
		v.ClickText("button", "Lagre rettelsene")
		v.wantText("[role=status]", "2 rader er rettet")
		v.ClickText("link", "Tilbake til utkastet")
		v.ClickText("button", "Se over og send")
		v.wantText("#antall", "4 mottakere får meldingen")
		v.glance("job-review-" + v.mode())
		v.ClickText("button", "Send til 4 mottakere")
		v.wantText("[role=status]", "Utsendingen er tatt imot for sending")
		v.awaitJob(t, "Ferdig", "Sendt")
		v.look("job-" + v.mode())
		if n := len(s.sim.Books()); n != 4 {
			t.Errorf("the service has %d messages, want 4", n)
		}

		v.Go("/k/oppvekst/sms/ny/flere")
		v.Fill("#liste", "90004120\n90005120")
		v.ClickText("button", "Kontroller listen")
		v.Check("[name=mate][value=fast]")
		v.Fill("#tekst", "Skolen er stengt.")
		v.ClickText("button", "Se over og send")
		v.ClickText("button", "Send til 2 mottakere")
		v.awaitJob(t, "Ferdig", "Sendt")
		v.wantText("[data-gruppe=ikke-sporbar]", "2 meldinger")
		v.glance("job-fast-" + v.mode())
		v.ClickText("link", "2 meldinger")
		v.wantText("main", "Listen viser bare meldinger fra én utsending")
		v.Go("/k/oppvekst/jobber")
		v.wantText("main", "Skolen er stengt.")
		v.glance("jobs-" + v.mode())
	}
}

// sendsThousand uploads a file of a thousand rows, seven of them faulty, corrects those in the page and sends to all:
// traceably, and fast.
func sendsThousand(t *testing.T, b *browsertest.Browser) {
	tier.Long(t)
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "kari")
	file := filepath.Join(t.TempDir(), "tusen.csv")
	if err := os.WriteFile(file, []byte(thousand()), 0o600); err != nil {
		t.Fatal(err)
	}
	v.uploadThousand(file, "traceable", "Hei ((fornavn)), skolen er stengt.", "993")
	v.glance("job-faults-seven")
	for line, number := range map[int]string{11: "49999011", 22: "49999022", 33: "49999033", 44: "49999044", 55: "49999055", 66: "49999066"} {
		v.Fill(fmt.Sprintf("#mottaker-%d", line), number)
	}
	v.Fill("#felt-77-0", "Åse")
	v.sendThousand("7 rader er rettet")
	if n := len(s.sim.Books()); n != 1000 {
		t.Errorf("the service has %d messages, want 1000", n)
	}
	v.glance("job-thousand")

	v.uploadThousand(file, "fast", "Skolen er stengt.", "994")
	for line, number := range map[int]string{11: "49999011", 22: "49999022", 33: "49999033", 44: "49999044", 55: "49999055", 66: "49999066"} {
		v.Fill(fmt.Sprintf("#mottaker-%d", line), number)
	}
	v.sendThousand("6 rader er rettet")
	v.wantText("[data-gruppe=ikke-sporbar]", "1 000 meldinger")
	if n := s.operations(simulator.OpBatch); n != 1 || len(s.sim.Books()) != 2000 {
		t.Errorf("%d batches, and %d messages in all; want 1 and 2000", n, len(s.sim.Books()))
	}
}

// thousand is a list of a thousand rows, seven of them faulty: six recipients, and a missing name.
func thousand() string {
	var list strings.Builder
	list.WriteString("Mobil;Fornavn\n")
	private("40500120")
	private("Navn 500") // of the same row: a personal field
	for i := range 1000 {
		number, name := fmt.Sprintf("4%04d120", i), fmt.Sprintf("Navn %d", i)
		if bad, ok := map[int]string{11: "123", 22: "ukjent", 33: "40000120", 44: "", 55: "1204780015", 66: "22345678"}[i+2]; ok {
			number = bad
		}
		if i+2 == 77 {
			name = ""
		}
		list.WriteString(number + ";" + name + "\n")
	}
	return list.String()
}

// uploadThousand uploads the list, writes the text, and goes to the faulty rows.
func (v *visitor) uploadThousand(file, mode, text, fit string) {
	v.t.Helper()
	v.Go("/k/oppvekst/sms/ny/flere")
	v.Upload("#fil", file)
	v.ClickText("button", "Kontroller listen")
	v.wantText("main", "6 rader er utelatt")
	v.Check("[name=mate][value=" + mode + "]")
	v.Fill("#tekst", text)
	v.ClickText("button", "Se over og send")
	v.wantText("#antall", fit+" mottakere får meldingen")
	v.ClickText("link", "Se og rett radene")
}

// sendThousand saves the corrections, and sends to all.
func (v *visitor) sendThousand(saved string) {
	v.t.Helper()
	v.ClickText("button", "Lagre rettelsene")
	v.wantText("[role=status]", saved)
	v.wantText("main", "Ingen rader er utelatt.")
	v.ClickText("link", "Tilbake til utkastet")
	v.ClickText("button", "Se over og send")
	v.wantText("#antall", "1 000 mottakere får meldingen")
	v.ClickText("button", "Send til 1 000 mottakere")
	v.awaitJob(v.t, "Ferdig", "Sendt")
}

// operations counts the calls of one operation of the service.
func (s *stack) operations(operation string) (n int) {
	for _, c := range s.sim.Calls() {
		if c.Operation == operation {
			n++
		}
	}
	return n
}

// sendsAgainAndLater sends to a list with a template, sends again to the recipient who was not reached, then schedules
// a job, reschedules it and stops it.
func sendsAgainAndLater(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		s.hasTemplate(t, "Stengt skole", "Hei ((fornavn)), skolen er stengt.")
		v := s.as(t, b, o, "kari")
		v.paste("Mobil;Fornavn\n4790006120;Kari\n90007400;Ola\n90008120;Per")
		v.wantText("#se-over", "Rad 2, Mobil: Vi leser nummeret som norsk")
		v.Select("#mal", "Stengt skole")
		v.ClickText("button", "Hent teksten")
		v.WaitText("#mal-valg", "Teksten er hentet fra malen Stengt skole, versjon 1.")
		if got := v.Value("#tekst"); got != "Hei ((fornavn)), skolen er stengt." {
			t.Errorf("the text is %q", got)
		}
		v.look("job-edit-template-" + v.mode())
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("main", "Hei Kari, skolen er stengt.")
		v.ClickText("button", "Send til 3 mottakere")
		v.awaitJob(t, "Ferdig", "Sendt")
		v.wantText("[data-gruppe=ikke-sendt]", "1 melding")
		v.wantText("main", "Teksten er hentet fra malen Stengt skole, versjon 1.")

		t.Log("again to the one whom it did not reach")
		old := v.Path()
		v.ClickText("button", "Lag utkast til 1 mottaker")
		v.wantText("main", "Kan sendes til")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("main", "Hei Ola, skolen er stengt.")
		v.ClickText("button", "Send til 1 mottaker")
		v.awaitJob(t, "Ferdig", "Sendt")
		if n := s.calls("90007400"); n != 2 || len(s.sim.Books()) != 2 {
			t.Errorf("%d calls for the one that failed, and %d messages; want 2 and 2", n, len(s.sim.Books()))
		}
		again := v.Path()
		v.Go(old)
		v.wantText("#sendt-igjen", "1 som ikke nådde frem, er tatt med i en annen utsending.")
		v.wantNone("#igjen")
		v.ClickText("link", "Se utsendingen fra")
		v.wantText("h1", "SMS til 1 mottaker")
		if v.Path() != again {
			t.Errorf("the way to what was sent again leads to %q, want %q", v.Path(), again)
		}

		t.Log("a job at a time of its own is moved, and stopped")
		v.paste("90009120\n90010120")
		v.Fill("#tekst", "I morgen er skolen åpen.")
		v.Click("form:has(#tekst) details.plain summary")
		v.Fill("#dag", time.Now().In(dispatch.Oslo).AddDate(0, 0, 1).Format("02.01.2006"))
		v.Fill("#klokkeslett", "12.00")
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("#planlagt", "kl. 12.00")
		v.glance("job-review-planned-" + v.mode())
		v.ClickText("button", "Send til 2 mottakere")
		v.awaitJob(t, "Planlagt")
		v.wantText("#jobb", "kl. 12.00")
		v.ClickText("link", "Endre tidspunktet")
		v.glance("job-time-" + v.mode())
		v.Fill("#klokkeslett", "13.30")
		v.ClickText("button", "Lagre tidspunktet")
		v.wantText("#jobb", "kl. 13.30")
		v.glance("job-planned-" + v.mode())
		v.ClickText("button", "Stopp utsendingen")
		v.awaitJob(t, "Stoppet")
		eventually(t, "both messages are cancelled", func() bool {
			if v.Count("[data-gruppe=avbrutt]") == 1 && v.Count("#jobb tbody tr") == 1 {
				return true
			}
			v.Reload()
			return false
		})
		v.wantText("[data-gruppe=avbrutt]", "2 meldinger")
		if n := s.calls("90009120") + s.calls("90010120"); n != 0 {
			t.Errorf("%d calls of a job that was stopped", n)
		}
	}
}

// paste makes the draft of a job from a pasted list.
func (v *visitor) paste(list string) {
	v.t.Helper()
	v.Go("/k/oppvekst/sms/ny/flere")
	v.Fill("#liste", list)
	v.ClickText("button", "Kontroller listen")
	v.wantText("main", "Rader i listen")
}

// hasTemplate gives the account a template.
func (s *stack) hasTemplate(t *testing.T, name, text string) {
	t.Helper()
	user, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: "ingrid", Name: "Ingrid Lunde"})
	if err == nil {
		err = items.In(s.store).Templates.Create(t.Context(), s.oppvekst.ID, dispatch.TemplateID(uuid.NewString()), store.Actor{User: user},
			dispatch.TemplateContent{Name: name, Text: text})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// awaitJob waits until the job's page shows a state, reloading it if there is no script.
func (v *visitor) awaitJob(t *testing.T, words ...string) {
	t.Helper()
	eventually(t, "the job's page says "+strings.Join(words, " or "), func() bool {
		tag := v.Text("#jobb .status-now .ds-tag")
		if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(tag, word) }) { // the counts follow
			return true
		}
		if !v.scripts {
			v.Reload()
		}
		return false
	})
}
