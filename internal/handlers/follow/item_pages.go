package follow

import (
	"errors"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// act performs one act on the item in the address and redirects to its page.
func (s *itemPages) act(c echo.Context, v frame.Visit, at frame.ItemPages, do change, done string) error {
	err := do(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), frame.Sender(c, v))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.ToPage(c, v, at, at.Changed)
	case errors.Is(err, items.ErrQuota):
		return s.ToPage(c, v, at, "flash.quota")
	case errors.Is(err, items.ErrBudget):
		return s.ToPage(c, v, at, "flash.budget")
	case err != nil:
		return err
	}
	s.Wake()
	return s.ToPage(c, v, at, done)
}

// decide applies a caseworker's decision about an uncertain item; without a choice, again shows its page with the problem.
func (s *itemPages) decide(c echo.Context, v frame.Visit, at frame.ItemPages, it dispatch.Item, again func(dispatch.Problems) error) error {
	if it.State != dispatch.StateUncertain {
		return s.ToPage(c, v, at, at.Changed)
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return again(dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}})
	}
	n, err := items.In(s.Store).Decisions.Resolve(frame.Context(c), v.Account, []dispatch.ItemID{it.ID}, d, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.ToPage(c, v, at, at.Changed)
	}
	s.Wake()
	return s.ToPage(c, v, at, "flash.resolved")
}

// stop stops the item named by the address, or stores a request to stop it while a call is running.
func (s *itemPages) stop(c echo.Context, v frame.Visit, at frame.ItemPages) error {
	asked, err := items.In(s.Store).Decisions.Stop(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), frame.Actor(c, v.User))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.ToPage(c, v, at, at.Changed)
	case err != nil:
		return err
	case asked:
		return s.ToPage(c, v, at, "flash.stop_asked")
	}
	s.Wake()
	return s.ToPage(c, v, at, "flash.cancelled")
}

// cameFrom is the list from which an item's page was opened, with its filters. The browser says so, to pages of ours only.
func (s *itemPages) cameFrom(c echo.Context, v frame.Visit) follow.BackLink {
	path := s.FormPath(c)
	u, err := url.Parse(path)
	if err != nil {
		return follow.BackLink{}
	}
	place, ok := strings.CutPrefix(u.Path, views.AccountPath(v.Account))
	list, id, found := strings.Cut(place, "/")
	switch {
	case found && frame.IsID(id) && list == "godkjenning": // the page of a decided approval is gone; the list is not
		return follow.BackLink{Path: views.AccountPath(v.Account, list), Label: "approval.title"}
	case found && frame.IsID(id):
		place = list + "/"
	}
	label := listLabels[place]
	if !ok || label == "" {
		return follow.BackLink{}
	}
	return follow.BackLink{Path: path, Label: label}
}

// keptBy is who decided that an item is kept.
func (s *itemPages) keptBy(c echo.Context, v frame.Visit, id dispatch.ItemID) (k follow.Kept, err error) {
	held, err := registry.In(s.Store).Holds.Held(frame.Context(c), v.Account.ID, id)
	if held != nil {
		k = follow.Kept{By: held.By, At: held.At}
	}
	return k, err
}

// around reads what an item's page shows beside the item.
func (s *itemPages) around(c echo.Context, v frame.Visit, it dispatch.Item, opened follow.Opened) (a follow.Around, err error) {
	a.Opened, a.Back, a.CopyKey, a.From = opened, s.cameFrom(c, v), uuid.NewString(), follow.OriginNamed(c.QueryParam(follow.FieldFrom))
	if a.Events, err = s.Store.Events(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return a, err
	}
	if a.Reach, err = s.Reach(c, v, it.CreatedBy); err != nil {
		return a, err
	}
	if a.Archived, err = items.In(s.Store).Archives.Archived(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return a, err
	}
	if a.Kept, err = s.keptBy(c, v, it.ID); err != nil {
		return a, err
	}
	if a.FollowUp, err = lists.In(s.Store).FollowUps.ByID(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return a, err
	}
	if a.Relatives, err = items.In(s.Store).Origins.Relatives(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return a, err
	}
	if a.ListDraft, err = items.In(s.Store).Origins.ListDraftInstead(frame.Context(c), v.Account.ID, it.ID, v.User.ID); err != nil {
		return a, err
	}
	if a.Draft, err = items.In(s.Store).Origins.DraftInstead(frame.Context(c), v.Account.ID, it.ID, v.User.ID); err != nil || !it.EndedBadly() {
		return a, err
	}
	ends, err := registry.In(s.Store).Retention.ContentEnds(frame.Context(c), v.Account.ID, []dispatch.ItemID{it.ID})
	a.End = ends[it.ID]
	return a, err
}

// listLabels are the catalogue keys of pages that list items, by their place below the account; those with an id after it end in a slash.
var listLabels = map[string]string{
	"": "overview.title", "oppfolging": "nav.follow_up", "ledelse": "lead.title",
	"utsendinger": "nav.items", "forsendelser": "nav.shipments", "sms": "sms.list.title",
	"sok/": "list.search.title", "jobber/": "job.filter.back",
}
