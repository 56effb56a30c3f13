package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// ReviewPage shows all roles, and the reviews of them.
type ReviewPage struct {
	views.Page
	Holdings []dispatch.Holding // by account
	Reviews  []dispatch.AccessReview
	Signs    bool // the user may sign a review
	Note     string
}

// HoldingsMark is a hash of all roles, without their latest use: it changes when somebody gains or loses a role.
func HoldingsMark(list []dispatch.Holding) string {
	sum := sha256.New()
	for _, h := range list {
		fmt.Fprintf(sum, "%q %q %q %q\n", h.Account.ID, h.Role, h.Claim, h.Person)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// CountPeople counts those who have a role.
func CountPeople(list []dispatch.Holding) int {
	names := map[string]bool{}
	for _, h := range list {
		if h.Person != "" {
			names[h.Person] = true
		}
	}
	return len(names)
}

// unused are the roles that nobody with the value, or not this person, has used for half a year.
func (p ReviewPage) unused() []dispatch.Holding {
	return slices.DeleteFunc(slices.Clone(p.Holdings), func(h dispatch.Holding) bool { return !h.Unused(p.Now) })
}

// unheld tells whether nobody has logged in with the value of some role.
func (p ReviewPage) unheld() bool {
	return slices.ContainsFunc(p.Holdings, func(h dispatch.Holding) bool { return h.Person == "" })
}

// lead says what the page is for: administrators review, auditors read.
func (p ReviewPage) lead(ctx context.Context) string {
	if p.Signs {
		return i18n.T(ctx, "review.lead")
	}
	return i18n.T(ctx, "review.lead.reads")
}

// latest is the latest review; zero: none yet.
func (p ReviewPage) latest() (r dispatch.AccessReview) {
	if len(p.Reviews) > 0 {
		r = p.Reviews[0]
	}
	return r
}

// reviewStanding tells when the review after the latest one is due.
func reviewStanding(ctx context.Context, latest dispatch.AccessReview, now time.Time) string {
	switch {
	case latest.At.IsZero():
		return i18n.T(ctx, "review.never")
	case latest.Overdue(now):
		return i18n.T(ctx, "review.overdue", "When", views.DateText(ctx, latest.At))
	}
	return i18n.T(ctx, "review.next", "When", views.DateText(ctx, latest.ReviewDue()))
}

// ofAccount are the roles on one account.
type ofAccount struct {
	Name     string
	ID       string // anchor of the heading
	Holdings []dispatch.Holding
	Nobodys  []dispatch.Holding // of values with which nobody has logged in
}

// byAccount groups the roles by account.
func (p ReviewPage) byAccount(ctx context.Context) []ofAccount {
	var list []ofAccount
	for i, h := range p.Holdings {
		if i == 0 || p.Holdings[i-1].Account.ID != h.Account.ID {
			list = append(list, ofAccount{Name: placeOf(ctx, h), ID: "konto-" + h.Account.Slug})
		}
		last := &list[len(list)-1]
		if h.Person == "" {
			last.Nobodys = append(last.Nobodys, h)
		} else {
			last.Holdings = append(last.Holdings, h)
		}
	}
	return list
}

// placeOf names where a role applies.
func placeOf(ctx context.Context, h dispatch.Holding) string {
	if h.Account.ID == "" {
		return i18n.T(ctx, "rights.everywhere")
	}
	return h.Account.Name
}

// holder names who has a role.
func holder(ctx context.Context, h dispatch.Holding) string {
	if h.Person == "" {
		return i18n.T(ctx, "review.nobody")
	}
	return h.Person
}

// lastly formats the day of something in a table, today with the time of day; else the word for none.
func lastly(ctx context.Context, t, now time.Time) string {
	if t.IsZero() {
		return i18n.T(ctx, "review.act.none")
	}
	return views.Capitalized(dayOrNear(ctx, t, now))
}

// dayOrNear formats a day, today with the time of day.
func dayOrNear(ctx context.Context, t, now time.Time) string {
	if views.TypedDate(t) == views.TypedDate(now) {
		return views.Near(ctx, t, now)
	}
	return views.TableDate(ctx, t)
}
