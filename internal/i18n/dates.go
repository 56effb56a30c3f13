package i18n

import (
	"context"
	"time"
)

// DateLayout is how a date is written: with numbers in Norwegian, with the month's name in English, where 03.04 could be
// either day.
type DateLayout struct{ norwegian, english string }

// All layouts of dates on screen that are not the same in all languages.
var (
	DateInTable    = DateLayout{"02.01.2006", "2 Jan 2006"}
	DateInSentence = DateLayout{"02.01.2006", "2 January 2006"}
	DayInTable     = DateLayout{"02.01.", "2 Jan"}
	DayInChart     = DateLayout{"2.1.", "2 Jan"}
)

// Of formats a date, in the zone that it has.
func (l DateLayout) Of(ctx context.Context, t time.Time) string {
	return string(l.Append(ctx, nil, t))
}

// Append adds a date to text, in the zone that it has.
func (l DateLayout) Append(ctx context.Context, text []byte, t time.Time) []byte {
	if Lang(ctx) == "en" {
		return t.AppendFormat(text, l.english)
	}
	return t.AppendFormat(text, l.norwegian)
}
