package dispatch

import (
	"strings"
)

// placeholderPattern finds the place of a value in a text: ((fornavn)), ((dato og tid)).
var placeholderPattern = pattern(`\(\(\s*([\pL\pN][\pL\pN _./-]{0,59})\s*\)\)`)

// Placeholder is a field where it stands in a text: from byte From until byte To, with its name as written.
type Placeholder struct {
	From, To int
	Name     string
}

// FindPlaceholders returns the fields of a text in order, each as often as it stands there.
func FindPlaceholders(text string) []Placeholder {
	var found []Placeholder
	for _, at := range placeholderPattern().FindAllStringSubmatchIndex(text, -1) {
		found = append(found, Placeholder{at[0], at[1], strings.Join(strings.Fields(text[at[2]:at[3]]), " ")})
	}
	return found
}

// Placeholders are the names of the fields in a text, each once, in the order and the spelling in which they first stand.
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

// PlaceholderKey is equal for two spellings of one field: letter case and the number of blanks do not count.
func PlaceholderKey(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

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
