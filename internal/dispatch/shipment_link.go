package dispatch

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// LinkField names a field of a link by the link's index in the shipment, from 0.
func LinkField(place int, name string) string { return FieldLink + strconv.Itoa(place) + "-" + name }

// The fields of a link.
const (
	LinkURL  = "adresse"
	LinkText = "tekst"
	LinkLead = "ledetekst"
)

var linkSchemes = []string{"http", "https", "ftp"}

// validateLinks checks the links of the shipment (Shipment spec, Lenke).
func (s Shipment) validateLinks(ps *Problems, g Generation) {
	if most := g.Row().Limits.Links; most > 0 && len(s.Links) > most {
		ps.add(&Problem{Field: FieldLinks, Key: "problem.links.many"})
	}
	for i, l := range s.Links {
		switch {
		case l.URL == "":
			ps.add(&Problem{Field: LinkField(i, LinkURL), Key: "problem.link.empty"})
		case !validLink(l.URL):
			ps.add(&Problem{Field: LinkField(i, LinkURL), Key: "problem.link.url"})
		}
		if strings.TrimSpace(l.Text) == "" {
			ps.add(&Problem{Field: LinkField(i, LinkText), Key: "problem.link.text"})
		}
	}
}

// validLink tells whether a text is a valid link of a shipment: http, https or ftp, with a host.
func validLink(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Hostname() != "" && slices.Contains(linkSchemes, u.Scheme) && !strings.ContainsFunc(text, unicode.IsSpace)
}
