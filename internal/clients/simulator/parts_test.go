package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
)

// The forms of published clients (upstream-facts, section 1.4): the deployed service takes them all.
func TestFormsOfPublishedClients(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]struct{ metadataType, partName, documentType string }{
		"the npm client":    {"", "filer", "application/pdf"},
		"the Java client":   {"application/json", "filer", "application/octet-stream"},
		"the Kotlin client": {"text/plain; charset=UTF-8", "filer_0", "application/octet-stream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{Wire: simulator.WireDeployed})
			d := newDraft().set("mottaker.postAdresse.land", nil).set("eksternReferanse", "2026/17 b")
			d.first.contentType = form.metadataType
			d.files[0].name, d.files[0].contentType = form.partName, form.documentType
			d.path = g.reserved(t) + "/sendForsendelse"
			id := g.shipped(t, d)
			checkJSON(t, g.get(t, "eksternref/2026/17%20b"), `{"forsendelseIder":[{"id":"`+id+`"}]}`)
			g.checkViolations(t)
		})
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	const ok = ""
	deployed := func(name, contentType string) part {
		return part{name: name, fileName: "vedtak.pdf", contentType: contentType, content: "x"}
	}
	tests := map[string]struct {
		change         func(*draft)
		spec, deployed string // the violation, or nothing
	}{
		"metadata without content type": {
			func(d *draft) { d.first.contentType = "" }, "the part forsendelse is not application/json", ok,
		},
		"metadata as plain text": {
			func(d *draft) { d.first.contentType = "text/plain; charset=UTF-8" }, "the part forsendelse is not application/json", ok,
		},
		"metadata as octets": {
			func(d *draft) { d.first.contentType = "application/octet-stream" },
			"the part forsendelse is not application/json", "the part forsendelse is not application/json",
		},
		"metadata in UTF-8 by name": {func(d *draft) { d.first.contentType = "application/json; charset=utf-8" }, ok, ok},
		"metadata under another name": {
			func(d *draft) { d.first.name = "Forsendelse" }, "the first part is not named forsendelse", "the first part is not named forsendelse",
		},
		"metadata last": {
			func(d *draft) { d.first, d.files[0] = d.files[0], d.first },
			"the first part is not named forsendelse", "the first part is not named forsendelse",
		},
		"a document under another name": {
			func(d *draft) { d.files[0] = deployed("filer", "application/octet-stream") }, "the name of a part is not its filnavn", ok,
		},
		"a document with a type of its own": {
			func(d *draft) { d.files[0] = deployed("vedtak.pdf", "application/pdf") }, "a document is not application/octet-stream", ok,
		},
		"a document without type": {
			func(d *draft) { d.files[0] = deployed("vedtak.pdf", "") }, "a document is not application/octet-stream", ok,
		},
		"a document with another file name": {
			func(d *draft) { d.files[0].fileName = "Vedtak.pdf" },
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"a document without file name": {
			func(d *draft) { d.files[0].fileName = "" },
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"a document in a folder": {
			func(d *draft) { d.files[0].fileName = "mappe/vedtak.pdf" },
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"an encoded file name": {
			func(d *draft) {
				d.files[0].disposition = `form-data; name="vedtak.pdf"; filename*=UTF-8''vedtak.pdf`
			}, "the file name of a part is in the form of RFC 5987", ok,
		},
		"a part that is an attachment": {
			func(d *draft) { d.files[0].disposition = `attachment; filename="vedtak.pdf"` },
			"a part is not form-data", "a part is not form-data",
		},
		"documents in another order": {
			func(d *draft) {
				d.add("b.pdf", "application/pdf", "to")
				d.files[0], d.files[1] = d.files[1], d.files[0]
			},
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"a document too few": {
			func(d *draft) { d.files = nil }, "there are fewer parts than dokumenter", "there are fewer parts than dokumenter",
		},
		"a document too many": {
			func(d *draft) { d.files = append(d.files, document("b.pdf", "x")) },
			"there are more parts than dokumenter", "there are more parts than dokumenter",
		},
		"metadata that is no JSON": {
			func(d *draft) { d.first.content = `{"tittel":` },
			"metadata: body is not one JSON value", "metadata: body is not one JSON value",
		},
		"metadata over 1 MiB": {
			func(d *draft) { d.first.content = strings.Repeat(" ", 1<<20+1) }, "metadata over 1 MiB", "metadata over 1 MiB",
		},
	}
	for name, tt := range tests {
		for wire, want := range map[string]string{simulator.WireSpec: tt.spec, simulator.WireDeployed: tt.deployed} {
			t.Run(wire+" gets "+name, func(t *testing.T) {
				t.Parallel()
				d := newDraft()
				tt.change(d)
				g := newRig(t, simulator.Options{Wire: wire})
				got := g.ship(t, d)
				if want == ok {
					g.checkViolations(t)
					if got.status != http.StatusOK || len(g.sim.Shipments()) != 1 {
						t.Errorf("got status %d and %d accepted, want 200 and 1", got.status, len(g.sim.Shipments()))
					}
					return
				}
				checkError(t, got, http.StatusBadRequest)
				g.checkViolations(t, "sendForsendelse: "+want)
				if got := len(g.sim.Shipments()); got != 0 {
					t.Errorf("got %d accepted, want 0", got)
				}
			})
		}
	}
}

func TestFieldsOfTheMetadata(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire string) {
		for name, tt := range map[string]struct {
			draft *draft
			text  string
		}{
			"an unknown field":               {newDraft().set("leveringsmetode", "X"), `unknown field "leveringsmetode"`},
			"a field of V2":                  {newDraft().set("konteringskode", "X"), `unknown field "konteringskode"`},
			"an unknown field in an address": {newDraft().set("mottaker.postAdresse.by", "X"), `unknown field "mottaker.postAdresse.by"`},
			"an unknown field in a document": {newDraft().set("dokumenter.0.data", "X"), `unknown field "dokumenter.data"`},
			"a date as text":                 {newDraft().set("signeringUtloper", "2026-03-04"), "field signeringUtloper has the wrong type"},
			"a boolean as text":              {newDraft().set("kryptert", "false"), "field kryptert has the wrong type"},
			"an object as text":              {newDraft().set("mottaker", "Kari"), "field mottaker has the wrong type"},
			"null in a list":                 {newDraft().set("dokumenter", []any{nil}), "dokumenter holds null"},
		} {
			t.Run("refuse "+name, func(t *testing.T) {
				g := newRig(t, simulator.Options{Wire: wire})
				checkError(t, g.ship(t, tt.draft), http.StatusBadRequest)
				g.checkViolations(t, "sendForsendelse: metadata: "+tt.text)
			})
		}
	})
}

func TestAFieldGivenTwiceInTheMetadata(t *testing.T) {
	t.Parallel()
	d := newDraft()
	d.first.content = `{"mottaker":{"postAdresse":{"navn":"a","navn":"b"}}}`
	g := newRig(t, simulator.Options{})
	checkError(t, g.ship(t, d), http.StatusBadRequest)
	g.checkViolations(t, "sendForsendelse: metadata: field mottaker.postAdresse.navn is given twice")
}
