package browsertest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const formPage = `<!doctype html><html lang="nb"><head><title>Skjema</title><script type="module" src="/site.js"></script>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/site.css"></head><body><main>
<h1>Ny   utsending</h1>
<form method="post" action="/sendt" enctype="multipart/form-data">
<label for="name">Navn</label><input id="name" name="name" value="gammel" maxlength="20">
<label>Melding <textarea name="text"></textarea></label>
<label>Dato <input type="date" name="date"></label>
<label>Konto <select name="account"><option value="1">Skole</option><option value="2">Helse</option></select></label>
<label><input type="checkbox" name="digital" value="ja"> Bare digitalt</label>
<span class="pretty"><input type="radio" id="sms" name="channel" value="sms"></span><label for="sms">SMS</label>
<label>Fil <input type="file" name="file" multiple></label>
<p id="log"></p>
<button type="button" id="covered">Dekket</button><button type="button" disabled id="off">Av</button>
<button>Send nå</button>
</form>
<p><a href="/side?nr=1">Til siden</a> <a href="#bunn">Ned</a> <a href="/hent">Last ned</a>
<a href="mailto:a@example.com">Skriv</a></p>
<div class="tall"></div><p id="bunn">Bunnen&nbsp;er her</p><a id="far" href="/side?nr=2">Langt nede</a>
</main></body></html>`

const siteCSS = `html { scroll-behavior: smooth } .tall { block-size: 3000px } 
.pretty input { position: absolute; appearance: none; inline-size: 1px; block-size: 1px; clip-path: inset(50%) }
.wide { inline-size: 4000px } body { background: white; color: black }
h1 { color: #111; transition: color 9s }
@media (prefers-color-scheme: dark) { body { background: black; color: white } h1 { color: #222 } a { color: #9cf } }`

const siteJS = `
const log = document.querySelector("#log");
for (const kind of ["input", "change"]) {
	document.addEventListener(kind, (e) => {
		const word = kind + ":" + e.target.name + " ";
		if (log && !log.textContent.endsWith(word)) log.textContent += word; // lines are typed one by one
	});
}`

const badPage = `<!doctype html><html><title></title><script>alert(1)</script>
<script src="/borte.js"></script>
<script src="/kast.js"></script><img src="https://annet.example/spor.gif"></html>`

// site is a small application with the habits of ours: strict policy, __Host- cookie, answers with 303 and 422.
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
	text("/site.css", "text/css", siteCSS)
	text("/site.js", "text/javascript", siteJS)
	text("/hent", "application/pdf", "%PDF-1.7")
	text("/hopp", "text/html", `<!doctype html><title>Hopp</title><main><p id="over"></p><button>Trykk</button><p id="count">0</p></main>
<script src="/hopp.js"></script>`)
	text("/hopp.js", "text/javascript", `
let presses = 0, clicks = 0;
const button = document.querySelector("button");
document.addEventListener("mousedown", () => { if (presses++ < 2) document.querySelector("#over").style.height = 200 * presses + "px"; });
button.addEventListener("click", () => { document.querySelector("#count").textContent = ++clicks; });`)
	text("/bred", "text/html", `<!doctype html><title>Bred</title>
<link rel="stylesheet" href="/site.css"><div class="wide">x</div>`)
	text("/feil", "text/html", badPage)
	text("/kast.js", "text/javascript", `console.error("klage", 1); confirm("ja?"); throw new Error("uff")`)
	mux.HandleFunc("GET /side", plainPage)
	mux.HandleFunc("POST /sendt", received)
	mux.HandleFunc("GET /ugyldig", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		plainPage(w, r)
	})
	mux.Handle("GET /videre", http.RedirectHandler("/side?nr=3", http.StatusSeeOther))
	server := httptest.NewServer(strict(mux))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

func strict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
		if r.URL.Path == "/hent" {
			w.Header().Set("Content-Disposition", `attachment; filename="brev.pdf"`)
		}
		if _, err := r.Cookie("__Host-session"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "__Host-session", Value: r.URL.Query().Get("nr"), Path: "/",
				Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		}
		next.ServeHTTP(w, r)
	})
}

func plainPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	session := "ingen"
	if c, err := r.Cookie("__Host-session"); err == nil {
		session = "sesjon " + c.Value
	}
	fmt.Fprintf(w, `<!doctype html><html lang="nb"><title>Side</title><main><h1>Side %s</h1><p id="session">%s</p>
<a href="/skjema">Tilbake til skjemaet</a></main></html>`, r.URL.Query().Get("nr"), session)
}

// received shows what a form sent, so that tests read it on the next page.
func received(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><html lang="nb"><title>Sendt</title><main><h1>Sendt</h1><dl>`)
	for _, field := range []string{"name", "text", "date", "account", "digital", "channel"} {
		fmt.Fprintf(w, `<dt>%s</dt><dd id="%s">%q</dd>`, field, field, strings.ReplaceAll(r.FormValue(field), "\r\n", "\n"))
	}
	for _, header := range r.MultipartForm.File["file"] {
		f, err := header.Open()
		if err != nil {
			continue
		}
		content, _ := io.ReadAll(f) // in memory
		fmt.Fprintf(w, `<dd class="file">%s: %s</dd>`, header.Filename, content)
	}
	fmt.Fprint(w, `</dl></main></html>`)
}
