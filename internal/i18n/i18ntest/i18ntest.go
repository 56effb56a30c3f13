// Package i18ntest gives tests the words on screen.
package i18ntest

import (
	"context"
	"sync"
	"testing"

	"utsending/internal/i18n"
	"utsending/internal/i18n/texts"
)

// InNorwegian returns a context with the catalogue of bokmål.
func InNorwegian(t *testing.T) context.Context {
	t.Helper()
	return i18n.With(context.Background(), Languages(t).Default)
}

// Languages returns all catalogues, with bokmål as the default. They are read once.
func Languages(t *testing.T) *i18n.Languages {
	t.Helper()
	all, err := languages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var languages = sync.OnceValues(func() (*i18n.Languages, error) { return texts.LoadAll(i18n.Default) })
