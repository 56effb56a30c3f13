package store

import (
	"time"
)

// Deref returns the time, or the zero time for nil.
func Deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// NullTime returns the time, or nil for the zero time.
func NullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// NullBytes turns nil into NULL: lib/pq writes a nil slice as an empty value.
func NullBytes(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}
