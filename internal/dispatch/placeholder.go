package dispatch

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// placeholderPattern finds placeholders: ((fornavn)), ((dato og tid)), ((beløp (kr))).
var placeholderPattern = pattern(`\(\(\s*([^()\n](?:[^()\n]|\([^()\n]*\)){0,59}?)\s*\)\)`)

// Placeholder is one occurrence of a placeholder in a text: bytes From to To, with the name as written.
type Placeholder struct {
	From, To int
	Name     string
}

// FindPlaceholders returns every occurrence of a placeholder, in order.
func FindPlaceholders(text string) []Placeholder {
	var found []Placeholder
	for _, at := range placeholderPattern().FindAllStringSubmatchIndex(text, -1) {
		// The name of "(( (a)))" would be "(a)", and "(((a)))" is read as a bracket and the placeholder "a".
		if name := placeholderName(text[at[2]:at[3]]); strings.ContainsFunc(name, inName) && name[0] != '(' {
			found = append(found, Placeholder{at[0], at[1], name})
		}
	}
	return found
}

// Placeholders returns the different names of placeholders in a text, in the order and spelling of their first
// occurrence.
func Placeholders(text string) []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range FindPlaceholders(text) {
		if key := PlaceholderKey(p.Name); !seen[key] {
			seen[key] = true
			names = append(names, p.Name)
		}
	}
	return names
}

// placeholderName removes invisible characters from a name and joins its words with single blanks.
func placeholderName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(name), " ")
}

func inName(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// PlaceholderKey normalizes a name for comparison: letter case, the number of blanks and invisible characters do not
// count.
func PlaceholderKey(name string) string {
	return strings.ToLower(placeholderName(name))
}

// Writable tells whether a name can be written as a placeholder.
func Writable(name string) bool {
	found := FindPlaceholders("((" + name + "))")
	return len(found) == 1 && PlaceholderKey(found[0].Name) == PlaceholderKey(name)
}

// ShownPlaceholders formats names as they are written in a text: "((fornavn)), ((dato))".
func ShownPlaceholders(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = "((" + name + "))"
	}
	return strings.Join(shown, ", ")
}

// Unfilled returns a problem if a text to one recipient still has a placeholder, closed or not; nil if it has none.
func Unfilled(text string) *Problem {
	names := Placeholders(text)
	if len(names) == 0 {
		return strayProblem(FieldText, "problem.text.written", text, nil)
	}
	return &Problem{Field: FieldText, Key: "problem.text.placeholders", Args: Args{"N": len(names), "Name": ShownPlaceholders(names)}}
}

var (
	// curly finds placeholders in the syntax of other programs.
	curly = pattern(`\{\{[^{}\n]{1,60}\}\}`)
	// bracketed finds words in any brackets: a mistyped placeholder if one has that name.
	bracketed = pattern(`(?:\$\{|` + opens + `\s*(?:` + opens + `)?)\s*([^` + brackets + `\n]{1,60}?)\s*` + closes + `(?:\s*` + closes + `)?`)
	// half finds a placeholder that is opened and not closed.
	half = pattern(`(?:^|[^(:;])\(\([ \t]*[\pL\pN][^()\n]{0,59}|\{\{[ \t]*[\pL\pN][^{}\n]{0,59}`)
)

// Brackets that people and programs put around placeholders, escaped by a backslash or not.
const (
	opens    = `\\?[\[({<«‹⟨《｛（［＜%#|]`
	closes   = `\\?[\])}>»›⟩》｝）］＞%#|]`
	brackets = `\[\](){}<>«»‹›⟨⟩《》｛｝（）［］＜＞%#|\\`
)

// stray is a mistyped placeholder, and where it is in the text.
type stray struct {
	at   int
	name string
}

// StrayPlaceholders finds mistyped placeholders: in other brackets, or with a bracket missing. It returns each once, as written, in
// the order of the text.
func StrayPlaceholders(text string, fields []string) (names []string) {
	rest := []byte(text) // what has been found is overwritten by line feeds, which keeps all indexes
	take := func(from, to int) string {
		for i := from; i < to; i++ {
			rest[i] = '\n'
		}
		return text[from:to]
	}
	for _, p := range FindPlaceholders(text) {
		take(p.From, p.To)
	}
	var found []stray
	for _, m := range curly().FindAllIndex(rest, -1) {
		found = append(found, stray{m[0], take(m[0], m[1])})
	}
	for _, m := range bracketed().FindAllSubmatchIndex(rest, -1) {
		if isField(text[m[2]:m[3]], fields) {
			found = append(found, stray{m[0], take(m[0], m[1])})
		}
	}
	for _, field := range fields {
		if at := strings.Index(strings.ToLower(string(rest)), "$"+PlaceholderKey(field)); at >= 0 {
			found = append(found, stray{at, "$" + field})
		}
	}
	found = append(found, halves(string(rest))...)
	slices.SortStableFunc(found, func(a, b stray) int { return cmp.Or(a.at-b.at, len(b.name)-len(a.name)) })
	end := 0
	for _, f := range found {
		if f.at >= end && !slices.Contains(names, f.name) { // "$dato" is not "$da" as well
			names = append(names, f.name)
		}
		end = max(end, f.at+len(f.name))
	}
	return names
}

// halves finds placeholders that are opened and not closed.
func halves(text string) (found []stray) {
	for from := 0; ; {
		m := half().FindStringIndex(text[from:])
		if m == nil {
			return found
		}
		at, to := from+m[0]+strings.IndexAny(text[from+m[0]:], "({"), from+m[1]
		found = append(found, stray{at, strings.TrimRight(text[at:to], " \t")})
		from = to - 1 // of the next, the pattern sees the character before it
	}
}

func isField(name string, fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return PlaceholderKey(f) == PlaceholderKey(name) })
}

// StrayProblem names the mistyped placeholders of a text to a list; nil: it has none.
func StrayProblem(field, text string, fields []string) *Problem {
	return strayProblem(field, "problem.list.written", text, fields)
}

// example shows how a placeholder is written, by the field that a stray one names, else by any.
func example(stray string, fields []string) string {
	name, key := "fornavn", PlaceholderKey(strings.TrimFunc(stray, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	if len(fields) > 0 {
		name = fields[0]
	}
	for _, f := range fields {
		if strings.HasPrefix(key, PlaceholderKey(f)) {
			name = f
		}
	}
	return "((" + name + "))"
}

func strayProblem(field, key, text string, fields []string) *Problem {
	names := StrayPlaceholders(text, fields)
	if len(names) == 0 {
		return nil
	}
	return &Problem{Field: field, Key: key, Args: Args{"N": len(names), "Name": strings.Join(names, ", "), "As": example(names[0], fields)}}
}
