package handlers_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// notIDs are the address parameters that are choices, and not ids of an account's objects.
var notIDs = strings.NewReplacer(":konto", "")

// ofObjects are the account routes whose address contains an object's id.
func ofObjects() (routes []row) {
	for _, r := range table {
		if strings.HasPrefix(r.path, "/k/:konto/") && strings.Contains(notIDs.Replace(r.path), ":") {
			routes = append(routes, r)
		}
	}
	return routes
}

// inBoth gives everybody with a role on one account the same role on the other, so that only the object's account,
// and not the role, can deny access.
func (s *site) inBoth(t *testing.T) {
	t.Helper()
	for who, role := range map[string]dispatch.Role{
		caseworker: dispatch.RoleCaseworker, teamLead: dispatch.RoleTeamLead, accountAdmin: dispatch.RoleAccountAdmin, auditor: dispatch.RoleAuditor,
	} {
		if err := s.store.MapRole(t.Context(), who, s.helse.Account.ID, role); err != nil {
			t.Fatal(err)
		}
	}
}

// denies tells whether an answer is right for another account's object, compared with the answer for one's own: not
// found. People without the right to the act, or to others' objects, may be told that instead.
func denies(status int, own string) bool {
	switch own {
	case strconv.Itoa(http.StatusUnauthorized):
		return status == http.StatusUnauthorized
	case strconv.Itoa(http.StatusForbidden):
		return status == http.StatusForbidden || status == http.StatusNotFound
	}
	return status == http.StatusNotFound
}

// TestForeignObjects: whatever an account has is not there on another one, not even for who made it: the page is that of an id
// that nothing has. The thing is there all the time, as its own account sees afterwards. A new route has to name what it
// shows in site.address.
func TestForeignObjects(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.inBoth(t)
	browsers := map[string]*browser{}
	for _, who := range everybody {
		browsers[who] = s.browser(t, who)
	}
	for _, r := range ofObjects() {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			own := s.address(t, r)
			foreign, ok := strings.CutPrefix(own, "/k/oppvekst/")
			if !ok || strings.Contains(own, "/:") || len(ids.FindAllString(own, -1)) == 0 {
				t.Fatalf("%s names nothing that exists", own)
			}
			foreign = "/k/helse/" + foreign
			for i, want := range strings.Fields(r.want) {
				who := everybody[i]
				if who == outsider {
					want = strings.Fields(r.want)[slices.Index(everybody, caseworker)] // which she is there
				}
				got := ask(browsers[who], r, foreign)
				if !denies(got.StatusCode, want) {
					t.Errorf("%q: got %d, where the own one gives %s", who, got.StatusCode, want)
				}
				nothing := ask(browsers[who], r, ids.ReplaceAllStringFunc(foreign, func(string) string { return uuid.NewString() }))
				if seen(t, got) != seen(t, nothing) {
					t.Errorf("%q: another account's thing can be told from nothing: %s", who, seen(t, got))
				}
			}
			i := allowed(r)
			if got, want := ask(browsers[everybody[i]], r, own), strings.Fields(r.want)[i]; strconv.Itoa(got.StatusCode) != want {
				t.Errorf("it is not there for its own account: got %d, want %s", got.StatusCode, want)
			}
		})
	}
}

// TestForeignParts: an object of another account is not found below an object of one's own either.
func TestForeignParts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.inBoth(t)
	b := s.browser(t, caseworker)
	_, document := s.listDraft(t, outsider, "Hemmelig")
	for _, r := range ofObjects() {
		if !strings.Contains(r.path, ":dokument") || strings.Fields(r.want)[2] == "403" {
			continue
		}
		own := s.shipmentAddress(t, strings.NewReplacer(":konto", "oppvekst", ":dokument", string(document)).Replace(r.path))
		got := ask(b, r, own)
		draft, _, _ := strings.Cut(own, "/dokumenter/")
		if strings.HasPrefix(got.location(), draft+"#") && !strings.Contains(got.location(), string(document)) {
			continue // as after a second click: back to one's own draft
		}
		if got.StatusCode != http.StatusNotFound || strings.Contains(got.body, "Hemmelig") {
			t.Errorf("%s %s: got %d, want 404", r.method, r.path, got.StatusCode)
		}
	}
}

// ids are ids of things in an address.
var ids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

func ask(b *browser, r row, address string) answer {
	b.t.Helper()
	form := fields()
	if r.method == http.MethodPost {
		form = whole()
	}
	return b.do(r.method, address, formType, form.Encode())
}

// seen is what a person reads in an answer.
func seen(t *testing.T, a answer) string {
	t.Helper()
	main := a.page(t).Find("main")
	main.Find("ds-copy, [data-copy], code").Remove() // the reference of the request
	return strconv.Itoa(a.StatusCode) + " " + a.location() + " " + strings.Join(strings.Fields(main.Text()), " ")
}

// allowed is the first of everybody whom a route serves; else the first whom it does not send away.
func allowed(r row) int {
	all := strings.Fields(r.want)
	for i, want := range all {
		if want[0] == '2' || want[0] == '3' {
			return i
		}
	}
	return 2
}
