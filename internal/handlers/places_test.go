package handlers_test

import (
	"net/http"
	"testing"
)

// TestPlaceFollowsFromPostalCode: without script, the place is filled in when the draft is saved.
func TestPlaceFollowsFromPostalCode(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(id)
	typed := everyField(document)
	for _, step := range []struct{ code, city, reply, replyCity, want, wantReply string }{
		{"7713", "", "0150", "", "Steinkjer", "Oslo"},
		{"0150", "Steinkjer", "0150", "Egne ord", "Oslo", "Egne ord"},
	} {
		typed.Set("versjon", b.get(at).page(t).Find("[name=versjon]").AttrOr("value", ""))
		typed.Set("postnummer", step.code)
		typed.Set("poststed", step.city)
		typed.Set("svar-postnummer", step.reply)
		typed.Set("svar-poststed", step.replyCity)
		if got := b.post(at, typed); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
		page := b.get(at).page(t)
		if got, reply := held(page, "poststed"), held(page, "svar-poststed"); got != step.want || reply != step.wantReply {
			t.Errorf("%+v: the form holds %q and %q", step, got, reply)
		}
	}
}

// TestPlacesOfAShipmentList: a list of recipients needs no column of places.
func TestPlacesOfAShipmentList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr\nOla Nordmann;Storgata 1;7713\nKari Nordmann;Storgata 2;150\nPer Nordmann;Storgata 3;0000\n")
	wantWords(t, b.get(at+"/flere"), "Kan sendes til 2", "Med feil 1")
	b.post(at+"/flere/feil", fields("rad", "4", "postnummer-4", "8622"))
	wantWords(t, b.get(at+"/flere/kontroll"), "3 mottakere får hvert sitt brev", "7713 Steinkjer", "0150 Oslo", "8622 Mo i Rana")
}

// TestPlaceOfACorrectedRow: a place that was filled in from a postal code changes with the code.
func TestPlaceOfACorrectedRow(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr\n;Storgata 1;7713\n")
	b.post(at+"/flere/feil", fields("rad", "2", "navn-2", "Ola Nordmann", "postnummer-2", "0150", "poststed-2", "Steinkjer"))
	wantWords(t, b.get(at+"/flere/kontroll"), "1 mottaker får brevet", "0150 Oslo")
}
