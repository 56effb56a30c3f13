package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

// readBody is a good body of settLest.
func readBody(wire, id string) string {
	body := `{"lestAvFodselsNummer":"02013299997","navnPaEksterntSystem":"arkiv","datoLest":1772442030000}`
	if wire == simulator.WireSpec {
		body = `{"forsendelsesId":{"id":"` + id + `"},` + body[1:]
	}
	return body
}

func TestMarkRead(t *testing.T) {
	t.Parallel()
	const event = "Lest eksternt 02.03.2026 10:00:30 av 02013299997 hos avsender kommunen i systemet 'arkiv'"
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		id := g.shipped(t, newDraft().titled("[lesefrist]"))
		g.clock.advance(2*pace + time.Second)
		got := g.do(g.v1(t, http.MethodPost, id+"/settLest", readBody(wire, strings.ToUpper(id))))
		if got.status != http.StatusOK || got.body != "" {
			t.Errorf("got status %d and body %q, want 200 and none", got.status, got.body)
		}
		g.clock.advance(10 * pace)
		status := `{"forsendelsesId":{"id":"` + id + `"},"sisteStatusEndring":1772442121000,"status":"LEST"}`
		checkJSON(t, g.get(t, id+"/status"), status)
		history := g.history(t, id)
		if last := history[len(history)-1]; last != event || strings.Contains(strings.Join(history, "\n"), "print") {
			t.Errorf("got history %q, want no print and at the end %q", history, event)
		}
		if s := g.sim.Shipments()[0]; s.ReadBy != person || s.ReadSystem != "arkiv" || s.ReadAt.UnixMilli() != 1772442030000 {
			t.Errorf("got %+v, want read", s)
		}
		g.checkViolations(t)
	})
}

func TestMarkReadAfterTheDeadlineShowsThePrintToo(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.shipped(t, newDraft().titled("[lesefrist]"))
	g.clock.advance(3 * pace)
	g.do(g.v1(t, http.MethodPost, id+"/settLest", readBody(simulator.WireSpec, id)))
	if got := g.shipmentStatus(t, id); got != "LEST" {
		t.Errorf("got %s, want LEST", got)
	}
	if got := strings.Join(g.history(t, id), "\n"); !strings.Contains(got, "Lesefrist utløpt.\nSendt til manuell print\nLest eksternt") {
		t.Errorf("got %s, want the print before the reading", got)
	}
}

func TestMarkReadRefuses(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		id := g.shipped(t, newDraft())
		good, other := readBody(wire, id), readBody(simulator.WireSpec, id)
		if wire == simulator.WireSpec {
			other = readBody(simulator.WireDeployed, id)
		}
		for name, tt := range map[string]struct {
			path, body string
			want       int
		}{
			"the shape of the other wire": {id, other, 400},
			"another id in the body":      {id, readBody(simulator.WireSpec, stranger), 400},
			"an unknown id":               {stranger, readBody(wire, stranger), 404},
			"a national id of ten digits": {id, strings.Replace(good, person, person[1:], 1), 400},
			"no system":                   {id, strings.Replace(good, "arkiv", "", 1), 400},
			"no time":                     {id, strings.Replace(good, `,"datoLest":1772442030000`, "", 1), 400},
			"a time as text":              {id, strings.Replace(good, "1772442030000", `"1772442030000"`, 1), 400},
			"no body":                     {id, "", 400},
		} {
			t.Run(name, func(t *testing.T) {
				checkError(t, g.do(g.v1(t, http.MethodPost, tt.path+"/settLest", tt.body)), tt.want)
			})
		}
		if got := g.sim.Shipments()[0]; got.ReadBy != "" {
			t.Errorf("got read by %s, want nobody", got.ReadBy)
		}
	})
}

