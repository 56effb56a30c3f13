package gallery

import (
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// lookupExhibits are the contact register.
func lookupExhibits() []exhibit {
	page := func(change func(*compose.LookupPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.LookupPage{Page: f.onAccount(caseworker(), views.SectionLookup, f.text("lookup.title")), Form: compose.LookupForm{Key: sampleID(300)}}
			p.LooksUp = true
			change(&p)
			return compose.Lookup(p)
		}
	}
	answered := func(n int, change func(*compose.LookupResult)) func(frame) templ.Component {
		return page(func(p *compose.LookupPage) {
			r := sampleLookup(n)
			change(&r)
			r.Rows = r.In(r.Group)[:min(len(r.In(r.Group)), 100)]
			p.Result = &r
		})
	}
	return append(lookupProblems(page),
		exhibit{path: "lookup/new", says: "nothing looked up", show: page(func(*compose.LookupPage) {})},
		exhibit{path: "lookup/no-sms", says: "an account without SMS", show: page(func(p *compose.LookupPage) { p.Closed = "lookup.no_sms" })},
		exhibit{path: "lookup/disabled", says: "a disabled account", show: page(func(p *compose.LookupPage) { p.Closed = "lookup.disabled" })},
		exhibit{path: "lookup/four", says: "an answer of every kind", show: answered(4, func(*compose.LookupResult) {})},
		exhibit{path: "lookup/one", says: "one valid number", show: answered(1, func(r *compose.LookupResult) { r.Repeated = 1 })},
		exhibit{path: "lookup/many", says: "one group of many answers, with more on both sides", show: answered(600, func(r *compose.LookupResult) {
			r.Group, r.Repeated = dispatch.GroupValid, 3
			r.Newer, r.Older = compose.LookupPath(sampleAccount(0), r.Group, 1), compose.LookupPath(sampleAccount(0), r.Group, 3)
		})},
		exhibit{path: "lookup/failed-call", says: "one call of several failed", show: answered(40, func(r *compose.LookupResult) {
			r.Failure, r.Answer = dispatch.Reason{Key: "reason.server_error", ErrorID: sampleID(9)}, sampleAnswer()
			for i := 20; i < 30; i++ {
				r.Entries[i].Answer = dispatch.AnswerNone
			}
		})},
		exhibit{path: "lookup/all-failed", says: "the service did not take the question, or is stopped", show: answered(2, func(r *compose.LookupResult) {
			r.Failure = dispatch.Reason{Key: "reason.stopped"}
			for i := range r.Entries {
				r.Entries[i].Answer = dispatch.AnswerNone
			}
		})},
		exhibit{path: "lookup/rejected", says: "the service did not take the question", show: answered(1, func(r *compose.LookupResult) {
			r.Failure, r.Entries[0].Answer = dispatch.Reason{Key: "reason.rejected"}, dispatch.AnswerNone
		})},
		exhibit{path: "lookup/not-as-asked", says: "fewer, more and other answers than were asked for, and a status that nobody knows", show: answered(60, func(r *compose.LookupResult) {
			r.Strange, r.Extra = 2, 3
			for i := 0; i < 50; i += 2 {
				r.Entries[i].Answer = dispatch.AnswerMissing
			}
			r.Entries[52].Answer, r.Entries[53].Status = dispatch.AnswerUnclear, "NY_VERDI"
		})},
	)
}

// lookupProblems are the form with what stops it.
func lookupProblems(page func(func(*compose.LookupPage)) func(frame) templ.Component) []exhibit {
	problems := func(numbers, purpose string, keys ...string) func(frame) templ.Component {
		return page(func(p *compose.LookupPage) {
			p.Form.Numbers, p.Form.Purpose = numbers, purpose
			_, p.Problems = dispatch.ParseLookup(numbers, purpose)
			for _, key := range keys {
				p.Problems = dispatch.Problems{{Field: dispatch.FieldNumbers, Key: key, Args: dispatch.Args{"N": 120, "When": galleryNow.Add(20 * time.Minute)}}}
			}
		})
	}
	var long strings.Builder
	for i := range dispatch.LookupMax + 1 {
		fmt.Fprintf(&long, "0281%07d\n", i)
	}
	return []exhibit{
		{path: "lookup/problems", says: "problems of every line, and no purpose", show: problems("02813299990\nKari\n0281329999\n"+strings.Repeat("x ", 1)+strings.Repeat("\nfeil", 22), "")},
		{path: "lookup/empty", says: "nothing filled in but a short purpose", show: problems("", "Hei")},
		{path: "lookup/long", says: "too many numbers, a long purpose", show: problems(long.String(), strings.Repeat("lang ", 60))},
		{path: "lookup/number-in-purpose", says: "a number in the purpose", show: problems("974760673", "Varsle 028132 99990")},
		{path: "lookup/no-words", says: "a purpose without words", show: problems("974760673", "..........")},
		{path: "lookup/real", says: "a real number in a test environment", show: page(func(p *compose.LookupPage) {
			p.Form.Numbers, p.Form.Purpose = "12047800155", "Varsle foresatte"
			l, _ := dispatch.ParseLookup(p.Form.Numbers, p.Form.Purpose)
			p.Problems = dispatch.Account{SMSEnvironment: dispatch.EnvironmentTest}.ValidateLookup(l)
		})},
		{path: "lookup/large", says: "more than a form may hold", show: problems("", "Varsle foresatte", "problem.lookup.large")},
		{path: "lookup/often", says: "too many look-ups within an hour", show: problems("974760673", "Varsle foresatte", "problem.lookup.often")},
		{path: "lookup/much", says: "too many numbers within an hour", show: problems("974760673", "Varsle foresatte", "problem.lookup.much")},
	}
}

// sampleLookup is a look-up of made-up people and one organisation, with answers of every kind in turn.
func sampleLookup(n int) compose.LookupResult {
	r := compose.LookupResult{SMSKey: sampleID(301)}
	r.Purpose, r.At = "Varsle foresatte om stengt skole", ago(3*time.Minute)
	kinds := []dispatch.LookupEntry{
		{Number: "12847800155", Phone: "+4790000118", Status: dispatch.ContactValid}, {Number: "974760673", Phone: "+4790000567", Status: dispatch.ContactValid},
		{Number: "01897300044", Phone: "22000044", Status: dispatch.ContactInvalid}, {Number: "23856500061", Status: dispatch.ContactNotFound},
	}
	for i := range n {
		e := kinds[i%len(kinds)]
		e.Line, e.Answer = i+1, dispatch.AnswerGiven
		r.Entries = append(r.Entries, e)
	}
	return r
}
