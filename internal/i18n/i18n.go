// Package i18n holds every word that people see, one message file per language, and finds them by key.
package i18n

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed nb.json
var files embed.FS

// Default is the language of people who have chosen none.
const Default = "nb"

// Catalogue finds texts in one language.
type Catalogue struct {
	plain     map[string]string   // texts without values and plural forms, the most of them
	filled    map[string][]string // those with values only: words and names of values in turn
	localizer *i18n.Localizer
}

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
	bundle := i18n.NewBundle(tag)
	c := &Catalogue{plain: make(map[string]string, len(texts)), filled: map[string][]string{}, localizer: i18n.NewLocalizer(bundle, lang)}
	for key, text := range texts {
		if err := c.add(bundle, tag, key, text); err != nil {
			return nil, fmt.Errorf("catalogue %s: %s: %w", lang, key, err)
		}
	}
	return c, nil
}

// add keeps a text where it is found fastest.
func (c *Catalogue) add(bundle *i18n.Bundle, tag language.Tag, key string, text any) error {
	switch t := text.(type) {
	case map[string]any:
		one, _ := t["one"].(string)
		other, _ := t["other"].(string)
		return bundle.AddMessages(tag, &i18n.Message{ID: key, One: one, Other: other})
	case string:
		if strings.Contains(t, "{{") {
			c.filled[key] = pieces(t)
		} else {
			c.plain[key] = t
		}
		return nil
	}
	return errors.New("neither words nor their forms")
}

// Text returns the text of a key. values are names and values in turn, or one map of them; a whole number named N
// chooses the plural form. A key that is missing comes back in brackets: a test makes sure that none is.
func (c *Catalogue) Text(key string, values ...any) string {
	if text, ok := c.plain[key]; ok {
		return text
	}
	if pieces, ok := c.filled[key]; ok {
		return fill(pieces, values)
	}
	named := byName(values)
	config := &i18n.LocalizeConfig{MessageID: key, TemplateData: named}
	if n, ok := named["N"].(int); ok {
		config.PluralCount = n
	}
	text, err := c.localizer.Localize(config)
	if err != nil {
		return "[" + key + "]"
	}
	return text
}

var value = regexp.MustCompile(`{{\.(\w+)}}`)

// pieces takes a text apart into words and names of values in turn, once: a list says some texts in every row.
func pieces(text string) []string {
	var all []string
	from := 0
	for _, at := range value.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, text[from:at[0]], text[at[2]:at[3]])
		from = at[1]
	}
	return append(all, text[from:])
}

// fill puts a text together. Tests look for the word that stands for a value that is missing.
func fill(pieces []string, values []any) string {
	var b strings.Builder
	for i, piece := range pieces {
		if i%2 == 0 {
			b.WriteString(piece)
			continue
		}
		switch v := valueOf(values, piece).(type) {
		case string:
			b.WriteString(v)
		case nil:
			b.WriteString("<no value>")
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}

// valueOf finds a value by its name. There are few: a map of them would cost more than it saves.
func valueOf(values []any, name string) any {
	if len(values) == 1 {
		return byName(values)[name]
	}
	for i := 0; i+1 < len(values); i += 2 {
		if values[i] == name {
			return values[i+1]
		}
	}
	return nil
}

func byName(values []any) map[string]any {
	if len(values) == 1 {
		if m, ok := values[0].(map[string]any); ok {
			return m
		}
	}
	named := make(map[string]any, len(values)/2)
	for i := 0; i+1 < len(values); i += 2 {
		if name, ok := values[i].(string); ok {
			named[name] = values[i+1]
		}
	}
	return named
}

// Has tells whether the catalogue holds a key.
func (c *Catalogue) Has(key string) bool { return c.Text(key) != "["+key+"]" }

type contextKey struct{}

// With returns a context in which T finds texts in the catalogue.
func With(ctx context.Context, c *Catalogue) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// T returns the text of a key in the language of the context.
func T(ctx context.Context, key string, values ...any) string {
	c, ok := ctx.Value(contextKey{}).(*Catalogue)
	if !ok {
		return "[" + key + "]"
	}
	return c.Text(key, values...)
}
