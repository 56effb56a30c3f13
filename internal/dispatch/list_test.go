package dispatch_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

func TestChoices(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		filter dispatch.ListFilter
		want   int
	}{
		"nothing":                        {dispatch.ListFilter{}, 0},
		"kind and days have their order": {dispatch.ListFilter{Kind: dispatch.KindSMS, From: time.Unix(1, 0), To: time.Unix(2, 0)}, 0},
		"all that was sent is no choice": {dispatch.ListFilter{Outcome: dispatch.OutcomeSent}, 0},
		"a group":                        {dispatch.ListFilter{Group: dispatch.GroupArrived}, 1},
		"a group and a type":             {dispatch.ListFilter{Group: dispatch.GroupArrived, Type: "Vedtak"}, 2},
		"an outcome, a route and bands":  {dispatch.ListFilter{Outcome: dispatch.OutcomeOpen, Route: dispatch.RouteDigital, Read: 1, Signed: 2}, 4},
	} {
		if got := test.filter.Choices(); got != test.want {
			t.Errorf("%s: got %d, want %d", name, got, test.want)
		}
	}
}

// TestSearchMasked: the page hides the number of a person, and shows that of an organization, which is public.
func TestSearchMasked(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"974760673": "974\u00a0760\u00a0673", "41234567": "••• •• 567", "974760674": "••• •• 674"} {
		if s, problem := dispatch.ParsePersonSearch(typed); problem != nil || s.Masked() != want {
			t.Errorf("%s is shown as %q, %v", typed, s.Masked(), problem)
		}
	}
}

// TestParseReportNumber: a report is about a number; digits that are none are refused instead of becoming a phone number. One whose check digits do not fit is marked.
func TestParseReportNumber(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"974 760 673": "", "90000123": "", "+46 70 123 45 67": "", "0046701234567": "", "01817823145": "", "27855984567": "",
		"974760674": "", "12345678901": "problem.report.national_id", "12345678": "problem.phone.start", "": "problem.search.number_empty",
		"1234567": "problem.search.number", "9747606731": "problem.search.number", "Kari": "problem.search.number", "+0012345678": "problem.phone.country", "+479000012": "problem.report.phone",
	} {
		s, problem := dispatch.ParseReportNumber(typed)
		if (problem == nil) != (want == "") || problem != nil && (problem.Key != want || problem.Field != dispatch.FieldSearch || s != (dispatch.Search{})) || problem == nil && !s.Person() {
			t.Errorf("%q: got %+v, %+v, want %q", typed, s, problem, want)
		}
		if mistyped := typed == "01817823145" || typed == "27855984567" || typed == "974760674"; s.Mistyped() != mistyped {
			t.Errorf("%q: mistyped is %t", typed, s.Mistyped())
		}
	}
}