func TestDeleteFiles(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Wire: simulator.WireDeployed})
	first, second := g.shipped(t, newDraft()), g.shipped(t, newDraft())
	remove := func(body string) reply { return g.do(g.v1(t, http.MethodPost, "slettFiler", body)) }
	t.Run("deletes nothing when an id is unknown", func(t *testing.T) {
		checkError(t, remove(`[{"id":"`+first+`"},{"id":"`+stranger+`"}]`), http.StatusNotFound)
		checkError(t, remove(`["`+first+`"]`), http.StatusBadRequest)
	})
	t.Run("deletes the documents, not the shipment", func(t *testing.T) {
		if got := remove(`[{"id":"` + second + `"}]`); got.status != http.StatusNoContent || got.body != "" {
			t.Errorf("got status %d and body %q, want 204 and none", got.status, got.body)
		}
		checkJSON(t, g.get(t, second+"/dokumentMetadata"), `{"dokumentMetadata":[]}`)
		if got := g.shipmentStatus(t, second); got != "MOTTATT" {
			t.Errorf("got %s, want MOTTATT", got)
		}
		if got := g.sim.Shipments(); got[0].FilesDeleted || !got[1].FilesDeleted || len(got[1].Documents) != 1 {
			t.Errorf("got %+v, want the files of the second deleted", got)
		}
	})
	t.Run("is not in the specification", func(t *testing.T) {
		g := newRig(t, simulator.Options{})
		checkError(t, g.do(g.v1(t, http.MethodPost, "slettFiler", `[]`)), http.StatusNotFound)
		g.checkViolations(t, "unknown: no such operation: POST /tjenester/api/forsendelse/v1/slettFiler")
	})
}

func TestBasic(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Basic: map[string]string{sender: "hemmelig"}})
	for name, tt := range map[string]struct {
		user, password string
		want           int
	}{
		"accepts the right pair":        {sender, "hemmelig", http.StatusOK},
		"refuses a wrong password":      {sender, "x", http.StatusUnauthorized},
		"refuses no password":           {sender, "", http.StatusUnauthorized},
		"refuses an unknown user":       {"naboen", "hemmelig", http.StatusUnauthorized},
		"refuses no user":               {"", "hemmelig", http.StatusUnauthorized},
		"refuses a token instead of it": {"Bearer", "", http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []*http.Request{
				newDraft().request(t, g), g.v1(t, http.MethodPost, "startNyForsendelse", ""), g.v1(t, http.MethodGet, "forsendelseTyper", ""),
			} {
				r.SetBasicAuth(tt.user, tt.password)
				if tt.user == "Bearer" {
					r.Header.Set("Authorization", "Bearer "+g.token)
				}
				got := g.do(r)
				if got.status != tt.want {
					t.Errorf("got status %d, want %d", got.status, tt.want)
				}
				if h := got.header.Get("WWW-Authenticate"); tt.want == http.StatusUnauthorized && h != `Basic realm="svarut"` {
					t.Errorf("got WWW-Authenticate %q, want Basic", h)
				}
			}
		})
	}
	if got := len(g.sim.Shipments()); got != 1 {
		t.Errorf("got %d accepted, want 1", got)
	}
	t.Run("lets any pair in when none is set, but wants one", func(t *testing.T) {
		g := newRig(t, simulator.Options{})
		g.shipped(t, newDraft())
		r := newDraft().request(t, g)
		r.Header.Del("Authorization")
		checkError(t, g.do(r), http.StatusUnauthorized)
		g.checkViolations(t, "sendForsendelse: no HTTP Basic credentials")
	})
}

func TestWrongAddressesOfV1(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, tt := range map[string]struct{ method, path string }{
		"the base itself":      {"GET", strings.TrimSuffix(v1, "/")},
		"an unknown operation": {"GET", v1 + "statistikk"},
		"a wrong method":       {"GET", v1 + "sendForsendelse"},
		"a method of V2":       {"DELETE", v1 + stranger + "/dokumenter"},
		"a lookup with POST":   {"POST", v1 + "mottakersystem"},
	} {
		t.Run(name, func(t *testing.T) {
			checkError(t, g.do(g.request(t, tt.method, tt.path, "")), http.StatusNotFound)
			lines := g.sim.Violations()
			if got, want := lines[len(lines)-1], "unknown: no such operation: "+tt.method+" "+tt.path; got != want {
				t.Errorf("got violation %q, want %q", got, want)
			}
		})
	}
	t.Run("a body on startNyForsendelse", func(t *testing.T) {
		g.do(g.v1(t, http.MethodPost, "startNyForsendelse", "{}"))
		lines := g.sim.Violations()
		if got, want := lines[len(lines)-1], "startNyForsendelse: a body where none belongs"; got != want {
			t.Errorf("got violation %q, want %q", got, want)
		}
	})
}
