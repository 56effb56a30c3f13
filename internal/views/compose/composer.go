package compose

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldReplace is the button that replaces look-alike characters with ordinary ones; its value names the text field.
const FieldReplace = "bytt"

// Measured is the live analysis of an SMS text: segments, price, how to lower it, and warnings. Every form with an SMS text shows
// the same.
type Measured struct {
	Of       string // the field that the text is written in, or the row; empty: FieldText
	Typed    string
	Text     string // as it is sent; to many: the longest message
	Segments dispatch.Segmentation
	Plain    string // what is typed, with look-alikes replaced by ordinary characters
	Warnings []dispatch.Warning
	Quota    dispatch.Quota
	Price    dispatch.Price // of a segment
	Budget   dispatch.Budget
	Sender   string   // what phones show; empty: not known
	Fields   []string // placeholders of a template, not filled yet
	Many     *ForMany // nil: it goes to one
}

// ForMany is the analysis of a text that is sent to a list.
type ForMany struct {
	dispatch.Forecast
	Row     int      // the row whose message is shown: the longest; 0: all get the same
	Unknown []string // placeholders without a column in the list: segments cannot be counted
}

// Measure analyses a text of an account. A sender name of the municipality is allowed in the text too.
func Measure(text string, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	m := Measured{Typed: text, Plain: dispatch.Plain(text), Quota: q, Price: a.Prices.SMS, Sender: a.SenderName}
	m.Warnings = dispatch.Warnings(text, a.WatchWords, a.SenderName, a.Name, municipality)
	return m.sentAs(text)
}

// sentAs replaces the analysed text: m.Typed stays, text is what is sent.
func (m Measured) sentAs(text string) Measured {
	m.Text, m.Segments = text, dispatch.Segment(text)
	return m
}

// MeasureMany analyses a text to many; longest is the longest message it makes.
func MeasureMany(typed, longest string, many ForMany, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	m := Measure(longest, a, municipality, q)
	m.Typed, m.Plain, m.Many = typed, dispatch.Plain(typed), &many
	return m
}

// MeasureTemplate analyses the text of a template, whose placeholders are filled when it is sent.
func MeasureTemplate(field, text string, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	m := Measure(text, a, municipality, q)
	m.Of, m.Fields = field, dispatch.Placeholders(text)
	return m
}

// id is the HTML id of one of the elements that show the analysis.
func (m Measured) id(element string) string {
	if m.Of == "" || m.Of == dispatch.FieldText {
		return "sms-" + element
	}
	return "sms-" + m.Of + "-" + element
}

// field is the name of the text field.
func (m Measured) field() string {
	if m.Of == "" {
		return dispatch.FieldText
	}
	return m.Of
}

// label is the catalogue key of a heading; ofNynorsk is used for the second text of a page with two.
func (m Measured) label(key, ofNynorsk string) string {
	if m.Of == dispatch.FieldNynorsk {
		return ofNynorsk
	}
	return key
}

// counted tells whether the segments are known: not where the list lacks the text's fields.
func (m Measured) counted() bool { return m.Many == nil || len(m.Many.Unknown) == 0 }

// segments is the total number of billed segments.
func (m Measured) segments() int {
	if m.Many != nil {
		return m.Many.Segments
	}
	return m.Segments.Count
}

// cost is the total cost.
func (m Measured) cost() dispatch.Price {
	if !m.counted() {
		return dispatch.Price{}
	}
	return m.Price.Times(m.segments())
}

// With adds the account's budget.
func (m Measured) With(b dispatch.Budget) Measured {
	m.Budget = b
	return m
}

// said is the announcement for screen readers.
func (m Measured) said(ctx context.Context) string {
	switch {
	case !m.counted():
		return i18n.T(ctx, "sms.many.unknown", "Fields", dispatch.ShownPlaceholders(m.Many.Unknown))
	case m.Many != nil:
		return i18n.T(ctx, "sms.many.say", "N", m.Many.Segments)
	}
	if n := m.over(); n > 0 {
		return i18n.T(ctx, "sms.over", "N", n, "Max", dispatch.SMSTextMax)
	}
	return i18n.T(ctx, "sms.parts.say", "N", m.Segments.Count)
}

// over is how many characters the text is too long for one message; 0: it fits, or it is filled in for each recipient.
func (m Measured) over() int {
	if m.Many != nil {
		return 0
	}
	return max(m.Segments.Characters-dispatch.SMSTextMax, 0)
}

