package compose

import (
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/views"
)

// parseDraft parses a draft and returns all problems that block it, including findings in its files.
func (s *Pages) parseDraft(v frame.Visit, d dispatch.Draft, f views.ShipmentForm) (dispatch.Shipment, dispatch.Problems) {
	content, ps := f.Parse(v.Account.Generation(), d.Documents, s.Now())
	ps = ps.With(v.Account.ValidateNumbers(content))
	ps = append(ps, v.Account.ValidateHealth(content)...)
	ps = append(ps, v.Account.ValidateEncryption(content, s.Now())...)
	return content, append(ps, content.Stopped(v.Account.Rules())...)
}
