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

// What a form holds passes one gate before any handler reads it: text in composed form without control characters (package
// text), each line no longer than maxLine. What does not pass is refused with a sentence, and nothing of the form is kept.

// maxLine bounds what is typed into a field of one line, in characters. The longest that has a rule of its own, a title, is
// shorter; an index of the database holds no more than some 2 700 bytes.
const maxLine = 2000

var (
	// errUnreadable is said of a form with characters that nobody types.
	errUnreadable = errors.New("form with unreadable characters")
	// errLongLine is said of a form whose field of one line is far too long.
	errLongLine = errors.New("form with an endless line")
)

// areas are the fields of several lines, where line breaks and marks of direction stay. Fields of a file's or a record's
// further metadata have its name in front.
var areas = []string{
	dispatch.FieldText, dispatch.FieldNynorsk, dispatch.FieldNumbers, dispatch.FieldFollowNote, dispatch.FieldFollowReason,
	dispatch.FieldWatchWords, dispatch.FieldSharedWith, views.FieldList, "merknad",
}

func isArea(field string) bool {
	return slices.Contains(areas, field) || strings.HasSuffix(field, "-"+dispatch.NoarkExtra)
}

// verbatim are the fields that are looked at and never changed: secrets, keys, and ids that others have given.
var verbatim = []string{
	dispatch.FieldClientSecret, dispatch.FieldPrivateKey, dispatch.FieldCertificates, dispatch.FieldServiceCertificate,
	dispatch.FieldIntegrationPassword, dispatch.FieldClientID, dispatch.FieldScope, dispatch.FieldKeyID, dispatch.FieldIntegrationID,
	dispatch.FieldConsumerOrg, dispatch.FieldSMSAccountID, dispatch.FieldShipmentAccountID, admin.FieldClaim,
}

// tellsItself are the routes whose form is shown again with what is wrong beside the field: there a place that cannot be
// read is marked, and the rules of the form refuse it, so that nobody loses a long text to one character.
var tellsItself = []string{
	"/k/:konto/sms/ny", "/k/:konto/sms/teller", "/k/:konto/sms/sjekk", "/k/:konto/sms/:id/endre", "/k/:konto/jobber/:id/endre",
	"/k/:konto/jobber/:id/teller", "/k/:konto/jobber/:id/feil/teller",
	"/k/:konto/maler/ny", "/k/:konto/maler/teller", "/k/:konto/maler/:id/endre",
}

// tellsSize are the routes whose form says itself that it is too large; the error stands in the context under TooLargeKey.
var tellsSize = []string{"/k/:konto/oppslag"}

// TooLargeKey is where the context holds the error of a form that is too large.
const TooLargeKey = "too-large"

// ofDraft tells whether a route takes the form of a shipment's draft, which is kept as it was typed and judged later.
func ofDraft(route string) bool { return strings.HasPrefix(route, "/k/:konto/utkast/:id") }

// gate lets through what is text of a request's query and form, in the form in which it is kept. Files and lists go past it
// while they are read; their own readers do the same.
func (s *Frame) gate(c echo.Context) error {
	r := c.Request()
	if query := r.URL.Query(); Passed(query).changed {
		r.URL.RawQuery = query.Encode() // nothing is found by such a text
	}
	if r.Method != http.MethodPost || slices.Contains(UploadRoutes, c.Path()) {
		return nil
	}
	values, err := c.FormParams()
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) && slices.Contains(tellsSize, c.Path()) {
		c.Set(TooLargeKey, err) // net/http tells of it once
		return nil
	}
	if err != nil {
		return BadForm(err)
	}
	return s.Judge(c, Passed(values))
}

// finding is what the gate found in a form.
type finding struct {
	changed, unreadable, secret, long bool
	marked                            []views.Change // fields from which direction marks were removed
}

// Passed puts a form's values into the form in which they are kept.
func Passed(values url.Values) (f finding) {
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

// Judge refuses what no form of ours says itself, and has people told what was taken out.
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

// markedKey is where a page finds the flash that tells what marks were taken out of.
const markedKey = "marked"

// tellMarked shows the fields from which direction marks were removed, old and new, on this page or the one it redirects to.
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

// changesTold is how many changes are told in words; the rest is counted.
const changesTold = 5

// inWords are changes as they can be read, with what cannot be seen spelled out. Whatever may be a person's number is left
// out: it is masked everywhere else.
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
