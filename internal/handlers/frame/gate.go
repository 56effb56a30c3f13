package frame

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/text"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// Every form passes the gate before a handler reads it: text in NFC without control characters (package text), each
// line no longer than maxLine. A form that does not pass is refused with an explanation, and nothing of it is stored.

// maxLine is the maximum length of a single-line field, in characters. The longest field with a rule of its own, a
// title, is shorter; an index of the database holds some 2 700 bytes.
const maxLine = 2000

var (
	// errUnreadable refuses a form with characters that nobody types.
	errUnreadable = errors.New("form with unreadable characters")
	// errLongLine refuses a form with an overlong single-line field.
	errLongLine = errors.New("form with an endless line")
)

// areas are the multi-line fields, in which line breaks and bidirectional marks stay. Fields of a file's or a
// record's further metadata have its name as a prefix.
var areas = []string{
	dispatch.FieldText, dispatch.FieldNynorsk, dispatch.FieldNumbers, dispatch.FieldFollowNote, dispatch.FieldFollowReason,
	dispatch.FieldWatchWords, dispatch.FieldSharedWith, views.FieldList, "merknad",
}

func isArea(field string) bool {
	return slices.Contains(areas, field) || strings.HasSuffix(field, "-"+dispatch.NoarkExtra)
}

// verbatim are the fields that are checked and never changed: secrets, keys, and ids that others issued.
var verbatim = []string{
	dispatch.FieldClientSecret, dispatch.FieldPrivateKey, dispatch.FieldCertificates, dispatch.FieldServiceCertificate,
	dispatch.FieldIntegrationPassword, dispatch.FieldClientID, dispatch.FieldScope, dispatch.FieldKeyID, dispatch.FieldIntegrationID,
	dispatch.FieldConsumerOrg, dispatch.FieldSMSAccountID, dispatch.FieldShipmentAccountID, admin.FieldClaim,
}

// tellsItself are the routes whose form is shown again with problems beside its fields: there unreadable characters
// are marked, and the form's own rules refuse them, so that nobody loses a long text to one character.
var tellsItself = []string{
	"/k/:konto/sms/ny", "/k/:konto/sms/teller", "/k/:konto/sms/sjekk", "/k/:konto/sms/:id/endre", "/k/:konto/jobber/:id/endre",
	"/k/:konto/jobber/:id/teller", "/k/:konto/jobber/:id/feil/teller",
	"/k/:konto/maler/ny", "/k/:konto/maler/teller", "/k/:konto/maler/:id/endre",
}

// tellsSize are the routes whose form itself reports that it is too large; the error is in the context under
// TooLargeKey.
var tellsSize = []string{"/k/:konto/oppslag"}

// TooLargeKey is the context key of the error of a form that is too large.
const TooLargeKey = "too-large"

// ofDraft tells whether a route takes the form of a shipment's draft, which is stored as typed and validated later.
func ofDraft(route string) bool { return strings.HasPrefix(route, "/k/:konto/utkast/:id") }

// gate normalizes and checks the text of a request's query and form. Files and lists are streamed past it; their own
// readers do the same.
func (s *Frame) gate(c echo.Context) error {
	r := c.Request()
	if query := r.URL.Query(); Normalize(query).changed {
		r.URL.RawQuery = query.Encode() // no search would find such a text
	}
	if r.Method != http.MethodPost || slices.Contains(UploadRoutes, c.Path()) {
		return nil
	}
	values, err := c.FormParams()
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) && slices.Contains(tellsSize, c.Path()) {
		c.Set(TooLargeKey, err) // net/http returns it only once
		return nil
	}
	if err != nil {
		return BadForm(err)
	}
	return s.Judge(c, Normalize(values))
}

// finding is the result of the gate.
type finding struct {
	changed, unreadable, secret, long bool
	marked                            []views.Change // fields from which bidirectional marks were removed
}

// Normalize normalizes a form's values in place and returns what it found.
func Normalize(values url.Values) (f finding) {
	for name, list := range values {
		for i, value := range list {
			marked := false
			switch {
			case slices.Contains(verbatim, name):
				f.secret = f.secret || !text.Clean(value)
				continue
			case isArea(name):
				list[i] = text.Typed(value)
			default:
				list[i], marked = text.Line(value)
				f.long = f.long || utf8.RuneCountInString(list[i]) > maxLine
			}
			f.changed = f.changed || list[i] != value
			f.unreadable = f.unreadable || list[i] != value && strings.ContainsRune(list[i], text.Unreadable)
			if marked {
				f.marked = append(f.marked, views.Change{Was: value, Is: list[i]})
			}
		}
		if !text.Clean(name) {
			delete(values, name)
			f.changed, f.unreadable = true, true
		}
	}
	return f
}

// Judge refuses findings that the form does not report itself, and shows the user which characters were removed.
func (s *Frame) Judge(c echo.Context, f finding) error {
	itself := slices.Contains(tellsItself, c.Path()) || ofDraft(c.Path())
	switch {
	case f.secret, f.unreadable && !itself:
		return errUnreadable
	case f.long && !ofDraft(c.Path()):
		return errLongLine
	case len(f.marked) > 0:
		s.tellMarked(c, f.marked)
	}
	return nil
}

// changesTold is how many changes are spelled out; the rest is counted.
const changesTold = 5
