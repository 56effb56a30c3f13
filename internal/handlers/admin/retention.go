package admin

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// RetentionPath is the page of retention.
const RetentionPath = "/admin/oppbevaring"

// Show shows the retention of each category, and what will be purged tonight.
func (s *Retention) Show(c echo.Context, v frame.Visit) error {
	kept, err := registry.In(s.Store).Retention.Current(frame.Context(c))
	if err != nil {
		return err
	}
	form := map[dispatch.Keeping]string{}
	for k, days := range kept {
		form[k] = views.Number(days)
	}
	return s.showRetentionWith(c, v, form, nil, nil)
}

// shorterWait says that shorter times wait for another administrator.
const shorterWait = "retention.waits"

// retentionWaits says that shorter times wait for another administrator, or no longer can be approved; empty: none wait.
func (s *Retention) retentionWaits(c echo.Context, kept dispatch.Retention) (string, error) {
	list, err := s.system.waitingRequests(c, dispatch.Integration{})
	if err != nil || len(list) == 0 {
		return "", err
	}
	if _, ok := list[0].Changed(kept); !ok {
		return "retention.waits.stale", nil
	}
	return shorterWait, nil
}

// showRetentionWith shows the retention; tried are times that are not saved, whose effect is shown.
func (s *Retention) showRetentionWith(c echo.Context, v frame.Visit, form map[dispatch.Keeping]string, tried dispatch.Retention, ps dispatch.Problems) error {
	kept, err := registry.In(s.Store).Retention.Current(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.RetentionPage{Page: s.Page(c, v, "retention.title"), Kept: kept, Form: form, Next: dispatch.NextPurge(s.Now()), Edits: v.User.MaySystem(dispatch.RightAdminister)}
	p.Fresh = s.Session.FreshEnough(frame.Context(c), s.Now()) || len(ps) > 0 || tried != nil
	p.Section, p.Problems = views.SectionRetention, ps
	if p.LogStays, err = s.Store.AuditProtected(frame.Context(c)); err != nil {
		return err
	}
	if p.Preview, err = s.previewPurge(c, kept, p.Next); err != nil {
		return err
	}
	if p.Waits, err = s.retentionWaits(c, kept); err != nil {
		return err
	}
	if p.Held, p.HeldAll, err = s.heldItems(c, v); err != nil {
		return err
	}
	if tried != nil {
		p.Shorter = tried.Shortens(kept)
		if p.Tried, err = s.changedRetention(c, kept, tried, longerKey(kept, tried)); err != nil {
			return err
		}
	}
	nights, err := registry.In(s.Store).Retention.Purges(frame.Context(c), 7)
	if err != nil {
		return err
	}
	for _, n := range nights {
		p.Nights = append(p.Nights, admin.RetentionNight{Night: n.Night, Ended: !n.EndedAt.IsZero(), Counts: n.Counts})
	}
	if len(ps) > 0 {
		return frame.Show(c, http.StatusUnprocessableEntity, admin.Retention(p))
	}
	return frame.Show(c, http.StatusOK, admin.Retention(p))
}

// heldItems are the items under legal hold on the accounts whose acts the user may see, and how many there are.
func (s *Retention) heldItems(c echo.Context, v frame.Visit) (list []admin.HeldItem, n int, err error) {
	accounts, err := s.system.auditedAccounts(c, v)
	if err != nil {
		return nil, 0, err
	}
	ids := make([]dispatch.AccountID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.ID
	}
	held, n, err := registry.In(s.Store).Holds.List(frame.Context(c), ids, v.User.ID)
	for _, h := range held {
		list = append(list, admin.HeldItem{
			Item:    dispatch.Item{ID: h.ID, AccountID: h.Account, Kind: h.Kind, CreatedAt: h.CreatedAt},
			Account: dispatch.Account{ID: h.Account, Name: h.AccountName, Slug: h.AccountSlug},
			Shown:   h.Shown, By: h.By, Reason: h.Reason, Since: h.At,
		})
	}
	return list, n, err
}

// previewPurge counts what the next purge deletes. The event log is left to the owner of the database, if we may not delete from it.
func (s *Retention) previewPurge(c echo.Context, kept dispatch.Retention, at time.Time) (registry.PurgeCounts, error) {
	counts, err := registry.In(s.Store).Retention.Preview(frame.Context(c), kept, at)
	if err != nil {
		return nil, err
	}
	protected, err := s.Store.AuditProtected(frame.Context(c))
	if protected {
		counts[dispatch.KeepLog] = 0
	}
	return counts, err
}

// longerKey is the sentence about a time that gets longer: beside one that gets shorter, it says that it does not wait for approval.
func longerKey(before, after dispatch.Retention) string {
	if after.Shortens(before) {
		return "act.retention.change.now"
	}
	return "act.retention.change"
}

// changedRetention lists the retention times that change, each with what the next purge deletes under the new one. longer is the
// sentence about those that get longer.
func (s *Retention) changedRetention(c echo.Context, before, after dispatch.Retention, longer string) ([]admin.Effect, error) {
	goes, err := s.previewPurge(c, after, dispatch.NextPurge(s.Now()))
	if err != nil {
		return nil, err
	}
	list := []admin.Effect{}
	for _, k := range dispatch.Keepings() {
		key := longer
		if after[k] < before[k] {
			key = "act.retention.change.second"
		}
		if after[k] != before[k] {
			list = append(list, admin.Because(key, "What", i18n.T(frame.Context(c), "retention."+string(k)),
				"Before", views.Number(before[k]), "After", views.Number(after[k]), "Count", admin.Many(goes[k])))
		}
	}
	return list, nil
}

// Save changes the retention, or shows what that would delete.
func (s *Retention) Save(c echo.Context, v frame.Visit) error {
	form, kept := map[dispatch.Keeping]string{}, dispatch.Retention{}
	for _, k := range dispatch.Keepings() {
		form[k] = strings.TrimSpace(c.FormValue(string(k)))
		kept[k], _ = views.TypedNumber(form[k]) // not a number: outside the limits
	}
	if ps := kept.Validate(); len(ps) > 0 {
		return s.showRetentionWith(c, v, form, nil, ps)
	}
	if c.FormValue("vis") == "true" {
		return s.showRetentionWith(c, v, form, kept, nil)
	}
	read := dispatch.ParseRetention(c.FormValue("versjon"))
	err := registry.In(s.Store).Retention.Save(frame.Context(c), read, kept, frame.Actor(c, v.User))
	switch {
	case errors.Is(err, store.ErrStale):
		return s.showRetentionWith(c, v, form, nil, staleRetention)
	case errors.Is(err, registry.ErrSecond):
		return s.shortenRetention(c, v, form, read, kept)
	case err != nil:
		return err
	}
	if maps.Equal(read, kept) {
		return s.FlashTo(c, RetentionPath, "flash.retention_same", 0)
	}
	return s.FlashTo(c, RetentionPath, "flash.retention_saved", 0)
}

var staleRetention = dispatch.Problems{{Field: string(dispatch.Keepings()[0]), Key: "problem.stale"}}

// alreadyShorter are the problems of shorter times when others already wait for another administrator.
func alreadyShorter(before, after dispatch.Retention) (ps dispatch.Problems) {
	for _, k := range dispatch.Keepings() {
		if after[k] < before[k] {
			ps = append(ps, dispatch.Problem{Field: string(k), Key: "problem.retention.waits"})
		}
	}
	return ps
}

// shortenRetention shows what will be deleted, and requests approval by another administrator. Times that get longer are saved.
func (s *Retention) shortenRetention(c echo.Context, v frame.Visit, form map[dispatch.Keeping]string, read, kept dispatch.Retention) error {
	now, err := registry.In(s.Store).Retention.Current(frame.Context(c))
	if err != nil {
		return err
	}
	if !maps.Equal(now, read) {
		return s.showRetentionWith(c, v, form, nil, staleRetention)
	}
	waits, err := s.retentionWaits(c, read.Longest(kept))
	if err != nil {
		return err
	}
	if waits == shorterWait { // one that cannot be approved is replaced
		return s.showRetentionWith(c, v, form, nil, alreadyShorter(read, kept))
	}
	a := asked{act: dispatch.ActRetention, section: views.SectionRetention, back: RetentionPath}
	a.ask = func(by store.Actor) error {
		return registry.In(s.Store).Retention.Ask(frame.Context(c), read, kept, s.Now(), by)
	}
	if !maps.Equal(read.Longest(kept), read) {
		a.asked = "flash.retention_part"
	}
	if a.effects, err = s.changedRetention(c, read, kept, longerKey(read, kept)); err != nil {
		return err
	}
	for _, k := range dispatch.Keepings() {
		a.hidden = append(a.hidden, admin.Hidden{Name: string(k), Value: form[k]})
	}
	a.effects = append(a.effects, admin.Because("act.retention.never_back"))
	a.hidden = append(a.hidden, admin.Hidden{Name: "versjon", Value: read.String()}, admin.Hidden{Name: "bekreft", Value: "true"})
	if c.FormValue("bekreft") != "true" {
		return s.confirmations.showConfirm(c, v, a, "", nil)
	}
	return s.confirmations.confirmed(c, v, a)
}
