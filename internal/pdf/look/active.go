package look

import (
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"utsending/internal/dispatch"
)

// maxActions ends chains of actions.
const maxActions = 2000

// active looks for what does something when the file is opened, or holds more than can be seen.
type active struct {
	w     *walker
	r     *dispatch.FileReading
	seen  map[string]bool
	steps int
}

func (a *active) found(kind dispatch.ActiveKind, page int) {
	if !slices.ContainsFunc(a.r.Active, func(f dispatch.Active) bool { return f.Kind == kind }) {
		a.r.Active = append(a.r.Active, dispatch.Active{Kind: kind, Page: page})
	}
}

func (a *active) document(catalog types.Dict) {
	a.action(catalog, "OpenAction", 0)
	a.triggers(catalog, 0)
	names, _ := a.w.dict(catalog, "Names")
	if _, found := names.Find("JavaScript"); found {
		a.found(dispatch.ActiveScript, 0)
	}
	if tree, _ := a.w.dict(names, "EmbeddedFiles"); len(tree) > 0 {
		a.found(dispatch.ActiveFile, 0)
	}
	if files, err := a.w.array(catalog, "AF"); err == nil && len(files) > 0 {
		a.found(dispatch.ActiveFile, 0)
	}
	form, _ := a.w.dict(catalog, "AcroForm")
	if fields, err := a.w.array(form, "Fields"); err == nil && len(fields) > 0 {
		a.found(dispatch.ActiveForm, 0)
	}
	if _, found := form.Find("XFA"); found {
		a.found(dispatch.ActiveXFA, 0)
	}
}

func (a *active) page(p page) {
	a.triggers(p.node, p.number)
	annotations, err := a.w.array(p.node, "Annots")
	if err != nil {
		return
	}
	for _, o := range annotations {
		if d, err := a.w.objects.DereferenceDict(o); err == nil && d != nil {
			a.annotation(d, p.number)
		}
	}
}

func (a *active) annotation(d types.Dict, page int) {
	switch a.w.name(d, "Subtype") {
	case "FileAttachment":
		a.found(dispatch.ActiveFile, page)
	case "Widget":
		a.found(dispatch.ActiveForm, page)
	case "Movie", "Sound", "Screen", "3D", "RichMedia":
		a.found(dispatch.ActiveMedia, page)
	}
	a.action(d, "A", page)
	a.triggers(d, page)
}

// triggers are actions that something sets off.
func (a *active) triggers(d types.Dict, page int) {
	all, _ := a.w.dict(d, "AA")
	for _, name := range names(all) {
		a.action(all, name, page)
	}
}

// action follows an action and those after it, each once.
func (a *active) action(d types.Dict, key string, page int) {
	o, found := d.Find(key)
	if !found {
		return
	}
	if list, err := a.w.objects.DereferenceArray(o); err == nil {
		for i := range list {
			a.one(list[i], page)
		}
		return
	}
	a.one(o, page)
}

func (a *active) one(o types.Object, page int) {
	if a.steps++; a.steps > maxActions || !first(a.seen, o) {
		return
	}
	d, err := a.w.objects.DereferenceDict(o)
	if err != nil || d == nil {
		return
	}
	switch a.w.name(d, "S") {
	case "JavaScript":
		a.found(dispatch.ActiveScript, page)
	case "Launch", "GoToE", "ImportData":
		a.found(dispatch.ActiveLaunch, page)
	case "Movie", "Sound", "Rendition", "RichMediaExecute", "GoTo3DView":
		a.found(dispatch.ActiveMedia, page)
	case "SubmitForm":
		a.found(dispatch.ActiveForm, page)
	}
	a.action(d, "Next", page)
}
