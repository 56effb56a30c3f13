package follow

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// bulkMost is how many items one bulk act can change.
const bulkMost = 500

// bulkAct is an act on all items in one state that a list holds.
type bulkAct struct {
	state dispatch.State
	do    func(context.Context, dispatch.AccountID, dispatch.ItemID, store.Actor) error
	done  string // message afterwards
}

func (s *Pages) bulkActs() map[string]bulkAct {
	return map[string]bulkAct{
		follow.BulkStop:  {dispatch.StateQueued, s.stopOne, "flash.bulk_stopped"},
		follow.BulkAgain: {dispatch.StateFailed, items.In(s.Store).SendAgain, "flash.bulk_requeued"},
	}
}

// AskBulk shows what a bulk act would do to the listed items.
func (s *Pages) AskBulk(c echo.Context, v frame.Visit) error {
	name := c.Param("handling")
	act, ok := s.bulkActs()[name]
	if !ok {
		return echo.ErrNotFound
	}
	l, err := s.chosen(c, v)
	if err != nil {
		return err
	}
	items, more, _, err := lists.In(s.Store).List(frame.Context(c), v.Account.ID, lists.ListQuery{
		Viewer: v.User.ID, Filter: l.address.Filter, Search: l.search, State: act.state, Page: store.Page{Limit: bulkMost},
	})
	if err != nil {
		return err
	}
	p := follow.BulkPage{Page: s.Page(c, v, "bulk.act."+name+".title"), Act: name, Action: views.AccountPath(v.Account, "utsendinger", "handling", name),
		Back: l.address.String(), Items: items, More: more}
	p.Section = views.SectionItems
	return frame.Show(c, http.StatusOK, follow.Bulk(p))
}

// chosen reads the list in the address, within a search if it names one.
func (s *Pages) chosen(c echo.Context, v frame.Visit) (listed, error) {
	l, err := s.readList(c, v, "")
	search := c.QueryParam(views.FieldSearchID)
	if err != nil || search == "" {
		return l, err
	}
	if l, err = s.within(c, v, l, search); err == nil {
		l.address.Base = views.AccountPath(v.Account, "sok", search)
	}
	return l, err
}

// DoBulk performs the act on the items that AskBulk showed; those that have changed since are left alone.
func (s *Pages) DoBulk(c echo.Context, v frame.Visit) error {
	act, ok := s.bulkActs()[c.Param("handling")]
	if !ok {
		return echo.ErrNotFound
	}
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	ids := slices.Compact(slices.Sorted(slices.Values(values["utsending"])))
	n, err := s.each(c, v, act, ids[:min(len(ids), bulkMost)])
	list := views.AccountPath(v.Account, "utsendinger")
	if n > 0 {
		s.Wake()
	}
	switch {
	case errors.Is(err, items.ErrQuota):
		return s.FlashTo(c, list, "flash.quota", 0)
	case errors.Is(err, items.ErrBudget):
		return s.FlashTo(c, list, "flash.budget", 0)
	case err != nil:
		return err
	case n == 0:
		return s.FlashTo(c, list, "flash.too_late", 0)
	}
	return s.FlashTo(c, list, act.done, n)
}

// each performs the act on items and returns on how many.
func (s *Pages) each(c echo.Context, v frame.Visit, act bulkAct, ids []string) (n int, err error) {
	for _, id := range ids {
		err := act.do(frame.Context(c), v.Account.ID, dispatch.ItemID(id), frame.Sender(c, v))
		switch {
		case err == nil:
			n++
		case !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNotFound):
			return n, err
		}
	}
	return n, nil
}
