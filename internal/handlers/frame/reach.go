package frame

import (
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
)

// Content is content that somebody made: of an item, or of a job.
type Content struct {
	By      dispatch.UserID
	Creator string
	At      time.Time
	Path    string // address of its page
	Job     bool
}

// ContentOf is the content of an item.
func (at ItemPages) ContentOf(v Visit, it dispatch.Item) Content {
	return Content{it.CreatedBy, it.Creator, it.CreatedAt, views.AccountPath(v.Account, at.Path, string(it.ID)), false}
}

// JobContent is the content of a job.
func JobContent(v Visit, j dispatch.Job) Content {
	return Content{j.CreatedBy, j.Creator, j.CreatedAt, JobPath(v, j.ID), true}
}

// Reach tells how much of the content the user may open that somebody made: all of their own, and with a reason that of others if they
// have the right, or stand in for its owner.
func (s *Frame) Reach(c echo.Context, v Visit, owner dispatch.UserID) (dispatch.Reach, error) {
	r, _, err := s.reach(c, v, owner)
	return r, err
}

func (s *Frame) reach(c echo.Context, v Visit, owner dispatch.UserID) (r dispatch.Reach, covers bool, err error) {
	r = v.User.Reach(dispatch.Item{AccountID: v.Account.ID, CreatedBy: owner})
	if r != dispatch.ReachNone || !v.User.May(dispatch.RightReveal, v.Account.ID) {
		return r, false, nil
	}
	covers, err = items.In(s.Store).Absences.StandsIn(Context(c), v.Account.ID, v.User.ID, owner, s.Now())
	if covers {
		r = dispatch.ReachReason
	}
	return r, covers, err
}

// WithReason continues with the reason for opening content; empty for one's own. Without a valid reason it asks for it on a page
// whose form posts to the same address, with the fields named kept.
func (s *Frame) WithReason(c echo.Context, v Visit, of Content, then func(reason string) error, kept ...string) error {
	return s.withReason(c, v, of, then, false, kept)
}

// ToCopy is WithReason for an act that copies the content into a draft.
func (s *Frame) ToCopy(c echo.Context, v Visit, of Content, then func(reason string) error, kept ...string) error {
	return s.withReason(c, v, of, then, true, kept)
}

func (s *Frame) withReason(c echo.Context, v Visit, of Content, then func(reason string) error, copies bool, kept []string) error {
	r, covers, err := s.reach(c, v, of.By)
	switch {
	case err != nil:
		return err
	case r == dispatch.ReachOpen:
		return then("")
	case r == dispatch.ReachNone:
		return echo.ErrForbidden
	}
	reason, problem := dispatch.ParseReason(TypedReason(c, dispatch.FieldReason))
	if problem == nil {
		return then(reason)
	}
	p := s.opening(c, v, of)
	p.Covers, p.Copies, p.Action = covers, copies, c.Request().URL.Path
	for _, name := range kept {
		p.Kept = append(p.Kept, views.KeptField{Name: name, Value: c.FormValue(name)})
	}
	if _, asked := c.Request().Form[dispatch.FieldReason]; asked || !copies {
		p.Problems = dispatch.Problems{*problem}
	}
	return Show(c, FormStatus(p.Problems), views.OpenContent(p))
}

// AskReason asks for the reason to open content; one's own needs none.
func (s *Frame) AskReason(c echo.Context, v Visit, of Content) error {
	r, covers, err := s.reach(c, v, of.By)
	switch {
	case err != nil:
		return err
	case r == dispatch.ReachOpen:
		return SeeOther(c, of.Path)
	case r == dispatch.ReachNone:
		return echo.ErrForbidden
	}
	p := s.opening(c, v, of)
	p.Covers, p.Action = covers, of.Path+"/apne"
	return Show(c, FormStatus(nil), views.OpenContent(p))
}

func (s *Frame) opening(c echo.Context, v Visit, of Content) views.OpenPage {
	p := views.OpenPage{Page: s.Page(c, v, "content.title"), Creator: of.Creator, Created: views.Near(Context(c), of.At, s.Now()), Back: of.Path, Job: of.Job, Reason: c.FormValue(dispatch.FieldReason)}
	p.Section, p.Narrow = views.SectionContent, true
	return p
}

// Because is the request's actor with a reason.
func Because(c echo.Context, u dispatch.User, reason string) store.Actor {
	a := Actor(c, u)
	a.Reason = reason
	return a
}
