package shipmentapi

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

// Start reserves an id for Send (Shipment spec, startNyForsendelse). Nothing is sent by that, and it takes no input: the
// error is never uncertain, and never a word about the shipment.
func (c *V1) Start(ctx context.Context) (string, error) {
	x, err := c.call(ctx, http.MethodPost, v1Path("startNyForsendelse"), nil)
	if err != nil {
		return "", err
	}
	if id, ok := readID(x); ok {
		return id, nil
	}
	e := unread(x)
	if e.Outcome == dispatch.OutcomeRejected {
		e.Outcome, e.Key = dispatch.OutcomeUnavailable, "reason.not_understood"
	}
	return "", e
}

// Send hands one shipment over, under an id from Start where there is one, and returns the service's id of it (Shipment
// spec, sendForsendelse). The error is a *clients.Error with the outcome; when content failed it wraps that error too.
func (c *V1) Send(ctx context.Context, to Target, s dispatch.Shipment, content Content, ready clients.Ready) (string, error) {
	if len(s.Validate(c.o.Now(), dispatch.V1)) > 0 {
		return "", rejected()
	}
	metadata, err := encode(c.o.Wire.forsendelse(s))
	if err != nil {
		return "", rejected()
	}
	envelope, err := c.o.Encryption.of(s, c.o.Now())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.SubmitTimeout)
	defer cancel()
	req, err := c.request(ctx, http.MethodPost, sendPath(to.Reserved))
	if err != nil {
		return "", err
	}
	f := newForm(metadata, s.Documents, content, envelope)
	req.Header.Set("Content-Type", f.contentType)
	x := clients.Stream(ctx, c.o.HTTP, req, f.body(), ready)
	if id, ok := readID(x); ok {
		return id, nil
	}
	if err := f.contentError(ctx, x); err != nil {
		return "", err
	}
	return "", sendError(x)
}

func sendPath(id string) string {
	if id == "" {
		return v1Path("sendForsendelse")
	}
	return v1Path(id, "sendForsendelse")
}

// contentError is the error of a submission that failed because a document could not be read; nil when that is not why.
func (f *form) contentError(ctx context.Context, x clients.Exchange) error {
	if cause := f.failure(); cause != nil && x.Status == 0 && !x.Sent && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.content"}, cause)
	}
	return nil
}

// sendError sorts a submission that did not plainly succeed. A duplicate is told by a code or by words; it counts when it has
// been looked up.
func sendError(x clients.Exchange) *clients.Error {
	e := clients.Classify(x)
	if tellsDuplicate(x, e) {
		e.Scope, e.Key = "", "reason.duplicate"
		if e.Outcome != dispatch.OutcomeUncertain {
			e.Outcome = dispatch.OutcomeRejected
		}
	}
	return e
}

// tellsDuplicate looks for the code and the words of upstream facts 2.3.
func tellsDuplicate(x clients.Exchange, e *clients.Error) bool {
	if e.Message == nil {
		return false
	}
	said := strings.ToLower(e.Message.ErrorCode + "\n" + e.Message.Message)
	return strings.Contains(said, "gjentagende_forsendelse") || compared(x.Status) && duplicateWords.MatchString(said) && !strings.Contains(said, "filnavn")
}

// compared tells whether the service may have held the shipment against others: who does not let us in, or has no time, has
// not.
func compared(status int) bool {
	return !slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable}, status)
}

// duplicateWords are whole words: a check for duplicates may fail too.
var duplicateWords = regexp.MustCompile(`\bduplikat\b|forsendelse med samme mottaker`)

// readID reads an id out of a plain success.
func readID(x clients.Exchange) (string, bool) {
	if x.Status != http.StatusOK || x.Cut {
		return "", false
	}
	return idIn(x.Body)
}
