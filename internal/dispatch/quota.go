package dispatch

// Quota is how many SMS parts an account has used this month in Oslo, and how many it may.
type Quota struct {
	Used  int
	Limit int // 0: none
}

// QuotaLevel tells how near the limit is.
type QuotaLevel string

// The levels of a quota.
const (
	QuotaFine QuotaLevel = ""
	QuotaNear QuotaLevel = "near" // 80 % or more
	QuotaFull QuotaLevel = "full" // the next message does not fit
)

// quotaWarnAt is from how many hundredths of the limit people are warned.
const quotaWarnAt = 80

// Level tells what is to be said before parts more are sent.
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

// Fits tells whether so many parts more may be sent. At the limit nothing more may.
func (q Quota) Fits(parts int) bool { return q.Limit == 0 || q.Used+max(parts, 1) <= q.Limit }

// Left is how many parts remain, when there is a limit.
func (q Quota) Left() int { return max(q.Limit-q.Used, 0) }
