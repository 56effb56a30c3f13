package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
	"utsending/internal/store/seeds"
)

const (
	listLarge   = "list-large"
	listFirst   = "list-first"
	listStatus  = "list-status"
	listDeep    = "list-deep"
	leadLarge   = "lead"
	searchLarge = "search"
	searchSmall = "search-small"

	mediumAccount = 10_000
	smallAccount  = 1_000
	// asked is the number of requests per mean.
	asked = 40
)

func largeNames() []string {
	return []string{listLarge, listFirst, listStatus, listDeep, leadLarge, searchLarge, searchSmall}
}

// large are accounts of different sizes in one database.
type large struct{ big, medium, small dispatch.Account }

// measureLarge requests lists and searches in an account with years of items, and in a small one.
func measureLarge(ctx context.Context, s *stage) ([]figure, error) {
	l, err := s.seedLarge(ctx)
	if err != nil {
		return nil, err
	}
	figures, err := s.measureLists(ctx, l)
	if err != nil {
		return nil, err
	}
	searches, err := s.measureSearches(ctx, l)
	return append(figures, searches...), err
}

// seedLarge makes the accounts and what they have sent.
func (s *stage) seedLarge(ctx context.Context) (l large, err error) {
	began := time.Now()
	err = items.In(s.store).Filler.WithoutWords(ctx, func() error {
		for _, one := range []struct {
			account *dispatch.Account
			slug    string
			items   int
		}{{&l.big, "stor", s.o.items}, {&l.medium, "middels", mediumAccount}, {&l.small, "liten", smallAccount}} {
			if *one.account, err = s.fillAccount(ctx, one.slug, one.items); err != nil {
				return err
			}
		}
		return nil
	})
	s.note("%d items were filled in and indexed in %s.", s.o.items+mediumAccount+smallAccount, time.Since(began).Round(time.Second))
	return l, err
}

func (s *stage) fillAccount(ctx context.Context, slug string, n int) (dispatch.Account, error) {
	a := s.sample.account
	a.ID, a.Slug, a.SMSAccountID, a.Name = "", slug, uuid.NewString(), "Konto "+slug
	var err error
	if a.ID, err = registry.In(s.store).Accounts.Save(ctx, a); err != nil {
		return a, err
	}
	for _, role := range []dispatch.Role{dispatch.RoleCaseworker, dispatch.RoleTeamLead} {
		if err := s.store.MapRole(ctx, group, a.ID, role); err != nil {
			return a, err
		}
	}
	return a, items.In(s.store).Filler.Fill(ctx, a.ID, seeds.Items(n, []dispatch.UserID{s.sample.actor.User}, time.Now()))
}

// measureLists requests the first page, one filtered by a status, and one in the middle.
func (s *stage) measureLists(ctx context.Context, l large) (figures []figure, err error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	middle := map[dispatch.AccountID]string{}
	for _, a := range []dispatch.Account{l.big, l.medium} {
		if middle[a.ID], err = s.middle(ctx, a); err != nil {
			return nil, err
		}
	}
	for _, one := range []struct {
		name  string
		query func(dispatch.Account) string
	}{
		{listFirst, func(dispatch.Account) string { return "" }},
		{listStatus, func(dispatch.Account) string { return "?status=" + string(dispatch.StatusDismissed) }},
		{listDeep, func(a dispatch.Account) string { return middle[a.ID] }},
	} {
		took := func(a dispatch.Account) func() (float64, error) {
			return func() (float64, error) { return v.took(ctx, "/k/"+a.Slug+"/utsendinger"+one.query(a)) }
		}
		p, err := inTurn(one.name, s.o.runs, took(l.big), took(l.medium))
		if err != nil {
			return nil, err
		}
		figures = append(figures, p.figure(one.name, "ms", atMost(1.25)))
	}
	lead, err := s.measureLead(ctx, v, l)
	if err != nil {
		return nil, err
	}
	f, err := s.measureLargePage(ctx, v, l.big)
	return append(figures, lead, f), err
}

// measureLead requests the team lead's page of a month, after the counts have been folded as delivery does.
func (s *stage) measureLead(ctx context.Context, v *visitor, l large) (figure, error) {
	if err := lists.In(s.store).Statistics.Fold(ctx); err != nil {
		return figure{}, err
	}
	took := func(a dispatch.Account) func() (float64, error) {
		return func() (float64, error) { return v.mean(ctx, "/k/"+a.Slug+"/ledelse?periode=30") }
	}
	p, err := inTurn(leadLarge, s.o.runs, took(l.big), took(l.medium))
	return p.figure(leadLarge, "ms", atMost(1.25)), err
}

// middle is the query string of a list's middle.
func (s *stage) middle(ctx context.Context, a dispatch.Account) (string, error) {
	var at time.Time
	var id string
	err := s.db.QueryRowContext(ctx, `
		SELECT created_at, item_id FROM listed WHERE account_id = $1
		ORDER BY created_at DESC, item_id DESC OFFSET (SELECT count(*) / 2 FROM listed WHERE account_id = $1) LIMIT 1`, a.ID).Scan(&at, &id)
	return fmt.Sprintf("?eldre=%d_%s", at.UnixMicro(), id), err
}

