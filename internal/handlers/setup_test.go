package handlers_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// The configured services of the tests of setting up.
const (
	smsService = "sms"
	v1Service  = "forsendelse-v1"
	v2Service  = "forsendelse-v2"
	v3Service  = "forsendelse-v3"

	unnamedService = "uten navn" // whose name does not resolve
	closedService  = "uten svar" // where nothing listens
)

// newSetup is a site with who sets it up.
func newSetup(t *testing.T) (*site, *browser) {
	t.Helper()
	s := newSite(t)
	return s, s.browser(t, systemAdmin)
}

// unused makes an integration of a kind that nobody uses, without credentials.
func (s *site) unused(t *testing.T, kind dispatch.IntegrationKind) dispatch.IntegrationID {
	t.Helper()
	service := map[dispatch.IntegrationKind]string{dispatch.IntegrationSMS: smsService, dispatch.IntegrationShipmentV1: v1Service, dispatch.IntegrationShipmentV2: v2Service, dispatch.IntegrationShipmentV3: v3Service}[kind]
	in := dispatch.Integration{Name: uuid.NewString(), Kind: kind, Service: service, Parallelism: 1, RatePerSec: 1, ReserveIDs: true}
	id, err := registry.In(s.store).Integrations.Create(t.Context(), in, s.oppvekst.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// addSet gives an integration a set of credentials that is used from now on.
func (s *site) addSet(t *testing.T, id dispatch.IntegrationID, secret dispatch.Secret) dispatch.CredentialID {
	t.Helper()
	in, err := registry.In(s.store).Integrations.ByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	n := registry.NewCredentials{Credentials: loginTo(in.Kind, secret)}
	set, err := registry.In(s.store).Credentials.Add(t.Context(), id, n, s.oppvekst.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// loginTo is what a kind of service takes.
func loginTo(kind dispatch.IntegrationKind, secret dispatch.Secret) dispatch.Credentials {
	c := dispatch.Credentials{Method: dispatch.AuthClientSecret, ClientID: "klienten", ClientSecret: secret}
	switch kind {
	case dispatch.IntegrationShipmentV1:
		c.Method = dispatch.AuthBasic
	case dispatch.IntegrationShipmentV2, dispatch.IntegrationShipmentV3:
		c.IntegrationID, c.IntegrationPassword = uuid.NewString(), "passord"
	}
	return c
}

// setupAddress fills in a route of setting up with something that is made for this request only.
func (s *site) setupAddress(t *testing.T, path string) string {
	t.Helper()
	if strings.Contains(path, ":konto") {
		slug := uuid.NewString()
		if _, err := registry.In(s.store).Accounts.Save(t.Context(), dispatch.Account{Slug: slug, Name: "Konto " + slug}); err != nil {
			t.Fatal(err)
		}
		return strings.Replace(path, ":konto", slug, 1)
	}
	kind := dispatch.IntegrationSMS
	if strings.Contains(path, "/sertifikat") {
		kind = dispatch.IntegrationShipmentV1
	}
	id := s.unused(t, kind)
	old := s.addSet(t, id, "x")
	s.addSet(t, id, "y")
	return strings.NewReplacer(":id", string(id), ":sett", string(old)).Replace(path)
}

// problems are the problems of a page by the field that they stand at. Each must stand in the summary too, with a link
// that leads to something.
func problems(t *testing.T, a answer) map[string]string {
	t.Helper()
	page, found := a.page(t), map[string]string{}
	page.Find("[data-field=validation]").Each(func(_ int, line *goquery.Selection) {
		found[strings.TrimSuffix(line.AttrOr("id", ""), "-s")] = strings.TrimSpace(line.Text())
	})
	page.Find(".ds-error-summary a").Each(func(_ int, link *goquery.Selection) {
		field := strings.TrimPrefix(link.AttrOr("href", ""), "#")
		if page.Find("#"+field).Length() != 1 {
			t.Errorf("the summary leads to %q, which is not there", field)
		}
		if _, at := found[field]; !at {
			found[field] = strings.TrimSpace(link.Text())
		}
	})
	return found
}
