package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// refuseUsed records that the service refuses the set of credentials that an integration uses.
func (s *site) refuseUsed(t *testing.T, id dispatch.IntegrationID) {
	t.Helper()
	u, err := registry.In(s.store).Credentials.InUse(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	another, err := registry.In(s.store).Credentials.Refused(t.Context(), id, u.CredentialUse, dispatch.Reason{Key: "reason.unauthorized", HTTPStatus: 401})
	if err != nil || !another {
		t.Fatalf("the set is not refused: %v", err)
	}
}

// setRows are the rows of an integration's sets on its page.
func setRows(t *testing.T, b *browser, at string) *goquery.Selection {
	t.Helper()
	return b.get(at).page(t).Find("#tilgang").Closest("section").Find("tbody tr")
}

// tagWords are the tags of the rows.
func tagWords(rows *goquery.Selection) string {
	var list []string
	rows.Find(".ds-tag").Each(func(_ int, tag *goquery.Selection) { list = append(list, strings.TrimSpace(tag.Text())) })
	return strings.Join(list, ", ")
}

// TestRefusedSetIsHandled: a set that the service refuses may be tried, used and deleted, but the one that is used instead cannot be
// deleted, and the page that asks tells which one it is about. That one is refused is remembered when another is taken into use.
func TestRefusedSetIsHandled(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	id := s.unused(t, dispatch.IntegrationSMS)
	at := setup + "/" + string(id)
	old, fresh := s.addSet(t, id, "old"), s.addSet(t, id, "fresh")
	path := func(set dispatch.CredentialID, act string) string { return at + "/tilgang/" + string(set) + act }
	want := func(t *testing.T, states string) {
		t.Helper()
		if got := tagWords(setRows(t, b, at)); got != states {
			t.Errorf("the page says %q, want %q", got, states)
		}
	}
	act := func(t *testing.T, set dispatch.CredentialID, act, says string) {
		t.Helper()
		got := b.post(path(set, act), because)
		if message := flash(b.get(got.location()).page(t)); !strings.HasPrefix(message, says) {
			t.Errorf("%s: got %d %q, want %q", act, got.StatusCode, message, says)
		}
	}
	s.refuseUsed(t, id)

	t.Run("what each row offers", func(t *testing.T) {
		rows := setRows(t, b, at)
		want(t, "Avvist, I bruk")
		for act, offered := range map[string][2]int{"prov": {1, 1}, "bruk": {1, 1}, "slett": {1, 0}} {
			for i, n := range offered {
				if got := rows.Eq(i).Find(`form[action$="/` + act + `"], a[href$="/` + act + `"]`).Length(); got != n {
					t.Errorf("row %d offers %s %d times, want %d", i, act, got, n)
				}
			}
		}
		if got := strings.TrimSpace(rows.Eq(1).Find(`form[action$="/bruk"]`).Text()); got != "Bruk denne videre" {
			t.Errorf("the one in use says %q", got)
		}
	})
	t.Run("every page that tells of the integration says so", func(t *testing.T) {
		for page, says := range map[string]string{
			setup: "En innlogging er avvist", at: "En innlogging er avvist", delivery: "En innlogging er avvist. Vi bruker en annen så lenge.",
			"/admin/tilstand": "En innlogging er avvist. Vi bruker en annen så lenge.",
		} {
			if text := b.get(page).page(t).Find("main").Text(); !strings.Contains(text, says) {
				t.Errorf("%s does not say %q", page, says)
			}
		}
	})
	t.Run("the page that asks tells which one", func(t *testing.T) {
		if text := b.get(path(fresh, "/slett")).page(t).Find("main").Text(); !strings.Contains(text, ": Innloggingen lagt inn ") || !strings.Contains(text, " av Kari Nordmann") || !strings.Contains(text, "Tjenesten har avvist den, og den brukes ikke nå.") {
			t.Errorf("it says %q", text)
		}
	})
	t.Run("the one in use cannot be deleted", func(t *testing.T) {
		got := b.post(path(old, "/slett"), because)
		if says := problems(t, got)["virkning"]; got.StatusCode != http.StatusConflict || !strings.HasPrefix(says, "Denne innloggingen er i bruk nå, og ingen av de andre kan brukes.") {
			t.Errorf("got %d %q", got.StatusCode, says)
		}
		want(t, "Avvist, I bruk")
	})
	t.Run("using the other one does not forget the refusal", func(t *testing.T) {
		act(t, old, "/bruk", "Innloggingen er tatt i bruk")
		want(t, "Avvist, I bruk")
		for _, page := range []string{at, delivery} {
			if text := b.get(page).page(t).Find("main").Text(); strings.Contains(text, "er avvist") {
				t.Errorf("%s still says that one is refused", page)
			}
		}
		act(t, old, "/bruk", "Noen andre har allerede endret dette.")
		b.post(at+"/prov", fields()) // a trial of the one in use
		want(t, "Avvist, I bruk")
		act(t, fresh, "/bruk", "Innloggingen er tatt i bruk")
		want(t, "I bruk, I reserve")
		wantWords(t, b.get(at), "Avvist sist", "Tjenesten avviste innloggingen som er i bruk, sist den ble brukt. Neste sending prøver den igjen.")
		wantWords(t, b.get("/admin/logg"), "Tok innlogging i bruk Innlogging lagt inn: "+s.now().Format("02.01.2006")+" kl. ")
		wantWords(t, b.get(path(old, "/slett")), "Sletter du denne, kan det hende at ingen virker.")
	})
	t.Run("a refused one is used again at a person's word", func(t *testing.T) {
		s.run(t, `UPDATE credentials SET denied_at = denied_at - interval '1 hour' WHERE id = $1`, fresh)
		s.refuseUsed(t, id)
		want(t, "Avvist, I bruk")
		if n := s.number(t, `SELECT count(*) FROM credentials WHERE id = $1 AND denied_at > now() - interval '30 minutes'`, fresh); n != 1 {
			t.Error("the first refusal is told as the last")
		}
		act(t, fresh, "/bruk", "Innloggingen er tatt i bruk")
		want(t, "I bruk, I reserve")
	})
	t.Run("it is deleted, and the one in use goes on for good", func(t *testing.T) {
		s.refuseUsed(t, id)
		act(t, fresh, "/slett", "Innloggingen er slettet for godt")
		want(t, "Slettet, I bruk")
		sets, err := registry.In(s.store).Credentials.Sets(t.Context(), id)
		if err != nil || sets[1].State != dispatch.CredentialActive {
			t.Errorf("got %+v, %v", sets, err)
		}
	})
}

// TestWhatIsNotTriedYet: a login that was entered after all trials is not said to work, and a new attempt at a person's word tells how
// much waits for it.
func TestWhatIsNotTriedYet(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	id := s.oppvekst.Integration.ID
	at := setup + "/" + string(id)
	says := func(t *testing.T, page string, want ...string) {
		t.Helper()
		text := b.get(page).page(t).Find("main").Text()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not say %q: %q", page, w, text)
			}
		}
	}
	s.run(t, `UPDATE integrations SET last_success_at = now() WHERE id = $1`, id)
	s.run(t, `UPDATE credentials SET tried_at = now() WHERE integration_id = $1`, id)
	if text := strings.TrimSpace(b.get(at).page(t).Find(".status-now").Text()); text != "Virker" {
		t.Errorf("before: %q", text)
	}
	s.addSet(t, id, "fresh")
	says(t, at, "Ikke prøvd", "Innloggingen som er i bruk nå, er ikke prøvd ennå.", ", med en annen innlogging")
	says(t, delivery, "Ikke prøvd")
	old := setRows(t, b, at).Find(`a[href$="/slett"]`).AttrOr("href", "")
	const untried = "Innloggingen som er i bruk, er ikke prøvd ennå. Prøv den før du sletter denne."
	says(t, old, "Den brukes ikke nå.", untried)
	s.run(t, `UPDATE integrations SET refused_at = now(), refused_key = 'reason.unauthorized' WHERE id = $1`, id)
	s.queued(t, caseworker, message("Hei der"))
	b.post(at+"/klarer", fields())
	says(t, at, "Prøves på nytt", "Noen ba om et nytt forsøk i dag", "1 sending venter.")
	says(t, setup, "Prøves på nytt")
	says(t, delivery, "Prøves på nytt")
	s.run(t, `UPDATE credentials SET worked_at = now() WHERE integration_id = $1`, id)
	s.run(t, `UPDATE integrations SET last_success_at = now() WHERE id = $1`, id)
	if text := strings.TrimSpace(b.get(at).page(t).Find(".status-now").Text()); text != "Virker" {
		t.Errorf("afterwards: %q", text)
	}
	if text := b.get(old).page(t).Find("main").Text(); strings.Contains(text, untried) {
		t.Errorf("what is tried is called untried: %q", text)
	}
}

