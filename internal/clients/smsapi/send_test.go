package smsapi_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

// ending is what a send comes to, and the truth behind it.
type ending struct {
	want   result
	booked bool
}

// sendEndings is the table of docs/delivery.md, Outcomes, for each ending of the simulator that is more than accepted.
func sendEndings() map[string]ending {
	const integration = dispatch.ScopeIntegration
	all := map[string]ending{
		"401": {want: result{dispatch.OutcomeRefused, integration, "reason.unauthorized", 401}},
		"403": {want: result{dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403}},
		"404": {want: result{dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.account_unknown", 404}},
		"408": {want: result{dispatch.OutcomeUncertain, "", "reason.timeout", 408}},
		"429": {want: result{dispatch.OutcomeUnavailable, "", "reason.busy", 429}},
		"503": {want: result{dispatch.OutcomeUnavailable, "", "reason.busy", 503}},
		"901": {result{dispatch.OutcomeUncertain, "", "reason.no_answer", 0}, true},
		"902": {want: result{dispatch.OutcomeUncertain, "", "reason.no_answer", 0}},
		"903": {want: result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200}},
		"904": {result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200}, true},
		"905": {result{dispatch.OutcomeUncertain, "", "reason.timeout", 0}, true},
		"906": {want: result{dispatch.OutcomeUncertain, integration, "reason.redirect", 307}},
		"907": {want: result{dispatch.OutcomeRejected, "", "reason.rejected", 400}},
		"908": {want: result{dispatch.OutcomeUncertain, "", "reason.server_error", 500}},
		"909": {want: result{dispatch.OutcomeUncertain, "", "reason.not_its_own", 400}},
		"910": {want: result{dispatch.OutcomeUnavailable, "", "reason.busy", 503}},
		"911": {want: result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200}},
		"912": {result{dispatch.OutcomeUncertain, "", "reason.server_error", 500}, true},
	}
	all["413"] = ending{want: result{dispatch.OutcomeRejected, "", "reason.too_large", 413}}
	for _, code := range []int{400, 409, 422} {
		all[strconv.Itoa(code)] = ending{want: result{dispatch.OutcomeRejected, "", "reason.rejected", code}}
	}
	for _, code := range []int{500, 502, 504} {
		all[strconv.Itoa(code)] = ending{want: result{dispatch.OutcomeUncertain, "", "reason.server_error", code}}
	}
	return all
}

func TestSendMeetsEveryEnding(t *testing.T) {
	t.Parallel()
	known := sendEndings()
	for _, e := range simulator.Endings() {
		want, ok := known[e.Digits]
		if !ok {
			want = ending{result{outcome: dispatch.OutcomeAccepted}, true}
		}
		delete(known, e.Digits)
		t.Run(e.Digits+" "+e.Meaning, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{SlowFor: time.Hour})
			ctx, expire := context.WithCancelCause(t.Context())
			defer expire(nil)
			if e.Digits == "905" { // the deadline passes as soon as the message is accepted
				go func() {
					eventually(t, "acceptance", func() bool { return len(g.sim.Books()) == 1 })
					expire(context.DeadlineExceeded)
				}()
			}
			id, err := g.client.Send(ctx, account, to(dispatch.Phone("40000"+e.Digits)), nil)
			checkResult(t, err, want.want)
			checkBooks(t, g, id, want)
		})
	}
	if len(known) > 0 {
		t.Errorf("got no ending for %v", known)
	}
}

// checkBooks compares with what the service knows: accepted is in the books under the id that was told, uncertain may
// be, and nothing else is.
func checkBooks(t *testing.T, g *rig, id string, want ending) {
	t.Helper()
	books := g.sim.Books()
	if (len(books) == 1) != want.booked || len(books) > 1 {
		t.Fatalf("got %d in the books, want booked %t", len(books), want.booked)
	}
	switch want.want.outcome {
	case dispatch.OutcomeAccepted:
		if books[0].ID != id || books[0].AnswerLost || books[0].Text != "Hei på deg" {
			t.Errorf("got id %s, want what is in the books: %+v", id, books[0])
		}
	case dispatch.OutcomeUncertain:
		if want.booked && !books[0].AnswerLost {
			t.Error("got an answer, want it lost")
		}
	default:
		if want.booked {
			t.Errorf("got %s for a message that was accepted", want.want.outcome)
		}
	}
	calls := 1
	if want.want.status == http.StatusUnauthorized {
		calls = 2 // once more with a fresh token
	}
	g.checkCalls(t, simulator.OpSend, calls)
	if id != "" && want.want.outcome != dispatch.OutcomeAccepted {
		t.Errorf("got id %q with %s, want none", id, want.want.outcome)
	}
}

func TestSendIsNeverRepeatedOnAReusedConnection(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for n, digits := range []string{"100", "901", "902", "904", "912"} {
		_, _ = g.send(t, "40000100") // leaves a connection to use again
		_, err := g.send(t, dispatch.Phone("40000"+digits))
		if digits != "100" {
			if got := resultOf(t, err); got.outcome != dispatch.OutcomeUncertain {
				t.Errorf("got %+v for %s, want uncertain", got, digits)
			}
		}
		g.checkCalls(t, simulator.OpSend, 2*(n+1))
	}
}

