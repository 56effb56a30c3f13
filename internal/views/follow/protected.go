package follow

import (
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ProtectedPage shows protected people and views of their items, with the form to mark a person.
type ProtectedPage struct {
	views.Page
	People  []dispatch.Protected
	Looks   []dispatch.ProtectedLook
	Workers []Person
	Form    dispatch.ProtectedForm
}

// ProtectedOnePage changes the named users of a protected person, or ends the protection.
type ProtectedOnePage struct {
	views.Page
	Person  dispatch.Protected
	Workers []Person
	Form    dispatch.ProtectedForm
	Ending  bool // the problems are of the form that ends the protection
}

// path is the address of the person's page.
func (p ProtectedOnePage) path(below ...string) string {
	return p.PathTo(append([]string{"skjermede", string(p.Person.ID)}, below...)...)
}

// ticked tells whether a user's box is ticked.
func ticked(f dispatch.ProtectedForm, id dispatch.UserID) bool {
	return slices.Contains(f.Viewers, string(id))
}

// lookPath is the address of the viewed item.
func (p ProtectedPage) lookPath(l dispatch.ProtectedLook) string {
	if l.Kind == dispatch.KindSMS {
		return p.PathTo("sms", string(l.Item))
	}
	return p.PathTo("forsendelser", string(l.Item))
}

// FieldEndReason is the field of the reason why a protection ends: its page has two forms.
const FieldEndReason = "grunn-opphev"
