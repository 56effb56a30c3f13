package handlers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// pageSize is how many rows a list shows.
const pageSize = 50

// listSMS shows one window of the account's SMS, newest first.
func (s *server) listSMS(c echo.Context, v visit) error {
	w := window(c)
	f, err := jobFilter(c)
	if err != nil {
		return err
	}
	items, older, newer, err := s.o.Store.SMSList(ctx(c), v.Account.ID, store.SMSFilter{Viewer: v.User.ID, Job: f.Job, Group: f.Group}, w)
	if err != nil {
		return err
	}
	if len(items) == 0 && !(w.Before.Zero() && w.After.Zero()) {
		return seeOther(c, views.AccountPath(v.Account, "sms")+filterQuery(f, ""))
	}
	uncertain, err := s.o.Store.HasUncertainSMS(ctx(c), v.Account.ID)
	if err != nil {
		return err
	}
	p := views.SMSListPage{Page: s.page(c, v, "sms.list.title"), Items: items, Uncertain: uncertain, Filter: f}
	p.Section = views.SectionSMS
	base := views.AccountPath(v.Account, "sms")
	if newer {
		p.Newer = newerThan(base, items[0].Item) + filterQuery(f, "&")
	}
	if older {
		p.Older = olderThan(base, items[len(items)-1].Item) + filterQuery(f, "&")
	}
	return show(c, http.StatusOK, views.SMSList(p))
}

// jobFilter is the job, and the group of it, that an address chooses.
func jobFilter(c echo.Context) (views.JobFilter, error) {
	job := c.QueryParam("jobb")
	if job == "" {
		return views.JobFilter{}, nil
	}
	if uuid.Validate(job) != nil || len(job) != 36 {
		return views.JobFilter{}, store.ErrNotFound
	}
	return views.JobFilter{Job: dispatch.JobID(job), Group: views.GroupNamed(c.QueryParam("gruppe"))}, nil
}

// filterQuery is the filter as it stands in an address, after what comes before it; empty when there is none.
func filterQuery(f views.JobFilter, before string) string {
	if f.Job == "" {
		return ""
	}
	if before == "" {
		before = "?"
	}
	query := before + "jobb=" + string(f.Job)
	if f.Group != "" {
		query += "&gruppe=" + views.GroupName(f.Group)
	}
	return query
}

// window is the part of a list that an address asks for.
func window(c echo.Context) store.Window {
	return store.Window{Limit: pageSize, Before: cursor(c.QueryParam("eldre")), After: cursor(c.QueryParam("nyere"))}
}

// newerThan is the address of what stands before an item in a list.
func newerThan(base string, it dispatch.Item) string { return base + "?nyere=" + cursorText(it) }

// olderThan is the address of what stands after it.
func olderThan(base string, it dispatch.Item) string { return base + "?eldre=" + cursorText(it) }

// cursorText is a place in a list as it stands in an address: microseconds and id.
func cursorText(it dispatch.Item) string {
	return strconv.FormatInt(it.CreatedAt.UnixMicro(), 10) + "_" + string(it.ID)
}

// cursor reads a place in a list; anything else is the start.
func cursor(text string) store.Cursor {
	at, id, _ := strings.Cut(text, "_")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil || uuid.Validate(id) != nil || len(id) != 36 {
		return store.Cursor{}
	}
	return store.Cursor{At: time.UnixMicro(micros), ID: dispatch.ItemID(id)}
}

// listUncertain shows the SMS that wait for a decision.
func (s *server) listUncertain(c echo.Context, v visit) error {
	return s.showUncertain(c, v, http.StatusOK, nil, nil)
}

func (s *server) showUncertain(c echo.Context, v visit, status int, chosen []dispatch.ItemID, ps dispatch.Problems) error {
	items, older, _, err := s.o.Store.SMSList(ctx(c), v.Account.ID,
		store.SMSFilter{Viewer: v.User.ID, State: dispatch.StateUncertain}, store.Window{Limit: pageSize})
	if err != nil {
		return err
	}
	if len(items) == 0 {
		status, ps = http.StatusOK, nil // somebody else has decided them all
	}
	p := views.UncertainPage{Page: s.page(c, v, "uncertain.title"), Items: items, More: older, Chosen: map[dispatch.ItemID]bool{}}
	p.Section, p.Problems = views.SectionSMS, ps
	for _, id := range chosen {
		p.Chosen[id] = true
	}
	return show(c, status, views.SMSUncertain(p))
}

// decideMany applies one decision to the chosen uncertain SMS.
func (s *server) decideMany(c echo.Context, v visit) error {
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	var ids []dispatch.ItemID
	for _, id := range values["melding"] {
		if !slices.Contains(ids, dispatch.ItemID(id)) {
			ids = append(ids, dispatch.ItemID(id))
		}
	}
	d := dispatch.Decision(values.Get("valg"))
	var ps dispatch.Problems
	if len(ids) == 0 {
		ps = append(ps, dispatch.Problem{Field: "melding", Key: "problem.decision.none"})
	}
	if !d.Known() {
		ps = append(ps, dispatch.Problem{Field: "valg", Key: "problem.decision.empty"})
	}
	if len(ps) > 0 {
		return s.showUncertain(c, v, http.StatusUnprocessableEntity, ids, ps)
	}
	n, err := s.o.Store.Resolve(ctx(c), v.Account, ids[:min(len(ids), pageSize)], d, by(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", "uavklart"), "flash.too_late", 0)
	}
	s.wake()
	return s.flashTo(c, views.AccountPath(v.Account, "sms", "uavklart"), "flash.resolved_many", n)
}
