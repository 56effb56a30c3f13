package views

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// Oslo is the zone of all times on screen.
var Oslo = dispatch.Oslo

// The formats of times and dates in forms: "10.41", "20.11.2026".
const (
	clockLayout = "15.04"
	dateLayout  = "02.01.2006"
)

// TypedClock formats a time of day as people type it in a form: "10.41".
func TypedClock(t time.Time) string { return t.In(Oslo).Format(clockLayout) }

// Clock formats a time of day: "10.41", in English "10:41".
func Clock(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "time.clock", "Hour", t.In(Oslo).Format("15"), "Minute", t.In(Oslo).Format("04"))
}

// clockWithSeconds is Clock with seconds.
func clockWithSeconds(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "time.clock.seconds", "Clock", Clock(ctx, t), "Seconds", t.In(Oslo).Format("05"))
}

// TypedDate formats a date as people type it in a form, and as it is in an address: "20.11.2026".
func TypedDate(t time.Time) string { return t.In(Oslo).Format(dateLayout) }

// TableDate formats a date in a table: "20.11.2026", in English "20 Nov 2026".
func TableDate(ctx context.Context, t time.Time) string { return i18n.DateInTable.Of(ctx, t.In(Oslo)) }

// SentenceDate formats a date in a sentence: "20.11.2026", in English "20 November 2026".
func SentenceDate(ctx context.Context, t time.Time) string {
	return i18n.DateInSentence.Of(ctx, t.In(Oslo))
}

// Precise formats a time in a history, with seconds: "18.11.2026 kl. 09.31.12".
func Precise(ctx context.Context, t time.Time) string {
	return told(ctx, t, i18n.T(ctx, "time.span", "Date", TableDate(ctx, t), "Clock", clockWithSeconds(ctx, t)))
}

// told disambiguates a time of day that occurs twice when summer time ends.
func told(ctx context.Context, t time.Time, clock string) string {
	_, offset := t.In(Oslo).Zone()
	_, before := t.Add(-time.Hour).In(Oslo).Zone()
	_, after := t.Add(time.Hour).In(Oslo).Zone()
	switch {
	case after < offset:
		return i18n.T(ctx, "time.summer", "Time", clock)
	case before > offset:
		return i18n.T(ctx, "time.winter", "Time", clock)
	}
	return clock
}

// Machine is the value of a datetime attribute.
func Machine(t time.Time) string { return t.In(Oslo).Format(time.RFC3339) }

// Near formats a time in a sentence: with "today" or "yesterday", else with the date.
func Near(ctx context.Context, t, now time.Time) string { return withDay(ctx, t, now, Clock(ctx, t)) }

// withDay puts the day before a time of day.
func withDay(ctx context.Context, t, now time.Time, clock string) string {
	day, today := t.In(Oslo), now.In(Oslo)
	clock = told(ctx, t, clock)
	switch {
	case sameDay(day, today):
		return i18n.T(ctx, "time.today", "Clock", clock)
	case sameDay(day, today.AddDate(0, 0, -1)):
		return i18n.T(ctx, "time.yesterday", "Clock", clock)
	}
	date := i18n.T(ctx, "time.date", "Day", day.Day(), "Month", i18n.T(ctx, "month."+strconv.Itoa(int(day.Month()))), "Year", strconv.Itoa(day.Year()))
	return i18n.T(ctx, "time.date_clock", "Date", date, "Clock", clock)
}

// NearSecond is Near with seconds, for what must be told apart from another thing of the same minute.
func NearSecond(ctx context.Context, t, now time.Time) string {
	return withDay(ctx, t, now, clockWithSeconds(ctx, t))
}

// Soon is Near, with seconds for times within two minutes.
func Soon(ctx context.Context, t, now time.Time) string {
	if d := t.Sub(now); d > -time.Minute && d < 2*time.Minute {
		return NearSecond(ctx, t, now)
	}
	return Near(ctx, t, now)
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// Number groups thousands with a no-break space: "1 071".
func Number(n int) string { return i18n.Number(n) }

// TypedNumber parses a whole number, with or without blanks between thousands.
func TypedNumber(typed string) (int, error) {
	return strconv.Atoi(strings.Join(strings.Fields(typed), ""))
}

// TypedVersion parses the version that a form was made from; invalid text is 0, which no row has.
func TypedVersion(typed string) int {
	n, err := strconv.ParseInt(typed, 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// TypedDecimal is TypedNumber with decimals after a comma. It reads no other notation: nobody types NaN, Inf or 1e9.
func TypedDecimal(typed string) (float64, error) {
	typed = strings.ReplaceAll(strings.Join(strings.Fields(typed), ""), ",", ".")
	if strings.Trim(typed, "+-.0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(typed, 64)
}

// words spells out numbers from two to nine: "to".
func words(ctx context.Context, n int) string {
	if n >= 2 && n <= 9 {
		return i18n.T(ctx, "number."+strconv.Itoa(n))
	}
	return Number(n)
}

// Excerpt is the beginning of a text on one line, at most n characters.
func Excerpt(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// notCorrectable are the problems of a sending that no input causes: people look over it again, or a colleague acts.
var notCorrectable = []string{"problem.unseen", "problem.approval.needed", "problem.protected.recipient", "problem.budget.stop", "problem.budget.lead"}

// problemsKey is the heading of a form's problems, which depends on whether the form sends anything.
func (p *Page) problemsKey() string {
	for _, problem := range p.Problems {
		switch {
		case p.LooksUp:
			return lookupProblemsKey(problem)
		case strings.HasPrefix(problem.Key, "problem.decision."):
		case problem.Field == dispatch.FieldEffect:
			return "form.barred" // whatever is typed
		case p.Section == SectionApprovals && problem.Field != dispatch.FieldApprovalNote && problem.Key != "problem.approval.unseen":
			return "form.unapprovable" // an approver cannot correct what the sender wrote
		case slices.Contains(notCorrectable, problem.Key):
			return "form.unsent"
		case p.Section.sendsNothing(), problem.Field == dispatch.FieldApprovalNote, problem.Field == FieldFrom, problem.Field == FieldTo:
			return "form.refused"
		default:
			return "form.problems"
		}
	}
	return "form.undecided"
}

// ProblemText is the text of a problem, with its times as times of day.
func ProblemText(ctx context.Context, p dispatch.Problem) string {
	values := make(map[string]any, len(p.Args))
	for name, v := range p.Args {
		if at, ok := v.(time.Time); ok {
			v = Clock(ctx, at)
		}
		values[name] = v
	}
	return i18n.T(ctx, p.Key, values)
}

// Span formats a time in a list's "shown from … to …": "20.11.2026 kl. 10.41".
func Span(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "time.span", "Date", TableDate(ctx, t), "Clock", Clock(ctx, t))
}

// Shown makes an invisible character visible.
func Shown(r rune) string {
	switch r {
	case ' ':
		return "␣"
	}
	switch dispatch.LookalikeOf(r) {
	case dispatch.LookalikeBlank, dispatch.LookalikeTab:
		return "␣"
	case dispatch.LookalikeInvisible, dispatch.LookalikeLineBreak:
		return fmt.Sprintf("U+%04X", r)
	}
	return string(r)
}

// Oclock formats the time of day in a table: "kl. 10.41".
func Oclock(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "time.at", "Clock", Clock(ctx, t))
}
