// Package clients is the common part of the services' clients: an HTTP call that knows whether the last byte of its
// body was sent, errors with their delivery outcome, the services' error body, and token sources.
package clients

import (
	"errors"
	"fmt"
	"time"

	"utsending/internal/dispatch"
)

// Error is a failed call with its outcome. Its text holds no address, no body and nothing of the message, so it can
// be logged.
type Error struct {
	Outcome    dispatch.Outcome
	Scope      dispatch.Scope // of a refusal, or of an outcome that looks like one
	Key        string         // catalogue key of the reason
	HTTPStatus int            // 0: no answer
	RetryAfter time.Duration  // from the Retry-After header
	Message    *ErrorMessage  // nil: the body was not an ErrorMessage
	Own        bool           // written by the service itself, not by a proxy
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("%s (%s, http status %d, error id %q)", e.Outcome, e.Key, e.HTTPStatus, e.Reason().ErrorID)
}

// Reason returns the part that may be shown to users.
func (e *Error) Reason() dispatch.Reason {
	r := dispatch.Reason{Key: e.Key, HTTPStatus: e.HTTPStatus}
	if e.Message != nil {
		r.ErrorID = e.Message.ErrorID
	}
	return r
}

// Answer is the service's error answer, masked; zero if the body was not an ErrorMessage.
func (e *Error) Answer() dispatch.Answer {
	m := e.Message
	if m == nil {
		return dispatch.Answer{}
	}
	a := dispatch.Answer{
		Status: m.Status, Error: m.Error, ErrorID: m.ErrorID, Path: m.Path, OriginalPath: m.OriginalPath,
		Message: m.Message, ErrorCode: m.ErrorCode, ErrorJSON: m.ErrorJSON,
	}
	if at := time.UnixMilli(m.Timestamp).UTC(); at.Year() >= 2000 && at.Year() < 2100 {
		a.At = at
	}
	return a.Masked()
}

// AsError returns the call's error; any other error becomes an uncertain outcome, which is the safe assumption.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Outcome: dispatch.OutcomeUncertain, Key: "reason.not_understood"}
}

// Reading returns the error of a read, which is never uncertain: a lost answer can be asked for again.
func Reading(e *Error) *Error {
	if e != nil && e.Outcome == dispatch.OutcomeUncertain {
		e.Outcome = dispatch.OutcomeUnavailable
	}
	return e
}

// Missing tells whether the service itself says that it does not know an id; a proxy may answer 404 too.
func Missing(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Key == "reason.not_known" && e.Own
}
