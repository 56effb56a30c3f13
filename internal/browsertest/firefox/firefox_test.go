package firefox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"utsending/internal/tier"
)

// TestPage: the driver waits for pages, types, chooses, clicks and reads, under a strict policy.
func TestPage(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		cookie, _ := r.Cookie("who")
		fmt.Fprintf(w, `<!DOCTYPE html><title>%s</title><h1>Hei</h1><p>%q %v</p><form method="post" action="/sent"><input id="name" name="name">
			<input type="checkbox" id="yes" name="yes" value="1"><select id="way" name="way"><option value="a">A</option><option value="b">Bee</option></select>
			<button>Send det</button></form><a href="/next">Videre</a>`, r.URL.Path, r.PostFormValue("name")+r.PostFormValue("yes")+r.PostFormValue("way"), cookie)
	}))
	t.Cleanup(server.Close)
	p := Open(t)
	p.SetCookie(server.URL, &http.Cookie{Name: "who", Value: "kari"})
	p.Go(server.URL + "/first")
	if got := p.Text("p"); got != `"" who=kari` {
		t.Errorf("the page reads %s", got)
	}
	p.Fill("#name", "Åse")
	p.Check("#yes")
	p.Select("#way", "Bee")
	p.ClickText("button", "Send")
	if got := p.Text("p"); got != `"Åse1b" who=kari` || p.Path() != "/sent" {
		t.Errorf("%s reads %s", p.Path(), got)
	}
	p.ClickText("link", "Videre")
	p.Back()
	p.Go("/other")
	if p.Title() != "/other" || p.Count("h1") != 1 || p.FocusedSelector() != "" {
		t.Errorf("the page is %s", p.Title())
	}
}

// TestClickOnWhatMoves: a button that moves away before the mouse is there, or while it presses, is clicked where it is then.
func TestClickOnWhatMoves(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!DOCTYPE html><title>t</title><p id="above"></p><button onclick="document.querySelector('#above').textContent += 'clicked'">Send</button>
			<script>addEventListener(%q, () => { document.querySelector("#above").style.height = "20rem"; }, { once: true });</script>`, r.URL.Query().Get("moves"))
	}))
	t.Cleanup(server.Close)
	p := Open(t)
	for _, moves := range []string{"mousemove", "pointerdown"} {
		p.Go(server.URL + "/?moves=" + moves)
		p.ClickText("button", "Send")
		if got := p.Text("#above"); got != "clicked" {
			t.Errorf("it moves on %s: the page reads %q", moves, got)
		}
	}
}
