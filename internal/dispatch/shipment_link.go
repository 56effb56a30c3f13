package dispatch

import (
	"fmt"
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

// validatePlainLinks refuses links whose host has other letters than ASCII, where the generation takes no others: the rest of
// an address can be escaped, a host cannot.
func (s Shipment) validatePlainLinks(ps *Problems, row GenerationRow) {
	if !row.PlainLinks {
		return
	}
	for i, l := range s.Links {
		if u, err := url.Parse(l.URL); err == nil && strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
			ps.add(&Problem{Field: LinkField(i, LinkURL), Key: "problem.link.host"})
		}
	}
}

// PlainLink is the address of a link in the characters of RFC 2396; others after the host are escaped as browsers do.
func PlainLink(text string) string {
	scheme, rest, found := strings.Cut(text, "://")
	at := strings.IndexAny(rest, "/?#")
	if !found || at < 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(scheme + "://" + rest[:at])
	fragment := false
	for i := at; i < len(rest); i++ {
		c := rest[i]
		escaped := c == '%' && i+2 < len(rest) && isHex(rest[i+1]) && isHex(rest[i+2])
		plain := c != '#' || !fragment
		fragment = fragment || c == '#'
		if escaped || plain && strings.IndexByte(linkCharacters, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// linkCharacters are those that need no escape after the host (RFC 2396: unreserved, reserved, and the fragment's sign).
const linkCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'();/?:@&=+$,#"

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }
