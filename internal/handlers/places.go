package handlers

import (
	"encoding/json"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// fillPlaces fills in the places of a draft's addresses, for those whose browser has not done it.
func (s *server) fillPlaces(d store.Draft, f *views.ShipmentForm) {
	var was views.ShipmentForm
	_ = json.Unmarshal(d.Form, &was) // else nothing stood there
	address := func(f views.ShipmentForm) dispatch.PostalAddress {
		return dispatch.PostalAddress{PostalCode: f.PostalCode, City: f.City, Country: f.Country}
	}
	reply := func(f views.PostalForm) dispatch.PostalAddress {
		return dispatch.PostalAddress{PostalCode: f.PostalCode, City: f.City, Country: f.Country}
	}
	f.City = dispatch.PlaceOf(address(*f), address(was), s.places())
	f.Reply.City = dispatch.PlaceOf(reply(f.Reply), reply(was.Reply), s.places())
}

// fillPlace fills in the place of a row's address that has none.
func (s *server) fillPlace(r dispatch.JobRow) dispatch.JobRow {
	if r.Letter != nil {
		r.Letter.Postal.City = dispatch.PlaceOf(r.Letter.Postal, dispatch.PostalAddress{}, s.places())
	}
	return r
}
