package admin

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
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
	err := registry.In(s.Store).SaveRetention(frame.Context(c), dispatch.ParseRetention(c.FormValue("versjon")), kept, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrStale) {
		return s.showRetentionWith(c, v, form, dispatch.Problems{{Field: string(dispatch.Keepings()[0]), Key: "problem.stale"}})
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, RetentionPath, "flash.done", 0)
}
