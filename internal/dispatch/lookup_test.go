package dispatch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

const purpose = "Varsle foresatte om stengt skole"

func numbersOf(l dispatch.Lookup) []string {
	var list []string
	for _, e := range l.Entries {
		list = append(list, fmt.Sprintf("%d:%s", e.Line, e.Number.Reveal()))
	}
	return list
}

func TestParseLookupReadsNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, typed string
		want        []string
		repeated    int
	}{
		{"one", "02813299990", []string{"1:02813299990"}, 0},
		{"one a line, with empty lines", "02813299990\r\n\r\n974760673\n", []string{"1:02813299990", "3:974760673"}, 0},
		{"blanks of all kinds within", " 028132 99990 \n974\u00a0760\u202f673", []string{"1:02813299990", "2:974760673"}, 0},
		{"several a line", "02813299990, 974760673;02813299991\t02813299992", []string{"1:02813299990", "1:974760673", "1:02813299991", "1:02813299992"}, 0},
		{"the same again, spelled otherwise", "02813299990\n028132 99990\n02813299990", []string{"1:02813299990"}, 2},
		{"check digits that do not fit", "02813299999", []string{"1:02813299999"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ps := dispatch.ParseLookup(tt.typed, purpose)
			if len(ps) > 0 || got.Repeated != tt.repeated {
				t.Errorf("got problems %v and %d repeated, want none and %d", ps, got.Repeated, tt.repeated)
			}
			if diff := cmp.Diff(numbersOf(got), tt.want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func keysOf(ps dispatch.Problems) []string {
	var keys []string
	for _, p := range ps {
		key := p.Key
		for _, name := range []string{"Line", "N"} {
			if v, ok := p.Args[name]; ok {
				key += fmt.Sprintf(" %s=%v", name, v)
			}
		}
		keys = append(keys, key)
	}
	return keys
}

func TestParseLookupTellsProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, typed, purpose string
		want                 []string
	}{
		{"nothing", " \n ", "", []string{"problem.lookup.empty", "problem.purpose.empty"}},
		{"only separators", ",;\n;", purpose, []string{"problem.lookup.empty"}},
		{"a letter and a length", "02813299990\nKari\n0281329999", purpose, []string{"problem.lookup.digits Line=2", "problem.lookup.length Line=3 N=10"}},
		{"two on a line", "1,x", purpose, []string{"problem.lookup.length Line=1 N=1", "problem.lookup.digits Line=1"}},
		{"a phone number", "40000123", purpose, []string{"problem.lookup.length Line=1 N=8"}},
		{"a short purpose", "974760673", "Hei", []string{"problem.purpose.short"}},
		{"a purpose of blanks", "974760673", " \t\n ", []string{"problem.purpose.empty"}},
		{"a long purpose", "974760673", strings.Repeat("æ", 201), []string{"problem.purpose.long N=201"}},
		{"a number in the purpose", "974760673", "Varsle 028132 99990 om time", []string{"problem.purpose.number"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, ps := dispatch.ParseLookup(tt.typed, tt.purpose)
			if diff := cmp.Diff(keysOf(ps), tt.want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
	t.Run("no more than twenty lines are told apart", func(t *testing.T) {
		t.Parallel()
		_, ps := dispatch.ParseLookup(strings.Repeat("x\n", 50), purpose)
		if keys := keysOf(ps); len(keys) != 21 || keys[20] != "problem.lookup.more N=30" {
			t.Errorf("got %v", keys)
		}
	})
	t.Run("5000 pass, and one more does not", func(t *testing.T) {
		t.Parallel()
		var b strings.Builder
		for i := range dispatch.LookupMax {
			fmt.Fprintf(&b, "0281%07d\n", i)
		}
		if l, ps := dispatch.ParseLookup(b.String(), purpose); len(ps) > 0 || len(l.Entries) != dispatch.LookupMax {
			t.Errorf("got %d entries, %v", len(l.Entries), ps)
		}
		_, ps := dispatch.ParseLookup(b.String()+"974760673", purpose)
		if diff := cmp.Diff(keysOf(ps), []string{"problem.lookup.count N=5001"}); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("numbers of cases and years are no numbers of people", func(t *testing.T) {
		t.Parallel()
		if _, ps := dispatch.ParseLookup("974760673", "Sak 2026/1234 og skoleår 2026-27"); len(ps) > 0 {
			t.Errorf("got %v", keysOf(ps))
		}
	})
}

func contact(number, phone string, status dispatch.ContactStatus) dispatch.Contact {
	return dispatch.Contact{Number: dispatch.LookupNumber(number), Phone: dispatch.Phone(phone), Status: status}
}

// TestLookupTakesAnswers: fewer and more answers than were asked for, and answers about others, are noticed.
func TestLookupTakesAnswers(t *testing.T) {
	t.Parallel()
	const one, two, three, stranger = "02813299990", "02813299991", "974760673", "02813299992"
	asked := func(numbers ...dispatch.LookupNumber) []dispatch.LookupNumber { return numbers }
	failed := dispatch.LookupCall{Asked: asked(three), Failure: dispatch.Reason{Key: "reason.server_error"}}
	good := []dispatch.Contact{contact(one, "+4790000020", "GYLDIG"), contact(two, "", "IKKE_FUNNET")}
	tests := []struct {
		name           string
		calls          []dispatch.LookupCall
		want           string // an answer for each number
		extra, strange int
		failure        string
	}{
		{"all in one call", []dispatch.LookupCall{{Asked: asked(one, two, three), Contacts: append(good, contact(three, "22", "UGYLDIG"))}}, "given given given", 0, 0, ""},
		{"one call of two fails", []dispatch.LookupCall{{Asked: asked(one, two), Contacts: good}, failed}, "given given -", 0, 0, "reason.server_error"},
		{"the first fails", []dispatch.LookupCall{failed, {Asked: asked(one, two), Contacts: good}}, "given given -", 0, 0, "reason.server_error"},
		{"fewer", []dispatch.LookupCall{{Asked: asked(one, two, three), Contacts: good}}, "given given missing", 0, 0, ""},
		{"none at all", []dispatch.LookupCall{{Asked: asked(one, two, three)}}, "missing missing missing", 0, 0, ""},
		{"the same twice", []dispatch.LookupCall{{Asked: asked(one, two), Contacts: append(good, good[0])}}, "given given -", 1, 0, ""},
		{"two that differ", []dispatch.LookupCall{{Asked: asked(one, two), Contacts: append(good, contact(one, "+4790000021", "GYLDIG"))}}, "unclear given -", 1, 0, ""},
		{"two that differ, and the first again", []dispatch.LookupCall{{Asked: asked(one, two), Contacts: append(good, contact(one, "", "GYLDIG"), good[0])}}, "unclear given -", 2, 0, ""},
		{"one about a stranger", []dispatch.LookupCall{{Asked: asked(one, two), Contacts: append(good, contact(stranger, "", "GYLDIG"))}}, "given given -", 0, 1, ""},
		{"one that another call asked for", []dispatch.LookupCall{{Asked: asked(one, two), Contacts: append(good, contact(three, "", "GYLDIG"))}, failed}, "given given -", 0, 1, "reason.server_error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, _ := dispatch.ParseLookup(one+"\n"+two+"\n"+three, purpose)
			l.Take(tt.calls)
			var got []string
			for _, e := range l.Entries {
				if e.Answer == "" {
					e.Answer = "-"
				}
				got = append(got, string(e.Answer))
			}
			if strings.Join(got, " ") != tt.want || l.Extra != tt.extra || l.Strange != tt.strange || l.Failure.Key != tt.failure {
				t.Errorf("got %v, %d extra, %d strange, failure %q", got, l.Extra, l.Strange, l.Failure.Key)
			}
		})
	}
	t.Run("asking again fills in what is missing", func(t *testing.T) {
		t.Parallel()
		l, _ := dispatch.ParseLookup(one+"\n"+two+"\n"+three, purpose)
		l.Take([]dispatch.LookupCall{{Asked: asked(one, two), Contacts: good[:1]}, failed})
		again := l.Unanswered()
		if diff := cmp.Diff(again, asked(two, three), cmp.Comparer(func(a, b dispatch.LookupNumber) bool { return a == b })); diff != "" {
			t.Fatalf("asks again for the wrong ones: %s", diff)
		}
		l.Take([]dispatch.LookupCall{{Asked: again, Contacts: []dispatch.Contact{good[1], contact(three, "+4790000022", "GYLDIG")}}})
		if n := len(l.Unanswered()); n > 0 || l.Failure.Key != "" || l.Entries[0].Phone != "+4790000020" {
			t.Errorf("got %d unanswered, failure %q", n, l.Failure.Key)
		}
	})
}

func TestLookupRecipients(t *testing.T) {
	t.Parallel()
	const person, firm = "02813299990", "974760673"
	tests := []struct {
		name    string
		contact dispatch.Contact
		want    dispatch.SMSRecipient
	}{
		{"a person by national id", contact(person, "+4790000020", "GYLDIG"), dispatch.SMSRecipient{NationalID: person}},
		{"a person whose number is not shown", contact(person, "", "GYLDIG"), dispatch.SMSRecipient{NationalID: person}},
		{"an organisation by the phone that was found", contact(firm, "+47 900 00 020", "GYLDIG"), dispatch.SMSRecipient{Phone: "+4790000020"}},
		{"an organisation without a phone", contact(firm, "", "GYLDIG"), dispatch.SMSRecipient{}},
		{"an organisation with a landline", contact(firm, "22000020", "GYLDIG"), dispatch.SMSRecipient{}},
		{"a number that cannot be used", contact(person, "22000020", "UGYLDIG"), dispatch.SMSRecipient{}},
		{"nobody", contact(person, "", "IKKE_FUNNET"), dispatch.SMSRecipient{}},
		{"a status that nobody knows", contact(person, "+4790000020", "NY_VERDI"), dispatch.SMSRecipient{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, _ := dispatch.ParseLookup(tt.contact.Number.Reveal(), purpose)
			l.Take([]dispatch.LookupCall{{Asked: l.Unanswered(), Contacts: []dispatch.Contact{tt.contact}}})
			got, ok := l.Entries[0].Recipient()
			if ok != (tt.want != dispatch.SMSRecipient{}) || ok && got != tt.want || ok != (len(l.Valid()) == 1) {
				t.Errorf("got %t, %q and %q", ok, got.NationalID.Reveal(), got.Phone.Reveal())
			}
		})
	}
}

func TestLookupUse(t *testing.T) {
	t.Parallel()
	oldest := time.Date(2026, 11, 20, 9, 41, 0, 0, time.UTC)
	tests := []struct {
		lookups, numbers, more int
		want                   string
	}{
		{0, 0, 5000, ""}, {19, 4999, 1, ""}, {20, 20, 1, "problem.lookup.often"}, {1, 4999, 2, "problem.lookup.much N=1"}, {5, 5000, 1, "problem.lookup.much N=0"},
	}
	for _, tt := range tests {
		got := dispatch.LookupUse{Lookups: tt.lookups, Numbers: tt.numbers, Oldest: oldest}.Refuse(tt.more)
		switch {
		case got == nil && tt.want != "", got != nil && keysOf(dispatch.Problems{*got})[0] != tt.want:
			t.Errorf("%+v: got %v", tt, got)
		case got != nil && got.Args["When"] != oldest.Add(time.Hour):
			t.Errorf("free at %v", got.Args["When"])
		}
	}
}

func TestLookupGroups(t *testing.T) {
	t.Parallel()
	l := dispatch.Lookup{Entries: []dispatch.LookupEntry{
		{Answer: dispatch.AnswerGiven, Status: dispatch.ContactValid}, {Answer: dispatch.AnswerGiven, Status: dispatch.ContactInvalid},
		{Answer: dispatch.AnswerGiven, Status: dispatch.ContactNotFound}, {Answer: dispatch.AnswerGiven, Status: "NY_VERDI"},
		{}, {Answer: dispatch.AnswerMissing}, {Answer: dispatch.AnswerUnclear},
	}}
	sum := 0
	for group, want := range map[dispatch.LookupGroup]int{
		dispatch.GroupValid: 1, dispatch.GroupInvalid: 1, dispatch.GroupNotFound: 1, dispatch.GroupOther: 1, dispatch.GroupUnanswered: 3,
	} {
		got := len(l.In(group))
		if sum += got; got != want {
			t.Errorf("%s: got %d, want %d", group, got, want)
		}
	}
	if all := len(l.In("")); sum != all || all != len(l.Entries) {
		t.Errorf("groups hold %d of %d", sum, all)
	}
}