func TestSendWorksTheSecondTime(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	_, err := g.send(t, "40000910")
	checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.busy", 503})
	if id := g.accepted(t, "40000910"); g.sim.Books()[0].ID != id {
		t.Errorf("got id %s, want the one in the books", id)
	}
}

func TestSendTellsWhenToComeBack(t *testing.T) {
	t.Parallel()
	_, err := newRig(t, simulator.Options{}).send(t, "40000429")
	if got := clients.AsError(err).RetryAfter; got != 2*time.Second {
		t.Errorf("got %s, want 2s", got)
	}
}

func TestSendKeepsBackWhatIsNotReady(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.accepted(t, "40000100")
	_, err := g.client.Send(t.Context(), account, to("40000101"), func(context.Context) error { return errors.New("lease lost") })
	checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
	g.accepted(t, "40000102")
	if got := g.sim.Books(); len(got) != 2 || got[1].Phone != "40000102" {
		t.Errorf("got %d in the books, want the first and the last", len(got))
	}
}

func TestSendRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, m := range map[string]dispatch.SMS{
		"no recipient":               {Text: "Hei"},
		"both recipients":            {Recipient: dispatch.SMSRecipient{Phone: "40000001", NationalID: "02013299997"}, Text: "Hei"},
		"a landline":                 {Recipient: dispatch.SMSRecipient{Phone: "22345678"}, Text: "Hei"},
		"a phone number with blanks": {Recipient: dispatch.SMSRecipient{Phone: "400 00 001"}, Text: "Hei"},
		"a short national id":        {Recipient: dispatch.SMSRecipient{NationalID: "0201329999"}, Text: "Hei"},
		"a text of one character":    {Recipient: dispatch.SMSRecipient{Phone: "40000001"}, Text: "H"},
		"a text that is too long":    {Recipient: dispatch.SMSRecipient{Phone: "40000001"}, Text: strings.Repeat("a", 1601)},
		"a text that is no text":     {Recipient: dispatch.SMSRecipient{Phone: "40000001"}, Text: "ab\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			id, err := g.client.Send(t.Context(), account, m, nil)
			checkResult(t, err, result{outcome: dispatch.OutcomeRejected, key: "reason.invalid"})
			if id != "" {
				t.Errorf("got id %q, want none", id)
			}
		})
	}
	if got := g.sim.Calls(); got != nil {
		t.Errorf("got calls %+v, want none", got)
	}
}

func TestSendDoubtsAStrangeSuccess(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		body   string
	}{
		"an id that is no uuid":       {200, `{"id":"17"}`},
		"an id that is a number":      {200, `{"id":17}`},
		"an id that is null":          {200, `{"id":null}`},
		"an ErrorMessage":             {200, `{"status":400,"message":"Ugyldig"}`},
		"a list":                      {200, `[{"id":"` + smsID + `"}]`},
		"nothing":                     {200, ``},
		"an id with something behind": {200, `{"id":"` + smsID + `"}<!-- proxy -->`},
		"201 though with an id":       {201, `{"id":"` + smsID + `"}`},
		"202 though with an id":       {202, `{"id":"` + smsID + `"}`},
		"204":                         {204, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := answering(t, tt.status, tt.body).Send(t.Context(), account, to("40000001"), nil)
			checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.not_understood", tt.status})
		})
	}
}

func TestAnAnswerThatWasCutBehindItsValueIsDoubted(t *testing.T) {
	t.Parallel()
	client := handled(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"id":"` + smsID + `","status":"SENDT"}`))
	})
	_, err := client.Send(t.Context(), account, to("40000001"), nil)
	checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200})
	_, err = client.Status(t.Context(), account, smsID)
	checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.not_understood", 200})
}

func TestSendManyAtOnce(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	var senders sync.WaitGroup
	for n := range 50 {
		senders.Go(func() {
			if _, err := g.send(t, dispatch.Phone("4000"+strconv.Itoa(1000+n))); err != nil {
				t.Errorf("send: %v", err)
			}
		})
	}
	senders.Wait()
	if got := len(g.sim.Books()); got != 50 {
		t.Errorf("got %d in the books, want 50", got)
	}
	g.checkCalls(t, simulator.OpToken, 1)
}

func TestSendToAnAddressWhereNobodyIs(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, tt := range map[string]struct {
		url  string
		want result
	}{
		"a closed port":         {"http://127.0.0.1:1", result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0}},
		"no address":            {"http://[::1", result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", 0}},
		"a path of another API": {g.url + "/elsewhere", result{dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.not_its_own", 404}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, g.url)
			o.BaseURL = tt.url
			_, err := smsapi.New(o).Send(t.Context(), account, to("40000001"), nil)
			checkResult(t, err, tt.want)
		})
	}
}
