package plain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/browsertest/plain"
)

// driver is what both browsers do.
type driver interface {
	Go(address string)
	Back()
	Reload()
	Click(selector string)
	ClickText(role, text string)
	Submit(selector string)
	Fill(selector, value string)
	Select(selector, option string)
	Check(selector string)
	Uncheck(selector string)
	Upload(selector string, files ...string)
	Text(selector string) string
	Value(selector string) string
	Count(selector string) int
	Title() string
	Path() string
	URL() string
	HTML() string
	URLs() []string
	ConsoleErrors() []string
	FocusedSelector() string
}

// step is an action on a page, and the expected result.
type step struct {
	name, path string
	do         func(d driver) any
	want       string
}

func steps(t *testing.T) []step {
	t.Helper()
	file := filepath.Join(t.TempDir(), `br"ev.pdf`)
	if err := os.WriteFile(file, []byte("inn\nhold"), 0o600); err != nil {
		t.Fatal(err)
	}
	after := func(do func(d driver), selectors ...string) func(driver) any {
		return func(d driver) any {
			do(d)
			texts := []string{d.Path()}
			for _, s := range selectors {
				texts = append(texts, d.Text(s))
			}
			return strings.Join(texts, "\n")
		}
	}
	all := []step{
		{"a form as it came", "/skjema", after(func(d driver) { d.ClickText("button", "Send nå") }, "#about", "#query", "#kind", "#body"), "do"},
		{"a form filled in", "/skjema", after(func(d driver) {
			d.Fill("#name", "Kari Åsnes")
			d.Fill("#text", "Hei\nog «hå» 🙂")
			d.Fill("#date", "2027-02-28")
			d.Select("#account", "Skole")
			d.Select("#many", "a")
			d.Check("#digital")
			d.Check("#mail")
			d.Fill("#kept", "")
			d.Upload("#file", file, file)
			d.Submit("#name")
		}, "#body"), "Kari Å"},
		{"a button that sends elsewhere", "/skjema", after(func(d driver) { d.Check("#digital"); d.Uncheck("#digital"); d.Click("#other") }, "#about", "#query", "#kind", "#body"), "b=2"},
		{"a button that asks", "/skjema", func(d driver) any {
			d.Click("#get")
			return d.Text("#query") + d.Text("#about") + d.URL()[len("http://localhost:"):][5:]
		}, "do=get"},
		{"a button outside its form", "/skjema", after(func(d driver) { d.Click("#outside") }, "#body"), "utenfor"},
		{"a form emptied again", "/skjema", func(d driver) any {
			d.Fill("#name", "Ola")
			d.Check("#mail")
			d.Select("#account", "Skole")
			d.ClickText("button", "Tøm")
			return []string{d.Value("#name"), d.Value("#account"), d.Value("#text")}
		}, "gammel"},
		{"a label that is clicked on", "/skjema", after(func(d driver) { d.Click("#l b"); d.Click("label[for=mail]"); d.Click("#other") }, "#body"), "digital=on"},
		{"values of fields", "/skjema", func(d driver) any {
			var values []string
			for _, s := range []string{"#name", "#text", "#date", "#account", "#many", "#digital", "#sms", "#file", "#kept", "[name=key]"} {
				values = append(values, d.Value(s))
			}
			return values
		}, "gammel"},
		{"a value that is too long", "/skjema", func(d driver) any { d.Fill("#name", "abc🙂defgh"); return d.Value("#name") }, "abc"},
		{"lines in a field of one", "/skjema", func(d driver) any { d.Fill("#name", "a\nb"); return d.Value("#name") }, "a"},
		{"what is read", "/synlig", func(d driver) any {
			var texts []string
			for _, s := range []string{"#words", "#noscript", "#table", "#list", "#d", "#d p", "#dialog", "#opened", "#menu", "#hiddenblock", "#named", "main p", "#choice"} {
				texts = append(texts, d.Text(s))
			}
			return fmt.Sprintf("%q %q %s", texts, d.Title(), d.URL()[len("http://localhost:"):][5:])
		}, "Ord i linje ny linje"},
		{"a folded part is opened", "/synlig", after(func(d driver) { d.ClickText("summary", "Mer her"); d.ClickText("link", "lenke") }, "h1"), "Side 1"},
		{"a folded part is closed again", "/synlig", func(d driver) any {
			d.Click("#d > summary")
			open := d.Count("#d[open]")
			d.Click("#d > summary i")
			return []any{open, d.Count("#d[open]"), d.Text("#d")}
		}, "[1 0 Mer her]"},
		{"a menu", "/synlig", after(func(d driver) { d.Click("#opener"); d.ClickText("link", "Gå") }, "h1"), "Side 2"},
		{"a dialog", "/synlig", func(d driver) any { d.ClickText("button", "Lukk den"); return d.Count("dialog[open]") }, "0"},
		{"the first of the same name", "/synlig", after(func(d driver) { d.ClickText("link", "Til siden") }, "h1"), "Side 4"},
		{"a word of a name", "/synlig", after(func(d driver) { d.ClickText("a", "siden to") }, "h1"), "Side 5"},
		{"a word in a link", "/synlig", after(func(d driver) { d.Click("a i") }, "h1", "#about"), "Side 6"},
		{"a place on the page", "/synlig", func(d driver) any {
			d.ClickText("link", "Ned")
			before := d.FocusedSelector()
			d.ClickText("link", "Til siden")
			d.Back()
			return before + d.URL()[len("http://localhost:"):][5:] + d.Text("h1")
		}, "#bunn"},
		{"files", "/synlig", after(func(d driver) {
			d.ClickText("link", "Last ned")
			d.ClickText("link", "Last ned også")
			d.ClickText("link", "Skriv")
		}, "h1"), "Synlig"},
		{"history", "/ny", func(d driver) any {
			var seen []string
			see := func() { seen = append(seen, d.Path()+" "+d.Text("h1")) }
			d.Click("button")
			see()
			d.Reload()
			see()
			d.ClickText("button", "Rett")
			see()
			d.ClickText("link", "Tilbake")
			d.Back()
			see()
			return strings.Join(seen, ", ")
		}, "/ny Feil 0, /ny Feil 0, /side Side ny"},
		{"a typed address", "/side?nr=7", func(d driver) any { d.Go("/videre"); return d.Text("#about") + d.URL()[len("http://localhost:"):][5:] }, "none"},
		{"a file that is not there", "/mangler", func(d driver) any { return len(d.ConsoleErrors()) }, "1"},
	}
	for name, tries := range map[string][]func(d driver){
		"required":       {fill(""), fill("a")},
		"required-area":  {fill(""), fill("\n")},
		"required-box":   {fill(""), func(d driver) { d.Check("#x") }},
		"required-radio": {fill(""), func(d driver) { d.Check("#y") }},
		"required-pick":  {fill(""), func(d driver) { d.Select("#x", "Ja") }},
		"required-file":  {fill(""), func(d driver) { d.Upload("#x", file) }},
		"pattern":        {fill("12"), fill("1234"), fill("123")},
		"email":          {fill("a"), fill("a@b c"), fill(" a@b ")},
		"url":            {fill("a.no"), fill("https://a.no")},
		"number":         {fill("1"), fill("3"), fill("10"), fill("e"), fill("4")},
		"date":           {fill("2026-01-01"), fill("2026-12-31"), fill("2026-02-03")},
		"minlength":      {fill("ab"), fill("abc")},
		"readonly":       {fill("")},
		"disabled":       {fill("")},
	} {
		all = append(all, step{"constraint: " + name, "/krav/" + name, func(d driver) any {
			var seen []string
			for _, try := range tries {
				try(d)
				d.Click("#send")
				seen = append(seen, d.Path()+" "+d.FocusedSelector())
			}
			return append(seen, d.Text("#body"))
		}, "/sendt"})
	}
	return append(all,
		step{"no constraint: a button", "/krav/required", after(func(d driver) { d.Click("#free") }), "/sendt"},
		step{"no constraint: a form", "/krav/required?fri", after(func(d driver) { d.Click("#send") }), "/sendt"})
}

