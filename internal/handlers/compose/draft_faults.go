package compose

import (
	"errors"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// faults are the problems that a draft inherits from the failed shipment that it was copied from: violations of our
// own rules, and the service's complaint about a field that has not changed since.
func (s *drafts) faults(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, failed dispatch.ShipmentItem) (dispatch.Problems, error) {
	if failed.State != dispatch.StateRejected {
		return nil, nil
	}
	if failed.Reason.Key == "reason.invalid" {
		_, ps := s.parseDraft(v, d, f)
		return ps, nil
	}
	if failed.Fault.Field == "" {
		return nil, nil
	}
	if same, err := s.unchanged(c, v, d, f, failed); err != nil || !same {
		return nil, err
	}
	return dispatch.Problems{{Field: failed.Fault.Field, Key: "problem.fault", Args: dispatch.Args{"Said": failed.Fault.Said}}}, nil
}

// unchanged tells whether the field that the service rejected still has the same value.
func (s *drafts) unchanged(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, failed dispatch.ShipmentItem) (bool, error) {
	if failed.Fault.Field == dispatch.FieldDocuments {
		return slices.EqualFunc(d.Documents, failed.Documents, func(a, b dispatch.Document) bool { return a.FileName == b.FileName && a.SHA256 == b.SHA256 }), nil
	}
	sent, err := items.In(s.Store).Shipments.CopiedFields(frame.Context(c), v.Account.ID, d.Item.ID, v.User.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil // nothing to compare with: no message is better than a wrong one
	}
	return err == nil && f.Same(sent, failed.Fault.Field), err
}
