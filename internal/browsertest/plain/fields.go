package plain

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"
)

// field is the user's change to a control since the page was loaded.
type field struct {
	typed   *string // nil: nothing
	checked *bool   // also of a selected option
	files   []string
	unread  bool // the typed text is no value of the control's type, such as letters in a number
}

func (f *field) check(on bool) { f.checked = &on }

func (d *document) field(n *html.Node) *field {
	if d.fields[n] == nil {
		d.fields[n] = &field{}
	}
	return d.fields[n]
}

// isDisabled tells whether a control or its fieldset is disabled. A fieldset's legend stays enabled.
func isDisabled(n *html.Node) bool {
	if has(n, "disabled") {
		return true
	}
	for child, parent := n, n.Parent; parent != nil; child, parent = parent, parent.Parent {
		if isTag(parent, "fieldset") && has(parent, "disabled") && !isTag(child, "legend") {
			return true
		}
	}
	return isTag(n, "option") && isTag(n.Parent, "optgroup") && has(n.Parent, "disabled")
}

// formOf is the form of a control, wherever it is in the document.
func (d *document) formOf(n *html.Node) *html.Node {
	if has(n, "form") {
		if form := d.byID(attr(n, "form")); isTag(form, "form") {
			return form
		}
		return nil
	}
	return above(n.Parent, "form")
}

// value is a control's value.
func (d *document) value(n *html.Node) string {
	if f := d.fields[n]; f != nil && f.typed != nil {
		return *f.typed
	}
	switch {
	case isTag(n, "textarea"):
		return strings.ReplaceAll(text(n), "\r\n", "\n")
	case isTag(n, "select"):
		for _, o := range d.selected(n) {
			return optionValue(o)
		}
		return ""
	case kind(n) == "checkbox" || kind(n) == "radio":
		if value, ok := attribute(n, "value"); ok {
			return value
		}
		return "on"
	case kind(n) == "file":
		return ""
	default:
		value, _ := sanitize(n, attr(n, "value"))
		return value
	}
}

func text(n *html.Node) string {
	var b strings.Builder
	for child := range n.Descendants() {
		if child.Type == html.TextNode {
			b.WriteString(child.Data)
		}
	}
	return b.String()
}

func (d *document) isChecked(n *html.Node) bool {
	if f := d.fields[n]; f != nil && f.checked != nil {
		return *f.checked
	}
	return has(n, "checked") || isTag(n, "option") && has(n, "selected")
}

func optionsOf(list *html.Node) (options []*html.Node) {
	for n := range list.Descendants() {
		if isTag(n, "option") {
			options = append(options, n)
		}
	}
	return options
}

func optionValue(option *html.Node) string {
	if value, ok := attribute(option, "value"); ok {
		return value
	}
	return plainly(text(option))
}

func optionLabel(option *html.Node) string {
	return plainly(cmp.Or(attr(option, "label"), text(option)))
}

// selected returns the selected options; where one is required, by default the first enabled one.
func (d *document) selected(list *html.Node) (chosen []*html.Node) {
	options := optionsOf(list)
	for _, o := range options {
		if d.isChecked(o) {
			chosen = append(chosen, o)
		}
	}
	if has(list, "multiple") {
		return chosen
	}
	if len(chosen) > 0 {
		return chosen[len(chosen)-1:]
	}
	if i := slices.IndexFunc(options, func(o *html.Node) bool { return !isDisabled(o) }); i >= 0 {
		return options[i : i+1]
	}
	return nil
}

// group returns the radio buttons of a group.
func (d *document) group(radio *html.Node) (group []*html.Node) {
	for _, n := range d.elements("input") {
		if n == radio || kind(n) == "radio" && attr(radio, "name") != "" && attr(n, "name") == attr(radio, "name") && d.formOf(n) == d.formOf(radio) {
			group = append(group, n)
		}
	}
	return group
}

func (d *document) pick(radio *html.Node) {
	for _, n := range d.group(radio) {
		d.field(n).check(n == radio)
	}
}

// notText are the types of input without text.
var notText = []string{"checkbox", "radio", "file", "hidden", "submit", "button", "reset", "image"}

