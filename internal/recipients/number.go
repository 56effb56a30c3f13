package recipients

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"utsending/internal/dispatch"
)

// number is a parsed cell: a national id, a phone number, or the key of its problem.
type number struct {
	id      dispatch.NationalID
	phone   dispatch.Phone
	problem string
	args    dispatch.Args
	warning string
}

// written is a cell to parse as a number.
type written struct {
	cell    string
	numeric bool // a number, not a text, in the workbook
	phones  bool // in a column of phone numbers
}

var (
	label    = regexp.MustCompile(`(?i)^(?:tel|sms|callto|mob|mobil|mobiltlf|mobilnr|mobiltelefon|tlf|tlfnr|telefon|telefonnr|phone|mobile|m|t|fnr|fødselsnr|fødselsnummer)(?:\s*[.:]+\s*|\s+)([+(0-9].*)$`)
	dayShape = regexp.MustCompile(`^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?:[ T,]+(?:kl\.? ?)?\d{1,2}[.:]\d{2}(?:[.:]\d{2})?)?$`)
	trunk    = regexp.MustCompile(`^((?:\+|00)\s*[1-9][\d\s]{0,3}?)\(\s*0\s*\)`)
	decimals = regexp.MustCompile(`^(\+?[\d ]{8,15})[.,]0{1,2}$`) // programs write integers so
	between  = regexp.MustCompile(`[/,;&\n]|\s(?:og|eller|and|or)\s`)
)

// read parses a cell by its shape: eleven bare digits are a national id, all else is parsed as a phone number.
func (w written) read() number {
	s := strings.TrimRight(strings.TrimSpace(w.cell), ",;.")
	if s == "" {
		return number{}
	}
	if !digits(strings.TrimPrefix(s, "+")) {
		var problem string
		if s, problem = unwrapped(s); problem != "" {
			return number{problem: problem}
		}
	}
	switch {
	case !digits(strings.TrimPrefix(s, "+")):
		return number{problem: "problem.row.number"}
	case strings.HasPrefix(s, "+"), strings.HasPrefix(s, "00"):
	case len(s) == dispatch.NationalIDLength:
		return w.eleven(s)
	case len(s) == dispatch.NationalIDLength-1:
		return w.ten(s)
	case len(s) > dispatch.NationalIDLength && len(s) <= dispatch.PhoneMaxDigits:
		return w.long(s)
	}
	return readPhone(s)
}

// unwrapped removes what people and programs write around the digits of a number.
func unwrapped(s string) (inner, problem string) {
	switch {
	case noValue(s):
		return "", dispatch.ProblemError
	case dayShape.MatchString(s):
		return "", "problem.row.date"
	}
	if m := label.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	s = decimals.ReplaceAllString(s, "$1")
	if several(s) {
		return "", "problem.row.several"
	}
	return bare(trunk.ReplaceAllString(s, "$1")), ""
}

// several tells whether a cell continues after a complete number.
func several(s string) bool {
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "00") { // a slash may follow a foreign area code
		s = strings.Replace(s, "/", " ", 1)
	}
	at := between.FindStringIndex(s)
	return at != nil && countDigits(s[:at[0]]) >= dispatch.PhoneMinDigits && countDigits(s[at[1]:]) > 0
}

func countDigits(s string) (n int) {
	for _, r := range s {
		n += one(unicode.IsDigit(r))
	}
	return n
}

// eleven parses eleven digits. In a column of phone numbers, only a certain national id is taken for one.
func (w written) eleven(s string) number {
	id := dispatch.NationalID(s)
	switch {
	case id.CheckDigitsFit():
		return number{id: id}
	case w.phones && abroad.MatchString(s):
		return withPlus(s)
	case w.phones:
		return number{problem: "problem.row.neither"}
	}
	return number{id: id, warning: "hint.national_id.check"}
}

