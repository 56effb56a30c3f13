package recipients

import (
	"regexp"
	"strings"
	"unicode"

	"utsending/internal/dispatch"
)

// headingRows is in how many rows from the start headings are looked for.
const headingRows = 20

// otherWords are words of headings besides those of recipients.
var otherWords = strings.Fields(`navn namn fornavn førenamn etternavn etternamn mellomnavn adresse adresselinje gateadresse postadresse postnummer postnr poststed poststad sted land
	dato frist tid tidspunkt time kl klokkeslett dag beløp belop sum saldo kid merknad kommentar epost mail avdeling skole klasse barn foresatt kontakt kjønn alder status svart id saksnummer saksnr
	organisasjonsnummer orgnr name email date address målform maalform språk`)

// isHeading rates a cell as a heading: 2 if all its words are words of headings, 1 if some are.
func isHeading(cell string) int {
	some, all := false, true
	for _, w := range words(cell) {
		known := headingWords[w]
		some, all = some || known, all && known
	}
	switch {
	case some && all:
		return 2
	case some:
		return 1
	}
	return 0
}

// words returns the words of a heading, normalized for comparison.
func words(heading string) []string {
	heading = strings.ReplaceAll(strings.ToLower(heading), "-", "")
	return strings.FieldsFunc(heading, func(r rune) bool { return !unicode.IsLetter(r) })
}

var headingWords = func() map[string]bool {
	all := map[string]bool{}
	for _, list := range [][]string{nationalIDWords, phoneWords, mixedWords, otherWords} {
		for _, w := range list {
			all[w] = true
		}
	}
	return all
}()

var (
	moment  = regexp.MustCompile(`\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,2}[.:]\d{2}(?:[.:]\d{2})?`)
	longRun = regexp.MustCompile(`\+?\d(?:[\s().·•/_'’+-]*\d){7,}`)
)

// runOf returns the first long run of digits in a cell, possibly between words. Dates and times are none.
func runOf(cell string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case unseen(r), unicode.Is(unicode.Mn, r):
			return -1
		case unicode.Is(unicode.Pd, r), r == '−', r == '˗':
			return '-'
		case unicode.IsSpace(r):
			return ' '
		}
		return asciiDigit(r)
	}, cell)
	if run := longRun.FindString(s); run != "" && !dayShape.MatchString(strings.TrimSpace(run)) {
		if rest := moment.ReplaceAllString(s, " x "); longRun.MatchString(rest) || !moment.MatchString(run) {
			return bare(run)
		}
	}
	return ""
}

// holdsNumber tells that a cell cannot be a heading: it contains a number, or is mostly one.
func holdsNumber(cell string) bool {
	if runOf(cell) != "" {
		return true
	}
	n, all := 0, 0
	for _, r := range moment.ReplaceAllString(cell, "") {
		n, all = n+one(unicode.IsDigit(r)), all+one(!unicode.IsSpace(r))
	}
	return n >= 6 && 2*n > all
}

// holdsRecipient tells whether a cell contains a recipient's number, possibly among other text.
func holdsRecipient(cell string) bool {
	run := runOf(cell)
	switch n := len(run); {
	case n == dispatch.PhoneMinDigits:
		return run[0] == '4' || run[0] == '9'
	case n == 9:
		return false // an organisation number
	}
	return run != ""
}

func (r record) any(is func(string) bool) bool {
	for _, cell := range r.cells {
		if is(cell) {
			return true
		}
	}
	return false
}

// recipient tells whether some cell of the row is exactly a recipient's number.
func (r record) recipient() bool {
	for i := range r.cells {
		if n := (written{cell: r.number(i), numeric: r.isNumeric(i)}).read(); n.id != "" || n.phone != "" {
			return true
		}
	}
	return false
}

// filled counts the cells that are not empty.
func (r record) filled() (n int) {
	for _, cell := range r.cells {
		n += one(strings.TrimSpace(cell) != "")
	}
	return n
}

// findHeadings returns the index of the headings' row; -1: none. A row with words of headings is it, even below a
// title or with years in it. If no row has such words, it is an early row without numbers (firstWords).
func findHeadings(sample []record) int {
	best, most, last := -1, 0, false
	for i, rec := range sample[:min(len(sample), headingRows)] {
		if rec.recipient() {
			last = true
		}
		if last {
			break
		}
		if score := rec.headings(); score > 0 && (score > most || score == most && score >= sure) {
			best, most = i, score
		}
	}
	if best >= 0 {
		return best
	}
	return firstWords(sample)
}

// sure is the score of a cell that is a heading for certain. It outweighs any number of cells with only some word of
// one.
const sure = MaxColumns + 1

// headings is the score of a row as headings.
func (r record) headings() (score int) {
	if r.broken {
		return 0
	}
	number := false
	for _, cell := range r.cells {
		if holdsRecipient(cell) {
			return 0
		}
		number = number || holdsNumber(cell)
		switch isHeading(cell) {
		case 2:
			score += sure
		case 1:
			score++
		}
	}
	if number && score < 2*sure { // another number, such as 20252026, may be a heading, beside two certain ones
		return 0
	}
	return score
}

// firstWords finds headings without known words, above the first row with numbers: the first row, or below a title of
// one cell the next wider row.
func firstWords(sample []record) int {
	best, most := -1, 0
	for i, rec := range sample[:min(len(sample), headingRows)] {
		if rec.broken || rec.any(looksLikeNumber) || rec.any(holdsNumber) {
			break
		}
		if n := rec.filled(); best < 0 || n > most && most == 1 {
			best, most = i, n
		}
	}
	return best
}

// looksLikeNumber tells whether a cell consists of digits and separators.
func looksLikeNumber(cell string) bool {
	return digits(strings.TrimPrefix(bare(cell), "+"))
}
