package dispatch

import (
	"strings"
	"time"
	"unicode"
)

// ParseLookup parses the form of a look-up: numbers separated by line breaks, commas, semicolons or tabs. Blanks
// within a number are removed, and a repeated number is asked for once.
func ParseLookup(numbers, purpose string) (Lookup, Problems) {
	var l Lookup
	ps := l.parseNumbers(numbers)
	purpose, problem := ParsePurpose(purpose)
	l.Purpose = purpose
	ps.add(problem)
	return l, ps
}

// ParsePurpose parses the purpose of a look-up. It is logged, so it must not hold numbers.
func ParsePurpose(typed string) (string, *Problem) { return parseWhy(whyLookup, typed) }

// ParseHoldReason parses why an item is kept or no longer kept.
func ParseHoldReason(typed string) (string, *Problem) { return parseWhy(whyHeld, typed) }

// ParseUnprotectReason parses why a protection ends.
func ParseUnprotectReason(typed string) (string, *Problem) { return parseWhy(whyUnprotected, typed) }

// ParseReason parses the reason for opening a colleague's item.
func ParseReason(typed string) (string, *Problem) { return parseWhy(whyOpened, typed) }

// ParseReason parses the reason for an act on colleagues' items: their content is opened, or sent again.
func (a BulkAct) ParseReason(typed string) (string, *Problem) {
	if a == BulkAgain {
		return parseWhy(whyAgain, typed)
	}
	return ParseReason(typed)
}

// whyField is a field for a reason, with the catalogue keys of its problems.
type whyField struct{ name, empty, short, long, number, nothing string }

var (
	whyLookup      = whyField{FieldPurpose, "problem.purpose.empty", "problem.purpose.short", "problem.purpose.long", "problem.purpose.number", "problem.purpose.nothing"}
	whyHeld        = whyField{FieldPurpose, "problem.hold.empty", "problem.why.short", "problem.why.long", "problem.why.number", "problem.why.nothing"}
	whyUnprotected = whyField{FieldReason, "problem.protected.end_why", "problem.why.short", "problem.why.long", "problem.why.number", "problem.why.nothing"}
	whyOpened      = whyField{FieldReason, "problem.why.empty", "problem.why.short", "problem.why.long", "problem.why.number", "problem.why.nothing"}
	whyAgain       = whyField{FieldReason, "problem.why.again", "problem.why.short", "problem.why.long", "problem.why.number", "problem.why.nothing"}
	whyAct         = whyField{FieldReason, "problem.act.empty", "problem.why.short", "problem.why.long", "problem.why.number", "problem.why.nothing"}
)

// parseWhy parses a reason, normalized so that digits of other scripts count as digits. It is logged, so it must not
// hold numbers.
func parseWhy(f whyField, typed string) (string, *Problem) {
	why := strings.Join(strings.Fields(typed), " ")
	switch n := len([]rune(why)); {
	case n == 0:
		return why, &Problem{Field: f.name, Key: f.empty}
	case n < LookupPurposeMin:
		return why, &Problem{Field: f.name, Key: f.short}
	case n > LookupPurposeMax:
		return why, &Problem{Field: f.name, Key: f.long, Args: Args{"N": n}}
	case holdsNumber(why):
		return why, &Problem{Field: f.name, Key: f.number}
	case !saysSomething(why, LookupPurposeMin, 3):
		return why, &Problem{Field: f.name, Key: f.nothing}
	}
	return why, nil
}

// saysSomething tells whether a text has at least so many letters and digits, so many of them different: "....." is
// no reason.
func saysSomething(text string, least, different int) bool {
	n, seen := 0, map[rune]bool{}
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
			seen[unicode.ToLower(r)] = true
		}
	}
	return n >= least && len(seen) >= different
}

// holdsNumber tells whether a text has as many adjacent digits as a phone number, or, with any signs between, as a
// national identity number: the purpose is logged, the numbers are not.
func holdsNumber(text string) bool {
	near, far := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			near++
			far++
		case unicode.IsLetter(r):
			near, far = 0, 0
		case r != '.' && !unicode.IsSpace(r) && !unicode.Is(unicode.Pd, r):
			near = 0
		}
		if near >= PhoneMinDigits || far >= NationalIDLength {
			return true
		}
	}
	return false
}

// maxLineProblems bounds how many lines get a problem of their own; the rest are counted.
const maxLineProblems = 20

func (l *Lookup) parseNumbers(typed string) Problems {
	var ps Problems
	seen := map[LookupNumber]bool{}
	wrong := 0
	for i, line := range strings.Split(NormalizeText(typed), "\n") {
		for _, cell := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' || r == '\t' }) {
			number := LookupNumber(withoutBlanks(cell))
			switch problem := checkLookupNumber(i+1, number); {
			case number == "":
			case problem != nil:
				if wrong++; wrong <= maxLineProblems {
					ps.add(problem)
				}
			case seen[number]:
				l.Repeated++
			default:
				seen[number] = true
				l.Entries = append(l.Entries, LookupEntry{Line: i + 1, Number: number})
			}
		}
	}
	switch {
	case wrong > maxLineProblems:
		ps.add(&Problem{Field: FieldNumbers, Key: "problem.lookup.more", Args: Args{"N": wrong - maxLineProblems}})
	case wrong == 0 && len(l.Entries) == 0:
		ps.add(&Problem{Field: FieldNumbers, Key: "problem.lookup.empty"})
	case len(l.Entries) > LookupMax:
		ps.add(&Problem{Field: FieldNumbers, Key: "problem.lookup.count", Args: Args{"N": len(l.Entries)}})
	}
	return ps
}

func checkLookupNumber(line int, n LookupNumber) *Problem {
	switch {
	case !allDigits(string(n)):
		return &Problem{Field: FieldNumbers, Key: "problem.lookup.digits", Args: Args{"Line": line}}
	case !n.Valid():
		return &Problem{Field: FieldNumbers, Key: "problem.lookup.length", Args: Args{"Line": line, "N": len(n)}}
	}
	return nil
}

// LookupUse counts a user's look-ups within the last hour.
type LookupUse struct {
	Lookups, Numbers int
	Oldest           time.Time // when the first of them was made
}

// Left returns how many numbers the user can still look up.
func (u LookupUse) Left() int { return max(LookupNumbersPerHour-u.Numbers, 0) }

// Refuse returns why a look-up of n more numbers must wait; nil when it may be made.
func (u LookupUse) Refuse(n int) *Problem {
	switch {
	case u.Lookups >= LookupsPerHour:
		return &Problem{Field: FieldNumbers, Key: "problem.lookup.often", Args: Args{"When": u.Oldest.Add(time.Hour)}}
	case u.Numbers+n > LookupNumbersPerHour:
		return &Problem{Field: FieldNumbers, Key: "problem.lookup.much", Args: Args{"N": u.Left(), "When": u.Oldest.Add(time.Hour)}}
	}
	return nil
}
