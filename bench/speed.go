package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"utsending/internal/browsertest"
	"utsending/internal/store/registry"
)

// The figures of pages in a browser on a slow line. Their references are limits.
const (
	firstWeight   = "page-first"
	firstRequests = "page-requests"
	laterWeight   = "page-next"
	layoutShift   = "page-shift"
	clickTime     = "page-click"
)

// mainPages are the pages that are looked at; the largest paint of those with a name is a figure of its own.
func mainPages(item, letter string) []mainPage {
	k := "/k/" + slug
	return []mainPage{
		{k + "/", "page-start"}, {k + "/forsendelser", "page-list"}, {item, "page-item"}, {letter, "page-letter"},
		{k + "/sms", ""}, {k + "/sms/ny", ""}, {k + "/sms/ny/flere", ""}, {k + "/oppfolging", ""}, {k + "/oppslag", ""}, {"/hjelp", ""},
	}
}

type mainPage struct{ path, paint string }

func speedNames() []string {
	names := []string{firstWeight, firstRequests, laterWeight}
	for _, p := range mainPages("", "") {
		if p.paint != "" {
			names = append(names, p.paint)
		}
	}
	return append(names, layoutShift, clickTime)
}

// measureSpeed visits the main pages with the colours of a municipality, each in a browser that has seen none before, then once more.
// Of weights, shifts and clicks the page with the worst median counts.
func measureSpeed(ctx context.Context, s *stage) ([]figure, error) {
	for _, step := range []func(context.Context) error{s.seedShipments, s.seedSMS, s.dress, s.settle} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	pages, err := s.findPages(ctx, v)
	if err != nil {
		return nil, err
	}
	tabs, stop, err := browsertest.Launch(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	runs := map[string]map[string][]float64{} // by figure and page
	for run := range s.o.runs {
		for _, p := range pages {
			seen, err := look(tabs, s.address+p.path, v.cookie)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.path, err)
			}
			progress("%s %d/%d: %s", masked(p.path), run+1, s.o.runs, seen)
			for name, value := range seen.values(p.paint) {
				if runs[name] == nil {
					runs[name] = map[string][]float64{}
				}
				runs[name][p.path] = append(runs[name][p.path], value)
			}
		}
	}
	s.note("pages: a processor %d times slower, %.1f Mbit/s, %s.", slower, float64(lineSpeed)*8/1e6, lineDelay)
	var figures []figure
	for _, name := range speedNames() {
		path, values := slowest(runs[name])
		l := limitOf(name)
		figures = append(figures, against(l.limit, values).figure(name, l.unit, atMost(1)))
		s.note("%s is that of %s.", name, masked(path))
	}
	return figures, nil
}

// slowest is the page with the greatest median.
func slowest(runs map[string][]float64) (path string, values []float64) {
	for p, v := range runs {
		if values == nil || median(v) > median(values) {
			path, values = p, v
		}
	}
	return path, values
}

type limit struct {
	limit float64
	unit  string
}

func limitOf(name string) limit {
	switch name {
	case firstWeight:
		return limit{110, "kB"}
	case firstRequests:
		return limit{8, "requests"}
	case laterWeight:
		return limit{12, "kB"}
	case layoutShift:
		return limit{50, "thousandths"}
	case clickTime:
		return limit{100, "ms"}
	}
	return limit{1500, "ms"} // a largest paint
}

var shipmentLink = regexp.MustCompile(`href="(/k/` + slug + `/forsendelser/[0-9a-f-]{36})"`)

// dress gives the pages a municipality's name and colours.
func (s *stage) dress(ctx context.Context) error {
	theme, err := registry.In(s.store).Themes.Current(ctx)
	if err != nil {
		return err
	}
	theme.Name, theme.Light, theme.Dark = "Fjordvik herad", "#7a1f3d", "#e29ab3"
	return registry.In(s.store).Themes.Save(ctx, theme, s.sample.actor)
}

// findPages makes a draft, and returns the main pages.
func (s *stage) findPages(ctx context.Context, v *visitor) ([]mainPage, error) {
	body, err := v.page(ctx, "/k/"+slug+"/forsendelser")
	if err != nil {
		return nil, err
	}
	item := shipmentLink.FindStringSubmatch(body)
	if item == nil {
		return nil, errors.New("the list leads to no shipment")
	}
	draft, err := v.draft(ctx)
	return mainPages(item[1], "/k/"+slug+"/utkast/"+string(draft)), err
}

// masked is a path without the id at its end.
func masked(path string) string {
	at := strings.LastIndex(path, "/")
	if _, err := uuid.Parse(path[at+1:]); err != nil {
		return path
	}
	return path[:at] + "/…"
}

// visitLimit is how long one page may take before something hangs.
const visitLimit = 2 * time.Minute
