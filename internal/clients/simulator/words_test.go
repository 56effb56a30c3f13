package simulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
)

// submissionOutcomes says what a title with a word makes of a submission; other words do not touch it.
func submissionOutcomes() map[string]outcome {
	want := map[string]outcome{
		"[svar tapt]":    {broken: true, accepted: 1, lost: true},
		"[tapt]":         {broken: true},
		"[tapt én gang]": {broken: true},
		"[brutt]":        {broken: true},
		"[tidlig 503]":   {status: 503, contains: `"errorId":"`},
		"[treg]":         {status: 200, contains: `{"id":"`, accepted: 1},
		"[html]":         {status: 200, contains: "<!doctype html>"},
		"[halvt svar]":   {status: 200, broken: true, contains: `{"id":"`, accepted: 1, lost: true},
		"[uten id]":      {status: 200, contains: "{}"},
		"[nede én gang]": {status: 503, contains: `"errorId":"`},
		"[feil én gang]": {status: 500, contains: `"errorId":"`, accepted: 1, lost: true},
		"[feil tittel]":  {status: 400, contains: `tittel inneholder`},
		"[duplikat]":     {status: 400, contains: `"message":"Duplikat`},
		"[gjentagende]":  {status: 400, contains: `"errorCode":"GJENTAGENDE_FORSENDELSE"`},
	}
	for _, code := range []int{400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504} {
		want[fmt.Sprintf("[feil %d]", code)] = outcome{status: code, contains: `"errorJson":"`}
	}
	return want
}

func TestWordsOfSubmissions(t *testing.T) {
	t.Parallel()
	outcomes := submissionOutcomes()
	for _, w := range simulator.Words() {
		want, ok := outcomes[w.Digits]
		if !ok {
			want = outcome{status: 200, contains: `{"id":"`, accepted: 1}
		}
		delete(outcomes, w.Digits)
		t.Run(w.Digits+" "+w.Meaning, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{SlowFor: time.Nanosecond})
			checkShipped(t, g, shipmentv1.OpSendShipment, g.ship(t, newDraft().titled("Vedtak "+strings.ToUpper(w.Digits))), want)
		})
	}
	if len(outcomes) > 0 {
		t.Errorf("got no word for %v", outcomes)
	}
}

func checkShipped(t *testing.T, g *rig, operation string, got reply, want outcome) {
	t.Helper()
	if got.status != want.status || (got.err != nil) != want.broken {
		t.Errorf("got status %d, error %v, want %d", got.status, got.err, want.status)
	}
	if !strings.Contains(got.body, want.contains) || (want.contains == "" && got.body != "") {
		t.Errorf("got body %q, want %q in it", got.body, want.contains)
	}
	books := g.sim.Shipments()
	if len(books) != want.accepted {
		t.Fatalf("got %d accepted, want %d", len(books), want.accepted)
	}
	if len(books) == 1 && books[0].AnswerLost != want.lost {
		t.Errorf("got answer lost %t, want %t", books[0].AnswerLost, want.lost)
	}
	if call := g.calls(operation)[0]; call.Status != want.status {
		t.Errorf("got call %+v, want status %d", call, want.status)
	}
	g.checkViolations(t)
}

func TestWordsAreDistinctAndExplained(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, w := range simulator.Words() {
		whole := strings.HasPrefix(w.Digits, "[") && strings.HasSuffix(w.Digits, "]") && strings.ToLower(w.Digits) == w.Digits
		if !whole || w.Meaning == "" || seen[w.Digits] {
			t.Errorf("got word %q with meaning %q, want it in brackets, in small letters, once, explained", w.Digits, w.Meaning)
		}
		seen[w.Digits] = true
	}
	if got := len(seen); got != 15+3+13+14+2 {
		t.Errorf("got %d words, want 47", got)
	}
}

func TestWordsThatWorkOnce(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]int{"[tapt én gang]": 1, "[nede én gang]": 1, "[feil én gang]": 2} {
		t.Run(word+" works from the second time on", func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			first := g.ship(t, newDraft().titled(word))
			g.shipped(t, newDraft().titled(word))
			if first.status == http.StatusOK || len(g.sim.Shipments()) != want {
				t.Errorf("got status %d first and %d accepted, want %d", first.status, len(g.sim.Shipments()), want)
			}
			if other := g.ship(t, newDraft().titled("Annet "+word)); other.status == http.StatusOK {
				t.Error("got status 200 for another title, want the fault")
			}
		})
	}
}

