package clients

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
)

// Classify sorts a call that was to send something, and did not plainly succeed, into its outcome (ARCHITECTURE.md,
// Delivery). An answer goes by the table even when it came early; with no answer all depends on whether the last byte
// may have gone out. needMessage says that a rejection counts only with an ErrorMessage: without one, who knows which
// machine on the way answered.
func Classify(x Exchange, needMessage bool) *Error {
	e := &Error{HTTPStatus: x.Status, Message: ParseErrorMessage(x.Body), RetryAfter: retryAfter(x.Header)}
	e.Outcome, e.Key = outcome(x, e.Message != nil || !needMessage)
	if e.Outcome == dispatch.OutcomeRefused {
		e.Scope = dispatch.ScopeIntegration
		if x.Status == http.StatusForbidden {
			e.Scope = dispatch.ScopeAccount
		}
	}
	return e
}

func outcome(x Exchange, rejectable bool) (dispatch.Outcome, string) {
	switch {
	case x.Status == 0:
		return noAnswer(x)
	case x.Status >= 500:
		return serverError(x)
	case x.Status >= 400:
		return clientError(x.Status, rejectable)
	case x.Status >= 300:
		return dispatch.OutcomeRefused, "reason.redirect"
	}
	return dispatch.OutcomeUncertain, "reason.not_understood" // a success that lacks what it promises
}

func noAnswer(x Exchange) (dispatch.Outcome, string) {
	switch {
	case !x.Sent:
		return dispatch.OutcomeUnavailable, "reason.unreachable"
	case x.Timeout:
		return dispatch.OutcomeUncertain, "reason.timeout"
	}
	return dispatch.OutcomeUncertain, "reason.no_answer"
}

func serverError(x Exchange) (dispatch.Outcome, string) {
	switch {
	case x.Status == http.StatusServiceUnavailable && x.Sent && cutOnTheWay(x.Body):
		return dispatch.OutcomeUncertain, "reason.no_answer"
	case x.Status == http.StatusServiceUnavailable:
		return dispatch.OutcomeUnavailable, "reason.busy"
	case !x.Sent:
		return dispatch.OutcomeUnavailable, "reason.early_error"
	}
	return dispatch.OutcomeUncertain, "reason.server_error"
}

// cutOnTheWay tells whether a 503 is the word of a proxy that had passed the request on and lost the answer, and not of a
// service that is busy.
//
// Assumption: such a proxy says what Envoy says; that of a connection that never came to be has another reason in it.
func cutOnTheWay(body []byte) bool {
	said := strings.ToLower(string(body))
	if !strings.Contains(said, "disconnect/reset before headers") {
		return false
	}
	for _, never := range []string{"connection failure", "connection timeout", "overflow"} {
		if strings.Contains(said, never) {
			return false
		}
	}
	return true
}

// OfAccount narrows what a 404 concerns where the path names an account: a service that answers with an error of its own is
// there, and does not know the account. Without one the address may be wrong for all.
//
// Assumption: the service's own errors have an errorId or an errorCode, and those of its framework have none.
func OfAccount(e *Error) *Error {
	own := e.Message != nil && e.Message.ErrorID+e.Message.ErrorCode != ""
	if e.HTTPStatus == http.StatusNotFound && own && e.Outcome == dispatch.OutcomeRefused {
		e.Scope, e.Key = dispatch.ScopeAccount, "reason.account_unknown"
	}
	return e
}

func clientError(status int, rejectable bool) (dispatch.Outcome, string) {
	switch status {
	case http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		if !rejectable {
			return dispatch.OutcomeUncertain, "reason.not_understood"
		}
		return dispatch.OutcomeRejected, "reason.rejected"
	case http.StatusRequestTimeout:
		return dispatch.OutcomeUncertain, "reason.timeout"
	case http.StatusTooManyRequests:
		return dispatch.OutcomeUnavailable, "reason.busy"
	case http.StatusUnauthorized:
		return dispatch.OutcomeRefused, "reason.unauthorized"
	case http.StatusForbidden:
		return dispatch.OutcomeRefused, "reason.forbidden"
	}
	return dispatch.OutcomeRefused, "reason.wrong_address"
}

// retryAfter reads how long the service asks to wait, in seconds or as a date, at most an hour.
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
