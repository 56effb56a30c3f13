package shipmentapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"time"
	_ "time/tzdata" // Europe/Oslo must be there in an image without zone files
)

// listIn reads the list that is an answer, or that stands under a name in it. null says that there is none; anything
// else that is no list is not understood: an answer that tells of no documents lets a letter be sent again.
func listIn[T any](body []byte, name string) (list[T], bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil && object[name] != nil {
		body = object[name]
	} else if isNull(body) {
		return nil, false
	}
	var l list[T]
	if json.Unmarshal(body, &l) != nil {
		return nil, false
	}
	return l, true
}

// list is a list that may be written as its only entry when it has one (upstream facts 2.2).
type list[T any] []T

var errNoEntry = errors.New("neither a list nor an entry")

// UnmarshalJSON implements json.Unmarshaler.
func (l *list[T]) UnmarshalJSON(b []byte) error {
	var all []T
	if json.Unmarshal(b, &all) == nil { // also null
		*l = all
		return nil
	}
	var only T
	if err := json.Unmarshal(b, &only); err != nil {
		return err
	}
	if reflect.ValueOf(only).IsZero() {
		return errNoEntry
	}
	*l = list[T]{only}
	return nil
}

func isNull(b []byte) bool { return string(bytes.TrimSpace(b)) == "null" }

// optional is what may be missing: written in a way that nobody knows, it is no reason to lose the rest.
type optional[T any] struct{ value T }

// UnmarshalJSON implements json.Unmarshaler.
func (o *optional[T]) UnmarshalJSON(b []byte) error {
	var read T
	if json.Unmarshal(b, &read) == nil {
		o.value = read
	}
	return nil
}

// moment is a time in any of the ways that the service is known to write one (upstream facts 2.1); zero when it writes
// another, which is no reason to lose the rest.
type moment struct{ time.Time }

// oslo is the zone of times that name none. It is embedded, so that loading it cannot fail.
var oslo = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(b []byte) error {
	m.Time = time.Time{}
	text := string(b)
	var quoted string
	if json.Unmarshal(b, &quoted) == nil {
		text = quoted
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		m.Time = time.UnixMilli(n).UTC()
		return nil
	}
	for _, layout := range []string{"02.01.2006 15:04:05", time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, oslo); err == nil {
			m.Time = t.UTC()
			break
		}
	}
	return nil
}