func TestTitlesWithSeveralWords(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	got := g.ship(t, newDraft().signed(g.clock.Now()).titled("[svar tapt][sdp] [status 500] og [utløper]"))
	if got.err == nil {
		t.Errorf("got status %d, want a cut connection", got.status)
	}
	g.clock.advance(3 * pace)
	id := g.sim.Shipments()[0].ID
	checkError(t, g.get(t, id+"/status"), http.StatusInternalServerError)
	if got := strings.Join(g.history(t, id), "\n"); !strings.Contains(got, "Leveringskvittering") {
		t.Errorf("got history %s, want the one of [sdp]", got)
	}
	if got := g.get(t, id+"/signeringhistorikk").body; !strings.Contains(got, "UTLOPT") {
		t.Errorf("got %s, want UTLOPT in it", got)
	}
}

func TestChaosOfShipments(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Wire: simulator.WireDeployed})
	id := g.shipped(t, newDraft())
	var asked []string
	g.sim.SetChaos(func(operation, recipient string) simulator.Fault {
		asked = append(asked, operation+" "+recipient)
		return simulator.Status(http.StatusBadGateway)
	})
	calls := []struct {
		r     *http.Request
		asked string
	}{
		{g.v1(t, "POST", "startNyForsendelse", ""), "startNyForsendelse "},
		{newDraft().titled("[feil 400]").request(t, g), "sendForsendelse [feil 400]"},
		{g.v1(t, "GET", id+"/status", ""), "status Vedtak"},
		{g.v1(t, "GET", id+"/dokumentMetadata", ""), "dokumentMetadata Vedtak"},
		{g.v1(t, "GET", id+"/historikk", ""), "historikk Vedtak"},
		{g.v1(t, "GET", id+"/signeringhistorikk", ""), "signeringhistorikk Vedtak"},
		{g.v1(t, "POST", "statuser", `["`+id+`"]`), "statuser Vedtak"},
		{g.v1(t, "POST", id+"/settLest", readBody(simulator.WireDeployed, id)), "settLest Vedtak"},
		{g.v1(t, "POST", "slettFiler", `[{"id":"`+id+`"}]`), "slettFiler Vedtak"},
		{g.v1(t, "GET", "eksternref/x", ""), "eksternref "},
		{g.v1(t, "GET", "forsendelseTyper", ""), "forsendelseTyper "},
		{g.v1(t, "GET", "mottakersystem", ""), "mottakersystem "},
		{g.v1(t, "GET", "mottakersystem/"+employer, ""), "mottakersystem "},
	}
	for i, call := range calls {
		checkError(t, g.do(call.r), http.StatusBadGateway)
		if len(asked) != i+1 || asked[i] != call.asked {
			t.Fatalf("got %q asked, want %q last", asked, call.asked)
		}
	}
	if s := g.sim.Shipments(); len(s) != 1 || s[0].FilesDeleted || s[0].ReadBy != "" || len(g.sim.Reserved()) != 0 {
		t.Errorf("got %+v, want nothing changed", s)
	}
	g.sim.SetDown(true)
	for _, path := range []string{"forsendelseTyper", id + "/status"} {
		checkError(t, g.get(t, path), http.StatusServiceUnavailable)
	}
	if len(asked) != len(calls) {
		t.Error("got asked while down, want not")
	}
	g.sim.SetDown(false)
	g.sim.SetChaos(func(string, string) simulator.Fault { return simulator.LostAfter })
	if got := g.do(g.v1(t, "POST", "startNyForsendelse", "")); got.err == nil || len(g.sim.Reserved()) != 1 {
		t.Errorf("got error %v and reserved %q, want a cut and one", got.err, g.sim.Reserved())
	}
}

func TestAFaultIsNotShownWhenTheDocumentsAreBad(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	d := newDraft().titled("[svar tapt]")
	d.files[0].fileName = "x"
	checkError(t, g.ship(t, d), http.StatusBadRequest)
	if got := g.calls(shipmentv1.OpSendShipment)[0]; got.Fault != "" || got.Recipient != "[svar tapt]" {
		t.Errorf("got call %+v, want no fault", got)
	}
}
