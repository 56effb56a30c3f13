package recipients

import (
	"strconv"
	"strings"
	"unicode"

	"utsending/internal/dispatch"
)

// number is what one cell holds: a national id, a phone number, or the key of what is wrong with it.
type number struct {
	id      dispatch.NationalID
	phone   dispatch.Phone
	problem string
	args    dispatch.Args
	warning string
}

// read tells what a cell holds by its shape: eleven bare digits are a national id, all else is read as a phone number.
func read(cell string, numeric bool) number {
	s := bare(cell)
	switch {
	case s == "":
		return number{}
	case !looksLikeNumber(s):
		return number{problem: "problem.row.number"}
	case digits(s) && len(s) == dispatch.NationalIDLength:
		return readID(s)
	case digits(s) && len(s) == dispatch.NationalIDLength-1:
		return readTen(s, numeric)
	}
	return readPhone(s)
}

func readID(s string) number {
	id, problem := dispatch.ParseNationalID(dispatch.FieldNationalID, s)
	if problem != nil {
		return number{problem: problem.Key, args: problem.Args}
	}
	if !id.CheckDigitsFit() {
		return number{id: id, warning: "hint.national_id.check"}
	}
	return number{id: id}
}

// readTen reads ten digits, which are right as they stand in no list: spreadsheets take the + away from +47 and the
// leading zero from a national id.
//
// Assumption: ten digits that begin with 47 and go on as a mobile number does are one with Norway's country code.
func readTen(s string, numeric bool) number {
	if s[:2] == "47" && (s[2] == '4' || s[2] == '9') {
		return number{phone: dispatch.Phone("+" + s), warning: "hint.row.plus"}
	}
	if dispatch.NationalID("0"+s).CheckDigitsFit() || numeric || s[0] != '4' && s[0] != '9' {
		return number{problem: "problem.row.leading_zero"}
	}
	return readPhone(s)
}

func readPhone(s string) number {
	phone, problem := dispatch.ParsePhone(dispatch.FieldPhone, s)
	switch {
	case problem != nil:
		return number{problem: problem.Key, args: problem.Args}
	case phone.Foreign():
		return number{phone: phone, warning: "hint.phone.foreign"}
	case phone.LooksWrong():
		return number{phone: phone, warning: "hint.phone.length"}
	}
	return number{phone: phone}
}

// bare takes away what people and spreadsheets put into numbers: blanks, hyphens, brackets, a leading apostrophe.
func bare(cell string) string {
	if digits(cell) {
		return cell
	}
	s := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("-()./\u200b\u2011\u2013\ufeff\u202a\u202c", r) {
			return -1
		}
		return r
	}, cell)
	return strings.TrimPrefix(s, "'")
}

func digits(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// key is one spelling for all that mean the same recipient.
func key(r dispatch.SMSRecipient) string {
	if r.ByPhone() {
		return r.Phone.Comparable()
	}
	return strconv.Itoa(len(r.NationalID)) + r.NationalID.Reveal()
}
