package follow

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Origin is whose lines a timeline shows, as named in addresses.
type Origin string

// The origins. What we saw at the service is the service's.
const (
	OriginAll     Origin = ""
	OriginService Origin = "tjenesten"
	OriginOwn     Origin = "utsending"
	OriginPeople  Origin = "personer"
)

// key is the catalogue key of an origin.
func (o Origin) key() string {
	if o == OriginAll {
		return "timeline.all"
	}
	return "timeline.from." + string(o)
}

// Fields of the address of an item's page.
const (
	FieldJoined = "tidslinje"
	FieldFrom   = "kilde"

	joinedValue = "samlet"
)

// Joined tells whether an address asks for both histories in one.
func Joined(value string) bool { return value == joinedValue }

// OriginNamed is the origin that an address names; all for anything else.
func OriginNamed(name string) Origin {
	if slices.Contains([]Origin{OriginService, OriginOwn, OriginPeople}, Origin(name)) {
		return Origin(name)
	}
	return OriginAll
}

// historyAddress is the address of an item's page with a choice of its timeline.
func historyAddress(item string, joined bool, from Origin) string {
	q := url.Values{}
	if joined {
		q.Set(FieldJoined, joinedValue)
	}
	if from != OriginAll {
		q.Set(FieldFrom, string(from))
	}
	if len(q) == 0 {
		return item
	}
	return item + "?" + q.Encode()
}

func originOf(e dispatch.Event) Origin {
	switch {
	case e.FromService():
		return OriginService
	case e.Actor != "":
		return OriginPeople
	}
	return OriginOwn
}

// origins are those of the lines, after all, in their order; none where there is nothing to choose.
func origins(lines []line) []Origin {
	list := []Origin{OriginAll}
	for _, o := range []Origin{OriginService, OriginOwn, OriginPeople} {
		if slices.ContainsFunc(lines, func(l line) bool { return l.From == o }) {
			list = append(list, o)
		}
	}
	if len(list) < 3 {
		return nil
	}
	return list
}

// technical tells whether an event says how we worked, not what became of the item.
func technical(e dispatch.Event) bool {
	switch e.Kind {
	case dispatch.EventCreated, dispatch.EventEdited, dispatch.EventLookedUp, dispatch.EventLookAgain:
		return true
	case dispatch.EventOutcome:
		return e.Detail == string(dispatch.OutcomeUnavailable) || e.Detail == string(dispatch.OutcomeRefused)
	}
	return false
}

// clockError is how far the service's clock may be ahead of ours.
const clockError = 5 * time.Minute

// lateAfter is how long we may take to see a change before the line says so.
const lateAfter = time.Hour

// once tells each event once: a change that we saw is merged with the service's line about it, and what happens again and again is
// one line. Lines are newest first.
func once(ctx context.Context, lines []line, now time.Time) []line {
	lines = slices.Clone(lines)
	for i := len(lines) - 1; i >= 0; i-- { // the oldest first, so that each finds its own
		if j := saidBy(lines, i); lines[i].Observed && j >= 0 {
			lines[j] = told(lines[j], lines[i])
			lines = slices.Delete(lines, i, i+1)
			i = min(i, len(lines))
		}
	}
	lines = repeats(lines)
	markLate(ctx, lines, now)
	return lines
}

// saidBy is the index of the service's line about a change that we saw: the latest one that was not after it; -1 for none.
func saidBy(lines []line, seen int) int {
	o := lines[seen]
	for j, l := range lines {
		if !l.Observed && l.From == OriginService && l.Seen.IsZero() && l.Signing == o.Signing && !l.At.IsZero() && !l.At.After(o.At.Add(clockError)) && says(l, cmp.Or(o.Theirs, o.Word)) {
			return j
		}
	}
	return -1
}

// says tells whether a line of the service begins with a word of ours. It is compared to tell a thing once, never to learn a status.
func says(l line, word string) bool {
	text, word := strings.ToLower(l.Word), strings.ToLower(word)
	rest, ok := strings.CutPrefix(text, word)
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLetter(next))
}

// told is the service's line with what we know about it.
func told(said, seen line) line {
	if said.Text == "" && said.Word != seen.Word {
		said.Text = said.Word
	}
	said.Look, said.Status, said.Seen = seen.Look, seen.Status, seen.At
	return said
}

// repeats makes one line of the same lines in a row. What people did is left as it is.
func repeats(lines []line) []line {
	var kept []line
	for _, l := range lines {
		if n := len(kept); n > 0 && l.From != OriginPeople {
			last := &kept[n-1]
			if last.Word == l.Word && last.Text == l.Text && last.Source == l.Source && last.Status == l.Status && last.Said == l.Said {
				last.Times, last.First = max(last.Times, 1)+1, l.At
				continue
			}
		}
		kept = append(kept, l)
	}
	return kept
}

// markLate marks what we saw long after it happened, and what was read when it had gone to print.
func markLate(ctx context.Context, lines []line, now time.Time) {
	printed := false
	for i := len(lines) - 1; i >= 0; i-- {
		l := &lines[i]
		row := l.Status.Of(dispatch.KindShipment)
		switch {
		case printed && row.Meaning == dispatch.MeaningRead:
			l.Late = i18n.T(ctx, "timeline.late.printed")
		case !l.Seen.IsZero() && l.Seen.Sub(l.At) > lateAfter:
			l.Late = i18n.T(ctx, "timeline.late.seen", "When", views.Near(ctx, l.Seen, now), "Span", lasting(ctx, l.Seen.Sub(l.At)))
		}
		printed = printed || row.Channel == dispatch.ChannelPrint
	}
}

// entry is one thing in a timeline as shown: a line, technical lines that are folded, or days without any.
type entry struct {
	line
	Folded []line
	Gap    int // days
}

// shownLines are what a timeline shows of lines, newest first: two technical lines and more are folded, and days without any are told.
func shownLines(lines []line, from Origin) []entry {
	var list []entry
	var last time.Time
	for _, l := range lines {
		if from != OriginAll && l.From != from {
			continue
		}
		if n := dispatch.DaysBetween(l.At, last); !l.At.IsZero() && !last.IsZero() && n > 0 {
			list = append(list, entry{Gap: n})
		}
		if !l.At.IsZero() {
			last = l.At
		}
		if n := len(list); l.Technical && n > 0 && (list[n-1].Folded != nil || list[n-1].Technical) {
			before := &list[n-1]
			if before.Folded == nil {
				*before = entry{Folded: []line{before.line}}
			}
			before.Folded = append(before.Folded, l)
			continue
		}
		list = append(list, entry{line: l})
	}
	return list
}

// happened counts what is folded, repeats too.
func happened(lines []line) (n int) {
	for _, l := range lines {
		n += max(l.Times, 1)
	}
	return n
}

// lasting is a time span in words, in hours or days: "14 timer", "3 dager".
func lasting(ctx context.Context, d time.Duration) string {
	if hours := int(d / time.Hour); hours < 48 {
		return i18n.T(ctx, "span.hours", "N", max(hours, 1))
	}
	return i18n.T(ctx, "span.days", "N", int(d/(24*time.Hour)))
}

// ago is how long since a time, in words; empty within the hour, which an open page would soon tell wrongly.
func ago(ctx context.Context, t, now time.Time) string {
	if now.Sub(t) < time.Hour {
		return ""
	}
	return i18n.T(ctx, "time.ago", "Span", lasting(ctx, now.Sub(t)))
}
