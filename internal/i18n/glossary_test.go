package i18n_test

import (
	"regexp"
	"testing"

	"utsending/internal/i18n"
)

// otherWords are words for things that have another word in docs/glossary.md, by language, and that word.
var otherWords = map[string]map[string]string{
	"nb": {
		`utsendelse`: "utsending", `forsending`: "forsendelse", `\bjobben?\b`: "masseutsending", `\bfram\b`: "frem", `[Rr]ask sending`: "Hurtig", `\b1600\b`: "1 600",
		`vennligst`: "nothing", `[Kk]an ikke gjøres om`: "kan ikke angres", `(annet|nytt) sett\b`: "innlogging", `\b[Mm]enneske`: "person", `\b[Tt](att|as|a) ut\b`: "utelatt",
		`[Uu]tkast til (et )?brev|[Bb]rev til (flere|mange|\s*mottaker)|uavklart\w* brev|[Aa]ntall brev|\b[Ss]ende?\s+brev|leste brev`: "forsendelse",
	},
	"nn": {
		`[Ll]agringstid`: "oppbevaringstid", `(anna|nytt) sett\b`: "innlogging", `\b[Ss]ending(a|ar|ane)\b|\b(ei|éi|[Nn]y) sending\b`: "forsending", `forsendelse`: "forsending", `utsendelse`: "utsending", `stadfortred`: "vikar", `\bjobben?\b`: "masseutsending", `\b1600\b`: "1 600", `ver(t|d) venleg`: "nothing", `\b[Tt](eken|ekne|ekje|eke|akast|a) ut\b`: "utelaten",
		`[Uu]tkast til (eit )?brev|[Bb]rev til (fleire|mange|\s*mottakar)|uavklart\w* brev|[Tt]alet på brev|\b[Ss]ende?\s+brev|lesne brev`: "forsending",
	},
	"en": {
		`\b[Dd]eputy\b`: "stand-in", `(another|new) set\b`: "sign-in", `[Ss]ubstitute`: "stand-in", `\b[Jj]ob\b`: "bulk sending", `\b(a|the|this|that|one) sending\b|\bsendings to\b`: "bulk sending or message", `\b[Ll]abel`: "name", `[Oo]rganization`: "organisation", `[Cc]olor\b`: "colour", `\b1600\b`: "1,600", `[Pp]lease`: "nothing", `\b[Tt]aken? out\b`: "left out",
		`[Dd]raft (of a )?letter|letter draft|[Ll]etters? to (several|many|\s*recipient)|uncertain letter|[Nn]umber of letters|\b[Ss]end( a)?\s+letters?|[Uu]nread letter|[Ll]etters read\b`: "shipment",
	},
}

// besides are texts in which such a word means something else.
var besides = map[string]bool{"absence.deputy.hint": true, "certificate.paste.hint": true /* an address */, "sms.about.replaces": true /* what recipients read */}

// TestOneWordForOneThing: each language has one word for one thing, that of the glossary.
func TestOneWordForOneThing(t *testing.T) {
	t.Parallel()
	for _, lang := range i18n.Tags() {
		_, texts := lines(t, lang)
		for pattern, word := range otherWords[lang] {
			other := regexp.MustCompile(pattern)
			for key, text := range texts {
				if found := other.FindString(placesOfValues.ReplaceAllString(text, "")); found != "" && !besides[key] {
					t.Errorf("%s %s says %q, the glossary %q: %q", lang, key, found, word, text)
				}
			}
		}
	}
}

// placesOfValues finds the places of values.
var placesOfValues = regexp.MustCompile(`{{[^}]*}}`)
