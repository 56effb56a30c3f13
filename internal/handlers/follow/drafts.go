package follow

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// ListDrafts shows one's own drafts.
func (s *Pages) ListDrafts(c echo.Context, v frame.Visit) error {
	p := compose.DraftsPage{Page: s.Page(c, v, "drafts.title"), Key: uuid.NewString()}
	p.Section = views.SectionDrafts
	var err error
	if p.Drafts, err = s.ownDrafts(c, v); err != nil {
		return err
	}
	if p.SMS, err = s.ownSMSDrafts(c, v); err != nil {
		return err
	}
	handed, err := items.In(s.Store).HandedDrafts(frame.Context(c), v.Account.ID, v.User.ID)
	if err != nil {
		return err
	}
	for _, h := range handed {
		p.Handed = append(p.Handed, compose.HandedLine(h))
	}
	return frame.Show(c, http.StatusOK, compose.Drafts(p))
}

// ownDrafts are the user's drafts of shipments, newest first.
func (s *Pages) ownDrafts(c echo.Context, v frame.Visit) (drafts []compose.DraftLine, err error) {
	rows, err := items.In(s.Store).ShipmentDrafts(frame.Context(c), v.Account.ID, v.User.ID)
	for _, r := range rows {
		drafts = append(drafts, compose.DraftLine{ID: r.ID, Title: r.Title, Recipient: r.RecipientName, Files: r.Files, CreatedAt: r.CreatedAt, From: r.HandedBy, Waiting: r.Approval == dispatch.ApprovalWaiting, Returned: r.Approval == dispatch.ApprovalReturned})
	}
	return drafts, err
}

// ownSMSDrafts are the user's drafts of SMS, newest first.
func (s *Pages) ownSMSDrafts(c echo.Context, v frame.Visit) (drafts []compose.SMSDraftLine, err error) {
	rows, err := items.In(s.Store).SMSDrafts(frame.Context(c), v.Account.ID, v.User.ID)
	for _, r := range rows {
		drafts = append(drafts, compose.SMSDraftLine{ID: r.ID, Recipient: r.Recipient.Masked(), Text: r.Text, CreatedAt: r.CreatedAt,
			Waiting: r.Approval == dispatch.ApprovalWaiting, Returned: r.Approval == dispatch.ApprovalReturned})
	}
	return drafts, err
}
