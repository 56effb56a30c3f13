package handlers_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// wholeNumbers are the numbers that the items of this test go to.
var wholeNumbers = []string{"90000123", "12847800155", "12047800155", "41234567", "02813299990"}

// ownInput are the pages on which people see what they have typed themselves: drafts, their lists and their review.
var ownInput = []string{
	"/k/:konto/sms/:id/endre", "/k/:konto/sms/:id/kontroll", "/k/:konto/utkast/:id", "/k/:konto/utkast/:id/kontroll",
	"/k/:konto/utkast/:id/flere", "/k/:konto/utkast/:id/flere/feil", "/k/:konto/utkast/:id/flere/feil.csv", "/k/:konto/utkast/:id/flere/kontroll",
	"/k/:konto/jobber/:id/endre", "/k/:konto/jobber/:id/feil", "/k/:konto/jobber/:id/feil.csv", "/k/:konto/jobber/:id/kontroll",
	"/k/:konto/utkast/:id/mal",
}

// anyNumber is what looks like a national identity number or a Norwegian mobile number; ids have such runs too.
var (
	anyNumber = regexp.MustCompile(`\b(?:\d{11}|[49]\d{7})\b`)
	anyID     = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
)

var betweenDigits = regexp.MustCompile(`(\d)(?:[  .]|&nbsp;|&#160;)+(\d)`)

// numbersIn are the numbers of this test that a page holds, however they are grouped.
func numbersIn(body string) []string {
	body = anyID.ReplaceAllString(body, "")
	found := anyNumber.FindAllString(body, -1)
	for range 2 { // matches do not overlap
		body = betweenDigits.ReplaceAllString(body, "$1$2")
	}
	return append(found, slices.DeleteFunc(slices.Clone(wholeNumbers), func(n string) bool { return !strings.Contains(body, n) })...)
}

// TestNumbersAreMaskedEverywhere requests every page and fragment as everybody, on an account full of items, and
// finds whole numbers only where a person typed them into their own draft, or decides what a colleague asked for.
func TestNumbersAreMaskedEverywhere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	toPerson := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12847800155"}, Text: "Til en person"}
	s.rejected(t, caseworker, message("Kom ikke frem"))
	s.uncertain(t, caseworker, storetest.ToPhone("41234567", "Uavklart"))
	s.uncertain(t, teamLead, toPerson)
	s.draft(t, caseworker, message("Utkast"))
	s.shipment(t, caseworker, "Vedtak")
	s.acceptedShipment(t)
	seen := 0
	browsers := map[string]*browser{}
	for _, who := range everybody {
		browsers[who] = s.browser(t, who)
	}
	for _, r := range table {
		if r.method != http.MethodGet || r.path == "/oidc/retur" || r.path == "/logg-inn" || r.path == "/static/*" || strings.Contains(r.path, "/lister/eksempel-") { // people who do not exist
			continue
		}
		address := s.address(t, r)
		for _, who := range everybody {
			whole := browsers[who].get(address)
			for _, part := range []string{"", "sms", "forsendelse", "oppfolging", "jobb"} {
				got := whole
				if part != "" {
					if testing.Short() && whole.StatusCode != http.StatusOK {
						break // fragments of refused pages: in the long form only
					}
					got = browsers[who].get(address, fragment(part)...)
				}
				found := numbersIn(got.body)
				if len(found) == 0 {
					continue
				}
				decides := who == teamLead && r.path == "/k/:konto/godkjenning/:id" // sees what exactly will go, and to whom; it is logged
				if !decides && (who != caseworker || !slices.Contains(ownInput, r.path)) {
					t.Errorf("%q sees %q on %s (part %q)", who, found, r.path, part)
				}
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("nobody sees even the numbers of their own drafts: the test finds nothing")
	}
}
