package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"utsending/internal/browsertest"
)

// sendsToMany uploads a list with bad rows, puts one right, and sends it traceably; then pastes another and sends it fast.
func sendsToMany(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		v := s.as(t, b, o, "kari")
		file := filepath.Join(t.TempDir(), "foreldre.csv")
		list := "Mobil;Fornavn\n90001120;Kari\n12047800155;Ola\n123;Per\n90001120;Kari\n90002120;\n"
		if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
			t.Fatal(err)
		}
		v.Go("/k/oppvekst/sms/ny")
		v.ClickText("link", "Send til flere")
		v.look("job-new-" + v.mode())
		v.Upload("#fil", file)
		v.ClickText("button", "Kontroller listen")
		v.wantText("main", "2 rader er tatt ut")
		v.Fill("#tekst", "Hei ((fornavn)), møtet er flyttet.")
		v.look("job-edit-" + v.mode())
		v.ClickText("button", "Se over og send")
		v.wantText("#antall", "2 mottakere får meldingen")
		v.wantText("main", "Hei Kari, møtet er flyttet.")
		v.ClickText("link", "Se og rett radene")
		v.wantText("main", "Telefonnummeret må ha minst åtte siffer.")
		v.look("job-faults-" + v.mode())
		v.Fill("#mottaker-4", "90003120")
		v.Fill("#felt-6-0", "Åse")
		v.ClickText("button", "Lagre rettelsene")
		v.wantText("[role=status]", "2 rader er rettet")
		v.ClickText("link", "Tilbake til utkastet")
		v.ClickText("button", "Se over og send")
		v.wantText("#antall", "4 mottakere får meldingen")
		v.look("job-review-" + v.mode())
		v.ClickText("button", "Send til 4 mottakere")
		v.wantText("[role=status]", "Utsendingen er startet")
		v.awaitJob(t, "Ferdig sendt")
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
		v.awaitJob(t, "Ferdig sendt")
		v.wantText("[data-gruppe=ikke-sporbar]", "2 meldinger")
		v.look("job-fast-" + v.mode())
		v.ClickText("link", "2 meldinger")
		v.wantText("main", "Listen viser bare meldinger fra én utsending")
		v.Go("/k/oppvekst/jobber")
		v.wantText("main", "Skolen er stengt.")
		v.look("jobs-" + v.mode())
	}
}

// awaitJob waits until the job's page shows a state, which without script has to be asked for.
func (v *visitor) awaitJob(t *testing.T, word string) {
	t.Helper()
	eventually(t, "the job's page says "+word, func() bool {
		if v.Text("#jobb .status-now .ds-tag") == word {
			return true
		}
		if !v.scripts {
			v.Reload()
		}
		return false
	})
}
