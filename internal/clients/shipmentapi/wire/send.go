package wire

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// ContentError is the error of a submission that failed because a document could not be read; nil if it failed
// otherwise.
func (f *Form) ContentError(ctx context.Context, x clients.Exchange) error {
	if cause := f.failure(); cause != nil && x.Status == 0 && !x.Sent && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.content"}, cause)
	}
	return nil
}

// SendError classifies a submission without a plain success. The service reports a duplicate by a code or by words;
// delivery looks the shipment up before it believes that.
func SendError(x clients.Exchange) *clients.Error {
	e := clients.Classify(x)
	if tellsDuplicate(x, e) {
		e.Scope, e.Key = "", "reason.duplicate"
		if e.Outcome != dispatch.OutcomeUncertain {
			e.Outcome = dispatch.OutcomeRejected
		}
	}
	return e
}

// tellsDuplicate searches for the code and the words of upstream facts 2.3.
func tellsDuplicate(x clients.Exchange, e *clients.Error) bool {
	if e.Message == nil {
		return false
	}
	said := strings.ToLower(e.Message.ErrorCode + "\n" + e.Message.Message)
	return strings.Contains(said, "gjentagende_forsendelse") || compared(x.Status) && duplicateWords.MatchString(said) && !strings.Contains(said, "filnavn")
}

// compared tells whether the service may have compared the shipment with earlier ones, which it has not if it refuses
// our login or is busy.
func compared(status int) bool {
	return !slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable}, status)
}

// duplicateWords are whole words: a failed check for duplicates may mention them too.
var duplicateWords = regexp.MustCompile(`\bduplikat\b|forsendelse med samme mottaker`)

// ReadID reads the id of a plain success.
func ReadID(x clients.Exchange) (string, bool) {
	if x.Status != http.StatusOK || x.Cut {
		return "", false
	}
	return idIn(x.Body)
}
