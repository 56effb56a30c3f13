package views

import (
	"bytes"
	"context"
	"html"
	"strings"
	"time"
)

// markup is HTML that is written without templ, where something stands on a page so often that it is most of what the page
// costs: templ formats each value of an expression, and makes a component of each part.
type markup []byte

// tags adds markup of ours.
func (m *markup) tags(html string) { *m = append(*m, html...) }

// text adds a value, as words or in the quotes of an attribute.
func (m *markup) text(value string) {
	if strings.ContainsAny(value, `&<>"'`) {
		value = html.EscapeString(value)
	}
	*m = append(*m, value...)
}

// element adds a value between the tags of its element.
func (m *markup) element(opens, value, closes string) {
	m.tags(opens)
	m.text(value)
	m.tags(closes)
}

// looks keeps the tags of looks as they are on one page: rows have a few between them.
type looks map[look][]byte

// tag adds the tag of a look.
func (m *markup) tag(ctx context.Context, known looks, l look, p *Page) error {
	made, ok := known[l]
	if !ok {
		var b bytes.Buffer
		if err := tag(l, *p).Render(ctx, &b); err != nil {
			return err
		}
		made = b.Bytes()
		known[l] = made
	}
	*m = append(*m, made...)
	return nil
}

// moment adds a time as tables show it.
func (m *markup) moment(t time.Time) {
	t = t.In(oslo)
	m.tags(`<time datetime="`)
	*m = t.AppendFormat(*m, time.RFC3339)
	m.tags(`">`)
	*m = t.AppendFormat(*m, dateLayout)
	m.tags(` <small>` + atClock)
	*m = t.AppendFormat(*m, clockLayout)
	m.tags(`</small></time>`)
}
