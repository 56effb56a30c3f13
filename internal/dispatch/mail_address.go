package dispatch

import (
	"net/mail"
	"slices"
	"strings"
)

// FieldMail is the field of an e-mail address.
const FieldMail = "e-post"

// MailDomains are the domains that notices may go to; a subdomain is one of its own.
type MailDomains []string

// mailLongest is the longest address that SMTP takes (RFC 5321, 4.5.3.1.3).
const mailLongest = 254

// Parse reads an address as it is typed, and refuses one outside the domains: notices must not leave the municipality.
func (d MailDomains) Parse(typed string) (string, *Problem) {
	typed = strings.TrimSpace(typed)
	a, err := mail.ParseAddress(typed)
	switch {
	case typed == "":
		return "", &Problem{Field: FieldMail, Key: "problem.mail.empty"}
	case len(typed) > mailLongest:
		return "", &Problem{Field: FieldMail, Key: "problem.mail.long", Args: Args{"Most": mailLongest}}
	case err != nil || a.Name != "" || a.Address != typed || strings.ContainsAny(typed, `<>"\ `):
		return "", &Problem{Field: FieldMail, Key: "problem.mail.form"}
	}
	_, domain, _ := strings.Cut(typed, "@")
	if !slices.ContainsFunc(d, func(one string) bool { return strings.EqualFold(one, domain) }) {
		return "", &Problem{Field: FieldMail, Key: "problem.mail.domain", Args: Args{"Name": strings.Join(d, ", ")}}
	}
	return typed, nil
}
