package frame

import (
	"net/http"
	"strings"
	"unicode"
	"utsending/internal/text"
	"utsending/internal/views"

	"github.com/labstack/echo/v4"
)

// flashColor is the colour of the message with a key.
func flashColor(key string) string {
	switch key {
	case "flash.act_asked", "flash.refusal_kept", "flash.retention_part", "flash.retention_same":
		return "info"
	case "flash.changed", "flash.shipment_changed", "flash.already_sent", "flash.too_late", "flash.reconcile_goes_on", "flash.template_changed",
		"flash.job_already_sent", "flash.job_nobody", "flash.nobody_left", "flash.not_sent", "flash.quota", "flash.budget", "flash.filter_many", "flash.follow_up_none",
		"flash.export_many", "flash.bulk_none", "flash.bulk_many", "flash.bulk_nobody", "flash.shipments_faulty", "flash.hand_over_late", "flash.rows_fixed_none", "flash.marks", "flash.waiting", "flash.template_waits", "flash.approval_decided":
		return "warning"
	}
	return "success"
}

// tellMarked shows the fields from which bidirectional marks were removed, old and new, on this page or the one that
// it redirects to.
func (s *Frame) tellMarked(c echo.Context, changes []views.Change) {
	f := views.Flash{Key: "flash.marks", N: len(changes), Color: flashColor("flash.marks"), Changes: inWords(changes)}
	c.Set(markedKey, f)
	c.Response().Before(func() {
		if c.Response().Status == http.StatusSeeOther {
			s.Session.SetFlash(Context(c), f.Key, f.N)
			s.Session.SetFlashChanges(Context(c), f.Changes)
		}
	})
}

// inWords spells changes out, with invisible characters made readable. Values that may hold a person's number are
// left out: numbers are masked everywhere else.
func inWords(changes []views.Change) (told []views.Change) {
	for _, c := range changes {
		digits := strings.Count(strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '0'
			}
			return r
		}, text.Compared(c.Is)), "0")
		if digits < 8 && len(told) < changesTold {
			told = append(told, views.Change{Was: text.Repaired(spelledOut(c.Was), 200), Is: text.Repaired(c.Is, 200)})
		}
	}
	return told
}

// markedKey is the context key of the flash about removed marks.
const markedKey = "marked"
