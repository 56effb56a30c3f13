package recipients_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/recipients"
)

// rest is four ordinary recipients, one a line.
const rest = "\r\n411 00 002\r\n41100003\r\n+47 411 00 004\r\n41100005\r\n"

// TestTheFirstRecipientIsNeverAHeading: whatever is in or around the first number, no recipient is skipped without a
// message.
func TestTheFirstRecipientIsNeverAHeading(t *testing.T) {
	t.Parallel()
	for _, first := range []string{
		"\u202a+47 411 00 001\u202c", "\u206641100001\u2069", "\u200e41100001", "\u200f41100001", "\u061c41100001", "\u206041100001", "\u200b41100001", "\ufeff41100001", "\u180e41100001",
		"\u00ad41100001", "411\u201100\u2011001", "411\u221200\u2212001", "411\u00ad00\u00ad001", "411\u202f00\u202f001", "411\u200900\u2009001", "411\u201000\u2010001", "411\ufe5800\uff0d001",
		"411\ufe0f00001", "411\u034f00001", "411_00_001", "411·00·001", "411•00•001", "tel:+4741100001", "tel:41100001", "sms:+4741100001", "TEL: 411 00 001", "Mob: 41100001", "mob. 41100001", "tlf 41100001", "Telefon: 41100001", "m:41100001",
		"41100001 (Ola)", "Ola: 41100001", "Ola Nordmann 41100001", "41100001 Ola", "41100001;", "+47(411)00001", "[41100001]", "<41100001>", "#41100001", "~41100001", "*41100001", "\"41100001\"", "'41100001'", "’41100001", "411\u00a000\u00a0001", "４１１００００１",
		"1. 41100001", "- 41100001", "☎ 41100001", "41100001,", "41100001.", "41100OO1", "41100001?", "=\"41100001\"", "mobil 41100001",
	} {
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			got, sum, err := through(mustOpen(t, first+rest), recipients.Pass{})
			if err != nil || sum.Rows != 5 || sum.Good < 4 {
				t.Errorf("got %q, %+v, %v", got, sum, err)
			}
			if sum.Good == 5 && !strings.Contains(got[0], "41100001") {
				t.Errorf("the first is %q", got[0])
			}
		})
		if strings.ContainsAny(first, ",;") {
			continue // below other rows they separate
		}
		t.Run("in the third row: "+first, func(t *testing.T) {
			t.Parallel()
			l := mustOpen(t, "41100009\r\n41100008\r\n"+first+rest)
			_, sum, err := through(l, recipients.Pass{})
			if err != nil || sum.Rows != 7 || sum.Good < 6 {
				t.Errorf("got %+v, %v", sum, err)
			}
		})
	}
}

