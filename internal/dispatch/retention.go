package dispatch

import (
	"strconv"
	"strings"
	"time"
)

// Keeping is a category of data with a retention time.
type Keeping string

// The categories.
const (
	KeepDrafts   Keeping = "drafts"   // after their last change
	KeepContent  Keeping = "content"  // texts, forms and files, after the item ended
	KeepIdentity Keeping = "identity" // recipients, after the item ended
	KeepRows     Keeping = "rows"     // that an item was sent, and the statistics
	KeepLog      Keeping = "log"      // the event log
)

// Keepings returns all categories, in the order in which they are shown.
func Keepings() []Keeping { return []Keeping{KeepDrafts, KeepContent, KeepIdentity, KeepRows, KeepLog} }

// KeepingLimits are the default, smallest and largest retention in days.
type KeepingLimits struct{ Default, Min, Max int }

// Limits returns the limits of a category (product description, 4.2).
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

// Retention is the retention of each category in days.
type Retention map[Keeping]int

// DefaultRetention returns the defaults.
func DefaultRetention() Retention {
	r := Retention{}
	for _, k := range Keepings() {
		r[k] = k.Limits().Default
	}
	return r
}

// String formats the days of all categories in order: "30 90 365 1095 1095".
func (r Retention) String() string {
	days := make([]string, len(Keepings()))
	for i, k := range Keepings() {
		days[i] = strconv.Itoa(r[k])
	}
	return strings.Join(days, " ")
}

// ParseRetention parses the result of String; categories that cannot be parsed are left out or zero.
func ParseRetention(text string) Retention {
	r := Retention{}
	days := strings.Fields(text)
	for i, k := range Keepings()[:min(len(days), len(Keepings()))] {
		r[k], _ = strconv.Atoi(days[i]) // not a number: zero
	}
	return r
}

// ChangesFrom returns the times that differ from an earlier retention, for the event log.
func (r Retention) ChangesFrom(before Retention) (list []SettingChange) {
	for _, k := range Keepings() {
		was, known := before[k]
		if is, ok := r[k]; ok && known { // an earlier release knew fewer categories
			list = append(list, ChangedSetting(k.Label(), strconv.Itoa(was), strconv.Itoa(is))...)
		}
	}
	return list
}

// Label is the catalogue key of the category's name.
func (k Keeping) Label() string { return "retention." + string(k) }

// Validate returns the problems: days outside the limits, and data that would be purged before data that refers to
// it.
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

// purgeHour is the hour in Oslo at which purging begins: few people work, and backups are done.
const purgeHour = 2

// NextPurge returns when the next purge begins.
func NextPurge(now time.Time) time.Time {
	y, m, d := now.In(Oslo).Date()
	at := time.Date(y, m, d, purgeHour, 0, 0, 0, Oslo)
	if !at.After(now) {
		at = time.Date(y, m, d+1, purgeHour, 0, 0, 0, Oslo)
	}
	return at
}

// PurgesNow tells whether it is time to purge, within three hours of the beginning, and for which night.
func PurgesNow(now time.Time) (night time.Time, ok bool) {
	local := now.In(Oslo)
	y, m, d := local.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), local.Hour() >= purgeHour && local.Hour() < purgeHour+3
}

// ContentEnd tells when the content of an item is deleted.
type ContentEnd struct {
	At   time.Time // zero: it is not known, or never
	Gone bool      // it is deleted
}

// contentSoon is how long before its deletion the worklist tells when content is deleted.
const contentSoon = 14 * 24 * time.Hour

// Due tells whether the time of the content is over on the day of Oslo, so that the next deletion takes it.
func (e ContentEnd) Due(now time.Time) bool {
	return !e.Gone && !e.At.IsZero() && DaysAfter(now, e.At) == 0
}

// Soon tells whether the content goes within two weeks.
func (e ContentEnd) Soon(now time.Time) bool {
	return !e.Gone && !e.At.IsZero() && e.At.Before(now.Add(contentSoon))
}
