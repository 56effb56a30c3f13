package apitest

import (
	"encoding/json"
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
)

var update = flag.Bool("update", false, "write testdata/*.golden anew")

// Golden compares a text with a file of testdata, byte for byte.
func Golden(t *testing.T, name, got string) {
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

// OnTheWire formats a received request: method, path, sorted headers, body. The random boundary is replaced by a
// name, an encrypted file by its length, and line ends by \n.
func OnTheWire(r *http.Request) string {
	body, _ := io.ReadAll(r.Body) // a truncated body shows as a difference
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

// encrypted matches an encrypted file, which differs each time, up to the boundary behind it. Its second byte, 0x80,
// is not UTF-8.
var encrypted = regexp.MustCompile(`(?s)0\x{FFFD}\x06\x09.*?\r\n--`)

// Metadata parses the first part of a captured submission.
func Metadata(t *testing.T, request string) map[string]any {
	t.Helper()
	_, rest, _ := strings.Cut(request, "Content-Type: application/json\n\n")
	line, _, _ := strings.Cut(rest, "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// Leaves collects the names of all non-empty values.
func Leaves(t *testing.T, name string, value any, into map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for field, inner := range v {
			Leaves(t, strings.TrimPrefix(name+"."+field, "."), inner, into)
		}
	case []any:
		for _, inner := range v {
			Leaves(t, name+"[]", inner, into)
		}
	case nil:
		t.Errorf("got %s null, want it left out", name)
	default:
		into[name] = into[name] || v != false && v != "" && v != float64(0)
	}
}