// took is the time of one request in milliseconds.
func (v *visitor) took(ctx context.Context, path string) (float64, error) {
	body, err := v.page(ctx, path) // the first request warms up
	if err != nil {
		return 0, err
	}
	if rows := strings.Count(body, "main-link"); rows < rowsShown {
		return 0, fmt.Errorf("%s shows %d rows, not %d", path, rows, rowsShown)
	}
	return v.mean(ctx, path)
}

// mean is the mean time of some requests, in milliseconds.
func (v *visitor) mean(ctx context.Context, path string) (float64, error) {
	began := time.Now()
	for range asked {
		if _, err := v.page(ctx, path); err != nil {
			return 0, err
		}
	}
	return time.Since(began).Seconds() * 1000 / asked, nil
}

// measureLargePage requests the first page with several clients; the reference serves the same bytes from memory.
func (s *stage) measureLargePage(ctx context.Context, v *visitor, a dispatch.Account) (figure, error) {
	path := "/k/" + a.Slug + "/utsendinger"
	body, err := v.page(ctx, path)
	if err != nil {
		return figure{}, err
	}
	bare, err := startServer(ctx, "page", pageJob{body})
	if err != nil {
		return figure{}, err
	}
	defer bare.stop()
	p, err := s.measurePages(ctx, page{s.address + path, v.cookie, len(body)}, page{bare.address + "/", "", len(body)})
	s.note("%s is %s with %d rows of %d, %d bytes, %d clients.", listLarge, path, rowsShown, s.o.items, len(body), visitors)
	return p.figure(listLarge, "pages/s", atLeast(0.06)), err
}

// searches are the search terms: prefixes, any order, æ, ø and å, common and rare names, and one without a result.
func searches() [][]string {
	last := strings.ToLower(seeds.LastName(12_345))
	return [][]string{
		{last, "åse"}, {"åse", last[:5]}, {"ol", "bjar"}, {"håk"}, {"o"}, {"xyzzy"}, {"ærlend", "øystein", last}, {"bø", "ø"}, {"skoleskyss", "kari", "bj"},
	}
}

// measureSearches searches names in the largest and in the smallest account. The reference scans for a rare name without an index.
func (s *stage) measureSearches(ctx context.Context, l large) ([]figure, error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	scan, stop, err := s.scanning(ctx, l.big)
	if err != nil {
		return nil, err
	}
	defer stop()
	var figures []figure
	for _, one := range []struct {
		name    string
		account dispatch.Account
		most    float64
	}{{searchLarge, l.big, 0.1}, {searchSmall, l.small, 0.02}} {
		worst, err := s.worstSearch(ctx, one.name, one.account, scan)
		if err != nil {
			return nil, err
		}
		figures = append(figures, worst.figure(one.name, "ms", atMost(one.most)))
	}
	return figures, nil
}

// worstSearch is the slowest of the searches.
func (s *stage) worstSearch(ctx context.Context, name string, a dispatch.Account, scan func() (float64, error)) (worst pairs, err error) {
	for _, words := range searches() {
		hits := 0
		p, err := inTurn(name+" «"+strings.Join(words, " ")+"»", s.o.runs, func() (float64, error) {
			began := time.Now()
			rows, _, _, err := lists.In(s.store).Items.List(ctx, a.ID, lists.ListQuery{
				Viewer: s.sample.actor.User, Search: &lists.Search{Words: words}, Page: store.Page{Limit: rowsShown},
			})
			hits = len(rows)
			return time.Since(began).Seconds() * 1000, err
		}, scan)
		if err != nil {
			return worst, err
		}
		progress("%s: %d rows", strings.Join(words, " "), hits)
		if len(worst.ours) == 0 || median(p.ours)/median(p.reference) > median(worst.ours)/median(worst.reference) {
			worst = p
		}
	}
	return worst, nil
}

// scanning prepares a sequential scan of all search terms of an account, in a table without indexes, by one process.
func (s *stage) scanning(ctx context.Context, a dispatch.Account) (scan func() (float64, error), stop func(), err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	stop = func() { _ = conn.Close() }
	for _, statement := range []string{
		`DROP TABLE IF EXISTS scanned`, `SET max_parallel_workers_per_gather = 0`,
		`CREATE UNLOGGED TABLE scanned AS SELECT account_id, item_id, created_at, words FROM shipments WHERE words <> ''`, `VACUUM (ANALYZE) scanned`,
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			stop()
			return nil, nil, err
		}
	}
	words := searches()[0]
	return func() (float64, error) {
		began := time.Now()
		var first string
		err := conn.QueryRowContext(ctx, `
			SELECT item_id FROM scanned WHERE account_id = $1 AND words LIKE $2 AND words LIKE $3
			ORDER BY created_at DESC, item_id DESC LIMIT 1`, a.ID, "% "+words[0]+"%", "% "+words[1]+"%").Scan(&first)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return time.Since(began).Seconds() * 1000, err
	}, stop, nil
}
