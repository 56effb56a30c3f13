package dispatch

import (
	"strings"
	"time"
)

// ReadElsewhere tells that a shipment was read outside the service (Shipment spec, LestAv).
type ReadElsewhere struct {
	NationalID NationalID // who read it
	System     string     // where
	At         time.Time
}

// Fields of what tells that a shipment was read; the form uses the same names.
const (
	FieldReader      = "leser"
	FieldReadDay     = "lest-dag"
	FieldReadTime    = "lest-kl"
	FieldReadSystem  = "lest-system"
	FieldReadConfirm = "bekreft"
)

// Validate returns what keeps a reading of a shipment, which the service accepted at a time, from being told.
func (r ReadElsewhere) Validate(accepted, now time.Time) Problems {
	var ps Problems
	_, p := ParseNationalID(FieldReader, r.NationalID.Reveal())
	ps.add(p)
	switch {
	case r.At.After(now):
		ps.add(&Problem{Field: FieldReadDay, Key: "problem.read.future"})
	case r.At.Before(accepted.Truncate(time.Minute)): // people type minutes
		ps.add(&Problem{Field: FieldReadDay, Key: "problem.read.early"})
	}
	if strings.TrimSpace(r.System) == "" {
		ps.add(&Problem{Field: FieldReadSystem, Key: "problem.read.system"})
	}
	return ps
}

// ParseReadAt reads when a shipment was read. A time that comes twice when the clock is put back is the first.
func ParseReadAt(day, clock string) (time.Time, Problems) {
	var ps Problems
	date, ok := ParseDay(day)
	if !ok {
		ps.add(&Problem{Field: FieldReadDay, Key: "problem.date"})
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

// MayMarkRead tells whether the service can be told that the item was read: it has it, and is not told yet.
func (it ShipmentItem) MayMarkRead() bool {
	return it.State == StateAccepted && it.UpstreamID != "" && it.Status.Of(it.Kind).Meaning != MeaningRead
}
