package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
)

// inWires says what an answer looks like in each wire.
type inWires struct{ spec, deployed string }

func (w inWires) of(wire string) string {
	if wire == simulator.WireDeployed {
		return w.deployed
	}
	return w.spec
}

func TestReadsOfAShipment(t *testing.T) {
	t.Parallel()
	const (
		status = `{"forsendelsesId":{"id":"ID"},"sisteStatusEndring":1772442060000,"status":"AKSEPTERT"}`
		events = `{"hendelsesLogger":[` +
			`{"tidspunkt":"02.03.2026 10:00:00","hendelse":"Mottatt, og tildelt forsendelse-id"},` +
			`{"tidspunkt":"02.03.2026 10:00:00","hendelse":"Metadata er validert OK"},` +
			`{"tidspunkt":"02.03.2026 10:00:00","hendelse":"Orginaldokumenter er lagret (2 dokumenter)"},` +
			`{"tidspunkt":"02.03.2026 10:01:00","hendelse":"Forsendelsesfil generert"},` +
			`{"tidspunkt":"02.03.2026 10:01:00","hendelse":"Akseptert for ekspedering"}]}`
		documents = `[{"mimeType":"application/pdf","filnavn":"vedtak.pdf","kanSigneres":true,"sizeInBytes":15,` +
			`"sha256hash":"432ae46abf3ab0d0f4b488b34773905a3c589d52e1b2837a0181a99270334a98","dokumentType":null,` +
			`"nedlasningsUrl":"http://HOST/forsendelse/ID/1","signeringsUrl":"http://HOST/forsendelse/ID/signer",` +
			`"ekstraMetadata":null,"inneholderPersonsensitivInformasjon":null},` +
			`{"mimeType":"application/pdf","filnavn":"b.pdf","kanSigneres":false,"sizeInBytes":2,` +
			`"sha256hash":"663ea1bfffe5038f3f0cf667f14c4257eff52d77ce7f2a218f72e9286616ea39","dokumentType":"B",` +
			`"nedlasningsUrl":"http://HOST/forsendelse/ID/2","signeringsUrl":null,` +
			`"ekstraMetadata":[{"key":"k","value":"v"}],"inneholderPersonsensitivInformasjon":false}]`
		signing = `{"forsendelsesId":{"id":"ID"},"logg":[{"tidspunkt":@AT,"type":"@TYPE",` +
			`"hendelse":"Signeringsoppdrag av type AUTENTISERT_SIGNATUR registert og utløper 04.03.2026"}]}`
	)
	want := map[string]inWires{
		"status":           {status, status},
		"historikk":        {events, events},
		"dokumentMetadata": {documents, `{"dokumentMetadata":` + documents + `}`},
		"signeringhistorikk": {
			strings.NewReplacer("@AT", "1772442060000", "@TYPE", "VENTER_SIGNERING").Replace(signing),
			strings.NewReplacer("@AT", `"02.03.2026 10:01:00"`, "@TYPE", "SigneringsoppdragRegistrert").Replace(signing),
		},
	}
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		id := g.shipped(t, newDraft().signed(g.clock.Now()).add("b.pdf", "application/pdf", "to", "dokumentType", "B",
			"ekstraMetadata", []any{map[string]any{"key": "k", "value": "v"}}, "inneholderPersonsensitivInformasjon", false))
		g.clock.advance(pace)
		r := strings.NewReplacer("ID", id, "HOST", strings.TrimPrefix(g.url, "http://"))
		for what, want := range want {
			checkJSON(t, g.get(t, strings.ToUpper(id)+"/"+what), r.Replace(want.of(wire)))
		}
		g.checkViolations(t)
	})
}

