package main_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// window is the time after which a look-up without a result proves that nothing was sent. It is longer than a program may be frozen
// between its last check of the lease and the last byte.
const window = 3 * time.Second

// addShipments gives all accounts one integration for shipments, which reserves ids. Parallelism is low: when many attempts begin
// and die together, none has an id.
func (s *storm) addShipments(wire string) {
	s.t.Helper()
	id, err := registry.In(s.store).Integrations.Save(s.t.Context(), dispatch.Integration{
		Name: "Forsendelsestjenesten", Kind: dispatch.IntegrationShipmentV1, Service: shipmentService, Wire: wire, ReserveIDs: true, Parallelism: 60, RatePerSec: 10000,
	}, dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret})
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range s.senders {
		s.senders[i].Account.ShipmentIntegration, s.senders[i].Account.ShipmentKind = id, dispatch.IntegrationShipmentV1
		if _, err := registry.In(s.store).Accounts.Save(s.t.Context(), s.senders[i].Account); err != nil {
			s.t.Fatal(err)
		}
	}
}

// keepPosting queues one shipment after the other as the pages do.
func (s *storm) keepPosting(ctx context.Context, by storetest.Sample) {
	to := nationalID()
	for s.pause(ctx, 30*s.rest, 150*s.rest) && s.postOne(by, to) {
	}
}

// generation is the generation of the service that a shipment is sent over.
func (one sentItem) generation() dispatch.Generation { return one.account.Generation() }

// postOne queues a unique shipment, and tells whether it could.
func (s *storm) postOne(by storetest.Sample, to string) bool {
	s.mu.Lock()
	s.serial++
	one := sentItem{account: by.Account, text: fmt.Sprintf("%s %s %d", s.mark, by.Account.Slug, s.serial)}
	s.mu.Unlock()
	id, err := s.post(by, to, &one)
	if err != nil {
		s.refused(err)
		return false
	}
	s.mu.Lock()
	s.sent[id] = one
	s.mu.Unlock()
	return true
}

// sendOver moves the shipments of a sender to another generation than V1.
func (s *storm) sendOver(sender int, kind dispatch.IntegrationKind, service string) {
	s.t.Helper()
	id, err := registry.In(s.store).Integrations.Save(s.t.Context(), dispatch.Integration{
		Name: service, Kind: kind, Service: service, Environment: "test", Parallelism: 60, RatePerSec: 10000,
	}, dispatch.Credentials{Method: dispatch.AuthClientSecret, ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret, IntegrationID: uuid.NewString(), IntegrationPassword: "passord"})
	if err != nil {
		s.t.Fatal(err)
	}
	a := &s.senders[sender].Account
	a.ShipmentAccountID, a.ShipmentIntegration, a.ShipmentKind = uuid.NewString(), id, kind
	if _, err = registry.In(s.store).Accounts.Save(s.t.Context(), *a); err != nil {
		s.t.Fatal(err)
	}
}

// post queues a shipment with one or two files. Once begun it is done to the end, as with an SMS.
func (s *storm) post(by storetest.Sample, to string, one *sentItem) (id dispatch.ItemID, err error) {
	key := uuid.NewString() // the same when it is repeated: one draft
	err = s.surely(func() (err error) {
		id, err = items.In(s.store).Drafts.Create(s.t.Context(), by.Account.ID, by.Actor, key, dispatch.DraftFields{})
		return err
	})
	if err != nil {
		return "", err
	}
	content := dispatch.Shipment{Title: one.text, SourceSystem: by.Account.Slug, Recipient: dispatch.Address{
		Postal:  dispatch.PostalAddress{Name: s.mark, Line1: "Furuveien 8", PostalCode: "7715", City: "Steinkjer", Country: "Norge"},
		Digital: dispatch.DigitalAddress{NationalID: dispatch.NationalID(to)},
	}}
	for n := range 1 + s.number(2) {
		d, err := s.attach(by, id, one, fmt.Sprintf("%s-%d.pdf", s.mark, n+1))
		if err != nil {
			return "", err
		}
		content.Documents = append(content.Documents, d)
	}
	return id, s.surely(func() error {
		if sent, err := s.isSent(id); err != nil || sent {
			return err
		}
		return items.In(s.store).Drafts.Queue(s.t.Context(), by.Account, id, by.Actor, 1, content)
	})
}