// TestWhatIsRead reads lists as they come from the programs that people have.
func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, content, text string
		want                []string
	}{
		{"two byte order marks", "\ufeff\ufeff41100001\r\n41100002", "", []string{"1: 41100001", "2: 41100002"}},
		{"three of them before headings", "\ufeff\ufeff\ufeffFornavn;Mobil\r\nÅse;41100001", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse"}},
		{"two of them before a quote", "\ufeff\ufeff\"Fornavn\";\"Mobil\"\r\nÅse;41100001", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse"}},
		{"one that was written as letters", "ï»¿Fornavn;Mobil\r\nÅse;41100001", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse"}},
		{"two files put together, each with its mark", "\ufeffFornavn;Mobil\r\nÅse;41100001\r\n\ufeff\"Per\";41100002", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse", "3: 41100002 Hei Per"}},
		{"headings beside years", "Navn;Mobil;2024;2025\nKari Nordmann;41100001;900,-;950,-", "Hei ((navn))", []string{"2: 41100001 Hei Kari Nordmann"}},
		{"headings beside a number", "Navn;Mobil;1.\nKari;41100001;x", "Hei ((navn))", []string{"2: 41100001 Hei Kari"}},
		{"headings beside a school year", "Navn;Mobil;20252026\nKari;41100001;x", "Hei ((navn))", []string{"2: 41100001 Hei Kari"}},
		{"a word of headings beside a number", "Mobil;22334455\nPer;41100002", "", []string{"1: !B problem.phone.start", "2: 41100002"}},
		{"the end that DOS writes, filled up", "Fornavn;Mobil\r\n\xc5se;41100001\r\n\x1a\x1a\x00\x00", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse"}},
		{"a round number that a spreadsheet ate", "Mobil;KID\n41100001;1E+12", "KID ((kid))", []string{"2: 41100001 ?hint.row.scientific KID 1E+12"}},
		{"headings beside a day", "Navn;Mobil;01.12.2026\nKari;41100001;x", "Hei ((navn))", []string{"2: 41100001 Hei Kari"}},
		{"a title above the headings", "Uttrekk 24.11.2026;;\n;;\nFornavn;Mobil;Time\nÅse;41100001;kl. 9\nPer;41100002;kl. 10", "Hei ((fornavn)), ((time))", []string{"4: 41100001 Hei Åse, kl. 9", "5: 41100002 Hei Per, kl. 10"}},
		{"three lines above the headings", "Steinkjer kommune;;\nOrg.nr. 840 029 212;;\nMottakere av varsel;;\nFornavn;Mobil;Time\nÅse;41100001;kl. 9", "Hei ((fornavn))", []string{"5: 41100001 Hei Åse"}},
		{"semicolons that are ragged", "Navn;Mobil;Merknad\nBerg, Kari;41100001\nMoe, Ola;41100002;ringt;ok\nÅs, Per;41100003;;;\nLie, Liv;41100004;x", "Hei ((navn))",
			[]string{"2: 41100001 Hei Berg, Kari", "3: !D problem.row.cells", "4: 41100003 Hei Ås, Per", "5: 41100004 Hei Lie, Liv"}},
		{"upright strokes", "Fornavn|Mobil\nÅse|41100001\nPer|41100002", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse", "3: 41100002 Hei Per"}},
		{"one stray byte in UTF-8", "Fornavn;Mobil\nÅse;41100001\nBjørn;41100002\nK\xe5re;41100003", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse", "3: 41100002 Hei Bjørn", "4: 41100003 ?hint.row.strange Hei Kåre"}},
		{"two exports put together", "Fornavn;Mobil\nÅse;41100001\nBj\xf8rn;41100002\nK\xe5re;41100003\n\xc5se;41100004", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse", "3: 41100002 ?hint.row.strange Hei Bjørn", "4: 41100003 ?hint.row.strange Hei Kåre", "5: 41100004 ?hint.row.strange Hei Åse"}},
		{"a Mac's letters", "Fornavn;Mobil\r\x81se;41100001\rBj\xbfrn;41100002\rK\x8cre;41100003\rL\xberke;41100004", "Hei ((fornavn))", []string{"2: 41100001 ?hint.row.strange Hei Åse", "3: 41100002 ?hint.row.strange Hei Bjørn", "4: 41100003 ?hint.row.strange Hei Kåre", "5: 41100004 ?hint.row.strange Hei Lærke"}},
		{"letters of DOS", "Fornavn;Mobil\r\n\x8fse;41100001\r\nBj\x9brn;41100002\r\nK\x86re;41100003\r\nL\x91rke;41100004", "Hei ((fornavn))", []string{"2: 41100001 ?hint.row.strange Hei Åse", "3: 41100002 ?hint.row.strange Hei Bjørn", "4: 41100003 ?hint.row.strange Hei Kåre", "5: 41100004 ?hint.row.strange Hei Lærke"}},
		{"letters that were encoded twice", "Fornavn;Mobil\nÃ…se;41100001\nBjÃ¸rn;41100002\nPer;41100003", "Hei ((fornavn))", []string{"2: 41100001 ?hint.row.strange Hei Ã…se", "3: 41100002 ?hint.row.strange Hei BjÃ¸rn", "4: 41100003 Hei Per"}},
		{"letters that were lost", "Fornavn;Mobil\nBj\ufffdrn;41100001\nK?re;41100002\n\"L&aelig;rke\";41100003\nPer?;41100004", "Hei ((fornavn))", []string{"2: ! problem.text.characters ?hint.row.strange", "3: 41100002 ?hint.row.strange Hei K?re", "4: 41100003 ?hint.row.strange Hei L&aelig;rke", "5: 41100004 Hei Per?"}},
		{"letters of other languages", "Fornavn;Mobil\nÁhkká;41100001\nŠejla;41100002\nЮлия;41100003\nD’Arc;41100004\nŒuvre;41100005\n", "Hei ((fornavn))", []string{"2: 41100001 Hei Áhkká", "3: 41100002 Hei Šejla", "4: 41100003 Hei Юлия", "5: 41100004 Hei D’Arc", "6: 41100005 Hei Œuvre"}},
		{"letters taken apart", "A\u030arsavgift;Mobil\nA\u030ase;41100001", "Hei ((årsavgift))", []string{"2: 41100001 Hei Åse"}},
		{"whole rows in quotes", "\"Fornavn;Mobil\"\n\"Åse;41100001\"\n\"Per \"\"P\"\" Ås;41100002\"", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse", "3: 41100002 Hei Per \"P\" Ås"}},
		{"whole rows in quotes, but not the headings", "Fornavn,Mobil\n\"Åse,41100001\"\n\"Per,41100002\"", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse", "3: 41100002 Hei Per"}},
		{"a quoted line that names the separator", "\"sep=;\"\nFornavn;Mobil\nÅse;41100001", "Hei ((fornavn))", []string{"3: 41100001 Hei Åse"}},
		{"a line that names the separator with a blank", "sep= ;\nFornavn;Mobil\nÅse;41100001", "Hei ((fornavn))", []string{"3: 41100001 Hei Åse"}},
		{"a line that names the separator and is filled up", "sep=;;\nFornavn;Mobil\nÅse;41100001", "Hei ((fornavn))", []string{"3: 41100001 Hei Åse"}},
		{"a line that names another separator than is used", "sep=,\nFornavn;Mobil\nÅse;41100001", "Hei ((fornavn))", []string{"3: 41100001 Hei Åse"}},
		{"a vertical tab", "Fornavn;Mobil;Sted\nÅse;41100001;Storgata 1\x0b7713 Steinkjer", "Til ((sted))", []string{"2: 41100001 Til Storgata 1 7713 Steinkjer"}},
		{"a form feed at the end", "Fornavn;Mobil\nÅse;41100001\n\x0c", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse"}},
		{"the end that DOS writes", "Fornavn;Mobil\r\n\xc5se;41100001\r\n\x1a", "Hei ((fornavn))", []string{"2: 41100001 Hei Åse"}},
		{"values that our own file guards", "Mottaker;fornavn;kid;saldo;Feil\n41100001;Bjørn;'012345678901234;'-250,00;\n41100002;'t Hooft;'1234567890123456789;'+50 kr;", "((fornavn)) ((kid)) ((saldo))",
			[]string{"2: 41100001 Bjørn 012345678901234 -250,00", "3: 41100002 't Hooft 1234567890123456789 +50 kr"}},
		{"long numbers that a spreadsheet ate", "Mobil;KID\n41100001;1,23457E+18\n41100002;1.23457E+11\n41100003;12E", "KID ((kid))", []string{"2: 41100001 ?hint.row.scientific KID 1,23457E+18", "3: 41100002 ?hint.row.scientific KID 1.23457E+11", "4: 41100003 KID 12E"}},
		{"headings with brackets and colons", "Mobil;Fornavn;Beløp (kr);Frist:;E-post/tlf?\n41100001;Åse;1 450;1. desember;x", "Hei ((Fornavn)), ((Beløp (kr))) kroner innen ((Frist:)), ((e-post/tlf?))", []string{"2: 41100001 Hei Åse, 1 450 kroner innen 1. desember, x"}},
		{"marks in the names of fields", "Mobil;Fornavn;Frist\n41100001;Åse;1. mai", "Hei ((for\u00adnavn)), ((\u00a0frist\u200b))", []string{"2: 41100001 Hei Åse, 1. mai"}},
		{"zeros in brackets", "Mobil\n+47 (0) 411 00 001\n+46 (0)70 123 45 67\n0046 (0) 70 123 45 68\n+49(0)151 12345678\n+47(0)41100002", "",
			[]string{"2: +4741100001", "3: +46701234567 ?hint.phone.foreign", "4: 0046701234568 ?hint.phone.foreign", "5: +4915112345678 ?hint.phone.foreign", "6: +4741100002"}},
		{"zeros that belong to no country code", "Mobil\n+47041100001\n+460701234567\n+47 4110 0001 2\n41100009", "", []string{"2: !Mobil problem.row.norwegian", "3: !Mobil problem.row.trunk", "4: !Mobil problem.row.norwegian", "5: 41100009"}},
		{"country codes without their plus", "Navn;Mobil\nAlva;46701234567\nBo;4520123456\nCas;48512345678\nPer;41100001", "",
			[]string{"2: +46701234567 ?hint.row.plus_foreign", "3: +4520123456 ?hint.row.plus_foreign", "4: +48512345678 ?hint.row.plus_foreign", "5: 41100001"}},
		{"eleven and ten digits that are neither", "Navn;Mobil\nAlva;12345678901\nBo;9000012324\nPer;41100001", "", []string{"2: !Mobil problem.row.neither", "3: !Mobil problem.row.digits", "4: 41100001"}},
		{"two numbers in one cell", "Mobil\n411 00 001 / 411 00 002\n411 00 003 / 04\n411 00 005 og 411 00 006\n41100007", "", []string{"2: !Mobil problem.row.several", "3: !Mobil problem.row.several", "4: !Mobil problem.row.several", "5: 41100007"}},
		{"days", "Mobil\n41.02.1980\n41/02/1980\n1980-02-28\n41100007\n2026-12-01 10:30", "", []string{"2: !Mobil problem.row.date", "3: !Mobil problem.row.date", "4: !Mobil problem.row.date", "5: 41100007", "6: !Mobil problem.row.date"}},
		{"decimals that a program wrote", "Navn;Mobil\nÅse;41100001.0\nPer;41100002,00\nLiv;" + kari + ".0", "", []string{"2: 41100001", "3: 41100002", "4: " + kari}},
		{"digits of other scripts", "Mobil\n４１１００００１\n٤١١٠٠٠٠٢\n41100003", "", []string{"2: 41100001", "3: 41100002", "4: 41100003"}},
		{"faults of formulas", "Mobil;Fornavn\n41100001;#N/A\n#REF!;Åse\n41100003;#I/T\n41100004;#hei", "Hei ((fornavn))", []string{"2: !Fornavn problem.row.error", "3: !Mobil problem.row.error", "4: !Fornavn problem.row.error", "5: 41100004 Hei #hei"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, err := open(test.content)
			if err != nil {
				t.Fatal(refusal(err))
			}
			got, _, err := through(l, recipients.Pass{Template: recipients.ParseTemplate(test.text)})
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(refusal(err), diff)
			}
		})
	}
}

// TestFieldsThatAreNone: text that looks like a placeholder and is none blocks sending.
func TestFieldsThatAreNone(t *testing.T) {
	t.Parallel()
	const people = "Mobil;Fornavn;Beløp (kr)\n41100001;Åse;5"
	for text, want := range map[string]string{
		"Hei ((Beløp))": "problem.list.placeholder", "Hei ((frist?))": "problem.list.placeholder", "Hei (())": "<nil>", "Hei ((etternavn!))": "problem.list.placeholder",
		"Hei {{fornavn}}": "problem.list.written", "Hei {{frist}}": "problem.list.written", "Hei [fornavn]": "problem.list.written", "Hei [ FORNAVN ]": "problem.list.written", "Hei «Fornavn»": "problem.list.written", "Hei <fornavn>": "problem.list.written",
		"Hei {fornavn}": "problem.list.written", "Hei ((fornavn)": "problem.list.written", "Hei (fornavn))": "problem.list.written", "Hei (fornavn)": "problem.list.written", "Hei ${fornavn}": "problem.list.written", "Hei %fornavn%": "problem.list.written", "Hei ( (fornavn) )": "problem.list.written",
		"Hei ｛fornavn｝": "problem.list.written", "Hei (（fornavn）)": "problem.list.written", "Hei \\(\\(fornavn\\)\\)": "problem.list.written", "Hei ⟨fornavn⟩": "problem.list.written", "Hei ‹fornavn›": "problem.list.written", "Hei |fornavn|": "problem.list.written",
		"Hei $fornavn": "problem.list.written", "Hei ((etternavn), velkommen": "problem.list.written", "Hei ((for\nnavn))": "problem.list.written", "((etternavn": "problem.list.written", "Hei (( etternavn, velkommen": "problem.list.written", "Hei ((2. etternavn": "problem.list.written", "Så trist :((men bra": "<nil>", "Pris $50 (kr)": "<nil>", "A | B | fornavn": "<nil>",
		"Hei [sic] «Ola» (kr) <3": "<nil>", "Hei ((fornavn)) :((": "<nil>", "Ring 41100001 (hverdager)": "<nil>",
	} {
		if got := refusal(both(people, recipients.Pass{Template: recipients.ParseTemplate(text)})); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestOurFileComesBackAsItWent (round trip): with any faulty rows, and however often.
func TestOurFileComesBackAsItWent(t *testing.T) {
	t.Parallel()
	values := []string{"012345678901234", "-250,00", "+50 kr", "0123456", "1234567890123456789", "123456789012", "=A1", "@x", "'t Hooft", "''", "'", "3-4", "12/24", "12E3", "10.30", "a", "a, =x(1)", "a,''=x", "500,- (a)"}
	var b strings.Builder
	b.WriteString("Mobil;Verdi\n")
	for i, value := range values {
		fmt.Fprintf(&b, "4110%d;%s\n", i, value)
	}
	content := bad(t, b.String())
	content = bad(t, content)
	i := 0
	_, err := mustOpen(t, content).Each(recipients.Pass{}, func(r recipients.Row) error {
		if r.Cells[1] != values[i] {
			t.Errorf("got %q, want %q", r.Cells[1], values[i])
		}
		i++
		return nil
	})
	if err != nil || i != len(values) {
		t.Error(i, err)
	}
}

func TestControlCharactersNameTheirLine(t *testing.T) {
	t.Parallel()
	if got := refusal(both("Fornavn;Mobil\nÅse\x00;41100001\nPer;41100002", recipients.Pass{})); got != "problem.list.control" {
		t.Error(got)
	}
	if got := refusal(both("Fornavn;Mobil\nÅse;41100001\n\x1aPer;41100002", recipients.Pass{})); got != "problem.list.control" {
		t.Error(got)
	}
}

// TestShipmentsTellTheSame: lists for shipments are read by the same rules.
func TestShipmentsTellTheSame(t *testing.T) {
	t.Parallel()
	want := []string{ola + "|Åse 't Hooft|Storgata 1|||7713|Steinkjer|Norge|"}
	for name, content := range map[string]string{
		"a title":           "Uttrekk 24.11.2026;;;;\n;;;;\nNavn;Adresse;Postnr;Poststed;Fødselsnummer\nÅse 't Hooft;Storgata 1;7713;Steinkjer;" + ola,
		"years":             "Navn;Adresse;Postnr;Poststed;Fødselsnummer;2025;2026\nÅse 't Hooft;Storgata 1;7713;Steinkjer;" + ola + ";1;2",
		"marks":             "\ufeff\ufeffNavn;Adresse;Postnr;Poststed;Fødselsnummer\nA\u030ase 't Hooft\u200b;Storgata\u00a01;7713;Steinkjer;\u202a" + ola + "\u202c",
		"a guard":           "Navn;Adresse;Postnr;Poststed;Fødselsnummer\nÅse 't Hooft;Storgata 1;7713;Steinkjer;'" + ola,
		"strokes":           "Navn|Adresse|Postnr|Poststed|Fødselsnummer\nÅse 't Hooft|Storgata 1|7713|Steinkjer|" + ola,
		"the end of DOS":    "Navn;Adresse;Postnr;Poststed;Fødselsnummer\nÅse 't Hooft;Storgata 1;7713;Steinkjer;" + ola + "\n\x1a",
		"rows in quotes":    "\"Navn;Adresse;Postnr;Poststed;Fødselsnummer\"\n\"Åse 't Hooft;Storgata 1;7713;Steinkjer;" + ola + "\"",
		"ragged and commas": "Navn;Adresse;Postnr;Poststed;Fødselsnummer\nÅse 't Hooft;Storgata 1;7713;Steinkjer;" + ola + ";,;",
	} {
		if diff := cmp.Diff(want, shipmentRows(t, content)); diff != "" {
			t.Error(name, diff)
		}
	}
	if got := shipmentRows(t, "Navn;Adresse\n#N/A;Storgata 1\n"); len(got) != 1 || !strings.HasSuffix(got[0], "problem.row.error") {
		t.Errorf("got %q", got)
	}
}
