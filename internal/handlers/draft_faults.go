package handlers

import (
	"encoding/json"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// faults are the problems that a draft has from the shipment that it was made of, which came to nothing: what our own
// rules stopped, and what the service said of a field that is still as it was.
func (s *server) faults(c echo.Context, v visit, d store.Draft, f views.ShipmentForm, failed dispatch.ShipmentItem) dispatch.Problems {
	if failed.State != dispatch.StateRejected {
		return nil
	}
	if failed.Reason.Key == "reason.invalid" {
		_, ps := s.parseDraft(v, d, f)
		return ps
	}
	if failed.Fault.Field == "" || !s.unchanged(c, v, d, f, failed) {
		return nil
	}
	return dispatch.Problems{{Field: failed.Fault.Field, Key: "problem.fault", Args: dispatch.Args{"Said": failed.Fault.Said}}}
}

// unchanged tells whether the field that the service did not take still holds what it held.
func (s *server) unchanged(c echo.Context, v visit, d store.Draft, f views.ShipmentForm, failed dispatch.ShipmentItem) bool {
	if failed.Fault.Field == dispatch.FieldDocuments {
		return slices.EqualFunc(d.Documents, failed.Documents, func(a, b dispatch.Document) bool { return a.FileName == b.FileName && a.SHA256 == b.SHA256 })
	}
	sealed, err := s.o.Store.CopiedForm(ctx(c), v.Account.ID, d.Item.ID, v.User.ID)
	var sent views.ShipmentForm
	if err != nil || json.Unmarshal(sealed, &sent) != nil {
		return false // nothing to compare with: better silent than wrong
	}
	return f.Same(sent, failed.Fault.Field)
}
