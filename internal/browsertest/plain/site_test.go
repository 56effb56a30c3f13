package plain_test

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

const head = `<!doctype html><html lang="nb"><head><title>  Skjema
</title><link rel="stylesheet" href="/site.css"><script type="module" src="/site.js"></script></head><body><main>`

const formPage = head + `<h1>Ny   utsending</h1>
<form id="f" method="post" action="/sendt?a=1" enctype="multipart/form-data" novalidate>
<label for="name">Navn</label><input id="name" name="name" value="gammel" maxlength="6">
<label>Melding <textarea id="text" name="text">
Hei
der</textarea></label>
<label>Dato <input type="date" id="date" name="date"></label>
<input type="hidden" name="key" value="k&quot;1">
<label>Konto <select id="account" name="account"><option value="">Velg</option><option value="1">Skole</option><option label="Helse" selected>2</option><option disabled>3</option></select></label>
<select id="many" name="many" multiple><option>a</option><option selected>b</option><option selected>c</option></select>
<label id="l"><input type="checkbox" id="digital" name="digital"> Bare <b>digitalt</b></label>
<input type="radio" id="sms" name="channel" value="sms" checked><label for="sms">SMS</label>
<input type="radio" id="mail" name="channel" value="brev"><label for="mail">Brev</label>
<label>Fil <input type="file" id="file" name="file" multiple></label>
<fieldset disabled><legend><input id="kept" name="kept" value="med"></legend><input id="off" name="off" value="uten"></fieldset>
<input id="readonly" name="readonly" value="les" readonly>
<datalist><input name="listed" value="x"></datalist>
<button type="button" class="script">Skript</button>
<button name="do" value="send">Send nå</button>
<button id="other" name="do" value="other" formaction="/sendt?b=2" formenctype="application/x-www-form-urlencoded">Send et annet sted</button>
<button id="get" name="do" value="get" formmethod="get" formaction="/sendt?b=2#der">Søk</button>
<button disabled id="disabled">Av</button><button aria-disabled="true" id="aria">Av</button>
<button type="reset">Tøm</button>
</form>
<input name="outside" form="f" value="utenfor"><button form="f" id="outside" name="do" value="outside">Send utenfra</button>
</main></body></html>`

const seenPage = head + `<h1>Synlig</h1>
<p id="words">Ord <b>i</b> linje<br>ny&nbsp;linje<span hidden> skjult</span><span class="js-only"> skript</span></p>
<p id="noscript">A<noscript> uten skript</noscript></p>
<table id="table"><tr><td>en</td><td>to</td></tr><tr><td>tre</td></tr></table>
<ul id="list"><li>en</li><li>to</li></ul>
<details id="d"><summary>Mer <i>her</i></summary>inni <p>Foldet <a href="/side?nr=1">lenke</a></p></details>
<dialog id="dialog">Dialog<form method="dialog"><button>Lukk</button></form></dialog>
<dialog open id="opened">Åpen <form method="dialog"><button>Lukk den</button></form></dialog>
<button type="button" popovertarget="menu" id="opener">Meny</button><div id="menu" popover>Valg <a href="/side?nr=2">Gå</a></div>
<div id="hiddenblock" hidden>Alt <script>1</script>er skjult</div>
<p><a id="named" href="/side?nr=3" aria-label="Navngitt"></a><input type="submit" value="Ingen form" hidden></p>
<p><a href="/side?nr=4">Til siden</a> <a href="/side?nr=5">Til siden to</a> <a href="#bunn">Ned</a> <a href="/hent">Last ned</a> <a href="/hent" download>Last ned også</a>
<a href="mailto:a@example.com">Skriv</a> <a href="/side?nr=6"><b>Et <i>ord</i></b></a></p>
<p id="bunn" tabindex="-1">Bunnen</p>
<select id="choice"><option>Første</option><option>Andre</option></select>
</main></body></html>`

// constraints are fields that stop a form, each alone.
var constraints = map[string]string{
	"required":       `<input id="x" name="x" required>`,
	"required-area":  `<textarea id="x" name="x" required></textarea>`,
	"required-box":   `<input type="checkbox" id="x" name="x" required>`,
	"required-radio": `<input type="radio" id="x" name="x" value="1" required><input type="radio" name="x" value="2" id="y">`,
	"required-pick":  `<select id="x" name="x" required><option value="">Velg</option><option>Ja</option></select>`,
	"required-file":  `<input type="file" id="x" name="x" required>`,
	"pattern":        `<input id="x" name="x" pattern="[0-9]{3}">`,
	"email":          `<input type="email" id="x" name="x">`,
	"url":            `<input type="url" id="x" name="x">`,
	"number":         `<input type="number" id="x" name="x" min="2" max="8" step="2">`,
	"date":           `<input type="date" id="x" name="x" min="2026-01-02" max="2026-12-30">`,
	"minlength":      `<input id="x" name="x" minlength="3" value="a">`,
	"readonly":       `<input id="x" name="x" required readonly>`,
	"disabled":       `<input id="x" name="x" required disabled>`,
}

