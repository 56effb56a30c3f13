package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	listPage = "list-page"
	// rowsShown is how many rows a list shows.
	rowsShown = 50
	// visitors is the number of parallel clients.
	visitors = 8
	// loadTime is the duration of a load.
	loadTime = 2 * time.Second
)

// pageJob is the page that a child serves from memory.
type pageJob struct{ Body string }

// measureList requests the list of shipments, or of SMS if there are none, after login; the reference serves the same bytes from
// memory.
func measureList(ctx context.Context, s *stage) ([]figure, error) {
	if err := s.seedShipments(ctx); err != nil {
		return nil, err
	}
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	path, body, err := s.wholeList(ctx, v)
	if err != nil {
		return nil, err
	}
	bare, err := startServer(ctx, "page", pageJob{body})
	if err != nil {
		return nil, err
	}
	defer bare.stop()
	p, err := s.measurePages(ctx, page{s.address + path, v.cookie, len(body)}, page{bare.address + "/", "", len(body)})
	if err != nil {
		return nil, err
	}
	s.note("%s is %s with %d rows of %d, %d bytes, %d clients.", listPage, path, rowsShown, seededRows, len(body), visitors)
	return []figure{p.figure(listPage, "pages/s", atLeast(0.06))}, nil
}

// measurePages requests both in turn, after a warm-up.
func (s *stage) measurePages(ctx context.Context, ours, bare page) (pairs, error) {
	if err := s.settle(ctx); err != nil {
		return pairs{}, err
	}
	for _, p := range []page{ours, bare} {
		if _, err := load(ctx, p, visitors, loadTime/4); err != nil {
			return pairs{}, err
		}
	}
	return inTurn(listPage, s.o.runs,
		func() (float64, error) { return load(ctx, ours, visitors, loadTime) },
		func() (float64, error) { return load(ctx, bare, visitors, loadTime) })
}

// wholeList finds the list to measure and returns its page.
func (s *stage) wholeList(ctx context.Context, v *visitor) (path, body string, err error) {
	path = "/k/" + slug + "/forsendelser"
	body, err = v.page(ctx, path)
	if errors.Is(err, errNoPage) {
		if err := s.seedSMS(ctx); err != nil {
			return "", "", err
		}
		path = "/k/" + slug + "/sms"
		body, err = v.page(ctx, path)
		s.note("there is no list of shipments in %s: the list of SMS is measured.", s.o.web)
	}
	if rows := strings.Count(body, `href="`+path+"/"); err == nil && rows < rowsShown {
		err = fmt.Errorf("%s shows %d rows, not %d", path, rows, rowsShown)
	}
	return path, body, err
}

var errNoPage = errors.New("no such page")

// page returns a page as a browser without compression gets it.
func (v *visitor) page(ctx context.Context, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.s.address+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Cookie", v.cookie)
	a, err := v.send(req)
	switch {
	case a.Response != nil && a.StatusCode == http.StatusNotFound:
		return "", errNoPage
	case err == nil && a.StatusCode != http.StatusOK:
		err = fmt.Errorf("%s answers %s", path, a.Status)
	}
	return a.body, err
}
