package clients

import (
	"net/http"
	"strconv"
	"time"

	"utsending/internal/dispatch"
)

// Classify returns the outcome of a submission without a plain success: the first matching row of the table decides.
// An uncertain outcome with a scope looks like a refusal; a harmless call must confirm it before it counts as one.
func Classify(x Exchange) *Error {
	e := &Error{HTTPStatus: x.Status, Message: ParseErrorMessage(x.Body), RetryAfter: retryAfter(x.Header)}
	e.Own = e.Message.own(x.Status)
	for _, a := range answers {
		if a.fits(x, e.Own) {
			e.Outcome, e.Scope, e.Key = a.outcome, a.scope, a.key
			break
		}
	}
	if e.Key == "reason.no_answer" && x.Timeout {
		e.Key = "reason.timeout"
	}
	return e
}

// ClassifyRead returns the outcome of a failed read. It is never uncertain: a lost answer can be asked for again.
func ClassifyRead(x Exchange) *Error {
	if x.Status >= 300 && x.Status < 500 && x.Status != http.StatusRequestTimeout || x.Status == http.StatusServiceUnavailable {
		x.Sent = false // a read sends nothing
	}
	return Reading(Classify(x))
}

// proves tells whether it is certain that the service took nothing: the last byte of the body was never sent, or the
// service itself rejects the call. Any other answer may come from a proxy, before or after it forwarded the call; a
// 5xx or a timeout does not tell how far the call came.
func proves(x Exchange, own bool) bool {
	told := x.Status >= 400 && x.Status < 500 && x.Status != http.StatusRequestTimeout || x.Status == http.StatusServiceUnavailable
	return !x.Sent || own && told
}

// TookNothing tells whether the answer proves that the service took nothing.
func TookNothing(x Exchange) bool { return proves(x, ParseErrorMessage(x.Body).own(x.Status)) }

// answer is a row of the table: a range of HTTP statuses (0: no answer), conditions, and the outcome.
type answer struct {
	first, last int
	proven, own when
	outcome     dispatch.Outcome
	scope       dispatch.Scope
	key         string
}

// when is a condition of a row: must hold, must not hold, or either.
type when int

const (
	either when = iota
	yes
	no
)

func (w when) fits(holds bool) bool { return w == either || (w == yes) == holds }

func (a answer) fits(x Exchange, own bool) bool {
	return x.Status >= a.first && x.Status <= a.last && a.proven.fits(proves(x, own)) && a.own.fits(own)
}

// answers maps answers to outcomes, for all services (docs/delivery.md, Outcomes). Without proof the outcome is
// uncertain.
var answers = []answer{
	{0, 0, yes, either, dispatch.OutcomeUnavailable, "", "reason.unreachable"},
	{400, 400, yes, yes, dispatch.OutcomeRejected, "", "reason.rejected"},
	{409, 409, yes, yes, dispatch.OutcomeRejected, "", "reason.rejected"},
	{422, 422, yes, yes, dispatch.OutcomeRejected, "", "reason.rejected"},
	{413, 413, yes, either, dispatch.OutcomeRejected, "", "reason.too_large"},
	{401, 401, yes, either, dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized"},
	{403, 403, yes, yes, dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden"},
	{403, 403, yes, no, dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.blocked"},
	{429, 429, yes, either, dispatch.OutcomeUnavailable, "", "reason.busy"},
	{503, 503, yes, either, dispatch.OutcomeUnavailable, "", "reason.busy"},
	{408, 408, yes, either, dispatch.OutcomeUnavailable, "", "reason.early_error"},
	{300, 399, yes, either, dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.redirect"},
	{400, 499, yes, either, dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address"},
	{0, 999, yes, either, dispatch.OutcomeUnavailable, "", "reason.early_error"},

	{0, 0, no, either, dispatch.OutcomeUncertain, "", "reason.no_answer"},
	{200, 299, no, either, dispatch.OutcomeUncertain, "", "reason.not_understood"}, // a success without what the specification promises
	{300, 399, no, either, dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.redirect"},
	{401, 401, no, either, dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.not_its_own"},
	{403, 403, no, either, dispatch.OutcomeUncertain, dispatch.ScopeAccount, "reason.blocked"},
	{408, 408, no, either, dispatch.OutcomeUncertain, "", "reason.timeout"},
	{404, 405, no, either, dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.not_its_own"},
	{413, 413, no, either, dispatch.OutcomeUncertain, "", "reason.perhaps_too_large"},
	{400, 499, no, either, dispatch.OutcomeUncertain, "", "reason.not_its_own"},
	{503, 503, no, either, dispatch.OutcomeUncertain, "", "reason.not_its_own"},
	{0, 999, no, either, dispatch.OutcomeUncertain, "", "reason.server_error"},
}

// OfAccount narrows the scope of a 404 where the path names an account: an error written by the service itself means
// that it does not know the account; otherwise the whole address may be wrong.
func OfAccount(e *Error) *Error {
	if e.HTTPStatus == http.StatusNotFound && e.Own && e.Outcome == dispatch.OutcomeRefused {
		e.Scope, e.Key = dispatch.ScopeAccount, "reason.account_unknown"
	}
	return e
}

// retryAfter parses the Retry-After header, seconds or a date; at most an hour.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 3600)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(time.Until(at), 0), time.Hour)
	}
	return 0
}
