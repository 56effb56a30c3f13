// Package texts holds the words on screen, one message file per language. Only programs and tests import it: when a word changes,
// the packages that show words need no new compilation.
package texts

import (
	"embed"
	"fmt"

	"utsending/internal/i18n"
)

//go:embed nb.properties nn.properties en.properties
var files embed.FS

// Load reads the catalogue of a language.
func Load(lang string) (*i18n.Catalogue, error) {
	file, err := files.ReadFile(lang + ".properties")
	if err != nil {
		return nil, fmt.Errorf("there is no catalogue %s", lang)
	}
	return i18n.Parse(lang, string(file))
}

// LoadAll reads all catalogues; byDefault is the municipality's language, one of i18n.Defaults.
func LoadAll(byDefault string) (*i18n.Languages, error) {
	var all []*i18n.Catalogue
	for _, tag := range i18n.Tags() {
		c, err := Load(tag)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return i18n.NewLanguages(byDefault, all...)
}
