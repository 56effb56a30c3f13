package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
)

// hostile are texts that no person types and any program can post. Each goes into all fields of every form at once, and the
// last, which passes the gate and is refused by nothing but a field's own rule, into each field alone.
var hostile = []struct{ name, text string }{
	{"a NUL and half a surrogate pair", "Kari\x00Nordmann \xed\xa0\x80\xff"},
	{"6 000 characters", strings.Repeat("Åse", 2000)},
	{"marks of direction, and shipments in parts", "\u202eA\u030ase\u2066 \u200fNordmann"},
	{"1 500 shipments in parts", strings.Repeat("A\u030abc", 500)},
}

// TestHostileText: whoever may post a form, and whatever text they put into its fields, the answer is not a 500.
func TestHostileText(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	browsers := map[string]*browser{}
	for _, who := range everybody {
		browsers[who] = s.browser(t, who)
	}
	fields := s.fieldsOfForms(t, browsers)
	for _, r := range table {
		if r.method != http.MethodPost || strings.HasSuffix(r.path, "/innlogginger/avslutt") || r.path == "/logg-ut" {
			continue
		}
		t.Run(r.path, func(t *testing.T) {
			to := &target{row: r}
			alone := append([]string{"nokkel"}, fields[r.path]...)
			if testing.Short() {
				alone = alone[:1]
			}
			for i, want := range strings.Fields(r.want) {
				if want == "401" || want == "403" || want == "404" {
					continue
				}
				s.postHostile(t, browsers[everybody[i]], to, fields[r.path], alone)
				alone = nil // by one of those who may
			}
		})
	}
}

// TestTextThroughTheGate: accepted text is stored composed (NFC); refused text gets a message at its field.
func TestTextThroughTheGate(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sms := func(text string) url.Values {
		return fields("mottaker", "telefonnummer", "telefonnummer", "90000123", "tekst", text)
	}
	got := b.post("/k/oppvekst/sms/ny", sms("Hei A\u030ase\vVel møtt"))
	id := strings.Split(got.location(), "/")[4]
	if text := s.oppvekst.Item(t, s.store, dispatch.ItemID(id)).Text; text != "Hei Åse\nVel møtt" {
		t.Errorf("kept %q", text)
	}
	got = b.post("/k/oppvekst/sms/ny", sms("Hei\x00 der"))
	page := got.page(t)
	if text := strings.TrimPrefix(page.Find("textarea[name=tekst]").Text(), "\n"); got.StatusCode != http.StatusUnprocessableEntity || text != "Hei\ufffd der" {
		t.Errorf("got %d with %q in the field, want the text with the place marked", got.StatusCode, text)
	}
	draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	got = b.post(draft, fields("versjon", "1", "navn", "Kari \u202enonrakN", "referanse", strings.Repeat("R", 6000), "tittel", "Ve\x00dtak"))
	page = b.get(got.location()).page(t)
	if name, said := page.Find("[name=navn]").AttrOr("value", ""), page.Find("main").Text(); name != "Kari nonrakN" || !strings.Contains(said, "usynlige tegn") {
		t.Errorf("got the name %q, and a page that says %.300q", name, said)
	}
	if said := squeezed(page.Find("main [role=status]")); !strings.Contains(said, "«Kari [U+202E]nonrakN» er nå «Kari nonrakN»") {
		t.Errorf("what was changed is told as %q", said)
	}
	got = b.get(draft + "?kontrollert=ja")
	if said := got.body; got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(said, "Referansen er for lang. Høyst 100 tegn.") || !strings.Contains(said, "Feltet har tegn som ikke kan leses") {
		t.Errorf("got %d, want both problems named", got.StatusCode)
	}
	another := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	got = b.post(another, fields("versjon", "1", "nummer", "\u202a12047800155\u202c"))
	if said := squeezed(b.get(got.location()).page(t).Find("main [role=status]")); !strings.Contains(said, "i ett felt") || strings.Contains(said, "12047800155") {
		t.Errorf("a number with marks is told as %q", said)
	}
	lead := s.browser(t, teamLead)
	if got := lead.post("/k/oppvekst/filtre", fields("navn", "Mitt\x00 filter")); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Teksten har tegn som ikke kan lagres") {
		t.Errorf("got %d for a name with a NUL, want 422 with a sentence", got.StatusCode)
	}
	if got := lead.post("/k/oppvekst/filtre", fields("navn", strings.Repeat("a", 6000))); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Teksten er for lang") {
		t.Errorf("got %d for an endless name, want 422 with a sentence", got.StatusCode)
	}
}