func TestReadsRefuse(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.shipped(t, newDraft())
	for _, what := range []string{"status", "dokumentMetadata", "historikk", "signeringhistorikk"} {
		for name, tt := range map[string]struct {
			path string
			user string
			want int
		}{
			"an unknown id":          {stranger + "/" + what, sender, http.StatusNotFound},
			"another user's id":      {id + "/" + what, "naboen", http.StatusNotFound},
			"an id that is no uuid":  {"17/" + what, sender, http.StatusBadRequest},
			"a query parameter":      {id + "/" + what + "?x=1", sender, http.StatusBadRequest},
			"a subject that is none": {id + "/" + what + "er", sender, http.StatusNotFound},
		} {
			t.Run(what+" of "+name, func(t *testing.T) {
				r := g.v1(t, http.MethodGet, tt.path, "")
				r.SetBasicAuth(tt.user, "hemmelig")
				checkError(t, g.do(r), tt.want)
			})
		}
	}
	if got := g.get(t, stranger+"/status").body; !strings.Contains(got, `"Fant ingen forsendelse"`) {
		t.Errorf("got %s, want a message about a shipment", got)
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	record := func(id string) string { return `{"id":"` + id + `"}` }
	bare := func(id string) string { return `"` + id + `"` }
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		id, reserved, missing := g.shipped(t, newDraft()), g.reserved(t), g.shipped(t, newDraft().titled("[status 404]"))
		g.clock.advance(pace)
		item, other := record, bare
		if wire == simulator.WireDeployed {
			item, other = bare, record
		}
		ask := func(body string) reply { return g.do(g.v1(t, http.MethodPost, "statuser", body)) }
		list := `[{"forsendelsesId":{"id":"` + id + `"},"sisteStatusEndring":1772442060000,"status":"AKSEPTERT"},` +
			`{"forsendelsesId":{"id":"` + reserved + `"},"sisteStatusEndring":1772442000000,"status":"MOTTATT"}]`

		t.Run("answers those it knows", func(t *testing.T) {
			body := "[" + item(id) + "," + item(stranger) + "," + item(missing) + "," + item(reserved) + "]"
			checkJSON(t, ask(body), inWires{list, `{"statuser":` + list + `}`}.of(wire))
			checkJSON(t, ask("["+item(stranger)+"]"), inWires{`[]`, `{"statuser":[]}`}.of(wire))
		})
		t.Run("takes a thousand", func(t *testing.T) {
			ids := strings.Repeat(item(stranger)+",", 999) + item(id)
			if got := ask("[" + ids + "]").status; got != http.StatusOK {
				t.Errorf("got status %d, want 200", got)
			}
			g.checkViolations(t)
			checkError(t, ask("["+ids+","+item(id)+"]"), http.StatusBadRequest)
		})
		for name, body := range map[string]string{
			"an empty list":            `[]`,
			"an object":                `{}`,
			"the shape of the other":   "[" + other(id) + "]",
			"null":                     `[null]`,
			"an id that is not a uuid": "[" + item("17") + "]",
			"nothing":                  "",
		} {
			t.Run("refuses "+name, func(t *testing.T) { checkError(t, ask(body), http.StatusBadRequest) })
		}
	})
}

func TestStatusFaults(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	good, lost, broken := g.shipped(t, newDraft()), g.shipped(t, newDraft().titled("[status 404]")), g.shipped(t, newDraft().titled("[Status 500]"))
	ask := func(ids ...string) reply {
		return g.do(g.v1(t, http.MethodPost, "statuser", `[{"id":"`+strings.Join(ids, `"},{"id":"`)+`"}]`))
	}
	checkError(t, g.get(t, lost+"/status"), http.StatusNotFound)
	checkError(t, g.get(t, broken+"/status"), http.StatusInternalServerError)
	checkError(t, ask(broken, good), http.StatusInternalServerError)
	for _, ids := range [][]string{{good, broken}, {lost, good}} {
		if got := ask(ids...).status; got != http.StatusOK {
			t.Errorf("got status %d, want 200", got)
		}
	}
	for _, id := range []string{lost, broken} {
		if got := g.get(t, id+"/historikk").status; got != http.StatusOK {
			t.Errorf("got status %d of historikk, want 200", got)
		}
	}
	g.sim.SetChaos(func(string, string) simulator.Fault { return simulator.NewStatus })
	if got := g.shipmentStatus(t, good); got != "NY_VERDI" {
		t.Errorf("got %s, want NY_VERDI", got)
	}
	if got := ask(good).body; !strings.Contains(got, `"NY_VERDI"`) {
		t.Errorf("got %s, want NY_VERDI in it", got)
	}
}

