package shipmentapi_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/shipmentapi"
)

var update = flag.Bool("update", false, "write testdata/*.golden anew")

// golden compares with a file of testdata, byte for byte.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, string(want)); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
}

// onTheWire writes a request as it came: method, path, headers by name, body. The boundary, which is never the same, has
// a name instead, an encrypted file is its length, and line ends are those of the file.
func onTheWire(r *http.Request) string {
	body, _ := io.ReadAll(r.Body) // a body that was cut shows as a difference
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n", r.Method, r.RequestURI, r.Proto)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(r.Header[name], ", "))
	}
	b.WriteString("\n" + string(body))
	request := b.String()
	if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && params["boundary"] != "" {
		request = strings.ReplaceAll(request, params["boundary"], "BOUNDARY")
	}
	request = encrypted.ReplaceAllStringFunc(request, func(s string) string { return fmt.Sprintf("<CMS, %d bytes>\r\n--", len(s)-4) })
	return strings.ReplaceAll(request, "\r\n", "\n")
}

// encrypted is a file that is never the same twice, up to the boundary behind it. Its second byte, 80, is no UTF-8.
var encrypted = regexp.MustCompile(`(?s)0\x{FFFD}\x06\x09.*?\r\n--`)

// captured calls a client of a service that gives one answer, and returns the request.
func captured(t *testing.T, wire shipmentapi.Wire, answer string, call func(*shipmentapi.V1) error) string {
	t.Helper()
	got := make(chan string, 1)
	o := options(t, handled(t, func(w http.ResponseWriter, r *http.Request) {
		got <- onTheWire(r)
		_, _ = io.WriteString(w, answer)
	}))
	o.Wire = wire
	if err := call(shipmentapi.NewV1(o)); err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	return <-got
}

func TestOperationsOnTheWire(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer string
		call   func(*testing.T, *shipmentapi.V1) error
	}{
		"start":  {accepted, func(t *testing.T, c *shipmentapi.V1) error { _, err := c.Start(t.Context()); return err }},
		"status": {`{"status":"LEST"}`, func(t *testing.T, c *shipmentapi.V1) error { _, err := c.Status(t.Context(), shipmentID); return err }},
		"statuses": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			_, err := c.Statuses(t.Context(), "", []string{shipmentID, otherID})
			return err
		}},
		"documents": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			_, err := c.Documents(t.Context(), shipmentID)
			return err
		}},
		"history": {`[]`, func(t *testing.T, c *shipmentapi.V1) error { _, err := c.History(t.Context(), shipmentID); return err }},
		"signing_history": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			_, err := c.SigningHistory(t.Context(), shipmentID)
			return err
		}},
		"mark_read": {``, func(t *testing.T, c *shipmentapi.V1) error {
			return c.MarkRead(t.Context(), shipmentID, shipmentapi.Reading{NationalID: "02813299900", System: "Fagsystem", At: now})
		}},
		"types": {`[]`, func(t *testing.T, c *shipmentapi.V1) error { _, err := c.Types(t.Context()); return err }},
		"receivers": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			_, err := c.Receivers(t.Context(), shipmentapi.ReceiverFilter{})
			return err
		}},
		"receivers_filtered": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			f := shipmentapi.ReceiverFilter{OrganizationNumber: "987654329", Type: "sak & svar/møte", Level: 4}
			_, err := c.Receivers(t.Context(), f)
			return err
		}},
		"receivers_of": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			_, err := c.ReceiversOf(t.Context(), "987654329")
			return err
		}},
		"by_reference": {`[]`, func(t *testing.T, c *shipmentapi.V1) error {
			_, err := c.ByExternalReference(t.Context(), "", "sak 2026/17;#ø?a=b+c%2F")
			return err
		}},
	} {
		for _, wire := range []shipmentapi.Wire{shipmentapi.WireSpec, shipmentapi.WireDeployed} {
			t.Run(name+" as "+string(wire), func(t *testing.T) {
				t.Parallel()
				got := captured(t, wire, tt.answer, func(c *shipmentapi.V1) error { return tt.call(t, c) })
				if name == "statuses" || name == "mark_read" { // the others are the same on both wires
					golden(t, name+"_"+string(wire), got)
					return
				}
				golden(t, name, got)
			})
		}
	}
}

func TestUserAndPasswordAreThoseOfBasic(t *testing.T) {
	t.Parallel()
	got := captured(t, shipmentapi.WireSpec, accepted, func(c *shipmentapi.V1) error {
		_, err := c.Start(t.Context())
		return err
	})
	want := "\nAuthorization: Basic " + base64.StdEncoding.EncodeToString([]byte("avsender:hunter2-hunter2")) + "\n"
	if !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
