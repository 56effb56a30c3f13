package dispatch

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Fields of an account's references that problems are tied to; the form uses the same names.
const (
	FieldReferencePattern = "referansemonster"
	FieldReferenceUnit    = "referanseenhet"
	FieldReferenceFill    = "referanse-fyll"
	FieldReferenceEach    = "referanse-hver" // of a shipment to many
)

// ReferenceRule is how an account makes references of shipments. The zero value makes none.
type ReferenceRule struct {
	Pattern string // with {år}, {nr} or {nr:5}, and maybe {enhet}
	Unit    string // what stands for {enhet}
	Fill    bool   // a shipment without a reference gets one when it is sent
}

// Makes tells whether the account makes references.
func (r ReferenceRule) Makes() bool { return r.Pattern != "" }

const (
	referenceUnitMax  = 20
	referenceWidthMax = 9
	yearDigits        = 4
	referenceLongest  = 9_999_999_999 // more than anybody sends in a year
)

// pieces splits the pattern at what is filled in: texts and names in turn. False: a brace is not closed, or not opened.
func (r ReferenceRule) pieces() (list []string, ok bool) {
	rest := r.Pattern
	for {
		text, after, found := strings.Cut(rest, "{")
		if list = append(list, text); strings.Contains(text, "}") {
			return list, false
		}
		if !found {
			return list, true
		}
		name, after, closed := strings.Cut(after, "}")
		if !closed {
			return list, false
		}
		list, rest = append(list, name), after
	}
}

// width is how many digits a number has at least; false: it is no place of a number.
func width(name string) (int, bool) {
	of, digits, given := strings.Cut(name, ":")
	n, err := strconv.Atoi(digits)
	switch {
	case of != "nr":
		return 0, false
	case !given:
		return 1, true
	}
	return n, err == nil && allDigits(digits) && n >= 1 && n <= referenceWidthMax
}

// Reference is the reference with a number of a year. The rule is valid.
func (r ReferenceRule) Reference(year int, number int64) string {
	list, _ := r.pieces()
	var b strings.Builder
	for i, piece := range list {
		digits, isNumber := width(piece)
		switch {
		case i%2 == 0:
			b.WriteString(piece)
		case piece == "år":
			b.WriteString(strconv.Itoa(year))
		case piece == "enhet":
			b.WriteString(r.Unit)
		case isNumber:
			n := strconv.FormatInt(number, 10)
			b.WriteString(strings.Repeat("0", max(digits-len(n), 0)) + n)
		}
	}
	return b.String()
}

// Number reads the year and the number of a reference by the pattern; false: it is none by it.
func (r ReferenceRule) Number(reference string) (year int, number int64, ok bool) {
	if !r.Makes() || len(r.validate()) > 0 {
		return 0, 0, false
	}
	list, _ := r.pieces()
	rest, ok := strings.CutPrefix(reference, list[0])
	for i := 1; ok && i < len(list); i += 2 {
		value := r.Unit
		switch list[i] {
		case "enhet":
		case "år":
			value = rest[:min(digitsOf(rest, ""), yearDigits)]
		default: // what follows a number is no digit where there is something, or the digits are its own
			value = rest[:digitsOf(rest, list[i+1])]
		}
		switch n, err := strconv.ParseInt(value, 10, 64); {
		case list[i] == "enhet":
		case err != nil:
			return 0, 0, false
		case list[i] == "år":
			year = int(n)
		default:
			number = n
		}
		if rest, ok = strings.CutPrefix(rest, value+list[i+1]); !ok {
			return 0, 0, false
		}
	}
	return year, number, ok && rest == "" && r.Reference(year, number) == reference
}

// digitsOf is how many digits a text begins with before what follows them.
func digitsOf(text, then string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	for n > 0 && !strings.HasPrefix(text[n:], then) {
		n--
	}
	return n
}

// Example is a reference as it may look now; empty: the rule makes none, or is not valid.
func (r ReferenceRule) Example(now time.Time) string {
	if !r.Makes() || len(r.validate()) > 0 {
		return ""
	}
	return r.Reference(now.In(Oslo).Year(), 42)
}

// validate returns what keeps the rule from making references that differ and that the service takes. The year must stand in them,
// for numbers begin anew each year.
func (r ReferenceRule) validate() (ps Problems) {
	problem := func(field, key string) { ps.add(&Problem{Field: field, Key: key}) }
	if utf8.RuneCountInString(r.Unit) > referenceUnitMax || r.Unit != "" && !plainReference(r.Unit) || strings.ContainsAny(r.Unit, "{}") {
		problem(FieldReferenceUnit, "problem.reference_unit")
	}
	if !r.Makes() {
		if r.Fill {
			problem(FieldReferencePattern, "problem.reference_pattern.none")
		}
		return ps
	}
	list, ok := r.pieces()
	years, numbers, units := 0, 0, 0
	for i := 1; ok && i < len(list); i += 2 {
		_, isNumber := width(list[i])
		switch {
		case list[i] == "år":
			years++
		case list[i] == "enhet":
			units++
		case isNumber:
			numbers++
		default:
			ok = false
		}
	}
	for i := 0; i+2 < len(list); i += 2 { // 20261 and 20 is 2026 and 120: two that are filled in need something between them
		ok = ok && (i == 0 || list[i] != "")
	}
	for i := 2; i+1 < len(list); i += 2 { // nor where number 10 ends in 1002026
		_, isNumber := width(list[i-1])
		ok = ok && !(isNumber && digitsOf(list[i], "") > 0)
	}
	switch {
	case !plainReference(r.Pattern):
		problem(FieldReferencePattern, "problem.reference_pattern.characters")
	case !ok:
		problem(FieldReferencePattern, "problem.reference_pattern.form")
	case years != 1 || numbers != 1:
		problem(FieldReferencePattern, "problem.reference_pattern.parts")
	case utf8.RuneCountInString(r.Reference(9999, referenceLongest)) > shortTextMax:
		problem(FieldReferencePattern, "problem.reference_pattern.long")
	case units > 0 && r.Unit == "":
		problem(FieldReferenceUnit, "problem.reference_unit.empty")
	}
	return ps
}

// plainReference tells whether a text can be part of a reference: no blanks at its ends, and nothing that a list would fill in.
func plainReference(text string) bool {
	return Readable(text) && strings.TrimSpace(text) == text && !strings.ContainsAny(text, "()\n\t")
}
