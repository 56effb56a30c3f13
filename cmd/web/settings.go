package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/caarlos0/env/v11"

	"utsending/internal/text"
)

// blocks are the settings of several lines; all others are one line.
var blocks = []string{"KEYSET", "SERVICES", "OIDC_AUTHORIZATION_DETAILS"}

// settings reads settings from the environment and validates each as text (passes). An error names the setting, never its
// value, which may be a secret.
func settings[T any]() (c T, err error) {
	fields, err := env.GetFieldParams(&c)
	if err != nil {
		return c, err
	}
	for _, f := range fields {
		if err := passes(f.Key, os.Getenv(f.Key)); err != nil {
			return c, err
		}
	}
	return env.ParseAs[T]()
}

// passes returns why a setting is not valid text, nil when it is.
func passes(name, value string) error {
	line, marked := text.Line(value)
	switch block := slices.Contains(blocks, name); {
	case !text.Clean(value):
		return fmt.Errorf("%s holds what is no readable text", name)
	case !block && strings.ContainsAny(strings.TrimSpace(value), "\r\n\t"):
		return fmt.Errorf("%s must be one line", name)
	case !block && marked:
		return fmt.Errorf("%s holds marks that turn the direction of writing", name)
	case !block && utf8.RuneCountInString(line) > 4000:
		return fmt.Errorf("%s is longer than 4000 characters", name)
	}
	return nil
}

// shownMost is how long a setting may be that pages show.
const shownMost = 200

// compose puts the settings that pages show into composed form, as all text is kept.
func (c *config) compose() error {
	for name, value := range map[string]*string{"MUNICIPALITY": &c.Municipality, "CONTACT_SUPPORT": &c.Contacts.Support, "CONTACT_PRIVACY": &c.Contacts.Privacy} {
		*value, _ = text.Line(*value)
		if utf8.RuneCountInString(*value) > shownMost {
			return fmt.Errorf("configuration: %s is longer than %d characters", name, shownMost)
		}
	}
	return nil
}
