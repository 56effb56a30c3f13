package dispatch

import (
	"regexp"
	"strings"
)

// placeholderPattern finds the place of a value in a text: ((fornavn)), ((dato og tid)).
var placeholderPattern = regexp.MustCompile(`\(\(\s*([\pL\pN][\pL\pN _.-]{0,59})\s*\)\)`)

// Placeholders are the names of the fields in a text, each once, in the order and the spelling in which they first stand.
func Placeholders(text string) []string {
	var names []string
	seen := map[string]bool{}
	for _, found := range placeholderPattern.FindAllStringSubmatch(text, -1) {
		name := strings.Join(strings.Fields(found[1]), " ")
		if !seen[samePlaceholder(name)] {
			seen[samePlaceholder(name)] = true
			names = append(names, name)
		}
	}
	return names
}

// samePlaceholder is equal for two spellings of one field.
func samePlaceholder(name string) string { return strings.ToLower(name) }

// ShownPlaceholders are fields as they stand in a text: "((fornavn)), ((dato))".
func ShownPlaceholders(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = "((" + name + "))"
	}
	return strings.Join(shown, ", ")
}

// Unfilled returns the problem of a text that goes to one recipient with fields still in it, or nil.
func Unfilled(text string) *Problem {
	names := Placeholders(text)
	if len(names) == 0 {
		return nil
	}
	return &Problem{Field: FieldText, Key: "problem.text.placeholders", Args: Args{"N": len(names), "Name": ShownPlaceholders(names)}}
}
