package follow

import (
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// overviewLatest is how many of the latest items are shown.
const overviewLatest = 5

// ToOverview leads to the start page from its address without the last slash.
func (s *Overview) ToOverview(c echo.Context, v frame.Visit) error {
	return frame.SeeOther(c, views.AccountPath(v.Account, ""))
}

// Show shows the start page of an account: the account's figures to team leads and auditors, to others their
// own.
func (s *Overview) Show(c echo.Context, v frame.Visit) (err error) {
	p := follow.OverviewPage{Key: uuid.NewString()}
	p.Page, p.Period = s.Page(c, v, "overview.title"), follow.Period(c.QueryParam("periode"))
	p.Section = views.SectionOverview
	if p.Period != follow.PeriodToday && p.Period != follow.PeriodMonth {
		p.Period = follow.PeriodWeek
	}
	sends := v.User.May(dispatch.RightSendSMS, v.Account.ID) || v.User.May(dispatch.RightSendShipments, v.Account.ID)
	p.Chooses = sends && v.User.May(dispatch.RightLead, v.Account.ID)
	if sends && !p.Chooses || p.Chooses && c.QueryParam("hvem") == "meg" {
		p.Sender = v.User.ID
	}
	if p.Causes, err = lists.In(s.Store).FollowUps.Waits(frame.Context(c), v.Account.ID, p.Sender); err != nil {
		return err
	}
	if frame.Fragment(c) == "folg-opp" {
		return frame.Show(c, http.StatusOK, follow.OverviewFollowUps(p))
	}
	from, to, _ := follow.ParsePeriod(p.Period, follow.PeriodForm{}, s.Now()) // only fixed periods, so there is no problem
	if p.Stats, err = s.numbers(c, v, p.Sender, from, to); err != nil {
		return err
	}
	days := 0
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		days++
	}
	if p.Before, err = s.numbers(c, v, p.Sender, from.AddDate(0, 0, -days), from); err != nil {
		return err
	}
	if p.Latest, err = s.latest(c, v, p.Sender); err != nil {
		return err
	}
	if p.Drafts, err = s.drafts.ownDrafts(c, v); err != nil {
		return err
	}
	if p.Held, err = s.blocks.held(c, v, ""); err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, follow.Overview(p))
}

// numbers are the figures of a user, or of the account, for a period.
func (s *Overview) numbers(c echo.Context, v frame.Visit, sender dispatch.UserID, from, to time.Time) (dispatch.Statistics, error) {
	if sender != "" {
		return lists.In(s.Store).Statistics.Own(frame.Context(c), v.Account.ID, sender, from, to)
	}
	return lists.In(s.Store).Statistics.OfAccount(frame.Context(c), v.Account.ID, from, to)
}

// latest are the latest items sent, and jobs as one.
func (s *Overview) latest(c echo.Context, v frame.Visit, sender dispatch.UserID) ([]follow.Latest, error) {
	ctx := frame.Context(c)
	sent, err := lists.In(s.Store).Items.Latest(ctx, v.Account.ID, sender, overviewLatest)
	if err != nil || len(sent) == 0 {
		return nil, err
	}
	q := lists.ListQuery{Viewer: v.User.ID, Page: store.Page{Limit: overviewLatest}}
	var jobs []dispatch.JobID
	for _, one := range sent {
		q.Items = append(q.Items, one.Item)
		if one.Job != "" {
			jobs = append(jobs, one.Job)
		}
	}
	rows, _, _, err := lists.In(s.Store).Items.List(ctx, v.Account.ID, q)
	if err != nil {
		return nil, err
	}
	counts, err := items.In(s.Store).Jobs.CountsOf(ctx, v.Account.ID, jobs)
	if err != nil {
		return nil, err
	}
	var list []follow.Latest
	for _, one := range sent {
		i := slices.IndexFunc(rows, func(r dispatch.ListRow) bool { return r.ID == one.Item })
		if i < 0 {
			continue // purged meanwhile
		}
		row := follow.Latest{Row: &rows[i], Counts: counts[one.Job]}
		if one.Job != "" {
			if row.Job, err = items.In(s.Store).Jobs.ByID(ctx, v.Account.ID, one.Job); err != nil {
				return nil, err
			}
			if err := s.blocks.block(c, v, &row.Job); err != nil {
				return nil, err
			}
		}
		list = append(list, row)
	}
	return list, nil
}
