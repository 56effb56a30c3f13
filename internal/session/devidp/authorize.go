package devidp

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Messages for a login that cannot continue and has no safe redirect address.
const (
	textUnreadable      = "Forespørselen kan ikke leses."
	textUnknownClient   = "Programmet som ba om innlogging, er ikke registrert her (client_id)."
	textUnknownRedirect = "Adressen du skulle sendes tilbake til, er ikke registrert for programmet (redirect_uri)."
	textStaleLogin      = "Innloggingen er allerede brukt eller for gammel. Gå tilbake til programmet og logg inn på nytt."
	textUnknownPerson   = "Personen finnes ikke her. Gå tilbake til programmet og logg inn på nytt."
)

// authorize starts a login, or continues the one whose login page was answered.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		p.refusePage(w, textUnreadable)
		return
	}
	if r.PostForm.Has("pending") {
		p.choose(w, r)
		return
	}

	a, text := p.whoAsks(r.Form)
	if text != "" {
		p.refusePage(w, text)
		return
	}
	if problem := a.read(r.Form); problem != nil {
		p.refuse(w, r, a, problem)
		return
	}

	s, signedIn := p.currentSession(r)
	switch {
	case signedIn && a.accepts(s, p.now()):
		p.grant(w, r, a, s)
	case a.silent():
		p.refuse(w, r, a, &refusal{"login_required", "nobody is signed in, or too long ago"})
	default:
		p.loginPage(w, a)
	}
}

// whoAsks validates client and redirect address; else the string tells why a redirect would be unsafe.
func (p *Provider) whoAsks(q url.Values) (authRequest, string) {
	if len(q["client_id"]) > 1 || len(q["redirect_uri"]) > 1 {
		return authRequest{}, textUnreadable
	}
	client, ok := p.clients[q.Get("client_id")]
	if !ok {
		return authRequest{}, textUnknownClient
	}
	address := q.Get("redirect_uri")
	if !slices.Contains(client.RedirectURIs, address) {
		return authRequest{}, textUnknownRedirect
	}
	return authRequest{client: client, redirectURI: address, expires: p.now().Add(loginPatience)}, ""
}

// choose handles the answer of the login page.
func (p *Provider) choose(w http.ResponseWriter, r *http.Request) {
	a, ok := p.memory.take(r.PostForm.Get("pending"), p.now())
	if !ok {
		p.refusePage(w, textStaleLogin)
		return
	}
	if r.PostForm.Has("cancel") {
		p.refuse(w, r, a, &refusal{"access_denied", "the person cancelled"})
		return
	}

	subject := r.PostForm.Get("person")
	i := slices.IndexFunc(p.people, func(person Person) bool { return person.Subject == subject })
	if i < 0 {
		p.refusePage(w, textUnknownPerson)
		return
	}
	p.grant(w, r, a, p.signIn(w, r, p.people[i]))
}

// grant sends an authorization code to the relying party.
func (p *Provider) grant(w http.ResponseWriter, r *http.Request, a authRequest, s session) {
	now := p.now()
	expires := now.Add(p.codeLifetime)
	code := p.memory.issueCode(&grant{
		request: a,
		session: s,
		expires: expires,
		forget:  expires.Add(p.tokenLifetime),
	}, now)
	p.answer(w, r, a, url.Values{"code": {code}})
}

func (p *Provider) refuse(w http.ResponseWriter, r *http.Request, a authRequest, f *refusal) {
	p.answer(w, r, a, url.Values{"error": {f.Code}, "error_description": {f.Description}})
}

// answer redirects to the relying party; iss tells it which provider answers (RFC 9207).
func (p *Provider) answer(w http.ResponseWriter, r *http.Request, a authRequest, params url.Values) {
	params.Set("iss", p.issuer)
	if a.state != "" {
		params.Set("state", a.state)
	}
	redirect(w, r, a.redirectURI, params)
}

// redirect redirects with a GET, and keeps the address's own parameters.
func redirect(w http.ResponseWriter, r *http.Request, address string, params url.Values) {
	http.Redirect(w, r, withParams(address, params), http.StatusSeeOther)
}

// withParams adds parameters to an address that was validated.
func withParams(address string, params url.Values) string {
	if len(params) == 0 {
		return address
	}
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + params.Encode()
}
