package follow

import (
	"errors"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// ownDrafts are the user's drafts.
func (s *draftLists) ownDrafts(c echo.Context, v frame.Visit) (d compose.OwnDrafts, err error) {
	if d.Drafts, err = s.ownShipmentDrafts(c, v); err != nil {
		return d, err
	}
	if d.SMS, err = s.ownSMSDrafts(c, v); err != nil {
		return d, err
	}
	if d.Jobs, err = items.In(s.Store).Jobs.Drafts(frame.Context(c), v.Account.ID, v.User.ID); err != nil {
		return d, err
	}
	return d, s.typedTexts(c, v, d.Jobs)
}

// typedTexts gives the user's own drafts without a text the one that is autosaved.
func (s *draftLists) typedTexts(c echo.Context, v frame.Visit, jobs []dispatch.Job) error {
	for i, j := range jobs {
		if j.State != dispatch.JobDraft || j.Shipments() || j.Text != "" || j.CreatedBy != v.User.ID {
			continue
		}
		u, err := items.In(s.Store).Forms.ByID(frame.Context(c), v.Account.ID, v.User.ID, string(j.ID))
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		values, err := url.ParseQuery(u.Fields)
		if err != nil {
			return err
		}
		jobs[i].Text = values.Get(dispatch.FieldText)
	}
	return nil
}

// ownShipmentDrafts are the user's drafts of shipments, last changed first.
func (s *draftLists) ownShipmentDrafts(c echo.Context, v frame.Visit) (drafts []compose.DraftLine, err error) {
	rows, err := items.In(s.Store).Drafts.List(frame.Context(c), v.Account.ID, v.User.ID)
	for _, r := range rows {
		drafts = append(drafts, compose.DraftLine{ID: r.ID, Title: r.Title, Recipient: r.RecipientName, Many: r.Many(), Files: r.Files, FirstFile: r.FirstFile, ChangedAt: r.ChangedAt, From: r.HandedBy,
			Waiting: r.Waiting, ReturnedBy: r.ReturnedBy})
	}
	return drafts, err
}

// ownSMSDrafts are the user's unfinished new SMS and drafts of SMS, newest first.
func (s *draftLists) ownSMSDrafts(c echo.Context, v frame.Visit) (drafts []compose.SMSDraftLine, err error) {
	begun, err := items.In(s.Store).Forms.List(frame.Context(c), v.Account.ID, v.User.ID)
	if err != nil {
		return nil, err
	}
	for _, u := range begun {
		drafts = append(drafts, compose.UnfinishedLine(v.Account, u.ID, u.Fields, u.SavedAt))
	}
	rows, err := items.In(s.Store).SMS.Drafts(frame.Context(c), v.Account.ID, v.User.ID)
	for _, r := range rows {
		drafts = append(drafts, compose.DraftOfSMS(v.Account, r))
	}
	slices.SortStableFunc(drafts, func(a, b compose.SMSDraftLine) int { return b.At.Compare(a.At) })
	return drafts, err
}
