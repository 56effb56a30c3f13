package admin

import (
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"

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

// ShowRetention shows the retention of each category, and what will be purged tonight.
func (s *Pages) ShowRetention(c echo.Context, v frame.Visit) error {
	kept, err := registry.In(s.Store).Retention(frame.Context(c))
	if err != nil {
		return err
	}
	form := map[dispatch.Keeping]string{}
	for k, days := range kept {
		form[k] = strconv.Itoa(days)
	}
	return s.showRetentionWith(c, v, form, nil)
}

func (s *Pages) showRetentionWith(c echo.Context, v frame.Visit, form map[dispatch.Keeping]string, ps dispatch.Problems) error {
	kept, err := registry.In(s.Store).Retention(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.RetentionPage{Page: s.Page(c, v, "retention.title"), Kept: kept, Form: form, Next: dispatch.NextPurge(s.Now()), Edits: v.User.MaySystem(dispatch.RightAdminister)}
	p.Fresh = s.Session.FreshEnough(frame.Context(c), s.Now()) || len(ps) > 0
	p.Section, p.Problems = views.SectionRetention, ps
	if p.Preview, err = registry.In(s.Store).PreviewPurge(frame.Context(c), kept, p.Next); err != nil {
		return err
	}
	nights, err := registry.In(s.Store).Purges(frame.Context(c), 7)
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

// SaveRetention changes the retention.
func (s *Pages) SaveRetention(c echo.Context, v frame.Visit) error {
	form, kept := map[dispatch.Keeping]string{}, dispatch.Retention{}
	for _, k := range dispatch.Keepings() {
		form[k] = frame.Short(strings.TrimSpace(c.FormValue(string(k))))
		kept[k], _ = views.TypedNumber(form[k]) // not a number: outside the limits
	}
	if ps := kept.Validate(); len(ps) > 0 {
		return s.showRetentionWith(c, v, form, ps)
	}
	read := dispatch.ParseRetention(c.FormValue("versjon"))
	err := registry.In(s.Store).SaveRetention(frame.Context(c), read, kept, frame.Actor(c, v.User))
	switch {
	case errors.Is(err, store.ErrStale):
		return s.showRetentionWith(c, v, form, staleRetention)
	case errors.Is(err, registry.ErrSecond):
		return s.shortenRetention(c, v, form, read, kept)
	case err != nil:
		return err
	}
	return s.FlashTo(c, RetentionPath, "flash.retention_saved", 0)
}

var staleRetention = dispatch.Problems{{Field: string(dispatch.Keepings()[0]), Key: "problem.stale"}}

// shortenRetention shows what will be deleted, and requests approval by another administrator.
func (s *Pages) shortenRetention(c echo.Context, v frame.Visit, form map[dispatch.Keeping]string, read, kept dispatch.Retention) error {
	now, err := registry.In(s.Store).Retention(frame.Context(c))
	if err != nil {
		return err
	}
	if !maps.Equal(now, read) {
		return s.showRetentionWith(c, v, form, staleRetention)
	}
	a := asked{act: dispatch.ActRetention, section: views.SectionRetention, back: RetentionPath, request: dispatch.ActRequest{Before: read, After: kept}}
	night := dispatch.NextPurge(s.Now())
	goes, err := registry.In(s.Store).PreviewPurge(frame.Context(c), kept, night)
	if err != nil {
		return err
	}
	for _, k := range dispatch.Keepings() {
		a.hidden = append(a.hidden, admin.Hidden{Name: string(k), Value: form[k]})
		if kept[k] != read[k] {
			a.effects = append(a.effects, admin.Because("act.retention.change", "What", i18n.T(frame.Context(c), "retention."+string(k)), "Before", views.Number(read[k]), "After", views.Number(kept[k]), "Count", views.Number(goes[k])))
		}
	}
	a.effects = append(a.effects, admin.Because("act.retention.never_back"))
	a.hidden = append(a.hidden, admin.Hidden{Name: "versjon", Value: read.String()}, admin.Hidden{Name: "bekreft", Value: "true"})
	if c.FormValue("bekreft") != "true" {
		return s.showConfirm(c, v, a, "", nil)
	}
	return s.confirmed(c, v, a)
}
