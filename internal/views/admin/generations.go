package admin

import (
	"context"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Readiness is the result of the test whether an account can move its shipments, and what will be different.
type Readiness struct {
	Trial        TrialResult
	From, To     dispatch.Generation // zero: the generation stays
	Lost, Gained []string            // fields, by their names in the domain's table
	Rules        []dispatch.MoveChange
	Unready      dispatch.Problems // of the account, that would stop every new shipment
	Stay         int               // queued shipments that stay on the old integration, since the new generation cannot send them
}

// fieldKey is the catalogue key of a field that is lost or gained: by whom it concerns, where generations differ in that.
func (r Readiness) fieldKey(field string) string {
	key := "generations.field." + field
	if field != dispatch.FieldArchiveIDs {
		return key
	}
	switch differ := r.From.Addressees(field) ^ r.To.Addressees(field); {
	case differ == dispatch.ToOrganization:
		return key + ".organization"
	case differ&dispatch.ToOrganization == 0:
		return key + ".others"
	}
	return key
}

// Ready tells whether the account can move.
func (r Readiness) Ready() bool { return len(r.Trial.Steps) > 0 && r.Trial.Failed() == "" }

// GenerationsPage shows which accounts use which generation of the shipment service, and moves several at once.
type GenerationsPage struct {
	views.Page
	Rows         []GenerationRow
	Integrations []dispatch.Integration
	Chosen       []string // slugs of accounts
	To           dispatch.Integration
	Tried        []Move
	Already      []AccountLine // chosen accounts that use the integration already
}

// Move is an account to move, with the result of its readiness test.
type Move struct {
	Row AccountLine
	Readiness
	Problems dispatch.Problems // why the test was not run
}

// Ready tells whether one of the accounts can move.
func (p GenerationsPage) Ready() bool {
	for _, t := range p.Tried {
		if t.Ready() {
			return true
		}
	}
	return false
}

// readyOnes are the accounts that can move.
func (p GenerationsPage) readyOnes() []Move {
	var list []Move
	for _, t := range p.Tried {
		if t.Ready() {
			list = append(list, t)
		}
	}
	return list
}

// GenerationRow is one account with the generation that it uses.
type GenerationRow struct {
	AccountLine
	SentAt time.Time                // when its last shipment was handed over; zero: not recently
	Whole  bool                     // all its shipments have been looked at
	Last   dispatch.IntegrationKind // integration of that shipment
	Chosen bool
}

// over is a kind of integration in words.
func over(ctx context.Context, k dispatch.IntegrationKind) string {
	if k == "" {
		return i18n.T(ctx, "account.no_channel")
	}
	return i18n.T(ctx, "delivery.kind."+string(k))
}

// ending is a generation with a known last day, and its remaining users.
type ending struct {
	kind  dispatch.IntegrationKind
	day   time.Time
	left  int // days; negative: it is over
	users int // accounts
}

// endings are the generations with a known last day.
func (p GenerationsPage) endings() []ending {
	accounts := make([]dispatch.Account, len(p.Rows))
	for i, r := range p.Rows {
		accounts[i] = r.Account
	}
	return endings(accounts, p.Now)
}

// nearEndings are the generations in use whose last day is a near deadline. No alarm is about them: everybody knows the day.
func nearEndings(accounts []dispatch.Account, now time.Time) []ending {
	return slices.DeleteFunc(endings(accounts, now), func(e ending) bool {
		_, _, near := dispatch.Deadline(e.day, now)
		return e.users == 0 || !near
	})
}

func endings(accounts []dispatch.Account, now time.Time) (list []ending) {
	for _, g := range dispatch.GenerationRows() {
		e, ends := endingOf(g.Kind, now)
		if !ends {
			continue
		}
		for _, a := range accounts {
			if a.ShipmentKind == g.Kind {
				e.users++
			}
		}
		list = append(list, e)
	}
	return list
}

// endingOf is the last day of a kind of integration, if one is known.
func endingOf(k dispatch.IntegrationKind, now time.Time) (ending, bool) {
	day := k.Row().Ends
	return ending{kind: k, day: day, left: dispatch.DaysUntil(day, now)}, !day.IsZero()
}

// text tells when it ends, or should have ended.
func (e ending) text(ctx context.Context) string {
	if e.left >= 0 {
		return i18n.T(ctx, "generations.ends", "N", e.left, "What", over(ctx, e.kind), "When", views.SentenceDate(ctx, e.day))
	}
	return i18n.T(ctx, "generations.ended", "What", over(ctx, e.kind), "When", views.SentenceDate(ctx, e.day))
}

// look is the tag of the generation that an account uses.
func (r GenerationRow) generationLook(ctx context.Context, now time.Time) views.Look {
	row := r.ShipmentKind.Row()
	l := views.Look{Word: over(ctx, r.ShipmentKind), Color: "neutral", Icon: "Buildings3"}
	switch {
	case row.Generation == 0:
	case !row.Ends.IsZero():
		l.Color, l.Icon = "warning", "ExclamationmarkTriangle"
	case row.Generation == dispatch.Newest():
		l.Color, l.Icon = "success", "CheckmarkCircle"
	}
	return l
}
