package follow

import (
	"errors"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// Show shows absences from the account.
func (s *Absences) Show(c echo.Context, v frame.Visit) error {
	return s.showAbsences(c, v, follow.AbsenceForm{}, nil)
}

func (s *Absences) showAbsences(c echo.Context, v frame.Visit, f follow.AbsenceForm, ps dispatch.Problems) error {
	p := follow.AbsencePage{Page: s.Page(c, v, "absence.title"), Form: f}
	p.Section, p.Problems = views.SectionFollowUp, ps
	var err error
	if p.Absences, err = items.In(s.Store).Absences.List(frame.Context(c), v.Account.ID, s.Now()); err != nil {
		return err
	}
	if p.Workers, err = s.colleagues.workers(c, v); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), follow.Absences(p))
}

// Save stores an absence of the user or, by a team lead, of a colleague, with a deputy.
func (s *Absences) Save(c echo.Context, v frame.Visit) error {
	f := follow.AbsenceForm{Who: c.FormValue(dispatch.FieldAway), Until: strings.TrimSpace(c.FormValue(dispatch.FieldAwayUntil)), Deputy: c.FormValue(dispatch.FieldDeputy)}
	a := dispatch.Absence{User: v.User.ID, Deputy: dispatch.UserID(f.Deputy)}
	if f.Who != "" && dispatch.UserID(f.Who) != v.User.ID {
		if !v.User.May(dispatch.RightLead, v.Account.ID) {
			return echo.ErrForbidden
		}
		a.User = dispatch.UserID(f.Who)
	}
	until, p := dispatch.ParseAbsence(f.Until, s.Now())
	if p != nil {
		return s.showAbsences(c, v, f, dispatch.Problems{*p})
	}
	a.Until = until
	err := items.In(s.Store).Absences.Save(frame.Context(c), v.Account.ID, a, frame.Actor(c, v.User), s.Now())
	if errors.Is(err, store.ErrTaken) {
		return s.showAbsences(c, v, f, dispatch.Problems{{Field: dispatch.FieldDeputy, Key: "problem.absence.deputy"}})
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "fravar"), "flash.absence_set", 0)
}

// End ends an absence of the user or, by a team lead, of a colleague.
func (s *Absences) End(c echo.Context, v frame.Visit) error {
	who := dispatch.UserID(c.FormValue(dispatch.FieldAway))
	if who != v.User.ID && !v.User.May(dispatch.RightLead, v.Account.ID) {
		return store.ErrNotFound
	}
	if err := items.In(s.Store).Absences.End(frame.Context(c), v.Account.ID, who, frame.Actor(c, v.User)); err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "fravar"), "flash.absence_ended", 0)
}

// AskHandOverAll shows a colleague's open work, and asks who gets it.
func (s *Absences) AskHandOverAll(c echo.Context, v frame.Visit) error {
	return s.showHandOverAll(c, v, follow.HandOverAllPage{From: c.QueryParam("fra"), FollowUps: true, Drafts: true}, nil)
}

func (s *Absences) showHandOverAll(c echo.Context, v frame.Visit, p follow.HandOverAllPage, ps dispatch.Problems) (err error) {
	if p.Workers, err = s.colleagues.workers(c, v); err != nil {
		return err
	}
	if i := slices.IndexFunc(p.Workers, func(w follow.Person) bool { return string(w.ID) == p.From }); i >= 0 {
		p.FromName = p.Workers[i].Name
		if p.Open, err = items.In(s.Store).HandOvers.TheirOpen(frame.Context(c), v.Account.ID, dispatch.UserID(p.From)); err != nil {
			return err
		}
	}
	p.Page, p.Most = s.Page(c, v, "hand_over_all.title"), items.HandedAtOnce
	p.Section, p.Problems = views.SectionFollowUp, ps
	return frame.Show(c, frame.FormStatus(ps), follow.HandOverAll(p))
}

// HandOverAll gives a colleague's open work to another.
func (s *Absences) HandOverAll(c echo.Context, v frame.Visit) error {
	p := follow.HandOverAllPage{From: c.FormValue("fra"), To: c.FormValue("til"), FollowUps: c.FormValue("oppfolginger") == "true", Drafts: c.FormValue("utkast") == "true"}
	workers, err := s.colleagues.workers(c, v)
	if err != nil {
		return err
	}
	known := func(id string) bool {
		return slices.ContainsFunc(workers, func(w follow.Person) bool { return string(w.ID) == id })
	}
	var ps dispatch.Problems
	switch {
	case !known(p.From):
		ps = dispatch.Problems{{Field: "fra", Key: "problem.hand_over.whom"}}
	case !p.FollowUps && !p.Drafts:
		ps = dispatch.Problems{{Field: "hva-valg", Key: "problem.hand_over.what"}}
	case !known(p.To) || p.To == p.From:
		ps = dispatch.Problems{{Field: "til", Key: "problem.hand_over.whom"}}
	}
	if len(ps) > 0 {
		return s.showHandOverAll(c, v, p, ps)
	}
	what := dispatch.HandOverCounts{}
	if p.FollowUps {
		what.FollowUps = items.HandedAtOnce
	}
	if p.Drafts {
		what.Drafts = items.HandedAtOnce
	}
	done, err := items.In(s.Store).HandOvers.GiveAll(frame.Context(c), v.Account.ID, dispatch.UserID(p.From), dispatch.UserID(p.To), what, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrTaken) {
		return s.showHandOverAll(c, v, p, dispatch.Problems{{Field: "til", Key: "problem.hand_over.whom"}})
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "overlat")+"?fra="+p.From, "flash.handed_over_all", done.FollowUps+done.Drafts)
}
