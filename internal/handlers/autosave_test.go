package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// keeps posts what is typed as a script does, and takes over the version that is saved.
func (b *browser) keeps(t *testing.T, at string, typed url.Values) answer {
	t.Helper()
	got := b.post(at, typed, "Accept", "text/html; fragment=lagret")
	if got.StatusCode == http.StatusOK {
		typed.Set("lagret-versjon", got.page(t).Find("#lagret").AttrOr("data-versjon", ""))
	}
	return got
}

// TestNewSMSIsKept: what is typed in the form of a new SMS is there again, faults and all, until it is handed in or discarded.
func TestNewSMSIsKept(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const at = "/k/oppvekst/sms/ny"
	key := uuid.NewString()
	typed := fields("nokkel", key, "lagret-versjon", "0", "mottaker", "telefonnummer", "telefonnummer", "9000", "tekst", "Hei, møtet er fly")
	first := b.keeps(t, at+"/lagre", typed)
	line := first.page(t).Find("#lagret")
	if first.StatusCode != http.StatusOK || !strings.Contains(line.Text(), "Lagret kl. ") || typed.Get("lagret-versjon") != "1" {
		t.Fatalf("got %d and %q", first.StatusCode, line.Text())
	}
	left := line.AttrOr("data-adresse", "")
	page := b.get(left).page(t)
	for name, want := range map[string]string{"nokkel": key, "lagret-versjon": "1", "telefonnummer": "9000", "tekst": "Hei, møtet er fly"} {
		if got := held(page, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := b.get(at).page(t).Find(`a[href="` + left + `"]`).Parent().Text(); !strings.Contains(got, "«Hei, møtet er fly»") {
		t.Errorf("an empty form says %q", got)
	}

	t.Run("is nobody else's", func(t *testing.T) {
		colleague := s.browser(t, teamLead)
		if got := held(colleague.get(left).page(t), "tekst"); got != "" {
			t.Errorf("a colleague reads %q", got)
		}
		other := fields("nokkel", key, "lagret-versjon", "1", "tekst", "En annens")
		if got := colleague.keeps(t, at+"/lagre", other); got.StatusCode != http.StatusConflict {
			t.Errorf("a colleague with the key gets %d", got.StatusCode)
		}
	})
	t.Run("an older tab does not win", func(t *testing.T) {
		older := fields("nokkel", key, "lagret-versjon", "0", "tekst", "Hei")
		if got := b.keeps(t, at+"/lagre", older); got.StatusCode != http.StatusConflict {
			t.Errorf("got %d", got.StatusCode)
		}
		if got := held(b.get(left).page(t), "tekst"); got != "Hei, møtet er fly" {
			t.Errorf("it is %q", got)
		}
	})
	t.Run("is there when one has signed in again", func(t *testing.T) {
		typed.Set("tekst", "Hei, møtet er flyttet.")
		b.keeps(t, at+"/lagre", typed)
		again := s.browser(t, caseworker)
		if got := held(again.get(left).page(t), "tekst"); got != "Hei, møtet er flyttet." {
			t.Errorf("it is %q", got)
		}
		if got := s.browser(t, nobody).post(at+"/lagre", typed, "Accept", "text/html; fragment=lagret"); got.StatusCode != http.StatusUnauthorized {
			t.Errorf("who is not signed in gets %d", got.StatusCode)
		}
	})
	t.Run("is gone when it is handed in, and does not come back", func(t *testing.T) {
		typed.Set("telefonnummer", "90000101")
		if got := b.post(at, typed); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
		if got := b.keeps(t, at+"/lagre", typed); got.StatusCode != http.StatusConflict {
			t.Errorf("what comes late gets %d", got.StatusCode)
		}
		if got := b.get(at).page(t).Find(`a[href*="skjema="]`).Length(); got != 0 {
			t.Errorf("%d are begun", got)
		}
	})
	t.Run("is gone when it is emptied, and when it is discarded", func(t *testing.T) {
		other := fields("nokkel", uuid.NewString(), "lagret-versjon", "0", "tekst", "Hei")
		b.keeps(t, at+"/lagre", other)
		other.Set("tekst", " ")
		if got := b.keeps(t, at+"/lagre", other).page(t).Find("#lagret"); got.AttrOr("data-versjon", "") != "0" || strings.TrimSpace(got.Text()) != "" {
			t.Errorf("emptied it says %q", got.Text())
		}
		other.Set("tekst", "Hei igjen")
		b.keeps(t, at+"/lagre", other)
		b.post(at+"/forkast", fields("skjema", other.Get("nokkel")))
		if got := b.get(at).page(t).Find(`a[href*="skjema="]`).Length(); got != 0 {
			t.Errorf("%d are begun", got)
		}
	})
}

// TestChangesOfADraftAreKept: what is typed in the form of a draft is there again, is not in the draft, and the review says so.
func TestChangesOfADraftAreKept(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := strings.TrimSuffix(b.post("/k/oppvekst/sms/ny", fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000101", "tekst", "Den gamle teksten")).location(), "/kontroll")
	for name, at := range map[string]string{"an SMS": draft, "an SMS to many": "/k/oppvekst/jobber/" + string(s.jobFor(t, ofJobDraft[0]))} {
		t.Run(name, func(t *testing.T) {
			typed := heldForm(b.get(at + "/endre").page(t))
			if typed.Get("tekst") == "" || typed.Get("sett") == "" {
				t.Fatalf("the form holds %v", typed)
			}
			before := typed.Get("tekst")
			typed.Set("tekst", "Den nye teksten")
			if got := b.keeps(t, at+"/lagre", typed); got.StatusCode != http.StatusOK {
				t.Fatalf("got %d", got.StatusCode)
			}
			if _, err := s.store.DB.ExecContext(t.Context(), `UPDATE jobs SET parts = 0`); err != nil { // as when a row has been corrected
				t.Fatal(err)
			}
			b.get(at + "/kontroll") // looks over what the draft says, and leaves alone what is typed
			page := b.get(at + "/endre").page(t)
			if got := held(page, "tekst"); got != "Den nye teksten" {
				t.Errorf("the form holds %q", got)
			}
			typed = heldForm(page) // its revision counts looking over, too
			toDraft := page.Find(`a[href$="lagret=ja"]`).AttrOr("href", "")
			if got := held(b.get(toDraft).page(t), "tekst"); got != before {
				t.Errorf("the draft is %q, want %q", got, before)
			}
			if got := b.get(at + "/kontroll").page(t).Find("main").Text(); !strings.Contains(got, "Du har skrevet mer i skjemaet") || strings.Contains(got, "Den nye teksten") {
				t.Error("the review does not say that something is not in it")
			}
			if got := b.post(at+"/endre", typed); got.StatusCode != http.StatusSeeOther {
				t.Fatalf("got %d", got.StatusCode)
			}
			if got := b.get(at + "/kontroll").page(t).Find("main").Text(); strings.Contains(got, "Du har skrevet mer i skjemaet") || !strings.Contains(got, "Den nye teksten") {
				t.Error("the review still says that something is not in it")
			}
			typed.Set("tekst", "En forsinket tekst") // from a tab that has the draft as it was
			if got := b.keeps(t, at+"/lagre", typed); got.StatusCode != http.StatusConflict {
				t.Errorf("an older tab gets %d", got.StatusCode)
			}
			if got := b.send(at); got.StatusCode != http.StatusSeeOther {
				t.Fatalf("not sent: %d", got.StatusCode)
			}
			typed.Set("sett", "99")
			if got := b.keeps(t, at+"/lagre", typed); got.StatusCode != http.StatusConflict {
				t.Errorf("after it is sent: %d", got.StatusCode)
			}
			var n int
			if s.one(t, &n, `SELECT count(*) FROM unfinished_forms`); n != 0 {
				t.Errorf("%d are kept", n)
			}
		})
	}
}

// TestThePagesOwnSaves: a page whose answer was lost goes on from its own save; another page's is another tab.
func TestThePagesOwnSaves(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	open := func() url.Values {
		page := b.get(at).page(t)
		return fields("versjon", held(page, "versjon"), "side", held(page, "side"), "side-lagring", held(page, "side-lagring"))
	}
	save := func(f url.Values, number, title string, want int) {
		t.Helper()
		f.Set("side-lagring", number)
		f.Set("tittel", title)
		if got := b.post(at+"/stand", f, "Accept", "text/html; fragment=stand").StatusCode; got != want {
			t.Errorf("save %s of %q: got %d, want %d", number, title, got, want)
		}
	}
	title := func(want string) {
		t.Helper()
		if got := held(b.get(at).page(t), "tittel"); got != want {
			t.Errorf("the title is %q, want %q", got, want)
		}
	}
	one, two := open(), open()
	if one.Get("side") == "" || one.Get("side") == two.Get("side") {
		t.Fatal("two pages cannot be told apart")
	}
	save(one, "1", "Vedtak", http.StatusOK)
	save(one, "2", "Vedtak om skole", http.StatusOK) // with the version before its first save, whose answer was lost
	title("Vedtak om skole")
	save(one, "2", "Vedtak", http.StatusConflict) // a copy of a request
	save(one, "1", "Vedtak", http.StatusConflict) // one that was overtaken
	save(two, "1", "Noe annet", http.StatusConflict)
	title("Vedtak om skole")
	one.Set("tittel", "Vedtak om skoleplass")
	one.Set("side-lagring", "3")
	if got := b.post(at, one); got.StatusCode != http.StatusSeeOther {
		t.Errorf("the form is handed in after a lost answer: got %d", got.StatusCode)
	}
	title("Vedtak om skoleplass")
	three := open()
	save(three, "1", "Fra en ny side", http.StatusOK)
	save(one, "4", "Fra den gamle siden", http.StatusConflict)
	title("Fra en ny side")
	for _, wrong := range []string{"", "x", "0001", "'; DROP TABLE items"} {
		f := open()
		f.Set("side", wrong)
		save(f, "1", "Uten side "+wrong, http.StatusOK)
		save(f, "2", "Igjen", http.StatusConflict)
	}
}
