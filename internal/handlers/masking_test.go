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

// idRest is what follows the first eight hexadecimal digits of an id.
var idRest = regexp.MustCompile(`^(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// ungrouped removes the separators of digit groups: 900 00 123 becomes 90000123.
var ungrouped = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", ".", "", "&nbsp;", "", "&#160;", "")

// numbersIn are what looks like a national identity number or a Norwegian mobile number on a page, and the numbers of this test,
// however they are grouped. Regular expressions took half of the test's time.
func numbersIn(body string) (found []string) {
	for start := 0; start < len(body); start++ {
		if !isDigit(body[start]) {
			continue
		}
		end := start + 1
		for end < len(body) && isDigit(body[end]) {
			end++
		}
		number := body[start:end]
		looksLike := len(number) == 11 || len(number) == 8 && (number[0] == '4' || number[0] == '9')
		if looksLike && !inWord(body, start-1) && !inWord(body, end) && !(len(number) == 8 && idRest.MatchString(body[end:])) {
			found = append(found, number)
		}
		start = end
	}
	body = ungrouped.Replace(body)
	return append(found, slices.DeleteFunc(slices.Clone(wholeNumbers), func(n string) bool { return !strings.Contains(body, n) })...)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// inWord tells whether a byte of a text is part of a word: a letter of ASCII, a digit or _.
func inWord(text string, at int) bool {
	return at >= 0 && at < len(text) && (isDigit(text[at]) || text[at] == '_' || 'a' <= text[at]|0x20 && text[at]|0x20 <= 'z')
}

func TestNumbersIn(t *testing.T) {
	t.Parallel()
	number := wholeNumbers[0]
	for body, want := range map[string][]string{
		"":                              nil,
		"<p>12847800156</p>":            {"12847800156"},
		"<p>41234568, 91234568</p>":     {"41234568", "91234568"},
		"<p>31234568 1284780015</p>":    nil, // no mobile number, and a digit too few
		"a41234568 41234568_ 412345680": nil,
		"41234568-1234-1234-1234-123456789abc 41234568-1234":   {"41234568"},
		number[:3] + " " + number[3:5] + "&nbsp;" + number[5:]: {number},
		number[:3] + "\u00a0. " + number[3:]:                   {number},
		number[:3] + "/" + number[3:]:                          nil,
	} {
		if got := numbersIn(body); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
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
