package frame

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
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

// markedKey is the context key of the flash about removed marks.
const markedKey = "marked"

// tellMarked shows the fields from which bidirectional marks were removed, old and new, on this page or the one that
// it redirects to.
func (s *Frame) tellMarked(c echo.Context, changes []views.Change) {
	f := views.Flash{Key: "flash.marks", N: len(changes), Color: flashColor("flash.marks"), Changes: inWords(changes)}
	c.Set(markedKey, f)
	c.Response().Before(func() {
		if c.Response().Status == http.StatusSeeOther {
			s.Session.SetFlash(Context(c), f.Key, f.N)
			s.Session.SetFlashChanges(Context(c), f.Changes)
		}
	})
}

// changesTold is how many changes are spelled out; the rest is counted.
const changesTold = 5

// inWords spells changes out, with invisible characters made readable. Values that may hold a person's number are
// left out: numbers are masked everywhere else.
func inWords(changes []views.Change) (told []views.Change) {
	for _, c := range changes {
		digits := strings.Count(strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '0'
			}
			return r
		}, text.Compared(c.Is)), "0")
		if digits < 8 && len(told) < changesTold {
			told = append(told, views.Change{Was: text.Repaired(spelledOut(c.Was), 200), Is: text.Repaired(c.Is, 200)})
		}
	}
	return told
}

func flashColor(key string) string {
	switch key {
	case "flash.act_asked", "flash.refusal_kept", "flash.retention_part", "flash.retention_same":
		return "info"
	case "flash.changed", "flash.shipment_changed", "flash.already_sent", "flash.too_late", "flash.reconcile_goes_on", "flash.template_changed",
		"flash.job_already_sent", "flash.job_nobody", "flash.nobody_left", "flash.not_sent", "flash.quota", "flash.budget", "flash.filter_many", "flash.follow_up_none",
		"flash.export_many", "flash.bulk_none", "flash.bulk_many", "flash.bulk_nobody", "flash.shipments_faulty", "flash.hand_over_late", "flash.rows_fixed_none", "flash.marks", "flash.waiting", "flash.template_waits", "flash.approval_decided":
		return "warning"
	}
	return "success"
}
