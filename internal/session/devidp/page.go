package devidp

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"
)

//go:embed page
var pageFiles embed.FS

type loginView struct {
	Title, Path, Pending string
	People               []Person
}

type messageView struct {
	Title, Path, Heading, Text string
	Frames                     []string // addresses of front-channel logouts
	Next                       string   // where to go after them; empty: nowhere
}

func (p *Provider) parsePages() error {
	p.pages = map[string]*template.Template{}
	for _, name := range []string{"login.html", "message.html"} {
		page, err := template.ParseFS(pageFiles, "page/layout.html", "page/"+name)
		if err != nil {
			return err
		}
		p.pages[name] = page
	}
	return nil
}

// loginPage stores the request on the server and puts only a random id into the page, so that it cannot be tampered
// with.
func (p *Provider) loginPage(w http.ResponseWriter, a authRequest) {
	w.Header().Set("Content-Security-Policy", contentSecurityPolicy(a.redirectURI))
	p.render(w, http.StatusOK, "login.html", loginView{
		Title:   p.title,
		Path:    p.path,
		Pending: p.memory.keep(a, p.now()),
		People:  p.people,
	})
}

// refusePage answers errors that must not redirect.
func (p *Provider) refusePage(w http.ResponseWriter, text string) {
	p.messagePage(w, http.StatusBadRequest, "Det gikk ikke", text)
}

func (p *Provider) messagePage(w http.ResponseWriter, status int, heading, text string) {
	p.showMessage(w, status, messageView{Heading: heading, Text: text})
}

func (p *Provider) showMessage(w http.ResponseWriter, status int, v messageView) {
	v.Title, v.Path = p.title, p.path
	p.render(w, status, "message.html", v)
}

// render renders the page before it is sent, so that no partial page is.
func (p *Provider) render(w http.ResponseWriter, status int, name string, view any) {
	var page bytes.Buffer
	if err := p.pages[name].ExecuteTemplate(&page, "layout.html", view); err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // the client has disconnected
}

func (p *Provider) stylesheet(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	http.ServeFileFS(w, r, pageFiles, "page/style.css")
}

// contentSecurityPolicy allows a form to lead to the given address, because Chromium checks the redirect after a POST
// against form-action too.
func contentSecurityPolicy(address string) string {
	formAction := strings.TrimSpace("'self' " + originOf(address))
	return "default-src 'none'; style-src 'self'; form-action " + formAction + "; frame-ancestors 'none'; base-uri 'none'"
}

func originOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host
	}
	return ""
}