// TestFallbackAlarm: operators are told when one login is refused and another is used, and afterwards see from when to when.
func TestFallbackAlarm(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	in := s.oppvekst.Integration
	first, err := registry.In(s.store).Credentials.InUse(t.Context(), in.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.addSet(t, in.ID, "fresh")
	s.refuseUsed(t, in.ID)
	const alarms = "/admin/varsler"
	says := func(t *testing.T, section, want string) {
		t.Helper()
		rows := b.get(alarms).page(t).Find("section[aria-labelledby=" + section + "] tbody tr")
		if text := rows.Text(); rows.Length() != 1 || !strings.Contains(text, want) {
			t.Errorf("%s: %d rows, %q", section, rows.Length(), text)
		}
	}
	lasts := "Tjenesten avviser en innlogging til integrasjonen «" + in.Name + "». Vi bruker en annen så lenge."
	if text := b.get(alarms).page(t).Find("main").Text(); strings.Contains(text, lasts) {
		t.Error("it is said that another one is used, and nothing has been sent with it")
	}
	s.run(t, `UPDATE credentials SET worked_at = now() WHERE integration_id = $1 AND refused_at IS NULL`, in.ID)
	says(t, "varer", lasts)
	conditions, err := registry.In(s.store).Alarms.Conditions(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := registry.In(s.store).Alarms.SeeConditions(t.Context(), dispatch.AlarmKinds(), conditions, registry.Channels{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	says(t, "varer", lasts)
	b.post(setup+"/"+string(in.ID)+"/tilgang/"+string(first.ID)+"/bruk", fields())
	says(t, "over", "Tjenesten avviste en innlogging til integrasjonen «"+in.Name+"», og en annen ble brukt")
}
