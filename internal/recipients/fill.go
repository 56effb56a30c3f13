package recipients

import (
	"strings"

	"utsending/internal/dispatch"
)

// Fill fills in placeholders and returns the fields without a value. A value's text is never taken for a placeholder.
func (t Template) Fill(value func(name string) string) (text string, missing []string) {
	return t.fill(value)
}

// Segments counts the segments of a filled-in text.
func (t Template) Segments(text string) int { return t.segments(text) }

// Values looks personal fields up by name, as Fields names them.
func Values(names, values []string) func(string) string {
	return func(name string) string {
		for i, n := range names {
			if n == name && i < len(values) {
				return values[i]
			}
		}
		return ""
	}
}

// Recipient parses one typed recipient like a cell of a list. The row holds the recipient, maybe with a warning, or a
// problem.
func Recipient(typed string) dispatch.JobRow {
	n, row := written{cell: clean(typed)}.read(), dispatch.JobRow{Typed: typed}
	switch {
	case n.problem != "":
		row.Problem = dispatch.Problem{Field: dispatch.FieldRecipient, Key: n.problem, Args: n.args}
		return row
	case n.id == "" && n.phone == "":
		row.Problem = dispatch.Problem{Field: dispatch.FieldRecipient, Key: "problem.recipient.empty"}
		return row
	}
	if n.warning != "" {
		row.Warnings = []dispatch.RowWarning{{Key: n.warning}}
	}
	row.Recipient, row.Phone = dispatch.SMSRecipient{NationalID: n.id, Phone: n.phone}, n.phone
	return row
}

// FieldValues returns a row's personal fields, in the order of Fields. A cell with an error value is empty.
func (l *List) FieldValues(cells []string) []string {
	names := l.Fields()
	values := make([]string, len(names))
	for i, name := range names {
		if at := l.fields[name]; at < len(cells) && !noValue(cells[at]) {
			values[i] = strings.TrimSpace(cells[at])
		}
	}
	return values
}

// Message is what a job sends: one text, or one in each written form of Norwegian.
type Message struct {
	job           dispatch.Job
	column        int // that says the written form; -1: none does
	text, nynorsk Template
}

// MessageOf returns a job's message.
func MessageOf(j dispatch.Job) Message {
	m := Message{job: j, column: dispatch.FormColumn(j.Columns), text: ParseTemplate(j.Text)}
	if j.Both() {
		m.nynorsk = ParseTemplate(j.Nynorsk)
	}
	return m
}

// Said is the written form that a row says; empty: none that is known.
func (m Message) Said(r dispatch.JobRow) dispatch.WrittenForm {
	if m.column < 0 || m.column >= len(r.Fields) {
		return ""
	}
	return dispatch.ParseForm(r.Fields[m.column])
}

// Form is the written form of a row's text, where there are two.
func (m Message) Form(r dispatch.JobRow) dispatch.WrittenForm { return m.job.SecondText.Of(m.Said(r)) }

// Of is the text that a row gets.
func (m Message) Of(r dispatch.JobRow) Template {
	if m.job.Both() && m.Form(r) == dispatch.FormNynorsk {
		return m.nynorsk
	}
	return m.text
}

// Fill fills in a row's text, and returns the fields without a value.
func (m Message) Fill(r dispatch.JobRow) (text string, missing []string) {
	return m.Of(r).fill(Values(m.job.Columns, r.Fields))
}

// Merge returns the function that fills in each recipient's text of a job.
func Merge(j dispatch.Job) func(dispatch.JobRow) string {
	m := MessageOf(j)
	return func(r dispatch.JobRow) string {
		text, _ := m.Fill(r) // rows that lack a field are not sent
		return text
	}
}