// attach adds a unique file.
func (s *storm) attach(by storetest.Sample, id dispatch.ItemID, one *sentItem, name string) (dispatch.Document, error) {
	pages := 1 + s.number(3)
	file := append(pdftest.Make(pages), "% "+one.text+" "+name...)
	sum := sha256.Sum256(file)
	one.files = append(one.files, simulator.Document{FileName: name, MimeType: dispatch.MimePDF, Size: int64(len(file)), SHA256: hex.EncodeToString(sum[:])})
	var d dispatch.Document
	err := s.surely(func() (err error) {
		d, err = items.In(s.store).Documents.Add(s.t.Context(), items.Upload{
			Account: by.Account.ID, Item: id, User: by.User, FileName: name, Content: bytes.NewReader(file),
			Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
				return dispatch.Document{MimeType: dispatch.MimePDF, Pages: pages}, nil
			},
		})
		if errors.Is(err, items.ErrName) { // it is there: the answer to an earlier try was lost
			d, err = s.attached(by, id, name)
		}
		return err
	})
	return d, err
}

func (s *storm) attached(by storetest.Sample, id dispatch.ItemID, name string) (dispatch.Document, error) {
	all, err := s.store.Documents(s.t.Context(), by.Account.ID, id)
	for _, d := range all {
		if d.FileName == name {
			return d, nil
		}
	}
	return dispatch.Document{}, cmp.Or(err, items.ErrName)
}

// shipmentsByItem finds the item of each accepted shipment by its title, which is unique.
func (s *storm) shipmentsByItem() map[dispatch.ItemID][]simulator.Shipment {
	s.t.Helper()
	byTitle := map[string]dispatch.ItemID{}
	for id, one := range s.sent {
		if one.files != nil {
			byTitle[one.text] = id
		}
	}
	books := map[dispatch.ItemID][]simulator.Shipment{}
	for _, b := range s.sim.Shipments() {
		id, ok := byTitle[b.Title]
		if !ok {
			s.t.Errorf("nobody has sent %q", b.Title)
			continue
		}
		if one := s.sent[id]; b.SourceSystem != one.account.Slug || b.Rejected != "" || !slices.Equal(b.Documents, one.files) {
			s.t.Errorf("%q went out as %+v, want %+v of %s", b.Title, b, one.files, one.account.Slug)
		}
		books[id] = append(books[id], b)
	}
	return books
}

// compareShipment compares a shipment in the database with what the service has accepted. An accepted shipment must be found in the
// end: an answer may be lost, but not the reserved id.
func (s *storm) compareShipment(id dispatch.ItemID, it storedItem, booked []simulator.Shipment) {
	s.t.Helper()
	if len(booked) > 1 {
		s.wrong(id, it, "is booked %d times", len(booked))
	}
	switch {
	case it.State == dispatch.StateAccepted && len(booked) == 0:
		s.wrong(id, it, "is accepted, and the service does not know it")
	case it.State == dispatch.StateAccepted:
		if b := booked[0]; it.UpstreamID != b.ID || b.PreGenerated != s.sent[id].generation().Row().Reserves || it.Reserved != b.ID && b.PreGenerated {
			s.wrong(id, it, "is accepted as %q and reserved as %q, and booked as %s", it.UpstreamID, it.Reserved, b.ID)
		}
	case len(booked) > 0:
		s.wrong(id, it, "is not accepted, and booked")
	case it.State == dispatch.StateUncertain:
		if !leftToPerson(it) {
			s.wrong(id, it, "is left to a person although it may be sent once more")
		}
	case it.State != dispatch.StateRejected:
		s.wrong(id, it, "is neither sent nor given up")
	}
}

// leftToPerson tells whether a shipment that the service does not have must be decided by a caseworker: two attempts were
// uncertain, or a program died before it had an id to look up.
func leftToPerson(it storedItem) bool {
	unknown := 0
	for _, a := range it.Attempts {
		if a.Outcome == dispatch.OutcomeUncertain {
			unknown++
		}
	}
	if it.Reserved == "" {
		return unknown == 1
	}
	return unknown == 2
}

// lookedUp tells whether the service was asked for a shipment between the end of an attempt's window and the next attempt.
func (s *storm) lookedUp(it storedItem, i int) bool {
	return slices.ContainsFunc(s.lookUps.of(it.Reserved), func(at time.Time) bool {
		return at.After(it.Attempts[i].StartedAt.Add(window-s.skew)) && at.Before(it.Attempts[i+1].StartedAt.Add(s.skew))
	})
}

// lookUps records the ids in answered look-ups.
type lookUps struct {
	next http.Handler
	mu   sync.Mutex
	at   map[string][]time.Time
}

// ServeHTTP implements http.Handler. A broken-off answer panics, and is not recorded.
func (l *lookUps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, answer := time.Now(), &answered{ResponseWriter: w}
	l.next.ServeHTTP(answer, r)
	if path.Base(r.URL.Path) != shipmentv1.OpShipmentStatus || answer.status != http.StatusOK && answer.status != http.StatusNotFound {
		return
	}
	id := path.Base(path.Dir(r.URL.Path))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at[id] = append(l.at[id], at)
}

// of returns the times of look-ups of an id.
func (l *lookUps) of(id string) []time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.at[id])
}

// answered records the status of an answer.
type answered struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (a *answered) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
