package main_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// message is an SMS as a person writes it.
type message struct {
	nationalID, phone, text string
	hide                    bool
}

func toPhone(ending, words string) message { return message{phone: phone(ending), text: text(words)} }

// user is who a person of the login is in the database.
func (s *stack) user(t *testing.T, subject string) store.Actor {
	t.Helper()
	for _, p := range people {
		if p.Subject != subject {
			continue
		}
		id, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: subject, Name: p.Name})
		if err != nil {
			t.Fatal(err)
		}
		return store.Actor{User: id, Origin: "127.0.0.1"}
	}
	t.Fatalf("nobody is called %s", subject)
	return store.Actor{}
}

// queue sends a draft as it is now.
func (s *stack) queue(ctx context.Context, account dispatch.Account, id dispatch.ItemID, by store.Actor) error {
	it, err := items.In(s.store).SMS.ByID(ctx, account.ID, id)
	if err != nil {
		return err
	}
	return items.In(s.store).SMS.Queue(ctx, account, id, it.Revision, by)
}

// send queues an SMS as the pages do, without a browser.
func (s *stack) send(t *testing.T, account dispatch.Account, subject string, m message) dispatch.ItemID {
	t.Helper()
	by := s.user(t, subject)
	id, err := items.In(s.store).SMS.SaveDraft(t.Context(), account.ID, by, uuid.NewString(), dispatch.SMS{
		Recipient: dispatch.SMSRecipient{Phone: dispatch.Phone(m.phone), NationalID: dispatch.NationalID(m.nationalID)}, Text: m.text, HideInReport: m.hide,
	})
	if err == nil {
		err = s.queue(t.Context(), account, id, by)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (s *stack) item(t *testing.T, account dispatch.Account, id dispatch.ItemID) dispatch.SMSItem {
	t.Helper()
	it, err := items.In(s.store).SMS.ByID(t.Context(), account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// await waits until an item has a state.
func (s *stack) await(t *testing.T, account dispatch.Account, id dispatch.ItemID, want dispatch.State) {
	t.Helper()
	eventually(t, "the item is "+string(want), func() bool { return s.item(t, account, id).State == want })
}

// uncertain sends an SMS with an uncertain outcome, and then one that succeeds, so that the integration is not
// blocked.
func (s *stack) uncertain(t *testing.T, account dispatch.Account, subject string, m message) dispatch.ItemID {
	t.Helper()
	id := s.send(t, account, subject, m)
	s.await(t, account, id, dispatch.StateUncertain)
	s.await(t, account, s.send(t, account, subject, toPhone("120", "Mellom to uavklarte.")), dispatch.StateAccepted)
	return id
}

// polls waits for some polls of delivery: items queued through the store are found by polling.
func (s *stack) polls(t *testing.T, account dispatch.Account, subject string) {
	t.Helper()
	for range 4 {
		s.await(t, account, s.send(t, account, subject, toPhone("120", "Går sin gang.")), dispatch.StateAccepted)
	}
}

// booked returns what the service has accepted with a text.
func (s *stack) booked(text string) []simulator.SMS {
	return slices.DeleteFunc(s.sim.Books(), func(m simulator.SMS) bool { return m.Text != text })
}

// calls counts the calls to the service that would send to a recipient.
func (s *stack) calls(recipient string) int {
	n := 0
	for _, c := range s.sim.Calls() {
		if c.Operation == simulator.OpSend && c.Recipient == recipient {
			n++
		}
	}
	return n
}

// wantBooked checks how often the service has accepted an SMS, and that it is that one.
func (s *stack) wantBooked(t *testing.T, m message, want int) {
	t.Helper()
	got := s.booked(m.text)
	if len(got) != want {
		t.Errorf("the service has accepted it %d times, want %d", len(got), want)
	}
	for _, b := range got {
		if b.Phone != m.phone || b.NationalID != m.nationalID || b.HideInReport != m.hide {
			t.Errorf("the service got %+v, want %+v", b, m)
		}
	}
}
