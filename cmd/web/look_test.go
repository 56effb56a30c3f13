package main_test

import (
	"utsending/internal/browsertest"
)

// looked are the kinds of elements that axe has looked at in the windows of all journeys, by the name of the window.
var looked = map[string]*browsertest.Looked{"1440": {}, "390": {}}

// look checks the page as it stands before the visitor: for anything personal in its title and, where it is drawn, for sideways
// scrolling and with axe for kinds of elements that no journey has come by. The gallery's tests look at every state of every page, in
// other windows and colours too; what scripts make of a page stands here only.
func (v *visitor) look(name string) {
	v.t.Helper()
	for _, found := range search("the title of "+name, v.Title(), forbidden.list()) {
		v.t.Error(found)
	}
	if v.screen.Page == nil {
		return
	}
	for _, violation := range v.Axe(looked[v.window]) {
		v.t.Errorf("%s: %s", name, violation)
	}
	if v.Overflows() {
		v.t.Errorf("%s scrolls sideways", name)
	}
}
