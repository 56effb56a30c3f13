// Package i18ntest gives tests the words on screen.
package i18ntest

import (
	"context"
	"testing"

	"utsending/internal/i18n"
	"utsending/internal/i18n/texts"
)

// InNorwegian returns a context with the catalogue of bokmål.
func InNorwegian(t *testing.T) context.Context {
	t.Helper()
	c, err := texts.Load("nb")
	if err != nil {
		t.Fatal(err)
	}
	return i18n.With(context.Background(), c)
}
