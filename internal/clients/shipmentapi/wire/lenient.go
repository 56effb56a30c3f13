package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Europe/Oslo for images without zone files

	"utsending/internal/clients"
)

// listIn decodes a list that is the answer itself, or is in it under a name. null is an empty list; anything else
// that is not a list is not understood: to take it for an empty list of documents would let a shipment be sent again.
func listIn[T any](body []byte, name string) (List[T], bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil && object[name] != nil {
		body = object[name]
	} else if isNull(body) {
		return nil, false
	}
	var l List[T]
	if json.Unmarshal(body, &l) != nil {
		return nil, false
	}
	return l, true
}

// List is a list that may be encoded as its only entry (upstream facts 2.2).
type List[T any] []T

var errNoEntry = errors.New("neither a list nor an entry")

// UnmarshalJSON implements json.Unmarshaler.
func (l *List[T]) UnmarshalJSON(b []byte) error {
	var all []T
	if json.Unmarshal(b, &all) == nil { // null too
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
	*l = List[T]{only}
	return nil
}

func isNull(b []byte) bool { return string(bytes.TrimSpace(b)) == "null" }

// Optional is a value that is ignored if it does not parse, without losing the rest.
type Optional[T any] struct{ Value T }

// UnmarshalJSON implements json.Unmarshaler.
func (o *Optional[T]) UnmarshalJSON(b []byte) error {
	var read T
	if json.Unmarshal(b, &read) == nil {
		o.Value = read
	}
	return nil
}

// Moment is a time in any of the known formats (upstream facts 2.1). Another format is kept as text.
type Moment struct {
	time.Time
	Said string // empty if the time was parsed, or none was given
}

// Oslo is the zone of times without one. It is embedded, so that loading it cannot fail.
var Oslo = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// UnmarshalJSON implements json.Unmarshaler.
func (m *Moment) UnmarshalJSON(b []byte) error {
	*m = Moment{}
	text := string(b)
	var quoted string
	if json.Unmarshal(b, &quoted) == nil { // null too
		text = quoted
	}
	text = strings.TrimSpace(text)
	t, ok := readTime(text)
	if !ok {
		m.Said = beginning(clients.Sentence(text))
		return nil
	}
	m.Time = t.UTC()
	return nil
}

// timeForms are the formats of times: ISO 8601 with optional seconds and an offset, and local times as in V1.
var timeForms, localForms = func() (zoned, local []string) {
	for _, clock := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "20060102T150405"} {
		local = append(local, clock)
		for _, offset := range []string{"Z07:00", "Z0700", "Z07"} {
			zoned = append(zoned, clock+offset)
		}
	}
	return zoned, append(local, "02.01.2006 15:04:05", "02.01.2006 15:04")
}()

// readTime parses a time in one of the formats, with or without a trailing zone name (RFC 9557), or as milliseconds
// or seconds. A local time is Oslo's, and is not parsed if daylight saving skips or repeats it.
func readTime(text string) (time.Time, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		t := time.UnixMilli(n)
		if !sensible(t) {
			t = time.Unix(n, 0)
		}
		return t, sensible(t)
	}
	text, zone, _ := strings.Cut(strings.ToUpper(text), "[")
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, sensible(t)
		}
	}
	for _, form := range localForms {
		if t, err := time.ParseInLocation(form, text, Oslo); err == nil {
			ours := zone == "" || zone == "EUROPE/OSLO]"
			return t, ours && sensible(t) && unambiguous(t, text, form)
		}
	}
	return time.Time{}, false
}

// unambiguous tells whether a local time exists exactly once, considering daylight saving.
func unambiguous(t time.Time, text, form string) bool {
	wall, err := time.Parse(form, text)
	same := func(other time.Time) bool { return other.Format(time.DateTime) == wall.Format(time.DateTime) }
	return err == nil && same(t) && !same(t.Add(-time.Hour)) && !same(t.Add(time.Hour))
}

// sensible tells whether a time is in this century; others mean "none".
func sensible(t time.Time) bool { return t.Year() >= 2000 && t.Year() < 2100 }

// beginning truncates a text to what fits in the place of a time.
func beginning(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
