package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// template stores a template of a person's account.
func (s *site) template(t *testing.T, who, name, text string) dispatch.TemplateID {
	t.Helper()
	id := dispatch.TemplateID(uuid.NewString())
	by := s.as(t, who)
	if err := items.In(s.store).Templates.Create(t.Context(), by.Account.ID, id, by.Actor, dispatch.TemplateContent{Name: name, Text: text}); err != nil {
		t.Fatal(err)
	}
	return id
}

// current is a template as it stands.
func (s *site) current(t *testing.T, id dispatch.TemplateID) dispatch.Template {
	t.Helper()
	got, err := items.In(s.store).Templates.ByID(t.Context(), s.oppvekst.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func templateForm(name, text, nynorsk, version string) url.Values {
	return fields("nokkel", uuid.NewString(), "navn", name, "tekst", text, "nynorsk", nynorsk, "versjon", version)
}

// summary is what the form complains about.
func summary(page *goquery.Document) string {
	return strings.Join(page.Find(".ds-error-summary a").Map(func(_ int, s *goquery.Selection) string { return s.Text() }), "|")
}

// TestTemplateLife: created, changed, an older version viewed and restored, archived and reactivated.
func TestTemplateLife(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	lead, admin := s.browser(t, teamLead), s.browser(t, accountAdmin)
	at := lead.post("/k/oppvekst/maler/ny", templateForm(" Påminnelse ", "Hei ((fornavn)).\r\nTimen er ((dato)).", "", "")).location()
	page := lead.get(at).page(t)
	main := page.Find("main").Text()
	if heading(page) != "Påminnelse" || flash(page) != "Malen er lagret" || !strings.Contains(main, "Timen er ((dato)).") {
		t.Fatalf("got %q, %q: %q", heading(page), flash(page), main)
	}

	edit := admin.get(at + "/endre").page(t)
	form := templateForm("Påminnelse", "Hei ((fornavn)).\nTimen er i dag.", "", edit.Find("input[name=versjon]").AttrOr("value", ""))
	if got := admin.post(at+"/endre", form).location(); got != at {
		t.Fatalf("the change leads to %q", got)
	}
	page = lead.get(at).page(t)
	if removed, added := page.Find("del").Text(), page.Find("ins").Text(); !strings.Contains(removed, "((dato))") || !strings.Contains(added, "i dag") {
		t.Errorf("the difference shows %q and %q", removed, added)
	}
	versions := page.Find("tbody tr").Map(func(_ int, s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") })
	if len(versions) != 2 || !strings.Contains(versions[0], "BokmålJonas Vik") || !strings.Contains(versions[1], "Malen ble lagetIngrid Lunde") {
		t.Errorf("the versions are %q", versions)
	}

	older := lead.get(at + "/versjoner/1").page(t)
	if heading(older) != "Påminnelse, versjon 1" || !strings.Contains(older.Find(".bubble").Text(), "Timen er ((dato)).") {
		t.Errorf("got %q", heading(older))
	}
	restore := older.Find(`form[action$="/tilbake"]`)
	got := lead.post(restore.AttrOr("action", ""), fields("versjon", restore.Find("input").AttrOr("value", "")))
	if page = lead.get(got.location()).page(t); flash(page) != "Versjonen er tatt tilbake" || !strings.Contains(page.Find("tbody tr").First().Text(), "Tok tilbake versjon 1") {
		t.Errorf("got %q", flash(page))
	}

	lead.post(at+"/arkiver", fields("versjon", "3"))
	if list := s.browser(t, caseworker).get("/k/oppvekst/maler").page(t); list.Find("section[aria-labelledby=arkiv] a").Text() != "Påminnelse" {
		t.Error("it is not among the archived")
	} else if empty := list.Find("section[aria-labelledby=maler-sms] .empty").Text(); !strings.Contains(empty, "Ingen maler for SMS er i bruk nå") {
		t.Errorf("with an archived one alone, the list says %q", empty)
	}
	if got := lead.get(at + "/endre"); got.StatusCode != http.StatusSeeOther {
		t.Errorf("an archived one can be changed: %d", got.StatusCode)
	}
	lead.post(at+"/aktiver", fields("versjon", "3"))
	if page = lead.get(at).page(t); flash(page) != "Malen er i bruk igjen" {
		t.Errorf("got %q", flash(page))
	}
	t.Run("and all of it is in the event log", func(t *testing.T) {
		var log string
		err := storetest.DB(t, s.database).QueryRow(`SELECT string_agg(action, ' ' ORDER BY id) FROM audit_events WHERE object_id = $1 AND origin = '127.0.0.1'`, at[strings.LastIndex(at, "/")+1:]).Scan(&log)
		if err != nil || log != "template.create template.update template.restore template.archive template.unarchive" {
			t.Errorf("got %q, %v", log, err)
		}
	})
}

func TestTemplateProblems(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	s.template(t, teamLead, "Time", "Hei")
	id := s.template(t, teamLead, "Annet", "Hei")
	for _, tt := range []struct{ name, title, text, nynorsk, want string }{
		{"nothing filled in", "", "", "", "Skriv inn et navn på malen.|Skriv teksten på bokmål eller nynorsk."},
		{"too long", strings.Repeat("æ", 101), strings.Repeat("x", 1601), strings.Repeat("😀", 801),
			"Navnet er for langt. Høyst 100 tegn.|Meldingen må ha mellom 2 og 1\u00a0600 tegn. Den har 1\u00a0601.|Teksten på nynorsk må ha mellom 2 og 1\u00a0600 tegn. Den har 1\u00a0602."},
		{"a field that is not closed", "Møte", "Hei ((fornavn), … (dato))", "Hei ((fornavn)), … (dato)",
			"I meldingen står ((fornavn), som ser ut som et flettefelt, men ikke blir fylt ut. Skriv flettefelt med to parenteser på hver side, slik: ((fornavn))."},
		{"a name in use", "TIME", "Hei", "", "En annen mal på kontoen har dette navnet. Velg et annet, eller arkiver den andre malen."},
	} {
		for _, address := range []string{"/k/oppvekst/maler/ny", "/k/oppvekst/maler/" + string(id) + "/endre"} {
			t.Run(tt.name+" at "+address[:len("/k/oppvekst/maler/ny")], func(t *testing.T) {
				got := b.post(address, templateForm(tt.title, tt.text, tt.nynorsk, "1"))
				page := got.page(t)
				if got.StatusCode != http.StatusUnprocessableEntity || summary(page) != tt.want {
					t.Errorf("got %d %q, want %q", got.StatusCode, summary(page), tt.want)
				}
				if page.Find("#tekst").Text() != tt.text || page.Find("#nynorsk").Text() != tt.nynorsk || page.Find("#navn").AttrOr("value", "") != tt.title {
					t.Error("what was typed is gone")
				}
			})
		}
	}
	t.Run("longer than any form", func(t *testing.T) {
		if got := b.post("/k/oppvekst/maler/ny", templateForm("Lang", strings.Repeat("x", 2<<20), "", "")); got.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("got %d", got.StatusCode)
		}
	})
}

// TestTwoTemplateEditors: the second one is told, sees the first one's text, loses nothing, and can save.
func TestTwoTemplateEditors(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.template(t, teamLead, "Time", "Hei alle")
	at := "/k/oppvekst/maler/" + string(id)
	first, second := s.browser(t, accountAdmin), s.browser(t, teamLead)
	first.post(at+"/endre", templateForm("Time", "Hei dere", "", "1"))
	got := second.post(at+"/endre", templateForm("Time", "Hei på deg", "", "1"))
	page := got.page(t)
	if got.StatusCode != http.StatusUnprocessableEntity || page.Find("#tekst").Text() != "Hei på deg" || page.Find("#andres").Text() != "Jonas Vik lagret versjon 2 mens du skrev" {
		t.Fatalf("got %d %q", got.StatusCode, page.Find("main").Text())
	}
	if !strings.Contains(page.Find("del").Text(), "dere") || !strings.Contains(page.Find("ins").Text(), "på deg") {
		t.Errorf("the difference is %q", page.Find(".difference").Text())
	}
	if now := s.current(t, id); now.Text != "Hei dere" {
		t.Errorf("stored is %q", now.Text)
	}
	again := second.post(at+"/endre", templateForm("Time", "Hei på deg", "", page.Find("input[name=versjon]").AttrOr("value", "")))
	if now := s.current(t, id); again.StatusCode != http.StatusSeeOther || now.Text != "Hei på deg" || now.Number != 3 {
		t.Errorf("got %d, stored is %q in version %d", again.StatusCode, now.Text, now.Number)
	}
	t.Run("of whom one archives", func(t *testing.T) {
		first.post(at+"/arkiver", fields("versjon", "3"))
		page := second.post(at+"/endre", templateForm("Time", "Hei igjen", "", "3")).page(t)
		if summary(page) != "Malen ble arkivert mens du skrev, så endringen er ikke lagret." || page.Find("#tekst").Text() != "Hei igjen" {
			t.Errorf("got %q", summary(page))
		}
	})
	t.Run("of whom one archives what has changed", func(t *testing.T) {
		other := s.template(t, teamLead, "Annet", "Hei")
		at := "/k/oppvekst/maler/" + string(other)
		first.post(at+"/endre", templateForm("Annet", "Hei du", "", "1"))
		page := second.get(second.post(at+"/arkiver", fields("versjon", "1")).location()).page(t)
		if flash(page) != "Noen andre var raskere. Her ser du hvordan malen er nå." || s.current(t, other).Archived() {
			t.Errorf("got %q", flash(page))
		}
	})
	t.Run("a name taken meanwhile keeps it archived", func(t *testing.T) {
		s.template(t, teamLead, "Time", "Ny")
		got := second.post(at+"/aktiver", fields("versjon", "3"))
		if got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(summary(got.page(t)), "En annen mal på kontoen har dette navnet") || !s.current(t, id).Archived() {
			t.Errorf("got %d %q", got.StatusCode, summary(got.page(t)))
		}
	})
}

// TestForeignTemplates: what belongs to another account, or is no template, is not there.
func TestForeignTemplates(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	foreign := s.template(t, outsider, "Hemmelig", "Hemmelig")
	own := s.template(t, teamLead, "Egen", "Hei")
	for _, id := range []string{string(foreign), uuid.NewString(), "1", "%00", string(own) + "/versjoner/2", string(own) + "/versjoner/0", string(own) + "/versjoner/x"} {
		if got := b.get("/k/oppvekst/maler/" + id); got.StatusCode != http.StatusNotFound || strings.Contains(got.body, "Hemmelig") {
			t.Errorf("%s: got %d", id, got.StatusCode)
		}
	}
	for _, act := range []string{"endre", "arkiver", "aktiver", "versjoner/1/tilbake"} {
		if got := b.post("/k/oppvekst/maler/"+string(foreign)+"/"+act, templateForm("Tyv", "Tyv", "", "1")); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: got %d", act, got.StatusCode)
		}
	}
}

func TestTemplateCount(t *testing.T) {
	t.Parallel()
	b := newSite(t).browser(t, teamLead)
	got := b.post("/k/oppvekst/maler/teller", fields("nynorsk", "Hei ((fornamn)) "+strings.Repeat("x", 160))).page(t)
	if text := strings.Join(strings.Fields(got.Find("#sms-nynorsk-linje").Text()), " "); !strings.HasPrefix(text, "2 SMS-deler") || !strings.HasSuffix(text, "Flettefelt: ((fornamn))") {
		t.Errorf("got %q", text)
	}
	if text := b.post("/k/oppvekst/maler/teller", fields("tekst", "č")).page(t).Find("#sms-varsel code").Text(); text != "č" {
		t.Errorf("got %q", text)
	}
}

// TestReplacingInATemplate: the button of one text changes that one, keeps what else is typed, and saves nothing.
func TestReplacingInATemplate(t *testing.T) {
	t.Parallel()
	b := newSite(t).browser(t, teamLead)
	form := templateForm("Påminnelse", "Møt – nå", "Møt – no", "")
	form.Set("bytt", "nynorsk")
	page := b.post("/k/oppvekst/maler/ny", form).page(t)
	if got, other := strings.TrimSpace(page.Find("#nynorsk").Text()), strings.TrimSpace(page.Find("#tekst").Text()); got != "Møt - no" || other != "Møt – nå" {
		t.Errorf("got %q beside %q", got, other)
	}
	if page.Find("#navn").AttrOr("value", "") != "Påminnelse" || strings.Contains(b.get("/k/oppvekst/maler").body, "Påminnelse") {
		t.Error("the name is lost, or the template is saved")
	}
}

// TestTemplatesAreFoundAndBegun: words narrow the list of templates, and each begins an SMS with its text.
func TestTemplatesAreFoundAndBegun(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	lead, b := s.browser(t, accountAdmin), s.browser(t, caseworker)
	for _, name := range []string{"Påminnelse om time", "Stengt", "Feriestengt"} {
		lead.post("/k/oppvekst/maler/ny", fields("nokkel", uuid.NewString(), "navn", name, "tekst", "Hei. Dette er "+name+"."))
	}
	names := func(search string) (list []string) {
		b.get("/k/oppvekst/maler?finn=" + url.QueryEscape(search)).page(t).Find("section[aria-labelledby=maler-sms] .main-link").Each(func(_ int, a *goquery.Selection) { list = append(list, a.Text()) })
		return list
	}
	for search, want := range map[string][]string{
		"": {"Feriestengt", "Påminnelse om time", "Stengt"}, "STENGT": {"Feriestengt", "Stengt"}, "time hei": {"Påminnelse om time"}, "skyss": nil,
	} {
		if got := names(search); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", search, got, want)
		}
	}
	wantWords(t, b.get("/k/oppvekst/maler?finn=skyss"), "Ingen maler har «skyss» i navn eller tekst.", "Vis alle malene")
	if got := b.get("/k/oppvekst/maler").page(t).Find("main form[role=search]").Length(); got != 0 {
		t.Error("a search is offered for three")
	}
	begin := b.get("/k/oppvekst/maler").page(t).Find("section[aria-labelledby=maler-sms] tbody form").First()
	page := b.post(begin.AttrOr("action", ""), fields("mal", begin.Find("[name=mal]").AttrOr("value", ""), "mal-hent", "hent")).page(t)
	if got := strings.TrimSpace(page.Find("#tekst").Text()); got != "Hei. Dette er Feriestengt." || page.Find("[name=nokkel]").AttrOr("value", "") == "" {
		t.Errorf("the text is %q", got)
	}
	if got := s.browser(t, auditor).get("/k/oppvekst/maler").page(t).Find("tbody form").Length(); got != 0 {
		t.Errorf("who may not send is offered %d", got)
	}
}