// ten parses ten digits. No number of a recipient is written with ten: spreadsheets remove the + from +47, and the
// leading zero from a national id.
//
// Assumption: ten digits that begin with 47 and continue as a mobile number does are one with Norway's country code.
func (w written) ten(s string) number {
	switch {
	case s[:2] == "47" && (s[2] == '4' || s[2] == '9'):
		return number{phone: dispatch.Phone("+" + s), warning: "hint.row.plus"}
	case dispatch.NationalID("0" + s).CheckDigitsFit():
		return number{problem: "problem.row.leading_zero"}
	case w.phones && abroad.MatchString(s):
		return withPlus(s)
	case !w.phones && (w.numeric || s[0] != '4' && s[0] != '9'):
		return number{problem: "problem.row.leading_zero"}
	}
	return number{problem: "problem.row.digits", args: dispatch.Args{"N": len(s)}}
}

// long parses twelve or more digits without a prefix: no Norwegian number has as many.
func (w written) long(s string) number {
	if w.phones && abroad.MatchString(s) {
		return withPlus(s)
	}
	return number{problem: "problem.row.digits", args: dispatch.Args{"N": len(s)}}
}

// abroad matches mobile numbers of other European countries whose + is lost.
//
// Assumption: these number plans (ITU, national plans) are those that a municipality's lists contain; all other
// foreign numbers must be written with +.
var abroad = regexp.MustCompile(`^(?:467[02369]\d{7}|45[2-9]\d{7}|3584\d{7,8}|35850\d{6,8}|354[678]\d{6}|447[1-9]\d{8}|491[567]\d{8,9}|48[4-8]\d{8}|3706\d{7}|3712\d{7}|3725\d{6,7}|33[67]\d{8}|34[67]\d{8}|316\d{8}|324\d{8}|407\d{8}|436\d{8,10}|417\d{8}|393\d{9}|3069\d{8}|3519\d{8}|3538\d{8}|3598\d{8}|3859\d{7,8}|420[67]\d{8}|4219\d{8}|38[067]\d{8,9})$`)

// withPlus restores the lost + of a foreign number.
func withPlus(s string) number {
	return number{phone: dispatch.Phone("+" + s), warning: "hint.row.plus_foreign"}
}

// trunkZero matches a trunk prefix (0) behind the code of a country that drops it in international numbers (ITU-T
// E.123): it is dialled within the country only.
var trunkZero = regexp.MustCompile(`^(?:\+|00)(?:46|45|358|354|44|49|48|33|31|32|34|41|43|353|40|370|371|372|380)0`)

func readPhone(s string) number {
	phone, problem := dispatch.ParsePhone(dispatch.FieldPhone, s)
	if problem != nil {
		return number{problem: problem.Key, args: problem.Args}
	}
	home, norwegian := strings.CutPrefix(phone.Comparable(), "+47")
	international := strings.HasPrefix(s, "+") || strings.HasPrefix(s, "00")
	switch {
	case trunkZero.MatchString(s):
		return number{problem: "problem.row.trunk"}
	case international && norwegian && len(home) != 8 && len(home) != 12: // Nkom's number plan
		return number{problem: "problem.row.norwegian", args: dispatch.Args{"N": len(home)}}
	case phone.Foreign():
		return number{phone: phone, warning: "hint.phone.foreign"}
	case phone.LooksWrong():
		return number{phone: phone, warning: "hint.phone.length"}
	}
	return number{phone: phone}
}

// bare removes what people and programs put into numbers: blanks, invisible marks, dashes, points, brackets, a
// leading apostrophe. Digits of other scripts become ASCII.
func bare(cell string) string {
	if digits(cell) {
		return cell
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return r
		case r == '＋':
			return '+'
		case unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.Mn, unicode.Pd, unicode.Cc), unseen(r), strings.ContainsRune("−˗()[]<>./_·•'’‘\"", r):
			return -1
		}
		return asciiDigit(r)
	}, cell)
}

// asciiDigit converts a digit of another script.
func asciiDigit(r rune) rune {
	for _, zero := range []rune{'\u0660', '\u06f0', '\u0966', '\uff10'} {
		if r >= zero && r <= zero+9 {
			return '0' + r - zero
		}
	}
	return r
}

func digits(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// key is equal for all spellings of the same recipient.
func key(r dispatch.SMSRecipient) string {
	if r.ByPhone() {
		return r.Phone.Comparable()
	}
	return strconv.Itoa(len(r.NationalID)) + r.NationalID.Reveal()
}
