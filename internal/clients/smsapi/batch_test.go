package smsapi_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

func phones(n int) []dispatch.Phone {
	all := make([]dispatch.Phone, n)
	for i := range all {
		all[i] = dispatch.Phone("4000" + strconv.Itoa(1000+i))
	}
	return all
}

func TestSendBatch(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, smsapi.BatchMax} {
		t.Run("takes "+strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			if err := g.client.SendBatch(t.Context(), account, phones(n), "Hei\r\npå deg", true, nil); err != nil {
				t.Fatal(err)
			}
			books := g.sim.Books()
			if len(books) != n || books[n-1].Phone != phones(n)[n-1].Reveal() || books[0].Text != "Hei\npå deg" || !books[0].HideInReport {
				t.Errorf("got %d in the books, want %d as they were sent", len(books), n)
			}
			g.checkCalls(t, simulator.OpBatch, 1)
		})
	}
}

func TestSendBatchRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, tt := range map[string]struct {
		phones []dispatch.Phone
		text   string
	}{
		"nobody":                 {nil, "Hei"},
		"1001 numbers":           {phones(1001), "Hei"},
		"one landline of many":   {append(phones(3), "22345678"), "Hei"},
		"one empty of many":      {append(phones(3), ""), "Hei"},
		"a text of one":          {phones(3), "H"},
		"a text that is too big": {phones(3), strings.Repeat("a", 1601)},
	} {
		t.Run(name, func(t *testing.T) {
			err := g.client.SendBatch(t.Context(), account, tt.phones, tt.text, false, nil)
			checkResult(t, err, result{outcome: dispatch.OutcomeRejected, key: "reason.invalid"})
		})
	}
	if got := g.sim.Calls(); got != nil {
		t.Errorf("got calls %+v, want none", got)
	}
}

// The 200 without a body is all that sendBatch promises.
func TestSendBatchMeetsTheEndings(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]ending{
		"100": {result{outcome: dispatch.OutcomeAccepted}, true},
		"400": {want: result{dispatch.OutcomeRejected, "", "reason.rejected", 400}},
		"403": {want: result{dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403}},
		"500": {want: result{dispatch.OutcomeUncertain, "", "reason.server_error", 500}},
		"503": {want: result{dispatch.OutcomeUnavailable, "", "reason.busy", 503}},
		"901": {result{dispatch.OutcomeUncertain, "", "reason.no_answer", 0}, true},
		"902": {want: result{dispatch.OutcomeUncertain, "", "reason.no_answer", 0}},
		"404": {want: result{dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.account_unknown", 404}},
		"904": {result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200}, true},
		"906": {want: result{dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.redirect", 307}},
		"909": {want: result{dispatch.OutcomeUncertain, "", "reason.not_its_own", 400}},
		"912": {result{dispatch.OutcomeUncertain, "", "reason.server_error", 500}, true},
	} {
		t.Run(digits, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			numbers := []dispatch.Phone{dispatch.Phone("40000" + digits), "40000200"}
			checkResult(t, g.client.SendBatch(t.Context(), account, numbers, "Hei", false, nil), want.want)
			if got := len(g.sim.Books()); (got == 2) != want.booked {
				t.Errorf("got %d in the books, want booked %t", got, want.booked)
			}
			g.checkCalls(t, simulator.OpBatch, 1)
		})
	}
}

// A success that says anything is another machine's, or about something else: of a batch nothing can be asked later.
func TestSendBatchDoubtsWhatHasABody(t *testing.T) {
	t.Parallel()
	doubted := result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200}
	for body, want := range map[string]result{
		"": {outcome: dispatch.OutcomeAccepted}, " \r\n": {outcome: dispatch.OutcomeAccepted}, "null": {outcome: dispatch.OutcomeAccepted},
		"<html>Logg inn</html>": doubted, `{"status":400,"message":"Ugyldig"}`: doubted, "{}": doubted,
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			checkResult(t, answering(t, 200, body).SendBatch(t.Context(), account, []dispatch.Phone{"40000100"}, "Hei", false, nil), want)
		})
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	got, err := g.client.Lookup(t.Context(), account, []dispatch.LookupNumber{"02013299990", "02013299996", "987654329"})
	if err != nil {
		t.Fatal(err)
	}
	want := []dispatch.Contact{
		{Number: "02013299990", Phone: "+4790999020", Status: dispatch.ContactValid},
		{Number: "02013299996", Status: dispatch.ContactNotFound},
		{Number: "987654329", Phone: "22432920", Status: dispatch.ContactInvalid},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	g.checkCalls(t, simulator.OpLookup, 1)
}

// many are numbers that may be asked for, as many as wanted.
func many(n int) []dispatch.LookupNumber {
	numbers := make([]dispatch.LookupNumber, n)
	for i := range numbers {
		numbers[i] = dispatch.LookupNumber(fmt.Sprintf("0281%06d0", i))
	}
	return numbers
}

func TestLookupOfAThousand(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	got, err := g.client.Lookup(t.Context(), account, many(smsapi.LookupMax))
	if err != nil || len(got) != smsapi.LookupMax {
		t.Errorf("got %d contacts and %v, want 1000", len(got), err)
	}
	g.checkCalls(t, simulator.OpLookup, 1)
}

func TestLookupRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, numbers := range map[string][]dispatch.LookupNumber{
		"none": nil, "1001": many(smsapi.LookupMax + 1), "an empty one": {"987654329", ""}, "ten digits": {"9876543290"}, "a blank": {"987 654 329"},
		"a letter": {"0201329999A"}, "twelve digits": {"020132999900"}, "digits of another script": {"٠٢٠١٣٢٩٩٩٩٠"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := g.client.Lookup(t.Context(), account, numbers)
			checkResult(t, err, result{outcome: dispatch.OutcomeRejected, key: "reason.invalid"})
		})
	}
	if got := g.sim.Calls(); got != nil {
		t.Errorf("got calls %+v, want none", got)
	}
}

// Answers come back as the service gave them, however wrong: more, fewer, others, and statuses that nobody knows.
func TestLookupKeepsWhatTheServiceSays(t *testing.T) {
	t.Parallel()
	got, err := answering(t, 200, `[{"fnrOrgnr":"1"},{"fnrOrgnr":"987654329","telefonnummer":null,"telefonnummerStatus":"NY_VERDI","nytt":1}]`).
		Lookup(t.Context(), account, []dispatch.LookupNumber{"987654329"})
	want := []dispatch.Contact{{Number: "1"}, {Number: "987654329", Status: "NY_VERDI"}}
	if diff := cmp.Diff(got, want); diff != "" || err != nil {
		t.Errorf("got - want +:\n%s\n%v", diff, err)
	}
}
