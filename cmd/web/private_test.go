package main_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"utsending/internal/dispatch"
)

// register holds the values that must never be in a log, an address or a title. Every number and text of a test comes from the
// functions below, so that none is missed.
type register struct {
	mu     sync.Mutex
	values []string
	names  []string // values that the database may hold in plaintext, each in its column
}

var (
	forbidden = &register{values: []string{"PANIC", "panic:", "DATA RACE"}}
	numbers   atomic.Int64
)

// private enters a value in the register and returns it.
func private(value string) string {
	forbidden.mu.Lock()
	defer forbidden.mu.Unlock()
	forbidden.values = append(forbidden.values, value)
	return value
}

func (r *register) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.values)
}

// named registers a name, title, reference or file name: the database may hold it in its column.
func named(value string) string {
	forbidden.mu.Lock()
	forbidden.names = append(forbidden.names, value)
	forbidden.mu.Unlock()
	return private(value)
}

func (r *register) named() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.names)
}

// phone returns a unique Norwegian number. Its last three digits decide what the simulator does; "120" and most others are
// delivered.
func phone(ending string) string {
	return private(fmt.Sprintf("4%04d%s", numbers.Add(1), ending))
}

// nationalID returns a synthetic number (month + 80) with correct check digits.
func nationalID() string {
	for {
		n := fmt.Sprintf("%02d%02d%02d%05d", 1+rand.IntN(28), 81+rand.IntN(12), rand.IntN(100), rand.IntN(100000))
		if dispatch.NationalID(n).CheckDigitsFit() {
			return private(n)
		}
	}
}

// text returns a message with a mark near its beginning, which is found in any spelling.
func text(words string) string {
	return "Hei " + private(mark()) + ". " + words
}

// mark is a unique word.
func mark() string {
	b := []byte("Q")
	for range 11 {
		b = append(b, 'A'+byte(rand.IntN(26)))
	}
	return string(b)
}

// spellings are the forms in which a value may appear in a line.
func spellings(value string) []string {
	plain := strings.ReplaceAll(value, " ", "")
	all := []string{value, plain, strconv.Quote(value), fmt.Sprintf("%x", value), fmt.Sprintf("%X", value)}
	if d := strings.TrimLeft(plain, "+"); len(d) >= 8 && strings.Trim(d, "0123456789") == "" {
		end := d[len(d)-8:]
		all = append(all, d, end[:2]+" "+end[2:4]+" "+end[4:6]+" "+end[6:], end[:3]+" "+end[3:5]+" "+end[5:], d[:6]+" "+d[6:])
	}
	for _, s := range slices.Clone(all) {
		all = append(all, url.QueryEscape(s), url.PathEscape(s))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// moments are the fields of a log line with times and ids, whose digits may look like a number by chance.
var moments = regexp.MustCompile(`"(time|duration)":("[0-9TZ:.+-]*"|[0-9]+)|\b(time|duration)=[0-9TZ:.+µnmsh-]+|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)

// searchLogs returns a line for each value found in any of a directory's files.
func searchLogs(dir string, values []string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, search(f.Name(), moments.ReplaceAllString(string(content), ""), values)...)
	}
	return found, nil
}

// search returns a line for each value found in a text, in any spelling.
func search(where, content string, values []string) []string {
	var found []string
	for _, value := range values {
		for _, s := range spellings(value) {
			if at := strings.Index(content, s); at >= 0 {
				from, to := max(0, at-200), min(len(content), at+len(s)+100)
				found = append(found, fmt.Sprintf("%s holds %q: …%s…", where, value, content[from:to]))
				break
			}
		}
	}
	return found
}

func TestLogSearch(t *testing.T) {
	t.Parallel()
	values := []string{"40120567", "+46701234567", "401 20 999", "12889912345", "Hei Kari, timen er flyttet"}
	for _, line := range []string{
		`{"time":"2026-11-20T14:33:21.12340120567Z","level":"INFO","msg":"request","duration":40120567,"status":200}`,
		`time=2026-11-20T14:33:21.123Z level=INFO msg=attempt duration=40.120567ms`,
		`level=INFO msg=request request_id=45b59c16-dddc-4b33-b3b5-40120567e4d3 status=200`,
	} {
		if found := plant(t, line, values); len(found) > 0 {
			t.Errorf("found where nothing is: %s", found)
		}
	}
	for _, line := range []string{
		`{"msg":"x","phone":"40120567"}`, `phone=+4740120567`, `GET /?nr=%2B4740120567`, `to 40 12 05 67`, `to 40%2012%2005%2067`,
		`to 401 20 567`, `q=401+20+567`, `0046701234567`, `%2B46701234567`, `id 128899 12345`, `id 12889912345`, `40120999`,
		`text="Hei Kari, timen er flyttet"`, `tekst=Hei+Kari%2C+timen+er+flyttet`, fmt.Sprintf("%x", "40120567"),
	} {
		if found := plant(t, line, values); len(found) == 0 {
			t.Errorf("not found: %s", line)
		}
	}
}

// plant searches a log with the given line among others.
func plant(t *testing.T, line string, values []string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "web-1.log"), []byte("a line\n"+line+"\nanother line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := searchLogs(dir, values)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
