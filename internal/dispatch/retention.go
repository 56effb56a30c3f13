package dispatch

import (
	"strconv"
	"strings"
	"time"
)

// Keeping is a kind of thing that is kept for some time.
type Keeping string

// The kinds of things.
const (
	KeepDrafts   Keeping = "drafts"   // from their last change
	KeepContent  Keeping = "content"  // texts, forms and files, from when the item came to its end
	KeepIdentity Keeping = "identity" // whom it was to, from then
	KeepRows     Keeping = "rows"     // that it was sent, and the numbers that are made of it
	KeepLog      Keeping = "log"      // the event log
)

// Keepings returns all kinds, in the order in which they are shown.
func Keepings() []Keeping { return []Keeping{KeepDrafts, KeepContent, KeepIdentity, KeepRows, KeepLog} }

// KeepingLimits are how many days a kind is kept unless somebody chooses, and between which numbers they may.
type KeepingLimits struct{ Default, Min, Max int }

// Limits returns the limits of a kind (product description, 4.2).
func (k Keeping) Limits() KeepingLimits {
	switch k {
	case KeepDrafts:
		return KeepingLimits{30, 7, 90}
	case KeepContent:
		return KeepingLimits{90, 30, 365}
	case KeepIdentity:
		return KeepingLimits{365, 90, 1095}
	}
	return KeepingLimits{1095, 365, 3650}
}

// Retention is how many days each kind is kept.
type Retention map[Keeping]int

// DefaultRetention is how long things are kept unless somebody chooses.
func DefaultRetention() Retention {
	r := Retention{}
	for _, k := range Keepings() {
		r[k] = k.Limits().Default
	}
	return r
}

// String writes the days of all kinds in their order: "30 90 365 1095 1095".
func (r Retention) String() string {
	days := make([]string, len(Keepings()))
	for i, k := range Keepings() {
		days[i] = strconv.Itoa(r[k])
	}
	return strings.Join(days, " ")
}

// ParseRetention reads what String writes; of anything else, what it can.
func ParseRetention(text string) Retention {
	r := Retention{}
	days := strings.Fields(text)
	for i, k := range Keepings()[:min(len(days), len(Keepings()))] {
		r[k], _ = strconv.Atoi(days[i]) // what is no number is not what is kept
	}
	return r
}

// Validate tells what cannot be: what is outside the limits, and what would go before what it belongs to.
func (r Retention) Validate() Problems {
	var ps Problems
	for _, k := range Keepings() {
		if l := k.Limits(); r[k] < l.Min || r[k] > l.Max {
			ps = append(ps, Problem{Field: string(k), Key: "problem.retention.days", Args: Args{"N": l.Max, "Each": l.Min}})
		}
	}
	if len(ps) == 0 && (r[KeepContent] > r[KeepIdentity] || r[KeepIdentity] > r[KeepRows]) {
		ps = append(ps, Problem{Field: string(KeepIdentity), Key: "problem.retention.order"})
	}
	return ps
}

// purgeHour is when things are purged, in Oslo: few work then, and backups have been taken.
const purgeHour = 2

// NextPurge returns when things are purged next.
func NextPurge(now time.Time) time.Time {
	y, m, d := now.In(Oslo).Date()
	at := time.Date(y, m, d, purgeHour, 0, 0, 0, Oslo)
	if !at.After(now) {
		at = time.Date(y, m, d+1, purgeHour, 0, 0, 0, Oslo)
	}
	return at
}

// PurgesNow tells whether it is night, and which: things are purged within the three hours after it begins.
func PurgesNow(now time.Time) (night time.Time, ok bool) {
	local := now.In(Oslo)
	y, m, d := local.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), local.Hour() >= purgeHour && local.Hour() < purgeHour+3
}
