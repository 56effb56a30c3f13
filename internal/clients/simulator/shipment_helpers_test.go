package simulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

const (
	v1       = "/tjenester/api/forsendelse/v1/"
	sender   = "kommunen"
	person   = "02013299997"
	employer = "987654325"
	boundary = "grense"
)

// eachWire runs a test against both wires.
func eachWire(t *testing.T, test func(t *testing.T, wire string)) {
	t.Helper()
	for _, wire := range []string{simulator.WireSpec, simulator.WireDeployed} {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			test(t, wire)
		})
	}
}

// part is one part of a multipart body; its disposition is made from name and file name unless it is given.
type part struct{ name, fileName, contentType, disposition, content string }

func (p part) String() string {
	disposition := p.disposition
	if disposition == "" {
		disposition = fmt.Sprintf(`form-data; name="%s"`, p.name)
		if p.fileName != "" {
			disposition += fmt.Sprintf(`; filename="%s"`, p.fileName)
		}
	}
	head := "--" + boundary + "\r\nContent-Disposition: " + disposition + "\r\n"
	if p.contentType != "" {
		head += "Content-Type: " + p.contentType + "\r\n"
	}
	return head + "\r\n" + p.content + "\r\n"
}

// draft is a submission that a test changes before it is sent.
type draft struct {
	path     string // after v1
	metadata map[string]any
	first    part
	files    []part
}

// newDraft is a printed or digital shipment to a person, with one document, that both wires accept.
func newDraft() *draft {
	return &draft{
		path: "sendForsendelse",
		metadata: map[string]any{
			"mottaker":        person1(),
			"avgivendeSystem": "Utsending", "tittel": "Vedtak", "kryptert": false, "kunDigitalLevering": false,
			"dokumenter": []any{map[string]any{"filnavn": "vedtak.pdf", "mimeType": "application/pdf"}},
		},
		first: part{name: "forsendelse", contentType: "application/json"},
		files: []part{document("vedtak.pdf", "%PDF-1.7 vedtak")},
	}
}

func document(name, content string) part {
	return part{name: name, fileName: name, contentType: "application/octet-stream", content: content}
}

func person1() map[string]any {
	return map[string]any{
		"postAdresse": map[string]any{
			"navn": "Kari Testesen", "adresse1": "Storgata 1", "postSted": "Oslo", "postNummer": "0155", "land": "Norge",
		},
		"digitalAdresse": map[string]any{"fodselsNummer": person},
	}
}

// set changes one field of the metadata: a path such as dokumenter.0.filnavn. nil removes it.
func (d *draft) set(path string, value any) *draft {
	d.first.content = ""
	steps := strings.Split(path, ".")
	last := steps[len(steps)-1]
	var at any = d.metadata
	for _, step := range steps[:len(steps)-1] {
		if list, ok := at.([]any); ok {
			i, _ := strconv.Atoi(step) // a wrong path panics soon enough
			at = list[i]
			continue
		}
		at = at.(map[string]any)[step]
	}
	fields := at.(map[string]any)
	if value == nil {
		delete(fields, last)
	} else {
		fields[last] = value
	}
	return d
}

func (d *draft) titled(title string) *draft { return d.set("tittel", title) }

// null sets a field to JSON's null.
func (d *draft) null(path string) *draft { return d.set(path, json.RawMessage("null")) }

// add appends a document, and its part.
func (d *draft) add(name, mimeType, content string, more ...any) *draft {
	fields := map[string]any{"filnavn": name, "mimeType": mimeType}
	for i := 0; i < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
	}
	d.metadata["dokumenter"] = append(d.metadata["dokumenter"].([]any), fields)
	d.files = append(d.files, document(name, content))
	return d
}

// signed makes the first document one to sign, until the end of the day after tomorrow.
func (d *draft) signed(now time.Time) *draft {
	return d.set("dokumenter.0.skalSigneres", true).set("signaturType", "AUTENTISERT_SIGNATUR").
		set("signeringUtloper", now.Add(48*time.Hour).UnixMilli())
}

func (d *draft) body(t *testing.T) string {
	t.Helper()
	if d.first.content == "" {
		content, err := json.Marshal(d.metadata)
		if err != nil {
			t.Fatal(err)
		}
		d.first.content = string(content)
	}
	var b strings.Builder
	for _, p := range append([]part{d.first}, d.files...) {
		b.WriteString(p.String())
	}
	return b.String() + "--" + boundary + "--\r\n"
}

func (d *draft) request(t *testing.T, g *rig) *http.Request {
	t.Helper()
	r := g.v1(t, http.MethodPost, d.path, d.body(t))
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	return r
}

// v1 is a request to V1 with the credentials of sender.
func (g *rig) v1(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	r := g.request(t, method, v1+path, body)
	r.SetBasicAuth(sender, "hemmelig")
	return r
}

func (g *rig) ship(t *testing.T, d *draft) reply {
	t.Helper()
	return g.do(d.request(t, g))
}

// shipped sends a submission that must be accepted, and returns its id.
func (g *rig) shipped(t *testing.T, d *draft) string {
	t.Helper()
	var got struct {
		ID string `json:"id"`
	}
	g.ship(t, d).read(t, &got)
	return got.ID
}

// reserved fetches an id for a later submission.
func (g *rig) reserved(t *testing.T) string {
	t.Helper()
	var got struct {
		ID string `json:"id"`
	}
	g.do(g.v1(t, http.MethodPost, "startNyForsendelse", "")).read(t, &got)
	return got.ID
}

func (g *rig) get(t *testing.T, path string) reply {
	t.Helper()
	return g.do(g.v1(t, http.MethodGet, path, ""))
}

func (g *rig) shipmentStatus(t *testing.T, id string) string {
	t.Helper()
	var got struct {
		Status string `json:"status"`
	}
	g.get(t, id+"/status").read(t, &got)
	return got.Status
}

// history lists the texts of the log.
func (g *rig) history(t *testing.T, id string) []string {
	t.Helper()
	var got struct {
		Log []struct {
			Text string `json:"hendelse"`
		} `json:"hendelsesLogger"`
	}
	g.get(t, id+"/historikk").read(t, &got)
	var texts []string
	for _, e := range got.Log {
		texts = append(texts, e.Text)
	}
	return texts
}

func (g *rig) checkViolations(t *testing.T, want ...string) {
	t.Helper()
	if got := g.sim.Violations(); !slices.Equal(got, want) {
		t.Errorf("got violations %q, want %q", got, want)
	}
}

// checkJSON compares an answer with what it must say, byte for byte.
func checkJSON(t *testing.T, a reply, want string) {
	t.Helper()
	if a.err != nil || a.status != http.StatusOK || a.body != want {
		t.Errorf("got status %d, error %v, body\n%s\nwant\n%s", a.status, a.err, a.body, want)
	}
}