func TestExternalReference(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		send := func(reference string) string { return g.shipped(t, newDraft().set("eksternReferanse", reference)) }
		first, second, odd, double := send("2026/17"), send("2026/17"), send("Sak 100 % ø?#"), send("a//b")
		send("2026/18")
		for name, tt := range map[string]struct {
			path string
			ids  []string
		}{
			"escaped":                       {"2026%2F17", []string{first, second}},
			"not escaped":                   {"2026/17", []string{first, second}},
			"with odd characters":           {"Sak%20100%20%25%20%C3%B8%3F%23", []string{odd}},
			"with two slashes, escaped":     {"a%2F%2Fb", []string{double}},
			"that nobody has":               {"2026", nil},
			"that is the name of a subject": {"status", nil},
		} {
			t.Run("finds a reference "+name, func(t *testing.T) {
				want := "["
				for i, id := range tt.ids {
					want += strings.Repeat(",", min(i, 1)) + `{"id":"` + id + `"}`
				}
				want += "]"
				checkJSON(t, g.get(t, "eksternref/"+tt.path), inWires{want, `{"forsendelseIder":` + want + `}`}.of(wire))
			})
		}
		t.Run("does not find another user's", func(t *testing.T) {
			r := g.v1(t, http.MethodGet, "eksternref/2026%2F17", "")
			r.SetBasicAuth("naboen", "hemmelig")
			checkJSON(t, g.do(r), inWires{`[]`, `{"forsendelseIder":[]}`}.of(wire))
		})
		g.checkViolations(t)
		checkError(t, g.get(t, "eksternref/"), http.StatusBadRequest)
		checkError(t, g.do(g.v1(t, http.MethodPost, "eksternref/2026", "")), http.StatusNotFound)
	})
}

func TestReceivingSystems(t *testing.T) {
	t.Parallel()
	const system = `{"organisasjonsNummer":ORG,"forsendelsesType":"Delingssøknad","mottakerSystem":"Acos WebSak",` +
		`"mottakerId":"7f1c0001-0000-4000-8000-000000000004","niva":3}`
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		number := inWires{`{"id":"812345672"}`, `"812345672"`}.of(wire)
		list := "[" + strings.Replace(system, "ORG", number, 1) + "]"
		list = inWires{list, `{"treff":` + list + `}`}.of(wire)
		checkJSON(t, g.get(t, "mottakersystem/812345672"), list)
		checkJSON(t, g.get(t, "mottakersystem?organisasjonsNummer=812345672"), list)
		checkJSON(t, g.get(t, "mottakersystem?forsendelsesType=Delingss%C3%B8knad&niva=3"), list)
		checkJSON(t, g.get(t, "mottakersystem/999999999"), inWires{`[]`, `{"treff":[]}`}.of(wire))
		for query, want := range map[string]int{
			"": 4, "?niva=4": 2, "?niva=3": 2, "?organisasjonsNummer=987654325": 3, "?organisasjonsNummer=987654325&niva=4": 2,
			"?forsendelsesType=": 0,
		} {
			if got := strings.Count(g.get(t, "mottakersystem"+query).body, "mottakerId"); got != want {
				t.Errorf("got %d systems for %q, want %d", got, query, want)
			}
		}
		g.checkViolations(t)
		for _, path := range []string{
			"?niva=5", "?niva=", "?organisasjonsNummer=1", "?orgnr=812345672", "?niva=3&niva=4", "/status", "/12345678X",
		} {
			checkError(t, g.get(t, "mottakersystem"+path), http.StatusBadRequest)
		}
	})
}

func TestShipmentTypes(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire string) {
		g := newRig(t, simulator.Options{Wire: wire})
		list := `["Byggesøknad","Delingssøknad","ks.signertforsendelse"]`
		checkJSON(t, g.get(t, "forsendelseTyper"), inWires{list, `{"forsendelseTyper":` + list + `}`}.of(wire))
		g.checkViolations(t)
	})
}
