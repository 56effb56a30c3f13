package main_test

import (
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// shipmentService and the next ones are the names of the shipment service's generations in SERVICES.
const (
	shipmentService   = "forsendelse-v1"
	shipmentServiceV2 = "forsendelse-v2"
	shipmentServiceV3 = "forsendelse-v3"
)

// newShipmentStack is a stack whose first account sends shipments too.
func newShipmentStack(t *testing.T, env ...string) *stack {
	t.Helper()
	s := newStack(t, stackOptions{env: env})
	id, err := registry.In(s.store).Integrations.Save(t.Context(),
		dispatch.Integration{Name: "Forsendelsestjenesten", Kind: dispatch.IntegrationShipmentV1, Service: shipmentService, ReserveIDs: true, Parallelism: 4, RatePerSec: 1000},
		dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret})
	if err == nil {
		s.oppvekst.ShipmentIntegration, s.oppvekst.SourceSystem = id, "Utsending"
		_, err = registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newStackV3 is a stack whose first account sends shipments over V3.
func newStackV3(t *testing.T) *stack {
	t.Helper()
	s := newStack(t, stackOptions{})
	id, err := registry.In(s.store).Integrations.Save(t.Context(),
		dispatch.Integration{Name: "Forsendelsestjenesten V3", Kind: dispatch.IntegrationShipmentV3, Service: shipmentServiceV3, Environment: "test", Parallelism: 4, RatePerSec: 1000},
		dispatch.Credentials{Method: dispatch.AuthClientSecret, ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret, IntegrationID: uuid.NewString(), IntegrationPassword: "passord"})
	if err == nil {
		s.oppvekst.ShipmentIntegration, s.oppvekst.ShipmentAccountID, s.oppvekst.SourceSystem = id, uuid.NewString(), "Utsending"
		_, err = registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shipment is a shipment as a person writes it.
type shipment struct{ number, name, postalCode, title string }

// toPerson is a shipment to a person that no other test uses. What the simulator does with it depends on words in the title,
// see simulator.Words.
func toPerson(title string) shipment {
	return shipment{number: nationalID(), name: "Ola " + named(mark()), postalCode: "7713", title: title + " " + mark()}
}

// file writes a file with a name that nothing else has, and returns its path.
func file(t *testing.T, ending string, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), named(mark())+ending)
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// newShipment makes a draft, whose form is then open.
func (v *visitor) newShipment() {
	v.t.Helper()
	v.newShipmentOf("oppvekst")
}

func (v *visitor) newShipmentOf(account string) {
	v.t.Helper()
	v.Go("/k/" + account + "/utkast")
	v.ClickText("main button", "Ny forsendelse")
	v.wantHeading("Ny forsendelse")
}

// write fills in the form of a shipment.
func (v *visitor) write(l shipment) {
	v.t.Helper()
	v.Fill("#nummer", l.number)
	v.Fill("#navn", l.name)
	v.Fill("#adresse1", "Storgata 1")
	v.Fill("#postnummer", l.postalCode)
	v.Fill("#poststed", "Steinkjer")
	v.Fill("#tittel", l.title)
}

// attach uploads files, with script one after the other.
func (v *visitor) attach(files ...string) {
	v.t.Helper()
	if !v.scripts {
		v.Upload("#fil", files...)
		v.ClickText("button", "Last opp valgte filer")
		v.wantHeading("Ny forsendelse")
	}
	for _, f := range files {
		if v.scripts {
			v.Upload("#fil", f)
		}
		v.WaitText("#dokumentliste", filepath.Base(f))
	}
}

// document is the parsed HTML of the page.
func (v *visitor) document() *goquery.Document {
	v.t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(v.HTML()))
	if err != nil {
		v.t.Fatal(err)
	}
	return page
}

// documentID is the id of a file in the form.
func (v *visitor) documentID(file string) string {
	v.t.Helper()
	id, ok := v.document().Find(`#dokumentliste li[data-navn="` + filepath.Base(file) + `"]`).Attr("data-id")
	if !ok {
		v.t.Fatalf("%s is not in the list", filepath.Base(file))
	}
	return id
}

// giro says which pages of a file are giro sheets.
func (v *visitor) giro(file, pages string) {
	v.t.Helper()
	field := "#dok-" + v.documentID(file) + "-giro"
	v.unfold(field)
	v.Fill(field, pages)
}

// check goes to the review page.
func (v *visitor) check() {
	v.t.Helper()
	v.ClickText("button", "Se over og send")
	v.wantHeading("Se over og send")
}

// post sends the shipment from its review page, and returns its id.
func (v *visitor) post() dispatch.ItemID {
	v.t.Helper()
	v.ClickText("button", "Send forsendelsen")
	v.wantText("[role=status]", "Forsendelsen er tatt imot for sending")
	return v.itemID()
}

// awaitShipment waits until the page shows each of some states. It reloads the page, which reads the status sooner.
func (v *visitor) awaitShipment(tags ...string) {
	v.t.Helper()
	for _, tag := range tags {
		v.reloadUntil("#forsendelse .status-now", tag)
	}
}

// wantShipped checks that the service has accepted a shipment once, and returns it.
func (s *stack) wantShipped(t *testing.T, l shipment) simulator.Shipment {
	t.Helper()
	t.Cleanup(func() { named(l.title) }) // it may be the title of the page, but in no log
	all := slices.DeleteFunc(s.sim.Shipments(), func(b simulator.Shipment) bool { return b.Title != l.title })
	if len(all) != 1 {
		t.Fatalf("the service has accepted it %d times, want once", len(all))
	}
	if got := s.sim.Violations(); len(got) > 0 {
		t.Errorf("the service complains: %q", got)
	}
	if got := all[0]; got.Rejected != "" || got.NationalID != l.number || got.SourceSystem != "Utsending" {
		t.Errorf("the service got %+v", got)
	}
	return all[0]
}

// rows counts the rows of a table that uploads fill.
func (s *stack) rows(t *testing.T, table string) int {
	t.Helper()
	var n int
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// draft makes an empty draft without a browser and returns its path.
func (c *caller) draft() string {
	c.t.Helper()
	answer := c.do(http.MethodPost, c.address+"/k/oppvekst/forsendelser/ny", nil)
	_ = answer.Body.Close()
	to := answer.Header.Get("Location")
	if answer.StatusCode != http.StatusSeeOther || path.Dir(to) != "/k/oppvekst/utkast" {
		c.t.Fatalf("a new shipment is answered with %d and leads to %q", answer.StatusCode, to)
	}
	return to
}

// fortnight is a deadline as people type it.
func fortnight() string { return time.Now().In(dispatch.Oslo).AddDate(0, 0, 14).Format("02.01.2006") }
