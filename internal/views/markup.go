package views

import (
	"context"
	"html"
	"io"
	"time"

	"utsending/internal/i18n"
)

// markup is HTML written without templ, for parts that are on a page so often that they dominate its cost: templ
// formats each expression and makes a component of each part.
type markup []byte

// newMarkup returns a buffer for a small part.
func newMarkup() markup { return make(markup, 0, 256) }

// tags adds trusted markup.
func (m *markup) tags(html string) { *m = append(*m, html...) }

// text adds an escaped value, as text or within a quoted attribute.
func (m *markup) text(value string) {
	for i := range len(value) {
		if special[value[i]] {
			value = html.EscapeString(value)
			break
		}
	}
	*m = append(*m, value...)
}

// special are the characters that html.EscapeString escapes; most values have none.
var special = [256]bool{'&': true, '<': true, '>': true, '"': true, '\'': true}

// element adds an escaped value between trusted markup.
func (m *markup) element(opens, value, closes string) {
	m.tags(opens)
	m.text(value)
	m.tags(closes)
}

// symbol is an icon of an SVG sprite.
type symbol struct{ sprite, name string }

// Render implements templ.Component.
func (s symbol) Render(_ context.Context, w io.Writer) error {
	m := newMarkup()
	m.symbol(s)
	return m.to(w)
}

func (m *markup) symbol(s symbol) {
	m.element(`<svg class="icon" aria-hidden="true" focusable="false"><use href="`, s.sprite, ``)
	m.element(`#`, s.name, `"></use></svg>`)
}

// coloured is a word in its colour with an icon.
type coloured struct {
	look   Look
	symbol symbol
}

// Render implements templ.Component.
func (c coloured) Render(_ context.Context, w io.Writer) error {
	m := newMarkup()
	m.coloured(c)
	return m.to(w)
}

func (m *markup) coloured(c coloured) {
	m.element(`<span class="ds-tag" data-color="`, c.look.Color, `">`)
	m.symbol(c.symbol)
	m.element(` `, c.look.Word, `</span>`)
}

// Option is an option of a select element.
type Option struct {
	Value, Text string
	Chosen      bool
}

// Render implements templ.Component.
func (o Option) Render(_ context.Context, w io.Writer) error {
	m := newMarkup()
	m.element(`<option value="`, o.Value, `"`)
	if o.Chosen {
		m.tags(` selected`)
	}
	m.element(`>`, o.Text, `</option>`)
	return m.to(w)
}

// to writes the markup.
func (m *markup) to(w io.Writer) error {
	_, err := w.Write(*m)
	return err
}

// moment adds a time in a table, formatted like Machine, TableDate and Oclock.
func (m *markup) moment(ctx context.Context, t time.Time) {
	t = t.In(Oslo)
	m.tags(`<time datetime="`)
	*m = t.AppendFormat(*m, time.RFC3339)
	m.tags(`">`)
	*m = i18n.DateInTable.Append(ctx, *m, t)
	m.element(` <small>`, Oclock(ctx, t), `</small></time>`)
}
