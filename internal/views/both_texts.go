package views

import (
	"context"
	"strings"

	"utsending/internal/i18n"
)

// Difference is a field that differs between two tabs. Label is a catalogue key.
type Difference struct{ Field, Label, Here, There string }

// Other is what another tab has saved since this one read the draft.
type Other struct {
	Differences []Difference
	More        bool // choices other than texts differ too
	Path        string
	Settings    bool // of settings, so that it may have been another user
	Typed       bool // the other tab's is typed and not handed in
}

// title is the catalogue key of the heading.
func (o Other) title() string {
	if o.Settings {
		return "both.settings.title"
	}
	return "both.title"
}

// typedOr is a text, or the word for none.
func typedOr(ctx context.Context, text string) string {
	if strings.TrimSpace(text) == "" {
		return i18n.T(ctx, "both.empty")
	}
	return text
}

// why and there are the catalogue keys of the explanation and of the link.
func (o Other) why() string {
	switch {
	case o.Settings:
		return "both.settings.why"
	case o.Typed:
		return "both.typed.why"
	}
	return "both.why"
}

func (o Other) there() string {
	if o.Settings {
		return "both.settings.there"
	}
	if o.Typed {
		return "both.typed.there"
	}
	return "both.there"
}

// Compare adds a field if it differs.
func (o *Other) Compare(field, label, here, there string) {
	if here != there {
		o.Differences = append(o.Differences, Difference{field, label, here, there})
	}
}

// There tells whether another tab has saved anything.
func (o Other) There() bool { return o.Path != "" }

// Differs tells whether the two say different things.
func (o Other) Differs() bool { return o.More || len(o.Differences) > 0 }
