package follow

import (
	"net/http"
	"slices"

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
	if p.OwnDrafts, err = s.ownDrafts(c, v); err != nil {
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

// ownDrafts are the user's drafts.
func (s *Pages) ownDrafts(c echo.Context, v frame.Visit) (d compose.OwnDrafts, err error) {
	if d.Drafts, err = s.ownShipmentDrafts(c, v); err != nil {
		return d, err
	}
	if d.SMS, err = s.ownSMSDrafts(c, v); err != nil {
		return d, err
	}
	d.Jobs, err = items.In(s.Store).JobDrafts(frame.Context(c), v.Account.ID, v.User.ID)
	return d, err
}

// ownShipmentDrafts are the user's drafts of shipments, last changed first.
func (s *Pages) ownShipmentDrafts(c echo.Context, v frame.Visit) (drafts []compose.DraftLine, err error) {
	rows, err := items.In(s.Store).ShipmentDrafts(frame.Context(c), v.Account.ID, v.User.ID)
	for _, r := range rows {
		drafts = append(drafts, compose.DraftLine{ID: r.ID, Title: r.Title, Recipient: r.RecipientName, List: dispatch.JobList{Read: r.Many, Valid: r.Valid, LeftOut: r.LeftOut}, Again: r.Again, Files: r.Files, FirstFile: r.FirstFile, ChangedAt: r.ChangedAt, From: r.HandedBy,
			Waiting: r.Waiting, ReturnedBy: r.ReturnedBy})
	}
	return drafts, err
}

// ownSMSDrafts are the user's unfinished new SMS and drafts of SMS, newest first.
func (s *Pages) ownSMSDrafts(c echo.Context, v frame.Visit) (drafts []compose.SMSDraftLine, err error) {
	begun, err := items.In(s.Store).UnfinishedForms(frame.Context(c), v.Account.ID, v.User.ID)
	if err != nil {
		return nil, err
	}
	for _, u := range begun {
		drafts = append(drafts, compose.UnfinishedLine(v.Account, u.ID, u.Fields, u.SavedAt))
	}
	rows, err := items.In(s.Store).SMSDrafts(frame.Context(c), v.Account.ID, v.User.ID)
	for _, r := range rows {
		drafts = append(drafts, compose.DraftOfSMS(v.Account, r))
	}
	slices.SortStableFunc(drafts, func(a, b compose.SMSDraftLine) int { return b.At.Compare(a.At) })
	return drafts, err
}
