package admin

import (
	"net/url"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ConfirmPage shows the effect of an act, and asks for a reason before it is performed.
type ConfirmPage struct {
	views.Page
	Act         dispatch.AdminAct
	Name        string // name of the object
	Environment dispatch.Environment
	Effects     []Effect
	Reason      string // as typed
	Second      bool   // another administrator must approve it
	Alone       bool   // nobody else is known as an administrator
	Barred      bool   // it cannot be performed
	Waits       bool   // because somebody has asked for it already
	Instead     Link   // what to do first, in place of the effects; zero: none
	Back        string // address of the cancel link
	Action      string // address of the form
	Hidden      []Hidden
}

// Effect is one effect of an act: a catalogue key with its arguments.
type Effect struct {
	Key  string
	Args []any
}

// Link is an address with the catalogue key of its words.
type Link struct{ Path, Label string }

// Because is an effect.
func Because(key string, args ...any) Effect { return Effect{key, args} }

// Hidden is a value that the form of an act posts along.
type Hidden struct{ Name, Value string }

// Number is a hidden number.
func Number(name string, n int) Hidden { return Hidden{name, strconv.Itoa(n)} }

// button is the word on the button.
func (p ConfirmPage) button() string {
	if p.Second {
		return "act.ask"
	}
	return "act.do." + string(p.Act)
}

// stepUpPath is the address of a fresh login that leads back to a page.
func stepUpPath(path string) string {
	return views.WithQuery("/logg-inn/igjen", url.Values{"retur": {path}}.Encode())
}
