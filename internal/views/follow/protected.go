package follow

import (
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ProtectedPage shows the protected people of an account and who looked, and is the form to mark one.
type ProtectedPage struct {
	views.Page
	People  []dispatch.Protected
	Looks   []dispatch.ProtectedLook
	Workers []Person
	Form    dispatch.ProtectedForm
}

// ProtectedOnePage is the form to change who is named, and to end a protection.
type ProtectedOnePage struct {
	views.Page
	Person  dispatch.Protected
	Workers []Person
	Form    dispatch.ProtectedForm
	Ending  bool // the form that ends it has the problems
}

// path is the address of the person's page.
func (p ProtectedOnePage) path(below ...string) string {
	return p.PathTo(append([]string{"skjermede", string(p.Person.ID)}, below...)...)
}

// ticked tells whether a person's box is.
func ticked(f dispatch.ProtectedForm, id dispatch.UserID) bool {
	return slices.Contains(f.Viewers, string(id))
}

// lookPath is the address of what was opened.
func (p ProtectedPage) lookPath(l dispatch.ProtectedLook) string {
	if l.Kind == dispatch.KindSMS {
		return p.PathTo("sms", string(l.Item))
	}
	return p.PathTo("forsendelser", string(l.Item))
}

// FieldEndReason is the field of the reason why a protection ends: its page has two forms.
const FieldEndReason = "grunn-opphev"
