package devidp

import (
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// Person is a fictional person on the login page.
type Person struct {
	Subject string
	Name    string
	Role    string         // shown below the name, e.g. "Saksbehandler, Oppvekst"
	Claims  map[string]any // added to id token and userinfo; may override name and acr, but no protocol claim
}

// Client is a relying party.
type Client struct {
	ID, Secret             string
	RedirectURIs           []string // compared exactly
	PostLogoutRedirectURIs []string // compared exactly
	FrontChannelLogoutURI  string   // loaded in a frame when the client did not end the session itself; may be empty
}

// Options are the people, the clients and the lifetimes.
type Options struct {
	Issuer        string // address of the provider; endpoints are below its path
	Clients       []Client
	People        []Person
	Now           func() time.Time // default time.Now
	CodeLifetime  time.Duration    // default one minute
	TokenLifetime time.Duration    // default one hour
	Title         string           // title of the login page; default "Innlogging for utvikling"
	Key           *rsa.PrivateKey  // signs id tokens; default a new one
}

func (o Options) check() error {
	if err := checkAddress(o.Issuer); err != nil {
		return fmt.Errorf("issuer: %w", err)
	}
	if len(o.Clients) == 0 || len(o.People) == 0 {
		return errors.New("needs at least one client and one person")
	}
	if o.CodeLifetime < 0 || o.TokenLifetime < 0 {
		return errors.New("negative lifetime")
	}

	seen := map[string]bool{}
	for _, c := range o.Clients {
		if err := c.check(); err != nil {
			return fmt.Errorf("client %q: %w", c.ID, err)
		}
		if seen[c.ID] {
			return fmt.Errorf("client %q: given twice", c.ID)
		}
		seen[c.ID] = true
	}
	return checkPeople(o.People)
}

func checkPeople(people []Person) error {
	seen := map[string]bool{}
	for _, person := range people {
		if err := person.check(); err != nil {
			return fmt.Errorf("person %q: %w", person.Subject, err)
		}
		if seen[person.Subject] {
			return fmt.Errorf("person %q: given twice", person.Subject)
		}
		seen[person.Subject] = true
	}
	return nil
}

func (c Client) check() error {
	if c.ID == "" || c.Secret == "" {
		return errors.New("needs an id and a secret")
	}
	if len(c.RedirectURIs) == 0 {
		return errors.New("needs a redirect address")
	}
	addresses := slices.Concat(c.RedirectURIs, c.PostLogoutRedirectURIs)
	if c.FrontChannelLogoutURI != "" {
		addresses = append(addresses, c.FrontChannelLogoutURI)
	}
	for _, address := range addresses {
		if err := checkAddress(address); err != nil {
			return err
		}
	}
	return nil
}

func (p Person) check() error {
	if p.Subject == "" || p.Name == "" {
		return errors.New("needs a subject and a name")
	}
	for name := range p.Claims {
		if slices.Contains(protocolClaims(), name) {
			return fmt.Errorf("claim %q belongs to the protocol", name)
		}
	}
	if _, err := json.Marshal(p.Claims); err != nil {
		return fmt.Errorf("claims: %w", err)
	}
	return nil
}

func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" {
		return fmt.Errorf("%q is not an absolute web address without fragment", address)
	}
	return nil
}
