package session

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/text"
)

// FuzzClaims: of any claims and any path that settings accept, the values are texts that the claims hold, none is empty, and a login
// without any has a reason.
func FuzzClaims(f *testing.F) {
	for _, path := range []string{"groups", "authorization_details[].reportees[].ID", "realm_access.utsending.roles", "groups[]", "a..b"} {
		for _, claims := range []string{reportees, `{"groups":["a","",1,null]}`, `{"_claim_names":{"groups":"src1"}}`, `{"hasgroups":"TRUE"}`, `{"groups":[["a"],{"b":"c"}],"realm_access":{"utsending":{"roles":"x"}}}`, `null`} {
			f.Add(claims, path)
		}
	}
	f.Fuzz(func(t *testing.T, token, path string) {
		var claims map[string]any
		var p ClaimPath
		if json.Unmarshal([]byte(token), &claims) != nil || p.UnmarshalText([]byte(path)) != nil {
			return
		}
		values, gap := rights(claims, p)
		if (len(values) == 0) != (gap != GapNone) || slices.Contains(values, "") {
			t.Fatalf("%s at %q gives %q, %q", token, path, values, gap)
		}
		held := map[string]bool{}
		collect(claims, held)
		for _, v := range values {
			if !held[v] {
				t.Fatalf("%s holds no %q", token, v)
			}
		}
		now := time.Now()
		if at := proved(claims, now, now); at.After(now) {
			t.Fatalf("%s was proved at %s", token, at)
		}
	})
}

// collect gathers the texts of a value.
func collect(value any, held map[string]bool) {
	switch v := value.(type) {
	case string:
		held[v] = true
	case []any:
		for _, one := range v {
			collect(one, held)
		}
	case map[string]any:
		for _, one := range v {
			collect(one, held)
		}
	}
}

// FuzzReturn: an address to return to is ours, in the eyes of a browser too, or the front page.
func FuzzReturn(f *testing.F) {
	for _, seed := range []string{"", "/", "/k/1?q=a#b", "//evil", "/\\evil", "/\t/evil", "https://evil", "/%2f/evil", "/a//b", "/@evil:80", "/.//evil", "/../", "javascript:1", "/\u2028", "/%zz", "/?next=//evil"} {
		f.Add(seed)
	}
	ours, err := url.Parse("https://utsending.example/inn")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		path := LocalPath(typed)
		if path != "/" && path != typed || LocalPath(path) != path || !text.Clean(path) {
			t.Fatalf("%q leads to %q, then %q", typed, path, LocalPath(path))
		}
		to, err := ours.Parse(path)
		if err != nil || to.Host != ours.Host || to.Scheme != ours.Scheme || to.User != nil {
			t.Fatalf("%q leads to %v, %v", typed, to, err)
		}
		// A browser drops tabs and line breaks, and takes a backslash for a slash.
		seen := strings.ReplaceAll(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(path), `\`, "/")
		if !strings.HasPrefix(seen, "/") || strings.HasPrefix(seen, "//") {
			t.Fatalf("%q leads a browser to %q", typed, seen)
		}
	})
}

// FuzzSession: any stored bytes are a session or an error, and what is written is read as it was.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{`{}`, `{"deadline":"2026-11-26T12:00:00Z","texts":{"a":"b"},"numbers":{"n":-1},"lists":{"l":["x",""]}}`, `{"texts":{"a":"b"},"numbers":{"a":1}}`, `{"lists":{"l":null}}`, "\x0f\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stored []byte) {
		deadline, values, err := codec{}.Decode(stored)
		if err != nil {
			return
		}
		written, err := codec{}.Encode(deadline, values)
		if err != nil {
			t.Fatal(err)
		}
		deadlineAgain, again, err := codec{}.Decode(written)
		if err != nil || !isRecord(written) || !deadlineAgain.Equal(deadline) || !reflect.DeepEqual(again, values) {
			t.Fatalf("%v %v, then %v %v: %v", deadline, values, deadlineAgain, again, err)
		}
	})
}
