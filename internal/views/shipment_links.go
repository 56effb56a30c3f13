package views

import (
	"slices"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
)

// LinkForm is a link in the letter as typed.
type LinkForm struct{ Lead, URL, Text string }

// empty tells whether nothing of the link is filled in.
func (l LinkForm) empty() bool { return !filled(l.Lead + l.URL + l.Text) }

// parseLinks reads the links. Only the last one may be empty, so that their places are those of the form.
func parseLinks(typed []LinkForm) []dispatch.Link {
	var links []dispatch.Link
	for _, l := range typed {
		if !l.empty() {
			links = append(links, dispatch.Link{URL: strings.TrimSpace(l.URL), Text: strings.TrimSpace(l.Text), Lead: strings.TrimSpace(l.Lead)})
		}
	}
	return links
}

// The acts on links, as the form's buttons name them: the act, and the link's place behind it.
const (
	linkAdd    = "lenke-ny"
	linkUp     = "lenke-opp-"
	linkDown   = "lenke-ned-"
	linkRemove = "lenke-fjern-"
)

// ActOnLinks does what a button of the form's links says, if it is one, and leaves out links in which nothing is filled
// in but one that was just asked for.
func (f *ShipmentForm) ActOnLinks(button string) {
	for act, do := range map[string]func(int){
		linkUp: func(i int) { f.swapLinks(i, i-1) }, linkDown: func(i int) { f.swapLinks(i, i+1) },
		linkRemove: func(i int) { f.Links = slices.Delete(f.Links, i, i+1) },
	} {
		place, ok := strings.CutPrefix(button, act)
		if i, err := strconv.Atoi(place); ok && err == nil && i >= 0 && i < len(f.Links) {
			do(i)
		}
	}
	f.Links = slices.DeleteFunc(f.Links, LinkForm.empty)
	if button == linkAdd {
		f.Links = append(f.Links, LinkForm{})
	}
}

func (f *ShipmentForm) swapLinks(i, j int) {
	if j >= 0 && j < len(f.Links) {
		f.Links[i], f.Links[j] = f.Links[j], f.Links[i]
	}
}

// linkField is one field of a link in the form.
func linkField(place int, name, value string) field {
	return field{Name: dispatch.LinkField(place, name), Label: "link." + name, Hint: linkHints[name], Value: value}
}

var linkHints = map[string]string{dispatch.LinkLead: "link.ledetekst.hint", dispatch.LinkURL: "link.adresse.hint"}
