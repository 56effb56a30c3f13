package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// overdue tells whether the last review is more than half a year old.
func (p ReviewPage) overdue() bool {
	return len(p.Reviews) == 0 || p.Reviews[0].ReviewDue().Before(p.Now)
}

// standing tells when the next review is due.
func (p ReviewPage) standing(ctx context.Context) string {
	switch {
	case len(p.Reviews) == 0:
		return i18n.T(ctx, "review.never")
	case p.overdue():
		return i18n.T(ctx, "review.overdue", "When", views.DateText(ctx, p.Reviews[0].At))
	}
	return i18n.T(ctx, "review.next", "When", views.DateText(ctx, p.Reviews[0].ReviewDue()))
}

// ofAccount are the roles on one account.
type ofAccount struct {
	Name     string
	ID       string // anchor of the heading
	Holdings []dispatch.Holding
}

// byAccount groups the roles by account.
func (p ReviewPage) byAccount(ctx context.Context) []ofAccount {
	var list []ofAccount
	for i, h := range p.Holdings {
		if i == 0 || p.Holdings[i-1].Account.ID != h.Account.ID {
			of := ofAccount{Name: h.Account.Name, ID: "konto-" + h.Account.Slug}
			if h.Account.ID == "" {
				of.Name = i18n.T(ctx, "rights.everywhere")
			}
			list = append(list, of)
		}
		last := &list[len(list)-1]
		last.Holdings = append(last.Holdings, h)
	}
	return list
}

// dayOr formats a day in a table, or the word for none.
func dayOr(ctx context.Context, t time.Time) string {
	if t.IsZero() {
		return i18n.T(ctx, "review.none")
	}
	return views.TableDate(t)
}
