package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
)

// parseDraft parses a draft and returns all problems that block it, including findings in its files.
func (s *drafts) parseDraft(v frame.Visit, d dispatch.Draft, f dispatch.DraftFields) (dispatch.Shipment, dispatch.Problems) {
	content, ps := f.Parse(v.Account.Generation(), d.Documents, s.Now())
	ps = ps.With(v.Account.ValidateNumbers(content)).With(v.Account.ValidateSigning(content, f.Sign))
	ps = append(ps, v.Account.ValidateHealth(content)...)
	ps = append(ps, v.Account.ValidateEncryption(content, s.Now())...)
	return content, append(ps, content.Stopped(v.Account.Rules())...)
}

// checkDraft is parseDraft with what the account's service knows: its types of shipments.
func (s *drafts) checkDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields) (dispatch.Shipment, dispatch.Problems) {
	content, ps := s.parseDraft(v, d, f)
	return content, append(ps, s.unlisted(c, v, content)...)
}
