package dispatch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// DateFits tells whether the first six digits are a date: the day as it is or 40 higher (D-numbers), the month as it is or
// 40, 65 or 80 higher (H-numbers and synthetic people). A year of two digits may be a leap year of any century.
func (n NationalID) DateFits() bool {
	if len(n) != NationalIDLength {
		return false
	}
	two := func(at int) int { return int(n[at]-'0')*10 + int(n[at+1]-'0') }
	day, month, year := two(0), two(2), two(4)
	if day > 40 {
		day -= 40
	}
	for _, raised := range []int{80, 65, 40} {
		if month > raised {
			month -= raised
			break
		}
	}
	return day >= 1 && month >= 1 && month <= 12 && day <= daysOf(month, year)
}

func daysOf(month, year int) int {
	switch {
	case month == 2 && year%4 == 0:
		return 29
	case month == 2:
		return 28
	case month == 4, month == 6, month == 9, month == 11:
		return 30
	}
	return 31
}

// HoldsNationalID tells whether a text holds a national identity number: written as one, with a valid date and check
// digits. Check digits alone would match a third of all bank account numbers, which have the same length and weights.
func HoldsNationalID(text string) bool {
	text = plainDigits(text)
	for _, at := range writtenIDs(text) {
		if at.number.DateFits() && at.number.CheckDigitsFit() && !goesOn(text[:at.start], text[at.end:]) {
			return true
		}
	}
	return false
}

// MaskNationalIDs hides the last five digits of what is written as a national identity number, whether or not date
// and check digits are valid: a wrong digit may be a typing error, and a false match does no harm.
func MaskNationalIDs(text string) string {
	text = plainDigits(text)
	var b strings.Builder
	from := 0
	for _, at := range writtenIDs(text) {
		b.WriteString(text[from:at.start] + at.number.Masked())
		from = at.end
	}
	return b.String() + text[from:]
}

// plainDigits turns digits of full width and of other scripts into ASCII digits.
func plainDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) {
			return r
		}
		n := rune(0) // Unicode has each script's digits in a row, from 0 to 9
		for unicode.IsDigit(r - 1 - n) {
			n++
		}
		return '0' + n%10
	}, text)
}

// writtenID is a place in a text that is written as a national identity number.
type writtenID struct {
	number     NationalID
	start, end int
}

// birthDigits is the length of the date, which may be separated from the rest.
const birthDigits = 6

var digitRun = pattern(`[0-9]+`)

// writtenIDs finds eleven adjacent digits, or six and five separated by a blank, a point or a dash.
func writtenIDs(text string) []writtenID {
	var found []writtenID
	runs := digitRun().FindAllStringIndex(text, -1)
	for i, run := range runs {
		start, end := run[0], run[1]
		number := text[start:end]
		if len(number) == birthDigits && i+1 < len(runs) && joint().MatchString(text[end:runs[i+1][0]]) {
			number += text[runs[i+1][0]:runs[i+1][1]]
			end = runs[i+1][1]
		}
		if len(number) == NationalIDLength {
			found = append(found, writtenID{NationalID(number), start, end})
		}
	}
	return found
}

// joint matches the separator of date and rest: blanks, a point, or a dash with or without blanks.
var joint = pattern(`^(?:[\x20\x{00a0}\x{2000}-\x{200a}\x{202f}]{1,2}|\.|[\x20\x{00a0}\x{202f}]?[\-‐‑‒–—−][\x20\x{00a0}\x{202f}]?)$`)

// goesOn tells whether the text around a number makes it part of a longer one: a phone number with +, an amount, or
// digits behind a point or a dash.
func goesOn(before, after string) bool {
	sign, size := utf8.DecodeLastRuneInString(before)
	if sign == '+' {
		return true
	}
	if isNumberSign(sign) && endsInDigit(before[:len(before)-size]) {
		return true
	}
	sign, size = utf8.DecodeRuneInString(after)
	return isNumberSign(sign) && len(after) > size && allDigits(after[size:size+1])
}

func isNumberSign(r rune) bool { return strings.ContainsRune(".,-‐‑‒–—−", r) }

func endsInDigit(s string) bool { return s != "" && allDigits(s[len(s)-1:]) }
