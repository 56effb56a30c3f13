package devidp

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Messages after a logout without a redirect address.
const (
	textLoggedOut     = "Du kan lukke denne siden."
	textOnTheWay      = "Du logges ut av alle programmene, og sendes så videre."
	textForeignReturn = "Du er logget ut her, men adressen du skulle sendes videre til, er ikke registrert for programmet (post_logout_redirect_uri)."
	textForeignHint   = "Du er logget ut her, men utloggingen viser til et program eller en innlogging som ikke er herfra (id_token_hint, client_id)."
)

// errForeign rejects a logout request that names no client of ours.
var errForeign = errors.New("foreign token or client")

// hint is a parsed id_token_hint: the client that asks for the logout, and the session.
type hint struct {
	SID      string       `json:"sid"`
	Issuer   string       `json:"iss"`
	Audience jwt.Audience `json:"aud"`
}

// endSession is RP-initiated logout. The session always ends, as the person asked; only the redirect depends on the
// request.
func (p *Provider) endSession(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || repeated(r.Form) {
		p.refusePage(w, textUnreadable)
		return
	}
	told, err := p.readHint(r.Form.Get("id_token_hint"))
	calls := p.signOut(w, r, told.SID)

	client, clientErr := p.whoEnds(told, r.Form.Get("client_id"))
	frames := framesOf(calls, client.ID)
	address := r.Form.Get("post_logout_redirect_uri")
	switch {
	case err != nil || clientErr != nil:
		p.logoutPage(w, http.StatusBadRequest, messageView{Heading: "Det gikk ikke", Text: textForeignHint, Frames: frames})
	case address == "":
		p.logoutPage(w, http.StatusOK, messageView{Heading: "Du er logget ut", Text: textLoggedOut, Frames: frames})
	case !slices.Contains(client.PostLogoutRedirectURIs, address):
		p.logoutPage(w, http.StatusBadRequest, messageView{Heading: "Det gikk ikke", Text: textForeignReturn, Frames: frames})
	case len(frames) > 0:
		next := withParams(address, stateOf(r.Form))
		p.logoutPage(w, http.StatusOK, messageView{Heading: "Du logges ut", Text: textOnTheWay, Frames: frames, Next: next})
	default:
		redirect(w, r, address, stateOf(r.Form))
	}
}

// logoutCall is a front-channel logout of a client.
type logoutCall struct{ client, address string }

// callsOf returns the front-channel logouts of the clients to which a session had logged in.
func (p *Provider) callsOf(sid string, clients []string) []logoutCall {
	var calls []logoutCall
	for _, id := range clients {
		if address := p.clients[id].FrontChannelLogoutURI; address != "" {
			calls = append(calls, logoutCall{id, withParams(address, url.Values{"iss": {p.issuer}, "sid": {sid}})})
		}
	}
	return calls
}

// framesOf returns the addresses to load in frames: all except that of the client that asked, which has ended its own
// session.
func framesOf(calls []logoutCall, asked string) []string {
	var frames []string
	for _, call := range calls {
		if call.client != asked {
			frames = append(frames, call.address)
		}
	}
	return frames
}

// logoutPage loads the front-channel logouts in frames.
func (p *Provider) logoutPage(w http.ResponseWriter, status int, v messageView) {
	policy := contentSecurityPolicy("")
	if len(v.Frames) > 0 {
		policy += "; frame-src"
	}
	for _, frame := range v.Frames {
		policy += " " + originOf(frame)
	}
	w.Header().Set("Content-Security-Policy", policy)
	p.showMessage(w, status, v)
}

// readHint accepts an id token that we signed, even an expired one: people log out later too.
func (p *Provider) readHint(raw string) (hint, error) {
	if raw == "" {
		return hint{}, nil
	}
	token, err := jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		return hint{}, fmt.Errorf("parse id token: %w", err)
	}
	var told hint
	if err := token.Claims(p.public, &told); err != nil {
		return hint{}, fmt.Errorf("verify id token: %w", err)
	}
	if told.Issuer != p.issuer {
		return hint{}, errForeign
	}
	return told, nil
}

// whoEnds finds the client that asks, by client_id or id token; if both are given, they must agree. Without a client
// there is no redirect.
func (p *Provider) whoEnds(told hint, id string) (Client, error) {
	if id == "" && len(told.Audience) > 0 {
		id = told.Audience[0]
	}
	if id == "" {
		return Client{}, nil
	}
	client, known := p.clients[id]
	if !known || len(told.Audience) > 0 && !told.Audience.Contains(id) {
		return Client{}, errForeign
	}
	return client, nil
}

func stateOf(form url.Values) url.Values {
	if form.Get("state") == "" {
		return nil
	}
	return url.Values{"state": {form.Get("state")}}
}
