package compose

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// LookupForm is the form of a look-up in the contact register, as typed.
type LookupForm struct {
	Key     string // idempotency key of the look-up
	Numbers string
	Purpose string
}

// LookupPage asks the contact register and shows its answers.
type LookupPage struct {
	views.Page
	Form   LookupForm
	Closed string        // catalogue key of why the account cannot ask; empty: it can
	Result *LookupResult // nil: no look-up yet, or its answers are deleted
}

// LookupResult is one page of the answers of a look-up.
type LookupResult struct {
	dispatch.Lookup
	Group        dispatch.LookupGroup // the answers shown; empty: all
	Rows         []dispatch.LookupEntry
	Newer, Older string // addresses; empty: there are none
	SMSKey       string // idempotency key of the SMS draft made from the answers
}

// lookupGroups are the groups as addresses name them, in the order of the page.
var lookupGroups = []struct {
	group dispatch.LookupGroup
	name  string
}{
	{dispatch.GroupValid, "gyldig"}, {dispatch.GroupInvalid, "ugyldig"}, {dispatch.GroupNotFound, "ikke-funnet"}, {dispatch.GroupOther, "annet"},
	{dispatch.GroupUnanswered, "uten-svar"},
}

// LookupGroup reads a group from an address; empty means all.
func LookupGroup(name string) dispatch.LookupGroup {
	for _, g := range lookupGroups {
		if g.name == name {
			return g.group
		}
	}
	return ""
}

// LookupPath is the address of a page of the answers; pages are counted from 1.
func LookupPath(a dispatch.Account, g dispatch.LookupGroup, window int) string {
	q := url.Values{}
	for _, known := range lookupGroups {
		if known.group == g {
			q.Set("vis", known.name)
		}
	}
	if window > 1 {
		q.Set("side", strconv.Itoa(window))
	}
	path := views.AccountPath(a, "oppslag")
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path + "#resultat"
}

// LookupAnswersPath is the address of the answers on the page.
func LookupAnswersPath(a dispatch.Account) string { return views.AccountPath(a, "oppslag") + "#svar" }

// about tells the purpose of the look-up, and when its answers are deleted.
func (r LookupResult) about(ctx context.Context, now time.Time) string {
	return i18n.T(ctx, "lookup.about", "Purpose", strings.TrimRight(r.Purpose, "."), "At", views.Near(ctx, r.At, now), "Until", views.Clock(ctx, r.Until()))
}

// counts are the groups that are not empty.
func (r LookupResult) counts() (groups []dispatch.LookupGroup) {
	for _, g := range lookupGroups {
		if len(r.In(g.group)) > 0 {
			groups = append(groups, g.group)
		}
	}
	return groups
}

// countText is a group with its number: "2 gyldige".
func countText(ctx context.Context, r LookupResult, g dispatch.LookupGroup) string {
	n := len(r.In(g))
	return i18n.T(ctx, "lookup.count."+string(g), "N", n)
}

// summary is the result in words: "4 oppslag: 2 gyldige, 1 ugyldig, 1 ikke funnet".
func (r LookupResult) summary(ctx context.Context) string {
	var parts []string
	for _, g := range r.counts() {
		parts = append(parts, countText(ctx, r, g))
	}
	return i18n.T(ctx, "lookup.summary", "Count", len(r.Entries), "Groups", strings.Join(parts, ", "))
}

// maxSpans bounds how many ranges of lines without an answer are listed.
const maxSpans = 10

// lines lists the lines without an answer as ranges: "1–1000, 2040".
func (r LookupResult) lines(ctx context.Context) string {
	var spans []string
	from, to := 0, 0
	end := func() {
		switch {
		case from == 0:
		case from == to:
			spans = append(spans, views.Number(from))
		default:
			spans = append(spans, views.Number(from)+"–"+views.Number(to))
		}
		from = 0
	}
	for _, e := range r.Entries {
		if e.Answer == dispatch.AnswerGiven {
			end()
			continue
		}
		if to = e.Line; from == 0 {
			from = e.Line
		}
	}
	end()
	if len(spans) > maxSpans {
		return i18n.T(ctx, "lookup.lines.more", "Lines", strings.Join(spans[:maxSpans], ", "))
	}
	return strings.Join(spans, ", ")
}

// unanswered tells whether some numbers lack an answer for this reason.
func (r LookupResult) unanswered(a dispatch.LookupAnswer) bool {
	for _, e := range r.Entries {
		if e.Answer == a {
			return true
		}
	}
	return false
}

// contactLook is the tag of an answer. An unknown status is shown as it is.
func contactLook(ctx context.Context, e dispatch.LookupEntry) views.Look {
	if e.Answer != dispatch.AnswerGiven {
		return views.Look{Word: i18n.T(ctx, "lookup.unanswered"), Color: "danger", Icon: "XMarkOctagon"}
	}
	l, ok := views.ContactLooks[e.Status]
	if !ok {
		return views.Look{Word: string(e.Status), Color: "neutral", Icon: "QuestionmarkCircle"}
	}
	l.Word = i18n.T(ctx, "contact."+string(e.Status))
	return l
}

// contactPhone is the phone number found, masked where it must be; empty: the register has none.
func contactPhone(e dispatch.LookupEntry) string {
	switch {
	case e.Answer != dispatch.AnswerGiven:
		return "–"
	case e.Phone == "":
		return ""
	}
	return e.Phone.Masked()
}

// lookupReason is why some numbers have no answer, as a sentence.
func lookupReason(ctx context.Context, r dispatch.Reason) string {
	if other, ok := views.OfLookups[r.Key]; ok {
		return i18n.T(ctx, other)
	}
	return i18n.T(ctx, r.Key)
}
