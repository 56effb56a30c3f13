// Package i18n holds every word that people see, one message file per language, and finds them by key.
package i18n

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed nb.json
var files embed.FS

// Default is the language of people who have chosen none.
const Default = "nb"

// Catalogue finds texts in one language.
type Catalogue struct {
	tag    language.Tag
	plain  map[string]string  // texts without values and plural forms, the most of them
	filled map[string]message // the others
}

// message is a text in its forms, each as words and names of values in turn; one is nil where there is one form for all.
type message struct{ one, other []string }

// Load reads the catalogue of a language.
func Load(lang string) (*Catalogue, error) {
	raw, err := files.ReadFile(lang + ".json")
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", lang, err)
	}
	tag, err := language.Parse(lang)
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", lang, err)
	}
	var texts map[string]any // words, or their forms for one and for others
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", lang, err)
	}
	c := &Catalogue{tag: tag, plain: make(map[string]string, len(texts)), filled: map[string]message{}}
	for key, text := range texts {
		if err := c.add(key, text); err != nil {
			return nil, fmt.Errorf("catalogue %s: %s: %w", lang, key, err)
		}
	}
	return c, nil
}

// add keeps a text where it is found fastest.
func (c *Catalogue) add(key string, text any) error {
	switch t := text.(type) {
	case map[string]any:
		one, _ := t["one"].(string)
		other, _ := t["other"].(string)
		c.filled[key] = message{pieces(one), pieces(other)}
		return nil
	case string:
		if strings.Contains(t, "{{") {
			c.filled[key] = message{other: pieces(t)}
		} else {
			c.plain[key] = t
		}
		return nil
	}
	return errors.New("neither words nor their forms")
}

// Text returns the text of a key. values are names and values in turn, or one map of them. An int is a number that is
// written as Number does, and one named N chooses the plural form; an int64 is an id, and stays as it is. A key that is
// missing comes back in brackets: a test makes sure that none is.
func (c *Catalogue) Text(key string, values ...any) string {
	if text, ok := c.plain[key]; ok {
		return text
	}
	if m, ok := c.filled[key]; ok {
		return fill(c.form(m, values), values)
	}
	return "[" + key + "]"
}

// form is the form of a text for the number of what it counts.
func (c *Catalogue) form(m message, values []any) []string {
	if m.one == nil {
		return m.other
	}
	if n, ok := valueOf(values, "N").(int); ok && plural.Cardinal.MatchPlural(c.tag, n, 0, 0, 0, 0) == plural.One {
		return m.one
	}
	return m.other
}

// pieces takes a text apart into words and names of values in turn, once: a list says some texts in every row.
func pieces(text string) []string {
	if text == "" {
		return nil
	}
	all := make([]string, 0, 2*strings.Count(text, "{{.")+1)
	for {
		words, rest, found := strings.Cut(text, "{{.")
		if all = append(all, words); !found {
			return all
		}
		var name string
		name, text, _ = strings.Cut(rest, "}}")
		all = append(all, name)
	}
}

// fill puts a text together. Tests look for the word that stands for a value that is missing.
func fill(pieces []string, values []any) string {
	var b strings.Builder
	b.Grow(64) // most texts with values are shorter
	for i, piece := range pieces {
		if i%2 == 0 {
			b.WriteString(piece)
			continue
		}
		switch v := valueOf(values, piece).(type) {
		case string:
			b.WriteString(v)
		case int:
			b.WriteString(Number(v))
		case nil:
			b.WriteString("<no value>")
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}

// Number writes a whole number as people read it: 1 071, with a hard space between thousands.
func Number(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 || len(digits) <= 3 {
		return digits
	}
	return Number(n/1000) + "\u00a0" + digits[len(digits)-3:]
}

// valueOf finds a value by its name. There are few: a map of them would cost more than it saves.
func valueOf(values []any, name string) any {
	if len(values) == 1 {
		named, _ := values[0].(map[string]any)
		return named[name]
	}
	for i := 0; i+1 < len(values); i += 2 {
		if values[i] == name {
			return values[i+1]
		}
	}
	return nil
}

// Has tells whether the catalogue holds a key.
func (c *Catalogue) Has(key string) bool { return c.Text(key) != "["+key+"]" }

type contextKey struct{}

// With returns a context in which T finds texts in the catalogue.
func With(ctx context.Context, c *Catalogue) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// Near returns a context in which T finds its catalogue at once: a page asks hundreds of times, and middlewares lay their
// own values over it.
func Near(ctx context.Context) context.Context {
	if c, ok := ctx.Value(contextKey{}).(*Catalogue); ok {
		return With(ctx, c)
	}
	return ctx
}

// T returns the text of a key in the language of the context.
func T(ctx context.Context, key string, values ...any) string {
	c, ok := ctx.Value(contextKey{}).(*Catalogue)
	if !ok {
		return "[" + key + "]"
	}
	return c.Text(key, values...)
}