// bySegments lists how many recipients get a message of how many segments.
func (f ForMany) bySegments(ctx context.Context, price dispatch.Price) (list []string) {
	for i, n := range f.BySegments {
		if n > 0 {
			line := i18n.T(ctx, "sms.many.by", "N", n, "Parts", i18n.T(ctx, "sms.parts.n", "N", i+1))
			if price.Known {
				line = i18n.T(ctx, "sms.many.by.each", "Line", line, "Price", views.Kroner(ctx, price.Times(i+1).Ore))
			}
			list = append(list, line)
		}
	}
	return list
}

// replaceable tells whether some costly characters have an ordinary replacement.
func (m Measured) replaceable() bool { return m.Plain != m.Typed }

// ordinary is how many segments a text of this length takes in ordinary characters.
func (m Measured) ordinary() int {
	return dispatch.Segment(strings.Map(func(r rune) rune {
		if slices.Contains(m.Segments.Costly, r) {
			return '-'
		}
		return r
	}, m.Text)).Count
}

// ordinarySize is the size of a segment if this message were in ordinary characters: smaller when it took several.
func (m Measured) ordinarySize() int {
	if m.ordinary() > 1 {
		return 153
	}
	return 160
}

// letters tells whether some costly characters are letters without a replacement: names and words, which must stay.
func (m Measured) letters() bool { return slices.ContainsFunc(m.Segments.Costly, costlyLetter) }

// signs tells whether some costly characters are other signs without a replacement, such as emoji.
func (m Measured) signs() bool {
	return slices.ContainsFunc(m.Segments.Costly, func(r rune) bool { return dispatch.LookalikeOf(r) == "" && !costlyLetter(r) })
}

// costlyLetter tells whether a costly character is part of a word. Variation selectors belong to emoji.
func costlyLetter(r rune) bool {
	return dispatch.LookalikeOf(r) == "" && (unicode.IsLetter(r) || unicode.IsMark(r) && !unicode.Is(unicode.Variation_Selector, r))
}

// run is a piece of a text that is costly throughout or not at all, or a mark where a segment begins.
type run struct {
	Text   string
	Costly bool
	Begins int // number of the segment that begins here; 0: this is text
}

// runs cuts a text at segment boundaries and around costly characters.
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

// quotaKey is the catalogue key of the sentence about the account's quota of segments this month.
func quotaKey(q dispatch.Quota) string {
	if q.Limit == 0 {
		return "sms.quota.used"
	}
	return "sms.quota.of"
}

// reviewQuotaKey is quotaKey for pages where the sentence stands alone.
func reviewQuotaKey(q dispatch.Quota) string {
	if q.Limit == 0 {
		return "sms.review.quota.used"
	}
	return "sms.review.quota.of"
}

// textArea is the field in which an SMS text is written.
type textArea struct {
	Measured
	Label, Hint string
	Lang        string   // empty: as the page
	Columns     []string // placeholders that may be used, as they are typed
	Problems    dispatch.Problems
}

// unnamed is the analysis without the hints about what a problem of the text names: that has to be corrected.
func (t textArea) unnamed() Measured {
	var named []string
	for _, p := range t.Problems {
		if name, ok := p.Args["Name"].(string); ok && p.Field == t.field() {
			named = append(named, name)
		}
	}
	m := t.Measured
	m.Warnings = nil
	for _, w := range t.Warnings {
		if w.Kind == dispatch.WarningPlaceholder {
			w.Found = slices.DeleteFunc(slices.Clone(w.Found), func(found string) bool {
				return slices.ContainsFunc(named, func(name string) bool { return strings.Contains(name, found) })
			})
			if len(w.Found) == 0 {
				continue
			}
		}
		m.Warnings = append(m.Warnings, w)
	}
	return m
}

// RowOf is the Of of a Measured for one row of a list.
func RowOf(position int) string { return "rad-" + strconv.Itoa(position) }

// MeasureRow analyses the message of one row of a list, with its fields as typed.
func MeasureRow(position int, text string, fields []string, a dispatch.Account, municipality string) Measured {
	m := Measure(text, a, municipality, dispatch.Quota{})
	m.Of, m.Typed = RowOf(position), strings.Join(fields, "\n")
	m.Plain = dispatch.Plain(m.Typed)
	return m
}
