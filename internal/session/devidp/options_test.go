package devidp_test

import (
	"testing"
	"time"

	"utsending/internal/session/devidp"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(*devidp.Options)
	}{
		{"a missing issuer", func(o *devidp.Options) { o.Issuer = "" }},
		{"a relative issuer", func(o *devidp.Options) { o.Issuer = "/dev" }},
		{"nobody", func(o *devidp.Options) { o.People = nil }},
		{"no client", func(o *devidp.Options) { o.Clients = nil }},
		{"a client without secret", func(o *devidp.Options) { o.Clients[0].Secret = "" }},
		{"a client without address", func(o *devidp.Options) { o.Clients[0].RedirectURIs = nil }},
		{"an address with a fragment", func(o *devidp.Options) { o.Clients[0].RedirectURIs = []string{callback + "#x"} }},
		{"an address that is not of the web", func(o *devidp.Options) { o.Clients[0].PostLogoutRedirectURIs = []string{"app:/x"} }},
		{"a logout address that is not of the web", func(o *devidp.Options) { o.Clients[0].FrontChannelLogoutURI = "app:/x" }},
		{"two clients with one id", func(o *devidp.Options) { o.Clients[1].ID = o.Clients[0].ID }},
		{"two people with one subject", func(o *devidp.Options) { o.People[1].Subject = o.People[0].Subject }},
		{"a person without name", func(o *devidp.Options) { o.People[0].Name = "" }},
		{"a claim that the protocol owns", func(o *devidp.Options) { o.People[0].Claims = map[string]any{"sub": "x"} }},
		{"a claim that JSON cannot carry", func(o *devidp.Options) { o.People[0].Claims = map[string]any{"x": func() {}} }},
		{"a negative lifetime", func(o *devidp.Options) { o.CodeLifetime = -time.Second }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := options(t, "https://idp.example")
			tt.spoil(&o)
			if _, err := devidp.New(o); err == nil {
				t.Error("got no error")
			}
		})
	}

	t.Run("nothing else, and makes a key of its own", func(t *testing.T) {
		t.Parallel()
		o := options(t, "https://idp.example/")
		o.Key = nil
		if _, err := devidp.New(o); err != nil {
			t.Error(err)
		}
	})
}