// fill types into the field of a constraint; an empty value types nothing.
func fill(value string) func(d driver) {
	return func(d driver) {
		if value != "" {
			d.Fill("#x", value)
		}
	}
}

// TestLikeChromium: Chromium without scripts and this browser give the same results.
func TestLikeChromium(t *testing.T) {
	t.Parallel()
	base := site(t)
	chromium := browsertest.Start(t).Page(t, browsertest.PageOptions{JavaScriptOff: true})
	own := plain.New(t, plain.Options{Hidden: ".js-only"})
	for _, s := range steps(t) {
		t.Run(s.name, func(t *testing.T) {
			var seen [2]string
			for i, d := range []driver{chromium, own} {
				d.Go(base + s.path)
				seen[i] = fmt.Sprint(s.do(d))
			}
			if seen[0] != seen[1] || !strings.Contains(seen[0], s.want) {
				t.Errorf("Chromium sees\n%s\nand here is\n%s\nwant %q", seen[0], seen[1], s.want)
			}
		})
	}
	if got := strings.Join(own.URLs(), " "); !strings.Contains(got, base+"/site.css") || !strings.Contains(got, base+"/videre") {
		t.Errorf("the addresses are %s", got)
	}
}

// failing is a test that is expected to fail.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Fatal(args ...any) {
	f.message = fmt.Sprint(args...)
	panic(f) // ends the step, as runtime.Goexit ends a test
}

