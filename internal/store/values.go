package store

import (
	"time"
)

// Deref is the time, or the zero time for none.
func Deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// NullTime is the time, or none for the zero time.
func NullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// NullBytes turns no bytes into NULL: lib/pq writes a nil slice as an empty value.
func NullBytes(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}
