package recipients

import (
	"regexp"
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// placeholder is a name between two brackets on each side: "Hei, ((fornavn))".
var placeholder = regexp.MustCompile(`\(\(([^()\r\n]{1,100})\)\)`)

// Template is a message with places for personal fields.
type Template struct {
	text   string   // as it is sent: line breaks are \n
	pieces []string // words and names in turn
	names  []string

	// Of a text that is the same for all, found once.
	whole   int // parts
	problem *dispatch.Problem
}

// ParseTemplate finds the placeholders of a text.
func ParseTemplate(text string) Template {
	t := Template{text: dispatch.NormalizeText(text)}
	from := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(t.text, -1) {
		name := normalise(t.text[at[2]:at[3]])
		t.pieces = append(t.pieces, t.text[from:at[0]], name)
		if from = at[1]; !slices.Contains(t.names, name) {
			t.names = append(t.names, name)
		}
	}
	t.pieces = append(t.pieces, t.text[from:])
	if len(t.names) == 0 {
		t.whole, t.problem = dispatch.Segment(t.text).Parts, textProblem(t.text)
	}
	return t
}

// Names returns the fields that the text names, each once, in order.
func (t Template) Names() []string { return t.names }

// Missing returns the fields that the text names and the list has no column for, or two.
func (l *List) Missing(t Template) []string {
	var missing []string
	for _, name := range t.names {
		if at, ok := l.fields[name]; !ok || at == twice {
			missing = append(missing, name)
		}
	}
	return missing
}

// fill puts values in place and tells which have none. What a value holds is never taken for a placeholder.
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

// check holds a filled text against the limits of an SMS.
func (t Template) check(text string) *dispatch.Problem {
	if len(t.names) == 0 {
		return t.problem
	}
	return textProblem(text)
}

func textProblem(text string) *dispatch.Problem {
	return dispatch.SMS{Text: text}.Validate().For(dispatch.FieldText)
}

// parts counts what a text is sent and paid as.
func (t Template) parts(text string) int {
	if len(t.names) == 0 {
		return t.whole
	}
	return dispatch.Segment(text).Parts
}
