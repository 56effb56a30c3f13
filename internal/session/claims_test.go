package session

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

func TestClaimPath(t *testing.T) {
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
		{"keeps blanks and shipments as they are", `{"groups": [" A ", ""]}`, "groups", []string{" A ", ""}},
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
		{"goes through lists that it is told to", reportees, "authorization_details[].reportees[].ID", []string{"0192:999999999", "0192:888888888", "0192:777777777"}},
		{"takes lists at the end of lists", reportees, "authorization_details[].reportees[].Rights", []string{"les", "send", "les"}},
		{"goes through a list of texts as if it took it whole", `{"groups": ["a", "b"]}`, "groups[]", []string{"a", "b"}},
		{"gives nothing for a list that it is not told to go through", reportees, "authorization_details.reportees[].ID", nil},
		{"gives nothing when told to go through what is no list", `{"org": {"unit": "a"}}`, "org[].unit", nil},
		{"gives nothing for a list of lists", `{"groups": [["a"], ["b"]]}`, "groups", nil},
		{"goes through lists of lists if told to", `{"groups": [["a"], ["b"]]}`, "groups[]", []string{"a", "b"}},
		{"gives nothing without a reportee", `{"authorization_details": [{"type": "ansattporten:altinn:service", "reportees": []}]}`, "authorization_details[].reportees[].ID", nil},
		{"gives nothing without authorization", `{"authorization_details": []}`, "authorization_details[].reportees[].ID", nil},
		{"gives nothing for a name with a dot in it", `{"org.unit": "a"}`, "org.unit", nil},
		{"gives nothing for an empty path", `{"groups": ["a"]}`, "", nil},
		{"gives nothing without claims", `null`, "groups", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			claims := parsed(t, test.claims)
			if got := ClaimPath(test.path).values(claims); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// reportees are as Ansattporten tells whom a person acts for.
const reportees = `{"authorization_details": [
	{"type": "ansattporten:altinn:service", "reportees": [
		{"ID": "0192:999999999", "Name": "Fjordvik kommune", "Rights": ["les", "send"]}, {"ID": "0192:888888888", "Rights": ["les"]}]},
	{"type": "ansattporten:altinn:resource", "reportees": [{"ID": "0192:777777777"}, {"Name": "uten id"}]},
	{"type": "ansattporten:altinn:service"}]}`

func parsed(t *testing.T, raw string) (claims map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestClaimPathInSettings(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"groups": true, "groups[]": true, "realm_access.roles": true, "authorization_details[].reportees[].ID": true, "cognito:groups": true,
		"": false, ".": false, "groups.": false, ".groups": false, "a..b": false, "[]": false, "a.[]": false, "groups[0]": false, "groups[][]": false,
		"groups[": false, "[]groups": false, "groups, roles": false,
	} {
		var p ClaimPath
		err := p.UnmarshalText([]byte(path))
		if (err == nil) != want || want && string(p) != path {
			t.Errorf("%q: got %q, %v", path, p, err)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, claims string
		path         ClaimPath
		want         []string
		gap          Gap
	}{
		{"are the values", `{"groups": ["a", "b"]}`, "groups", []string{"a", "b"}, GapNone},
		{"are missing without the claim", `{"roles": ["a"]}`, "groups", nil, GapMissing},
		{"are missing when the claim is empty", `{"groups": []}`, "groups", nil, GapMissing},
		{"are missing when all is blank", `{"groups": ["", ""]}`, "groups", nil, GapMissing},
		{"are missing without a reportee", `{"authorization_details": [{"reportees": []}]}`, "authorization_details[].reportees[].ID", nil, GapMissing},
		{"overflow at Entra", `{"_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://graph.example"}}}`, "groups", nil, GapOverflow},
		{"overflow at Entra in some flows", `{"hasgroups": true}`, "groups", nil, GapOverflow},
		{"overflow at Entra, said as a text", `{"hasgroups": "true"}`, "groups[]", nil, GapOverflow},
		{"overflow even if some are there", `{"groups": ["a"], "_claim_names": {"groups": "src1"}}`, "groups", nil, GapOverflow},
		{"do not overflow when something else does", `{"groups": ["a"], "_claim_names": {"roles": "src1"}}`, "groups", []string{"a"}, GapNone},
		{"by role stand beside an overflow of groups", `{"roles": ["a"], "_claim_names": {"groups": "src1"}, "hasgroups": true}`, "roles", []string{"a"}, GapNone},
		{"do not overflow when it is denied", `{"groups": ["a"], "hasgroups": false}`, "groups", []string{"a"}, GapNone},
		{"stand a claim of another form", `{"groups": ["a"], "_claim_names": "groups"}`, "groups", []string{"a"}, GapNone},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, gap := rights(parsed(t, test.claims), test.path); !slices.Equal(got, test.want) || gap != test.gap {
				t.Errorf("got %q %q, want %q %q", got, gap, test.want, test.gap)
			}
		})
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	const entra = "https://login.microsoftonline.com/72f9/v2.0"
	tests := []struct{ name, issuer, claims, want string }{
		{"is tenant and object at Entra", entra, `{"tid": "72f9", "oid": "0a1b"}`, "72f9/0a1b"},
		{"is the token's elsewhere", "https://login.example", `{"tid": "72f9", "oid": "0a1b"}`, "sub"},
		{"is the token's at a name like Entra's", "https://login.microsoftonline.com.evil.example/72f9", `{"tid": "72f9", "oid": "0a1b"}`, "sub"},
		{"is the token's without an object", entra, `{"tid": "72f9"}`, "sub"},
		{"is the token's without a tenant", entra, `{"oid": "0a1b"}`, "sub"},
		{"is the token's when the object is no text", entra, `{"tid": "72f9", "oid": 7}`, "sub"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			token := &oidc.IDToken{Issuer: test.issuer, Subject: "sub"}
			if got := subject(parsed(t, test.claims), token); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhomATokenIsFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		claims, subject string
		want            bool
	}{
		"no party":                {`{}`, "kari", true},
		"our own party":           {`{"azp": "app"}`, "kari", true},
		"another client's":        {`{"azp": "other"}`, "kari", false},
		"an empty party":          {`{"azp": ""}`, "kari", false},
		"a party that is no text": {`{"azp": ["app"]}`, "kari", false},
		"no subject":              {`{}`, "", false},
		"a blank subject":         {`{}`, " ", false},
		"a subject with a NUL":    {`{}`, "kari\x00", false},
		"a longer subject":        {`{}`, strings.Repeat("k", 256), false},
		"the longest subject":     {`{}`, strings.Repeat("k", 255), true},
	} {
		if err := checkWhom(parsed(t, c.claims), c.subject, "app"); (err == nil) != c.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestProved: the provider's clock may be wrong, as long as it is wrong both times.
func TestProved(t *testing.T) {
	t.Parallel()
	issued, now := time.Unix(1_000_000, 0), time.Unix(5_000_000, 0)
	tests := []struct {
		name, claims string
		want         time.Time
	}{
		{"is as long ago as the provider says", `{"auth_time": 999940}`, now.Add(-time.Minute)},
		{"may be just now", `{"auth_time": 1000000}`, now},
		{"is not known without auth_time", `{}`, time.Time{}},
		{"is not known from a text", `{"auth_time": "999940"}`, time.Time{}},
		{"is not known from zero", `{"auth_time": 0}`, time.Time{}},
		{"is not known from the future", `{"auth_time": 1000001}`, time.Time{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := proved(parsed(t, test.claims), issued, now); !got.Equal(test.want) {
				t.Errorf("got %s, want %s", got, test.want)
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
		{"/k/\u0085", "/"},
		{"/k/\xff", "/"},
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

// TestWord: of what a provider calls its errors only a name goes into the log.
func TestWord(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"invalid_client": "invalid_client", "": "an error without a name", "Kari Nordmann": "an error without a name", "12047800155": "an error without a name",
	} {
		if got := word(code); got != want {
			t.Errorf("%q: got %q", code, got)
		}
	}
}
