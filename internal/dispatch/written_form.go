package dispatch

import (
	"slices"
	"strings"
	"unicode"
)

// FieldOtherwise is the written form of those who say none; forms use the same name.
const FieldOtherwise = "malform"

// SecondText is a text in nynorsk beside one in bokmål: each recipient gets the one in the written form that the list says.
type SecondText struct {
	Nynorsk   string      `json:"nynorsk,omitempty"`   // empty: all get the same text
	Otherwise WrittenForm `json:"otherwise,omitempty"` // of those who say none; empty: bokmål
}

// Both tells whether there are two texts.
func (s SecondText) Both() bool { return s.Nynorsk != "" }

// Of returns the written form of a row that says one; empty: it says none.
func (s SecondText) Of(said WrittenForm) WrittenForm {
	if said == "" {
		said = s.Otherwise
	}
	if s.Both() && said == FormNynorsk {
		return FormNynorsk
	}
	return FormBokmal
}

// FormCounts is how many rows of a list get a text in each written form.
type FormCounts struct {
	Bokmal  int `json:"nb,omitempty"`
	Nynorsk int `json:"nn,omitempty"`
	Unsaid  int `json:"unsaid,omitempty"` // of these: the list says none, or one that is not known
}

// Add counts a row that says a form; empty: it says none.
func (n *FormCounts) Add(s SecondText, said WrittenForm) {
	if s.Of(said) == FormNynorsk {
		n.Nynorsk++
	} else {
		n.Bokmal++
	}
	if said == "" {
		n.Unsaid++
	}
}

// formWords are the words of a heading above written forms, the most certain first.
var formWords = []string{"målform", "maalform", "malform", "skriftspråk", "språk", "spraak", "sprak"}

// FormColumn returns the column of a list that says in which written form people want their texts; -1: none does.
func FormColumn(columns []string) int { return columnOf(columns, formWords) }

// columnOf returns the column whose heading has the most certain of some words; -1: none has.
func columnOf(columns, words []string) int {
	best, found := len(words), -1
	for i, name := range columns {
		for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if at := slices.Index(words, word); at >= 0 && at < best {
				best, found = at, i
			}
		}
	}
	return found
}

// ParseForm reads a written form as lists write it; empty: it is none that is known.
func ParseForm(cell string) WrittenForm {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(cell), ".")) {
	case "bokmål", "bokmaal", "bokmal", "nb", "nb-no", "bm":
		return FormBokmal
	case "nynorsk", "nn", "nn-no":
		return FormNynorsk
	}
	return ""
}

// FormOf returns the written form that a row says; empty: it says none that is known.
//
// Assumption: nothing else says it. The contact register's answer, as the specification has it, holds no language.
func FormOf(columns, values []string) WrittenForm {
	if i := FormColumn(columns); i >= 0 && i < len(values) {
		return ParseForm(values[i])
	}
	return ""
}

// MissingPlaceholders returns the placeholders of another text that a text lacks.
func MissingPlaceholders(text, other string) (missing []string) {
	has := map[string]bool{}
	for _, name := range Placeholders(text) {
		has[PlaceholderKey(name)] = true
	}
	for _, name := range Placeholders(other) {
		if !has[PlaceholderKey(name)] {
			missing = append(missing, name)
		}
	}
	return missing
}

// samePlaceholders returns the problem of two texts that differ in their placeholders: a template fills both from the same list.
func samePlaceholders(text, nynorsk, field, fieldNynorsk string) *Problem {
	if text == "" || nynorsk == "" {
		return nil
	}
	if missing := MissingPlaceholders(nynorsk, text); len(missing) > 0 {
		return &Problem{Field: fieldNynorsk, Key: "problem.template.missing.nn", Args: Args{"Name": ShownPlaceholders(missing)}}
	}
	if missing := MissingPlaceholders(text, nynorsk); len(missing) > 0 {
		return &Problem{Field: field, Key: "problem.template.missing.nb", Args: Args{"Name": ShownPlaceholders(missing)}}
	}
	return nil
}
