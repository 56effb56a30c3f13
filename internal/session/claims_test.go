package session

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestClaimValues(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, claims, path string
		want               []string
	}{
		{"takes a list", `{"groups": ["a", "b"]}`, "groups", []string{"a", "b"}},
		{"takes a single text", `{"groups": "a"}`, "groups", []string{"a"}},
		{"takes a list inside objects", `{"realm_access": {"utsending": {"roles": ["a"]}}}`, "realm_access.utsending.roles", []string{"a"}},
		{"takes a text inside an object", `{"org": {"unit": "a"}}`, "org.unit", []string{"a"}},
		{"leaves out of a list what is no text", `{"groups": ["a", 1, null, true, ["b"], {"c": "d"}, "e"]}`, "groups", []string{"a", "e"}},
		{"keeps blanks and letters as they are", `{"groups": [" A ", ""]}`, "groups", []string{" A ", ""}},
		{"gives nothing for an empty list", `{"groups": []}`, "groups", nil},
		{"gives nothing without the claim", `{"roles": ["a"]}`, "groups", nil},
		{"gives nothing for null", `{"groups": null}`, "groups", nil},
		{"gives nothing for a number", `{"groups": 42}`, "groups", nil},
		{"gives nothing for true", `{"groups": true}`, "groups", nil},
		{"gives nothing for an object", `{"groups": {"a": "b"}}`, "groups", nil},
		{"gives nothing when the path leads into a text", `{"groups": "a"}`, "groups.a", nil},
		{"gives nothing when the path leads into a list", `{"groups": ["a"]}`, "groups.0", nil},
		{"gives nothing when the path goes too far", `{"org": {"unit": "a"}}`, "org.unit.name", nil},
		{"gives nothing when the path ends too early", `{"org": {"unit": "a"}}`, "org", nil},
		{"gives nothing for a name with a dot in it", `{"org.unit": "a"}`, "org.unit", nil},
		{"gives nothing for an empty path", `{"groups": ["a"]}`, "", nil},
		{"gives nothing without claims", `null`, "groups", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var claims map[string]any
			if err := json.Unmarshal([]byte(test.claims), &claims); err != nil {
				t.Fatal(err)
			}
			if got := claimValues(claims, test.path); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestLocalPath(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, want string }{
		{"/", "/"},
		{"/k/oppvekst/sms", "/k/oppvekst/sms"},
		{"/k/oppvekst/sms?eldre=1_a", "/k/oppvekst/sms?eldre=1_a"},
		{"/k/oppvekst/sms#hoved", "/k/oppvekst/sms#hoved"},
		{"/%2F%2Fevil.example", "/%2F%2Fevil.example"}, // a browser does not decode it: a path of ours that is not there
		{"/k//evil.example", "/k//evil.example"},
		{"/@evil.example", "/@evil.example"},
		{"", "/"},
		{"k/oppvekst", "/"},
		{"?a=b", "/"},
		{"#hoved", "/"},
		{" /k/oppvekst", "/"},
		{"//evil.example", "/"},
		{"///evil.example", "/"},
		{"//evil.example/k/oppvekst", "/"},
		{"//@evil.example", "/"},
		{`/\evil.example`, "/"},
		{`\\evil.example`, "/"},
		{`/k/\evil.example`, "/"},
		{"%2F%2Fevil.example", "/"},
		{"https://evil.example", "/"},
		{"https:evil.example", "/"},
		{"HTTPS://evil.example/", "/"},
		{"javascript:alert(1)", "/"},
		{"data:text/html,hei", "/"},
		{"/\tevil.example", "/"},
		{"/\t/evil.example", "/"},
		{"/\n/evil.example", "/"},
		{"/\r\nSet-Cookie: a=b", "/"},
		{"/\x00", "/"},
		{"/\x01/evil.example", "/"},
		{"/\x7f", "/"},
		{"/k/%zz", "/"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			if got := LocalPath(test.path); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
