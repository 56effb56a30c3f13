package main_test

import (
	"testing"

	"utsending/internal/browsertest"
)

// looked are the kinds of elements that axe has checked in the journeys, by the name of the window.
var looked = map[string]*browsertest.Looked{"1440": {}, "390": {}}

// glance checks the open page for personal data in its title and, where it is rendered, for horizontal scrolling.
func (v *visitor) glance(name string) {
	v.t.Helper()
	for _, found := range search("the title of "+name, v.Title(), forbidden.list()) {
		v.t.Error(found)
	}
	if v.screen.Page != nil && v.Overflows() {
		v.t.Errorf("%s scrolls sideways", name)
	}
}

// look checks a page with axe for kinds of elements that no journey has checked before, and does what glance does. It is for pages
// that scripts change, or that are rendered without scripts. All other states are covered by the tests of the gallery, also in
// other windows and colours. The short form leaves axe out.
func (v *visitor) look(name string) {
	v.t.Helper()
	v.glance(name)
	if v.screen.Page == nil || testing.Short() {
		return
	}
	for _, violation := range v.Axe(looked[v.window]) {
		v.t.Errorf("%s: %s", name, violation)
	}
}
