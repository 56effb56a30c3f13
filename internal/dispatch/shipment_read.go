package dispatch

import (
	"strings"
	"time"
)

// ReadElsewhere reports that a shipment was read outside the service (Shipment spec, LestAv).
type ReadElsewhere struct {
	NationalID NationalID // who read it
	System     string     // where
	At         time.Time
}

// Fields of the report; the form uses the same names.
const (
	FieldReader      = "leser"
	FieldReadDay     = "lest-dag"
	FieldReadTime    = "lest-kl"
	FieldReadSystem  = "lest-system"
	FieldReadConfirm = "bekreft"
)

// Validate returns the problems that keep the report from being sent, for a shipment accepted at a time.
func (r ReadElsewhere) Validate(accepted, now time.Time) Problems {
	var ps Problems
	_, p := ParseNationalID(FieldReader, r.NationalID.Reveal())
	ps.add(p)
	switch {
	case r.At.After(now):
		ps.add(&Problem{Field: FieldReadDay, Key: "problem.read.future"})
	case r.At.Before(accepted.Truncate(time.Minute)): // the form has whole minutes
		ps.add(&Problem{Field: FieldReadDay, Key: "problem.read.early"})
	}
	if strings.TrimSpace(r.System) == "" {
		ps.add(&Problem{Field: FieldReadSystem, Key: "problem.read.system"})
	}
	return ps
}

// ParseReadAt parses when a shipment was read. Of a time that occurs twice, when summer time ends, the first is
// taken.
func ParseReadAt(day, clock string) (time.Time, Problems) {
	var ps Problems
	date, ok := ParseDay(day)
	if !ok {
		ps.add(DayProblem(FieldReadDay, day))
	}
	minutes, ok := ParseClock(clock)
	if !ok || minutes == dayMinutes {
		ps.add(&Problem{Field: FieldReadTime, Key: "problem.clock"})
	}
	if len(ps) > 0 {
		return time.Time{}, ps
	}
	return wall(date, minutes), nil
}

// MayMarkRead tells whether reading can be reported to the service: it has accepted the item, and lists it neither as read
// nor as ended before anybody could read it. Who reads in the health network is not for us to say.
func (it ShipmentItem) MayMarkRead() bool {
	return it.Health == nil && it.State == StateAccepted && it.UpstreamID != "" && it.Status.Of(it.Kind).Meaning != MeaningRead && !it.EndedBadly()
}