// site shows what it is sent, and has the habits of ours: __Host- cookie, answers with 303 and 422.
func site(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	text := func(path, kind, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		})
	}
	text("/skjema", "text/html; charset=utf-8", formPage)
	text("/synlig", "text/html; charset=utf-8", seenPage)
	text("/site.css", "text/css", `html:not([data-js]) .js-only { display: none }`)
	text("/site.js", "text/javascript", `document.documentElement.dataset.js = ""`)
	text("/hent", "application/pdf", "%PDF-1.7")
	text("/mangler", "text/html", `<!doctype html><title>Mangler</title><img src="/borte.png" alt="">`)
	text("/klage", "text/html", `<!doctype html><title>Klage</title><link rel="stylesheet" href="/borte.css"><script src="/site.css"></script>
<img src="https://annet.example/spor.gif" alt=""><iframe src="/side"></iframe><img src="/borte.png" loading="lazy" alt="">`)
	mux.HandleFunc("GET /svikt", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "svikt", http.StatusInternalServerError) })
	mux.HandleFunc("GET /krav/{name}", func(w http.ResponseWriter, r *http.Request) {
		form := ""
		if r.URL.Query().Has("fri") {
			form = "novalidate"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `%s<form action="/sendt" method="post" %s>%s<button id="send">Send</button><button id="free" formnovalidate>Fri</button></form>`, head, form, constraints[r.PathValue("name")])
	})
	mux.HandleFunc("GET /side", plainPage)
	mux.HandleFunc("/sendt", received)
	mux.HandleFunc("POST /ny", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("ok") == "" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprintf(w, `%s<h1>Feil %d</h1><form method="post"><button name="ok" value="1">Rett</button></form>`, head, len(r.Form))
			return
		}
		http.Redirect(w, r, "/side?nr=ny", http.StatusSeeOther)
	})
	text("/ny", "text/html", head+`<h1>Ny</h1><form method="post"><button>Prøv</button></form>`)
	mux.Handle("GET /videre", http.RedirectHandler("/side?nr=videre#bunn", http.StatusSeeOther))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Referrer-Policy", "same-origin")
		w.Header().Set("Cache-Control", "no-store")
		if r.URL.Path == "/hent" {
			w.Header().Set("Content-Disposition", `attachment; filename="brev.pdf"`)
		}
		if _, err := r.Cookie("__Host-session"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "__Host-session", Value: "x", Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// about are the headers of which a server judges where a request comes from.
func about(r *http.Request) string {
	said := []string{r.Method}
	for _, name := range []string{"Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Origin", "Referer"} {
		value := r.Header.Get(name)
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			value = strings.Replace(value, u.Host, u.Hostname(), 1)
		}
		said = append(said, value)
	}
	cookie := "no cookie"
	if _, err := r.Cookie("__Host-session"); err == nil {
		cookie = "cookie"
	}
	return strings.Join(append(said, cookie), " | ")
}

func plainPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	nr := r.URL.Query().Get("nr")
	fmt.Fprintf(w, `<!doctype html><html lang="nb"><title>Side %s</title><main><h1>Side %s</h1><p id="about">%s</p><a href="/synlig">Tilbake</a>
<p id="bunn" tabindex="-1">Bunn</p>`, nr, nr, about(r))
}

// received shows what a form sent, part by part.
func received(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	body, _ := io.ReadAll(r.Body)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	fmt.Fprintf(w, `<!doctype html><html lang="nb"><title>Sendt</title><main><h1>Sendt</h1><p id="about">%s</p><p id="query">%s</p><p id="kind">%s</p><ul id="body">`, about(r), r.URL.RawQuery, kind)
	if kind == "multipart/form-data" {
		for parts := multipart.NewReader(strings.NewReader(string(body)), params["boundary"]); ; {
			part, err := parts.NextRawPart()
			if err != nil {
				break
			}
			content, _ := io.ReadAll(part)
			fmt.Fprintf(w, `<li>%s %s: %q</li>`, part.Header.Get("Content-Disposition"), part.Header.Get("Content-Type"), content)
		}
	} else {
		fmt.Fprintf(w, `<li>%s</li>`, strings.ReplaceAll(string(body), "&", " "))
	}
	fmt.Fprint(w, `</ul></main></html>`)
}
