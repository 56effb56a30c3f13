// Package i18n holds every word that people see, one message file per language, and finds them by key.
package i18n

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
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
	plain     map[string]string // texts without values and plural forms, the most of them
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
	bundle := i18n.NewBundle(tag)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	file, err := bundle.ParseMessageFileBytes(raw, lang+".json")
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", lang, err)
	}
	c := &Catalogue{plain: map[string]string{}, localizer: i18n.NewLocalizer(bundle, lang)}
	for _, m := range file.Messages {
		if m.One == "" && !strings.Contains(m.Other, "{{") {
			c.plain[m.ID] = m.Other
		}
	}
	return c, nil
}

// Text returns the text of a key. values are names and values in turn, or one map of them; a whole number named N
// chooses the plural form. A key that is missing comes back in brackets: a test makes sure that none is.
func (c *Catalogue) Text(key string, values ...any) string {
	if text, ok := c.plain[key]; ok {
		return text
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
