package dispatch

// Quota is an account's use of SMS segments this month in Oslo, and its limit.
type Quota struct {
	Used  int
	Limit int // 0: none
}

// QuotaLevel tells how close the quota is to its limit.
type QuotaLevel string

// The levels of a quota.
const (
	QuotaFine QuotaLevel = ""
	QuotaNear QuotaLevel = "near" // 80 % or more
	QuotaFull QuotaLevel = "full" // the next message does not fit
)

// quotaWarnAt is the percentage of the limit from which people are warned.
const quotaWarnAt = 80

// Level returns the level for sending so many segments more.
func (q Quota) Level(parts int) QuotaLevel {
	switch {
	case q.Limit == 0:
		return QuotaFine
	case !q.Fits(parts):
		return QuotaFull
	case q.Used*100 >= q.Limit*quotaWarnAt:
		return QuotaNear
	}
	return QuotaFine
}

// Fits tells whether so many segments more may be sent. At the limit nothing more may.
func (q Quota) Fits(parts int) bool { return q.Limit == 0 || q.Used+max(parts, 1) <= q.Limit }

// Left is how many segments remain, if there is a limit.
func (q Quota) Left() int { return max(q.Limit-q.Used, 0) }
