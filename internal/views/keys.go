package views

import (
	"context"

	"utsending/internal/i18n"
)

// keyTexts say what each key does.
var keyTexts = map[string]string{
	"j": "keys.next", "k": "keys.previous", "x": "keys.tick", "enter": "keys.open", "/": "keys.search", "?": "keys.help",
}

// keyName is what stands on a key.
func keyName(ctx context.Context, key string) string {
	if key == "enter" {
		return i18n.T(ctx, "keys.enter")
	}
	return key
}

// keyed tells whether keys work on the page: on those of an account, unless the user has turned them off.
func (p *Page) keyed() bool {
	return p.InAccount() && p.SignedIn && !p.NoKeys
}
