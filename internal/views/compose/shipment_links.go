package compose

import (
	"slices"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// Button values that act on links: the act, followed by the position of the link.
const (
	linkAdd    = "lenke-ny"
	linkUp     = "lenke-opp-"
	linkDown   = "lenke-ned-"
	linkRemove = "lenke-fjern-"
)

// ActOnLinks performs the act named by the button, if it is about links. It drops empty links, except one just added.
func ActOnLinks(f *dispatch.DraftFields, button string) {
	for act, do := range map[string]func(int){
		linkUp: func(i int) { swapLinks(f, i, i-1) }, linkDown: func(i int) { swapLinks(f, i, i+1) },
		linkRemove: func(i int) { f.Links = slices.Delete(f.Links, i, i+1) },
	} {
		place, ok := strings.CutPrefix(button, act)
		if i, err := strconv.Atoi(place); ok && err == nil && i >= 0 && i < len(f.Links) {
			do(i)
		}
	}
	f.Links = slices.DeleteFunc(f.Links, dispatch.LinkFields.Empty)
	if button == linkAdd {
		f.Links = append(f.Links, dispatch.LinkFields{})
	}
}

func swapLinks(f *dispatch.DraftFields, i, j int) {
	if j >= 0 && j < len(f.Links) {
		f.Links[i], f.Links[j] = f.Links[j], f.Links[i]
	}
}

// linkField is one field of a link in the form.
func linkField(place int, name, value string) views.Field {
	return views.Field{Name: dispatch.LinkField(place, name), Label: "link." + name, Hint: linkHints[name], Value: value}
}

var linkHints = map[string]string{dispatch.LinkLead: "link.ledetekst.hint", dispatch.LinkURL: "link.adresse.hint"}