// postHostile posts a route's form with each text in all its fields at once, then in each of them alone. Others who may post
// it too, without fields to try alone, post the worst.
func (s *site) postHostile(t *testing.T, b *browser, to *target, fields, alone []string) {
	t.Helper()
	every := slices.AppendSeq(slices.Clone(fields), maps.Keys(whole()))
	if alone == nil {
		s.postNever500(t, b, to, hostile[0].name+" in all fields", every, hostile[0].text)
		return
	}
	for _, h := range hostile {
		s.postNever500(t, b, to, h.name+" in all fields", every, h.text)
	}
	last := hostile[len(hostile)-1]
	for _, name := range alone {
		s.postNever500(t, b, to, last.name+" in "+name, []string{name}, last.text)
	}
	s.postNever500(t, b, to, "1 000 000 characters", every, strings.Repeat("a", 1_000_000/len(every)))
}

func (s *site) postNever500(t *testing.T, b *browser, to *target, how string, names []string, text string) {
	t.Helper()
	form := whole()
	for _, name := range names {
		form.Set(name, text)
	}
	kind, body := formType, form.Encode()
	if slices.Contains([]string{"/k/:konto/sms/ny/flere", "/k/:konto/jobber/:id/liste", "/k/:konto/utkast/:id/flere/liste", "/k/:konto/utkast/:id/flere/filer", "/k/:konto/utkast/:id/dokumenter"}, to.path) {
		var parts []string
		for name, values := range form {
			parts = append(parts, name, values[0])
		}
		kind, body = listForm(parts...)
	}
	got := s.ask(t, b, to, kind, body)
	if got.StatusCode >= 500 {
		t.Errorf("%s: got %d", how, got.StatusCode)
	}
}

// fieldsOfForms are the names that each POST route's forms have on the pages.
func (s *site) fieldsOfForms(t *testing.T, browsers map[string]*browser) map[string][]string {
	t.Helper()
	found := map[string]map[string]bool{}
	for _, r := range table {
		if r.method == http.MethodPost {
			found[r.path] = map[string]bool{}
		}
	}
	for _, r := range table {
		for i, want := range strings.Fields(r.want) {
			if r.method != http.MethodGet || want != "200" || strings.Contains(r.path, ".") {
				continue
			}
			address := s.address(t, r)
			page, err := goquery.NewDocumentFromReader(strings.NewReader(browsers[everybody[i]].get(address).body))
			if err != nil {
				continue // a file
			}
			page.Find("form[method=post]").Each(func(_ int, form *goquery.Selection) {
				names := found[routeOf(form.AttrOr("action", address))]
				form.Find("[name]").Each(func(_ int, input *goquery.Selection) {
					if names != nil {
						names[input.AttrOr("name", "")] = true
					}
				})
			})
			break
		}
	}
	fields := map[string][]string{}
	for path, names := range found {
		fields[path] = slices.Sorted(maps.Keys(names))
	}
	return fields
}

// routeOf is the POST route that an address belongs to.
func routeOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	at := strings.Split(address, "/")
	for _, r := range table {
		route := strings.Split(r.path, "/")
		if r.method == http.MethodPost && len(route) == len(at) {
			same := true
			for i := range at {
				same = same && (route[i] == at[i] || strings.HasPrefix(route[i], ":"))
			}
			if same {
				return r.path
			}
		}
	}
	return ""
}
