package views

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/i18n"
)

// FieldSaved is the version of the unfinished form that a page has saved.
const FieldSaved = "lagret-versjon"

// The hidden fields that name a save of a loaded page: the page, and the number of the save on it, which a script counts up.
const (
	FieldPage     = "side"
	FieldPageSave = "side-lagring"
)

// Autosave is where a form is saved while it is typed, and how far that has come.
type Autosave struct {
	Path    string // where it is posted
	Version int    // that is saved; 0: none
	SavedAt time.Time
	Now     time.Time
	Address string // of the page from now on, so that it can be loaded again; empty: as it is
	Draft   string // address of the draft without what was typed since; empty: that is what is shown
}

// With is where a form is saved, with what is saved of it.
func (a Autosave) With(saved Autosave) Autosave {
	saved.Path = a.Path
	return saved
}

// Form are the attributes of a form that a script saves: it posts the form, puts the part of the answer in its place, and the new
// version in the field of that name.
func (a Autosave) Form(ctx context.Context, part, version string) templ.Attributes {
	if a.Path == "" { // another tab's words would be lost
		return nil
	}
	return templ.Attributes{"data-lagre": a.Path, "data-lagre-del": part, "data-lagre-versjon": version,
		"data-lagre-fane": i18n.T(ctx, "autosave.other_tab"), "data-lagre-feil": i18n.T(ctx, "autosave.failed"), "data-lagre-ute": i18n.T(ctx, "autosave.signed_out")}
}

// today tells whether it was saved on this day.
func (a Autosave) today() bool {
	return !a.SavedAt.IsZero() && sameDay(a.SavedAt.In(Oslo), a.Now.In(Oslo))
}
