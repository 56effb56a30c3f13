package dispatch

import (
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
		if written := StrayPlaceholder(text, nil); written != "" {
			return &Problem{Field: FieldText, Key: "problem.text.written", Args: Args{"Name": written}}
		}
		return nil
	}
	return &Problem{Field: FieldText, Key: "problem.text.placeholders", Args: Args{"N": len(names), "Name": ShownPlaceholders(names)}}
}

var (
	// curly finds placeholders in the syntax of other programs.
	curly = pattern(`\{\{[^{}\n]{1,60}\}\}`)
	// bracketed finds words in any brackets: a mistyped placeholder if one has that name.
	bracketed = pattern(`(?:\$\{|` + opens + `\s*(?:` + opens + `)?)\s*([^` + brackets + `\n]{1,60}?)\s*` + closes + `(?:\s*` + closes + `)?`)
	// half finds a placeholder that is opened and not closed.
	half = pattern(`(?:^|[^(:;])\(\([ \t]*[\pL\pN][^()\n]{0,59}`)
)

// Brackets that people and programs put around placeholders, escaped by a backslash or not.
const (
	opens    = `\\?[\[({<«‹⟨《｛（［＜%#|]`
	closes   = `\\?[\])}>»›⟩》｝）］＞%#|]`
	brackets = `\[\](){}<>«»‹›⟨⟩《》｛｝（）［］＜＞%#|\\`
)

// StrayPlaceholder finds a mistyped placeholder: in other brackets, or with a bracket missing. It returns it as
// written; empty: none.
func StrayPlaceholder(text string, fields []string) string {
	rest, from := "", 0
	for _, p := range FindPlaceholders(text) {
		rest, from = rest+text[from:p.From]+"\n", p.To
	}
	rest += text[from:]
	if found := curly().FindString(rest); found != "" {
		return found
	}
	for _, m := range bracketed().FindAllStringSubmatch(rest, -1) {
		for _, field := range fields {
			if PlaceholderKey(m[1]) == PlaceholderKey(field) {
				return m[0]
			}
		}
	}
	for _, field := range fields {
		if at := strings.Index(strings.ToLower(rest), "$"+PlaceholderKey(field)); at >= 0 {
			return "$" + field
		}
	}
	if at := half().FindString(rest); at != "" {
		return at[strings.Index(at, "(("):]
	}
	return ""
}
