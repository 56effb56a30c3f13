package simulator

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/google/uuid"
)

// errorMessage is the specification's ErrorMessage.
//
// Assumption: every field is set, although the specification requires none, so that a client meets them all.
type errorMessage struct {
	Timestamp    int64  `json:"timestamp"`
	Status       int32  `json:"status"`
	Error        string `json:"error"`
	ErrorID      string `json:"errorId"`
	Path         string `json:"path"`
	OriginalPath string `json:"originalPath"`
	Message      string `json:"message"`
	ErrorCode    string `json:"errorCode"`
	ErrorJSON    any    `json:"errorJson"` // a string, but for the fault ErrorObject
}

// errorDetail is the content of our errorJson.
type errorDetail struct {
	Detail string `json:"detail"`
}

func (x *Exchange) errorMessage(status int, detail string) errorMessage {
	code, message := errorWords(status)
	if status == http.StatusNotFound && x.Missing != "" {
		message = x.Missing
	}
	return errorMessage{
		Timestamp:    x.Sim.Options.Now().UnixMilli(),
		Status:       int32(status),
		Error:        cmp.Or(http.StatusText(status), "HTTP "+strconv.Itoa(status)),
		ErrorID:      uuid.NewString(),
		Path:         x.Request.URL.Path,
		OriginalPath: x.Request.URL.Path,
		Message:      message,
		ErrorCode:    code,
		ErrorJSON:    string(encode(errorDetail{Detail: detail})),
	}
}

// Assumption: the codes and messages are made up; the specification shows none.
func errorWords(status int) (code, message string) {
	switch {
	case status == http.StatusUnauthorized:
		return "IKKE_AUTENTISERT", "Ikke autentisert"
	case status == http.StatusForbidden:
		return "MANGLER_TILGANG", "Mangler tilgang"
	case status == http.StatusNotFound:
		return "IKKE_FUNNET", "Fant ingen SMS"
	case status >= 500:
		return "SYSTEMFEIL", "Systemfeil"
	case status == http.StatusBadRequest:
		return "UGYLDIG_FORESPORSEL", "Ugyldig forespørsel"
	default:
		return "FEIL", "Noe gikk galt"
	}
}

// Fail answers with an ErrorMessage.
func (x *Exchange) Fail(status int) {
	x.FailWith(status, "simulated")
}

// FailWith answers with an ErrorMessage and a detail.
func (x *Exchange) FailWith(status int, detail string) {
	switch status {
	case http.StatusUnauthorized:
		x.w.Header().Set("WWW-Authenticate", cmp.Or(x.Challenge, "Bearer"))
	case http.StatusTooManyRequests:
		x.w.Header().Set("Retry-After", "2")
	}
	x.answer(status, x.errorMessage(status, detail))
}

// Invalid records a violation and answers 400. It returns false, for the check methods.
//
// Assumption: invalid input is answered with 400; the specification does not show the status.
func (x *Exchange) Invalid(rule string) bool {
	x.Violate(rule)
	x.FailWith(http.StatusBadRequest, rule)
	return false
}
