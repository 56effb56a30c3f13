package i18n_test

import (
	"bufio"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/i18n"
)

// lines returns the keys of a message file, with #one and #other, in the order of the file, and their texts.
func lines(t *testing.T, lang string) (keys []string, texts map[string]string) {
	t.Helper()
	file, err := os.Open("texts/" + lang + ".properties")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	texts = map[string]string{}
	for s := bufio.NewScanner(file); s.Scan(); {
		key, text, ok := strings.Cut(s.Text(), " = ")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		keys, texts[key] = append(keys, key), text
	}
	return keys, texts
}

// notNynorsk are bokmål words that nynorsk does not have.
var notNynorsk = regexp.MustCompile(`(?i)(^|[^\pL])(ikke|noe|noen|hvem|hva|hvor|hvordan|hvorfor|hvis|fra|jeg|være|bare|blitt|kommer|gjøre|gjør|mottaker|mottakeren|mottakere|avsender|saksbehandler|leder|ledere|tjenesten|tjeneste|flere|en annen|et annet|frem|etter hvert)([^\pL]|$)`)

// TestLanguages: every language has every text of bokmål, in the same order, with the same values, and none that bokmål has not. A text
// of several words that is the same in English is not translated.
func TestLanguages(t *testing.T) {
	t.Parallel()
	keys, nb := lines(t, i18n.Default)
	for _, lang := range i18n.Tags() {
		if lang == i18n.Default {
			continue
		}
		others, texts := lines(t, lang)
		if diff := cmp.Diff(keys, others); diff != "" {
			t.Errorf("%s has other texts than %s (-%s +%s):\n%.2000s", lang, i18n.Default, i18n.Default, lang, diff)
		}
		for _, key := range keys {
			text, ok := texts[key]
			if !ok {
				continue
			}
			want, got := values(nb[key]), values(text)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Errorf("%s %s has the values %v, want %v", lang, key, got, want)
			}
			if lang == "en" && text == nb[key] && phrase.MatchString(text) && !verbatim[key] {
				t.Errorf("%s %s is not translated: %q", lang, key, text)
			}
			if lang != "nn" {
				continue
			}
			for _, m := range notNynorsk.FindAllStringSubmatch(text, -1) {
				t.Errorf("%s %s has the word %q: %q", lang, key, m[2], text)
			}
		}
	}
}

// phrase finds texts of at least three words.
var phrase = regexp.MustCompile(`^\pL+ \pL+ \pL+`)

// verbatim are names, which are the same in every language.
var verbatim = map[string]bool{"account.account_id.sms.label": true}

var (
	youAll = regexp.MustCompile(`(^|[^\pL])[Dd]ere([^\pL]|$)`)
	they   = regexp.MustCompile(`(^|[^\pL])[Dd]ei([^\pL]|$)`)
	shows  = regexp.MustCompile(`(^|[^\pL])viser([^\pL]|$)`)
)

// TestNynorskMeansTheSame: a nynorsk text does not speak of others where the bokmål one speaks to its readers ("dei" for "dere"), and is
// not active where that is passive ("viser" for "vises").
func TestNynorskMeansTheSame(t *testing.T) {
	t.Parallel()
	_, nb := lines(t, "nb")
	_, nn := lines(t, "nn")
	for key, text := range nb {
		if youAll.MatchString(text) && they.MatchString(nn[key]) {
			t.Errorf("%s says of others what it should say to its readers: %s", key, nn[key])
		}
		if strings.Contains(text, "vises") && !shows.MatchString(text) && shows.MatchString(nn[key]) {
			t.Errorf("%s shows something instead of being shown: %s", key, nn[key])
		}
	}
}