// TestRefuses: an action that a person could not do fails, with its place.
func TestRefuses(t *testing.T) {
	t.Parallel()
	base := site(t)
	for _, tt := range []struct {
		path string
		step func(p *plain.Page)
		want string
	}{
		{"/skjema", func(p *plain.Page) { p.Click("#nowhere") }, "click on #nowhere: no such element"},
		{"/skjema", func(p *plain.Page) { p.Click("#disabled") }, "it is disabled"},
		{"/skjema", func(p *plain.Page) { p.Click("#aria") }, "it is disabled"},
		{"/skjema", func(p *plain.Page) { p.ClickText("button", "Skript") }, "it does nothing without scripts"},
		{"/skjema", func(p *plain.Page) { p.Fill("#off", "x") }, "it does not take text now"},
		{"/skjema", func(p *plain.Page) { p.Fill("#readonly", "x") }, "it does not take text now"},
		{"/skjema", func(p *plain.Page) { p.Fill("#digital", "x") }, "it is not a field"},
		{"/skjema", func(p *plain.Page) { p.Fill("#date", "31.12.2026") }, "is no value for it"},
		{"/skjema", func(p *plain.Page) { p.Select("#account", "Kultur") }, "it offers Velg, Skole, Helse, 3"},
		{"/skjema", func(p *plain.Page) { p.Select("#account", "3") }, "it offers"},
		{"/skjema", func(p *plain.Page) { p.Upload("#file", "/nowhere.pdf") }, "no such file"},
		{"/skjema", func(p *plain.Page) { p.WaitText("h1", "Gammel") }, `it reads ["Ny utsending"]`},
		{"/skjema", func(p *plain.Page) { p.Text("h1[") }, "is not a valid selector"},
		{"/skjema", func(p *plain.Page) { p.Count("input:checked") }, "is not known here"},
		{"/skjema", func(p *plain.Page) { p.Back() }, "this is the first page"},
		{"/skjema", func(p *plain.Page) { p.Go("http://localhost:1/") }, "connection refused"},
		{"/synlig", func(p *plain.Page) { p.Click("#d a") }, "it is not visible"},
		{"/synlig", func(p *plain.Page) { p.ClickText("link", "lenke") }, "no such element"},
		{"/synlig", func(p *plain.Page) { p.ClickText("link", "Gå") }, "no such element"},
		{"/synlig", func(p *plain.Page) { p.Click("#dialog button") }, "it is not visible"},
		{"/synlig", func(p *plain.Page) { p.Click("#words") }, "it does nothing without scripts"},
		{"/krav/required", func(p *plain.Page) { p.Click("#send"); p.Text("#body") }, "the form was not sent: input x: it is empty"},
	} {
		f := &failing{TB: t}
		p := plain.New(f, plain.Options{Hidden: ".js-only"})
		p.Go(base + tt.path)
		func() {
			defer func() { _ = recover() }()
			tt.step(p)
		}()
		if !strings.Contains(f.message, tt.want) || !strings.Contains(f.message, "page: "+tt.path+" (Skjema)") {
			t.Errorf("got %q, want %q in it", f.message, tt.want)
		}
		_, document, _ := strings.Cut(f.message, "document: ")
		document, _, _ = strings.Cut(document, "\n")
		if err := os.Remove(document); err != nil {
			t.Errorf("no document: %v", err)
		}
	}
}

// TestComplains: missing resources, resources of another type than the page expects, and server errors.
func TestComplains(t *testing.T) {
	t.Parallel()
	base := site(t)
	p := plain.New(t, plain.Options{})
	p.Go(base + "/klage")
	p.Go("/svikt")
	got := strings.Join(p.ConsoleErrors(), "\n")
	for _, want := range []string{"404 (" + base + "/borte.css", "/site.css is no script", "https://annet.example/spor.gif", "a frame", "500 (" + base + "/svikt"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among the complaints:\n%s", want, got)
		}
	}
	if strings.Contains(got, "borte.png") {
		t.Errorf("a picture outside the window is asked for: %s", got)
	}
}

// TestOptions: the options replace the style sheets.
func TestOptions(t *testing.T) {
	t.Parallel()
	p := plain.New(t, plain.Options{Hidden: "#d", Shown: "#menu"})
	p.Go(site(t) + "/synlig")
	if got := p.Text("main"); strings.Contains(got, "Mer her") || !strings.Contains(got, "Valg Gå") {
		t.Errorf("the page reads %q", got)
	}
	p.ClickText("link", "Gå")
	p.WaitText("h1", "Side 2")
}
