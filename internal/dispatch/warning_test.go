package dispatch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

func TestWarnings(t *testing.T) {
	t.Parallel()
	type ws = []dispatch.Warning
	link := func(found ...string) ws { return ws{{Kind: dispatch.WarningLink, Found: found}} }
	words := func(found ...string) ws { return ws{{Kind: dispatch.WarningWords, Found: found}} }
	number, none := ws{{Kind: dispatch.WarningNationalID}}, ws(nil)
	const list = "rus\nBarnevern\n psykisk  helse \nA+\n\nRUS"
	for name, tt := range map[string]struct {
		text string
		want ws
	}{
		"nothing":                                {"Hei, timen din er flyttet.", none},
		"an address":                             {"Se https://fjordvik.example/barnehage.", link("https://fjordvik.example/barnehage")},
		"an address without a scheme":            {"Svar på fjordvik.kommune.no/barnehage.", link("fjordvik.kommune.no/barnehage")},
		"a host":                                 {"Les mer på FJORDVIK.KOMMUNE.NO", link("FJORDVIK.KOMMUNE.NO")},
		"a host in brackets":                     {"Nettsiden (norge.no) har mer", link("norge.no")},
		"www":                                    {"www.fjordvik.example", link("www.fjordvik.example")},
		"an e-mail address is no link":           {"Skriv til post@fjordvik.kommune.no", none},
		"sentences without a blank are no link":  {"Vi ses.Hilsen skolen. Kl. 10.30", none},
		"a number that passes":                   {"Ditt nummer 12847800028 er", number},
		"a number in two groups":                 {"128478 00028", number},
		"a number with a hard blank":             {"128478\u00a000028", number},
		"digits in other groups":                 {"12.84.78 000.28 eller 1284 78 00028", none},
		"a number with a dash":                   {"128478-00028", number},
		"a number with a typographic dash":       {"128478 – 00028", number},
		"a number among others":                  {"Sak 7 128478 00028 12", number},
		"a number that does not pass":            {"12847800000", none},
		"part of a longer number":                {"112847800028", none},
		"twelve digits":                          {"128478000280", none},
		"a phone number":                         {"Ring 900 00 123 eller 900 00 124", none},
		"a word from the list":                   {"Møte om rus i morgen", words("rus")},
		"a word in capitals":                     {"BARNEVERN", words("Barnevern")},
		"a word before a point":                  {"Om barnevern.", words("Barnevern")},
		"two words over a line break":            {"Om psykisk\nhelse", words("psykisk helse")},
		"part of a word is not the word":         {"Ruset og barnevernet, virus", none},
		"the word after a part of another":       {"virus og rus", words("rus")},
		"a word with a sign":                     {"Karakteren er A+!", words("A+")},
		"a word to replace":                      {"Hei [navn], velkommen {Dato} til <sted >", ws{{Kind: dispatch.WarningPlaceholder, Found: []string{"[navn]", "{Dato}", "<sted >"}}}},
		"a word in double brackets":              {"Hei {{navn}}", ws{{Kind: dispatch.WarningPlaceholder, Found: []string{"{{navn}}"}}}},
		"signs that are no word to replace":      {"Glad i deg <3 [1] (navn) 1 < 2 > 1", none},
		"everything at once, in order of weight": {"rus 12847800028 norge.no", append(append(append(ws{}, number...), words("rus")...), link("norge.no")...)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, dispatch.Warnings(tt.text, list)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWarningsAboutTheSender(t *testing.T) {
	t.Parallel()
	for text, missing := range map[string]bool{
		"Hei":                           true,
		"Hilsen Fjordvik kommune":       false,
		"hilsen fjordvik":               false,
		"Hilsen Oppvekst og\nutdanning": false,
		"Fjordviking":                   true,
		" ":                             false,
	} {
		got := dispatch.Warnings(text, "", "Fjordvik", "Oppvekst og utdanning", "", "Fjordvik kommune")
		if (len(got) == 1 && got[0].Kind == dispatch.WarningSender) != missing {
			t.Errorf("got %v for %q", got, text)
		}
	}
	if got := dispatch.Warnings("Hei", ""); got != nil {
		t.Errorf("got %v where nobody has a name", got)
	}
}

func TestWatchWords(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"Rus", "psykisk helse"}, dispatch.WatchWords(" Rus \r\n\r\npsykisk \t helse\nRUS")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	long := dispatch.Account{Name: "Oppvekst", Slug: "oppvekst", WatchWords: strings.Repeat("x", 61)}
	if long.Validate().For(dispatch.FieldWatchWords) == nil {
		t.Error("a word of 61 letters passes")
	}
}