// Fill replaces a field's value, as typing does. An empty value empties it.
func (p *Page) Fill(selector, value string) {
	p.t.Helper()
	action := "fill in " + selector
	n := p.first(action, selector)
	switch {
	case !isTag(n, "textarea") && (!isTag(n, "input") || slices.Contains(notText, kind(n))):
		p.fail(action, errors.New("it is not a field"))
	case isDisabled(n) || has(n, "readonly"):
		p.fail(action, errors.New("it does not take text now"))
	case !p.sees(n):
		p.fail(action, errors.New("it is not visible"))
	}
	typed, ok := sanitize(n, cut(n, value))
	if _, picked := layouts[kind(n)]; picked && !ok {
		p.fail(action, fmt.Errorf("%q is no value for it", value))
	}
	f := p.doc.field(n)
	f.typed, f.unread = &typed, !ok
	p.doc.focus = nil
}

// cut removes what a field does not accept from typing.
func cut(n *html.Node, value string) string {
	if isTag(n, "input") {
		value = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(value)
	} else {
		value = strings.ReplaceAll(value, "\r\n", "\n")
	}
	units := utf16.Encode([]rune(value))
	if limit, ok := number(attr(n, "maxlength")); ok && limit >= 0 && float64(len(units)) > limit {
		return string(utf16.Decode(units[:int(limit)]))
	}
	return value
}

// Select selects the option with the value or the label.
func (p *Page) Select(selector, option string) {
	p.t.Helper()
	action := fmt.Sprintf("select %q in %s", option, selector)
	n := p.first(action, selector)
	options := optionsOf(n)
	at := slices.IndexFunc(options, func(o *html.Node) bool { return optionValue(o) == option })
	if at < 0 {
		at = slices.IndexFunc(options, func(o *html.Node) bool { return optionLabel(o) == option })
	}
	switch {
	case !isTag(n, "select") || isDisabled(n):
		p.fail(action, errors.New("it is disabled"))
	case !p.sees(n):
		p.fail(action, errors.New("it is not visible"))
	case at < 0 || isDisabled(options[at]):
		var labels []string
		for _, o := range options {
			labels = append(labels, optionLabel(o))
		}
		p.fail(action, errors.New("it offers "+strings.Join(labels, ", ")))
	}
	for i, o := range options {
		if i == at || !has(n, "multiple") {
			p.doc.field(o).check(i == at)
		}
	}
}

// Check checks a checkbox or radio button, unless it is checked.
func (p *Page) Check(selector string) {
	p.t.Helper()
	p.setChecked(selector, true)
}

// Uncheck unchecks a checkbox, if it is checked.
func (p *Page) Uncheck(selector string) {
	p.t.Helper()
	p.setChecked(selector, false)
}

func (p *Page) setChecked(selector string, want bool) {
	p.t.Helper()
	action := "click on " + selector
	n := p.first(action, selector)
	if k := kind(n); k != "checkbox" && k != "radio" {
		p.fail(action, errors.New("it is no box"))
	}
	if p.doc.isChecked(n) != want {
		p.click(action, n)
	}
}

// Value returns the value of the first matching field.
func (p *Page) Value(selector string) string {
	p.t.Helper()
	n := p.first("read the value of "+selector, selector)
	if isTag(n, "option") {
		return optionValue(n)
	}
	return p.doc.value(n)
}

// Upload chooses files in a file field, which may be invisible. The paths are local.
func (p *Page) Upload(selector string, files ...string) {
	p.t.Helper()
	action := fmt.Sprintf("upload %d files to %s", len(files), selector)
	n := p.first(action, selector)
	switch {
	case kind(n) != "file":
		p.fail(action, errors.New("it takes no files"))
	case len(files) > 1 && !has(n, "multiple"):
		p.fail(action, errors.New("it takes one file"))
	}
	paths := make([]string, len(files))
	for i, file := range files {
		path, err := filepath.Abs(file)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			p.fail(action, err)
		}
		paths[i] = path
	}
	p.doc.field(n).files = paths
}
