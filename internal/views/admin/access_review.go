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

// ReviewPage shows who has what, and who has signed for it.
type ReviewPage struct {
	views.Page
	Holdings []dispatch.Holding // by account
	Reviews  []dispatch.AccessReview
	Signs    bool // the viewer may sign
	Note     string
}

// HoldingsMark is a mark of who has what: another one when somebody has got or lost something. When they used it last is
// not in it.
func HoldingsMark(list []dispatch.Holding) string {
	sum := sha256.New()
	for _, h := range list {
		fmt.Fprintf(sum, "%q %q %q %q\n", h.Account.ID, h.Role, h.Claim, h.Person)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// overdue tells whether the last sign-off is more than half a year old.
func (p ReviewPage) overdue() bool {
	return len(p.Reviews) == 0 || p.Reviews[0].ReviewDue().Before(p.Now)
}

// standing says when the next sign-off is due.
func (p ReviewPage) standing(ctx context.Context) string {
	switch {
	case len(p.Reviews) == 0:
		return i18n.T(ctx, "review.never")
	case p.overdue():
		return i18n.T(ctx, "review.overdue", "When", views.DateText(ctx, p.Reviews[0].At))
	}
	return i18n.T(ctx, "review.next", "When", views.DateText(ctx, p.Reviews[0].ReviewDue()))
}

// ofAccount are the holdings of one account.
type ofAccount struct {
	Name     string
	ID       string // of the heading
	Holdings []dispatch.Holding
}

// byAccount are the holdings, account by account.
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

// dayOr is a day in a table, or a word for none.
func dayOr(ctx context.Context, t time.Time) string {
	if t.IsZero() {
		return i18n.T(ctx, "review.none")
	}
	return views.TableDate(t)
}
