package compose

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldReplace is the button that puts ordinary characters in the place of look-alikes; its value says in which text.
const FieldReplace = "bytt"

// Measured is what can be said of a text while it is written: its price, how to lower it, and what to think over. The same
// is said wherever SMS are written.
type Measured struct {
	Of       string // the field that the text is written in, or the row; empty: FieldText
	Typed    string
	Text     string // as it is sent; to many: the longest message
	Segments dispatch.Segmentation
	Plain    string // what is typed, with ordinary characters in the place of look-alikes
	Warnings []dispatch.Warning
	Quota    dispatch.Quota
	Price    dispatch.Price // of a segment
	Budget   dispatch.Budget
	Sender   string   // what phones show; empty: not known
	Fields   []string // of a template, which nothing fills yet
	Many     *ForMany // nil: it goes to one
}

// ForMany is what a text comes to that is written to many.
type ForMany struct {
	dispatch.Forecast
	Row     int      // whose message is shown: the longest; 0: all get the same
	Unknown []string // fields that the list does not have: nothing can be counted
}

// Measure looks at a text of an account. Municipality is a sender that the text may name too.
func Measure(text string, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	m := Measured{Typed: text, Plain: dispatch.Plain(text), Quota: q, Price: a.Prices.SMS, Sender: a.SenderName}
	m.Warnings = dispatch.Warnings(text, a.WatchWords, a.SenderName, a.Name, municipality)
	return m.sentAs(text)
}

// sentAs is what is measured, sent as that text.
func (m Measured) sentAs(text string) Measured {
	m.Text, m.Segments = text, dispatch.Segment(text)
	return m
}

// MeasureMany looks at a text to many, of which the longest message is given.
func MeasureMany(typed, longest string, many ForMany, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	m := Measure(longest, a, municipality, q)
	m.Typed, m.Plain, m.Many = typed, dispatch.Plain(typed), &many
	return m
}

// MeasureTemplate looks at a text of a template, whose fields are filled when it is sent.
func MeasureTemplate(field, text string, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	m := Measure(text, a, municipality, q)
	m.Of, m.Fields = field, dispatch.Placeholders(text)
	return m
}

// id is the id of one of the elements about a text.
func (m Measured) id(element string) string {
	if m.Of == "" || m.Of == dispatch.FieldText {
		return "sms-" + element
	}
	return "sms-" + m.Of + "-" + element
}

// field is where the text is written.
func (m Measured) field() string {
	if m.Of == "" {
		return dispatch.FieldText
	}
	return m.Of
}

// label is the key of a heading about the text; on a page with two, the second has words of its own.
func (m Measured) label(key, ofNynorsk string) string {
	if m.Of == dispatch.FieldNynorsk {
		return ofNynorsk
	}
	return key
}

// segments is how many are paid for in all.
func (m Measured) segments() int {
	if m.Many != nil {
		return m.Many.Segments
	}
	return m.Segments.Count
}

// cost is what it costs in all.
func (m Measured) cost() dispatch.Price { return m.Price.Times(m.segments()) }

// With puts in what the account may spend.
func (m Measured) With(b dispatch.Budget) Measured {
	m.Budget = b
	return m
}

// said is what a screen reader is told about the length.
func (m Measured) said(ctx context.Context) string {
	switch {
	case m.Many != nil && len(m.Many.Unknown) > 0:
		return i18n.T(ctx, "sms.many.unknown", "Fields", dispatch.ShownPlaceholders(m.Many.Unknown))
	case m.Many != nil:
		return i18n.T(ctx, "sms.many.say", "N", m.Many.Segments)
	}
	return i18n.T(ctx, "sms.parts.say", "N", m.Segments.Count)
}

// bySegments is how many recipients get a message of how many parts, in sentences.
func (f ForMany) bySegments(ctx context.Context, price dispatch.Price) (list []string) {
	for i, n := range f.BySegments {
		if n > 0 {
			line := i18n.T(ctx, "sms.many.by", "N", n, "Parts", i18n.T(ctx, "sms.parts.n", "N", i+1))
			if price.Known {
				line = i18n.T(ctx, "sms.many.by.each", "Line", line, "Price", views.Kroner(price.Times(i+1).Ore))
			}
			list = append(list, line)
		}
	}
	return list
}

// replaceable tells whether some costly characters have ordinary ones beside them.
func (m Measured) replaceable() bool { return m.Plain != m.Typed }

// ordinary is how many parts as long a text is in ordinary characters.
func (m Measured) ordinary() int {
	return dispatch.Segment(strings.Map(func(r rune) rune {
		if slices.Contains(m.Segments.Costly, r) {
			return '-'
		}
		return r
	}, m.Text)).Count
}

// ordinarySize is how many characters parts hold in ordinary characters.
func (m Measured) ordinarySize() int {
	if m.Segments.Count > 1 {
		return 153
	}
	return 160
}

// words tells whether some costly characters have nothing that may stand in their place.
func (m Measured) words() bool {
	return slices.ContainsFunc(m.Segments.Costly, func(r rune) bool { return dispatch.LookalikeOf(r) == "" })
}

// run is a piece of a text that is costly throughout or not at all, or the place where a part begins.
type run struct {
	Text   string
	Costly bool
	Begins int // the number of the part that begins here; 0: it is a piece
}

// runs cuts a text where its parts end, and around what is costly.
func (m Measured) runs() []run {
	var list []run
	for i, part := range dispatch.Split(m.Text) {
		if i > 0 {
			list = append(list, run{Begins: i + 1})
		}
		for _, r := range part {
			costly := slices.Contains(m.Segments.Costly, r)
			if last := len(list) - 1; last >= 0 && list[last].Begins == 0 && list[last].Costly == costly {
				list[last].Text += string(r)
			} else {
				list = append(list, run{Text: string(r), Costly: costly})
			}
		}
	}
	return list
}

// quotaKey is the sentence about an account's parts of this month.
func quotaKey(q dispatch.Quota) string {
	if q.Limit == 0 {
		return "sms.quota.used"
	}
	return "sms.quota.of"
}

// reviewQuotaKey is that sentence where it stands alone.
func reviewQuotaKey(q dispatch.Quota) string {
	if q.Limit == 0 {
		return "sms.review.quota.used"
	}
	return "sms.review.quota.of"
}

// textArea is a text of an SMS where it is written.
type textArea struct {
	Measured
	Label, Hint string
	Lang        string   // empty: as the page
	Columns     []string // fields that can be written, as they are written
	Problems    dispatch.Problems
}

// RowOf names a row of a list as what is measured.
func RowOf(position int) string { return "rad-" + strconv.Itoa(position) }

// MeasureRow looks at what one row of a list gets, with the fields that are typed.
func MeasureRow(position int, text string, fields []string, a dispatch.Account, municipality string) Measured {
	m := Measure(text, a, municipality, dispatch.Quota{})
	m.Of, m.Typed = RowOf(position), strings.Join(fields, "\n")
	m.Plain = dispatch.Plain(m.Typed)
	return m
}
