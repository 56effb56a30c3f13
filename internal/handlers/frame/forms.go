package frame

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/text"
	"utsending/internal/views"
)

// TypedReason is a typed reason, normalized before it is searched for numbers and stored: digits of other scripts become
// ASCII, and invisible characters are removed.
func TypedReason(c echo.Context, field string) string { return text.Compared(c.FormValue(field)) }

// ReadReply reads a reply address.
func ReadReply(value func(string) string) dispatch.PostalFields {
	return dispatch.PostalFields{
		Name: value("svar-navn"), Line1: value("svar-adresse1"), Line2: value("svar-adresse2"), Line3: value("svar-adresse3"),
		PostalCode: value("svar-postnummer"), City: value("svar-poststed"), Country: value("svar-land"),
	}
}

// PageSize is the number of rows of a list's page.
const PageSize = 50

// Short drops a value of an address that is too long for any filter, or not valid text. The value of a form that saves something is kept
// whole: its rule tells when it is too long.
func Short(value string) string {
	if len(value) > 200 || strings.ContainsRune(value, 0) || strings.ToValidUTF8(value, "") != value {
		return ""
	}
	return value
}

// IsID tells whether a text is a UUID in the database's format.
func IsID(text string) bool { return uuid.Validate(text) == nil && len(text) == 36 }

// ReadDay reads a day from the query; an invalid one adds a problem of its field.
func ReadDay(c echo.Context, field string, ps *dispatch.Problems) time.Time {
	typed := strings.TrimSpace(c.QueryParam(field))
	day, ok := dispatch.ParseDay(typed)
	if typed != "" && !ok {
		*ps = append(*ps, *dispatch.DayProblem(field, typed))
	}
	return day
}

// TimingFields reads the time to send. The button for the next working day has the time that it showed: a page that has stood open
// since yesterday plans for no other.
func TimingFields(values url.Values) dispatch.TimingFields {
	f := dispatch.TimingFields{Day: values.Get(dispatch.FieldSendDay), Clock: values.Get(dispatch.FieldSendTime), Urgent: values.Get(dispatch.FieldUrgent) == "true"}
	if shown := values.Get(dispatch.FieldNextWorkday); shown != "" {
		f.Day, f.Clock, _ = strings.Cut(shown, " ")
	}
	return f
}

// ReadTiming reads the time to send of a form that has no other fields.
func ReadTiming(c echo.Context) (dispatch.TimingFields, error) {
	values, err := c.FormParams()
	if err != nil {
		return dispatch.TimingFields{}, BadForm(err)
	}
	return TimingFields(values), nil
}

// BadForm is the error of a body that is not a form; one that is too large or too slow keeps its error.
func BadForm(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), errors.Is(err, ErrSlow):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrSlow
	}
	return echo.ErrBadRequest
}

// FormStatus is the HTTP status of a form with these problems.
func FormStatus(ps dispatch.Problems) int {
	if len(ps) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// ReadVersion is the version of the row that the form was made from.
func ReadVersion(c echo.Context) int {
	return views.TypedVersion(c.FormValue("versjon"))
}
