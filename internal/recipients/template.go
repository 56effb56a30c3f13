package recipients

import (
	"slices"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// Template is a text with placeholders.
type Template struct {
	text   string   // as sent: line breaks are \n
	pieces []string // texts and names in turn
	names  []string

	// For a text without placeholders, computed once.
	whole   int // segments
	problem *dispatch.Problem
}

// ParseTemplate finds the placeholders of a text.
func ParseTemplate(typed string) Template {
	t := Template{text: dispatch.NormalizeText(text.Typed(typed))}
	from := 0
	for _, p := range dispatch.FindPlaceholders(t.text) {
		name := dispatch.PlaceholderKey(p.Name)
		t.pieces = append(t.pieces, t.text[from:p.From], name)
		if from = p.To; !slices.Contains(t.names, name) {
			t.names = append(t.names, name)
		}
	}
	t.pieces = append(t.pieces, t.text[from:])
	if len(t.names) == 0 {
		t.whole, t.problem = dispatch.Segment(t.text).Count, textProblem(t.text)
	}
	return t
}

// Stray names the mistyped placeholders of a text to a list with these columns; nil: there are none.
func (t Template) Stray(field string, fields []string) *dispatch.Problem {
	p := dispatch.StrayProblem(field, t.text, fields)
	if p != nil && len(fields) == 0 {
		p.Key = "problem.list.bare"
	}
	return p
}

// Names returns the placeholders' names, each once, in order.
func (t Template) Names() []string { return t.names }

// fill fills in placeholders and returns the names without a value. A value's text is never taken for a placeholder.
func (t Template) fill(value func(name string) string) (text string, missing []string) {
	if len(t.names) == 0 {
		return t.text, nil
	}
	var b strings.Builder
	for i, piece := range t.pieces {
		if i%2 == 1 {
			name := piece
			if piece = dispatch.NormalizeText(value(name)); piece == "" && !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
		b.WriteString(piece)
	}
	return b.String(), missing
}

// check checks a filled-in text against the limits of an SMS.
func (t Template) check(text string) *dispatch.Problem {
	if len(t.names) == 0 {
		return t.problem
	}
	return textProblem(text)
}

func textProblem(text string) *dispatch.Problem {
	return dispatch.SMS{Text: text}.Validate().For(dispatch.FieldText)
}

// segments counts the segments of a filled-in text.
func (t Template) segments(text string) int {
	if len(t.names) == 0 {
		return t.whole
	}
	return dispatch.Segment(text).Count
}
