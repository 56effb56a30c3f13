// Package i18n finds the words on screen by key, in the language of a context. The words themselves are in package texts.
package i18n

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Default is the language of an installation that has chosen none.
const Default = "nb"

// Tags are the languages, in the order in which they are offered.
func Tags() []string { return []string{"nb", "nn", "en"} }

// Languages are the catalogues of all languages, with the one of people who have chosen none.
type Languages struct {
	Default *Catalogue
	all     map[string]*Catalogue
}

// Defaults are the languages that a municipality can choose: texts to recipients that the product writes are in it too.
func Defaults() []string { return []string{"nb", "nn"} }

// NewLanguages puts the catalogues of all languages together; byDefault is one of Defaults.
func NewLanguages(byDefault string, catalogues ...*Catalogue) (*Languages, error) {
	if !slices.Contains(Defaults(), byDefault) {
		return nil, fmt.Errorf("the default language is %q, want one of %v", byDefault, Defaults())
	}
	l := &Languages{all: map[string]*Catalogue{}}
	for _, c := range catalogues {
		l.all[c.Lang()] = c
	}
	l.Default = l.all[byDefault]
	return l, nil
}

// In returns the catalogue of a language; the default for one that there is not.
func (l *Languages) In(lang string) *Catalogue {
	if c, ok := l.all[lang]; ok {
		return c
	}
	return l.Default
}

// Catalogue finds texts in one language.
type Catalogue struct {
	tag   language.Tag
	texts map[string]string // substrings of the file, never copied
}

// Parse reads the message file of a language: a key, an equals sign and a text in each line, UTF-8 without escapes.
// Blank lines and comments (#) are skipped. A key that ends in #one or #other is a plural form of the key before it.
func Parse(lang, file string) (*Catalogue, error) {
	tag, err := language.Parse(lang)
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", lang, err)
	}
	c := &Catalogue{tag: tag, texts: make(map[string]string, strings.Count(file, "\n"))}
	for line := range strings.Lines(file) {
		if err := c.add(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("catalogue %s: %q: %w", lang, line, err)
		}
	}
	return c, nil
}

func (c *Catalogue) add(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	key, words, found := strings.Cut(line, " = ")
	if !found {
		return errors.New("not a key and its words")
	}
	if _, twice := c.texts[key]; twice {
		return errors.New("the key stands there twice")
	}
	c.texts[key] = words
	return nil
}

// Lang is the catalogue's language, as HTML names it.
func (c *Catalogue) Lang() string { return c.tag.String() }

// Text returns the text of a key. values are names and values in turn, or one map of them. An int is formatted by
// Number, and one named N selects the plural form; an int64 is an id, and printed as it is. A missing key is returned
// in brackets: a test checks that there are none.
func (c *Catalogue) Text(key string, values ...any) string {
	if text, ok := c.find(key, values); ok {
		return fill(text, values)
	}
	return "[" + key + "]"
}

// find returns a text, in the plural form for N.
func (c *Catalogue) find(key string, values []any) (string, bool) {
	if text, ok := c.texts[key]; ok {
		return text, true
	}
	if n, ok := valueOf(values, "N").(int); ok && plural.Cardinal.MatchPlural(c.tag, n, 0, 0, 0, 0) == plural.One {
		text, ok := c.texts[key+"#one"]
		return text, ok
	}
	text, ok := c.texts[key+"#other"]
	return text, ok
}

// fill replaces the variables. Tests search for the marker of a missing value.
func fill(text string, values []any) string {
	words, rest, found := strings.Cut(text, "{{.")
	if !found {
		return text
	}
	var b strings.Builder
	b.Grow(64) // most texts with values are shorter
	for found {
		b.WriteString(words)
		name, after, _ := strings.Cut(rest, "}}")
		writeValue(&b, valueOf(values, name))
		words, rest, found = strings.Cut(after, "{{.")
	}
	b.WriteString(words)
	return b.String()
}

func writeValue(b *strings.Builder, value any) {
	switch v := value.(type) {
	case string:
		b.WriteString(v)
	case int:
		b.WriteString(Number(v))
	case nil:
		b.WriteString("<no value>")
	default:
		fmt.Fprint(b, v)
	}
}

// Number formats a whole number: 1 071, with a no-break space between thousands.
func Number(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 || len(digits) <= 3 {
		return digits
	}
	return Number(n/1000) + "\u00a0" + digits[len(digits)-3:]
}

// valueOf finds a value by its name. A map of so few would cost more than it saves.
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
func (c *Catalogue) Has(key string) bool {
	_, found := c.find(key, nil)
	return found
}

type contextKey struct{}

// With returns a context in which T finds texts in the catalogue.
func With(ctx context.Context, c *Catalogue) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// Near returns a context in which T finds its catalogue at once: a page calls it hundreds of times, and middleware
// adds values on top.
func Near(ctx context.Context) context.Context {
	if c, ok := ctx.Value(contextKey{}).(*Catalogue); ok {
		return With(ctx, c)
	}
	return ctx
}

// Lang is the language of the context, as HTML names it.
func Lang(ctx context.Context) string {
	if c, ok := ctx.Value(contextKey{}).(*Catalogue); ok {
		return c.Lang()
	}
	return Default
}

// T returns the text of a key in the language of the context.
func T(ctx context.Context, key string, values ...any) string {
	c, ok := ctx.Value(contextKey{}).(*Catalogue)
	if !ok {
		return "[" + key + "]"
	}
	return c.Text(key, values...)
}
