package frame

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/text"
	"utsending/internal/views"
)

// TypedWhy is what a person gives as a reason, as it is searched for numbers, and kept: digits in disguise are digits, and marks
// that nobody sees are gone.
func TypedWhy(c echo.Context, field string) string { return text.Compared(c.FormValue(field)) }

// ReadReply reads an address for replies.
func ReadReply(value func(string) string) views.PostalForm {
	return views.PostalForm{
		Name: value("svar-navn"), Line1: value("svar-adresse1"), Line2: value("svar-adresse2"), Line3: value("svar-adresse3"),
		PostalCode: value("svar-postnummer"), City: value("svar-poststed"), Country: value("svar-land"),
	}
}

// PageSize is how many rows a list shows.
const PageSize = 50

// Short leaves out what is longer than any of these values, or no text at all.
func Short(value string) string {
	if len(value) > 200 || strings.ContainsRune(value, 0) || strings.ToValidUTF8(value, "") != value {
		return ""
	}
	return value
}

// IsID tells whether a text is a UUID as the database writes it.
func IsID(text string) bool { return uuid.Validate(text) == nil && len(text) == 36 }

// ReadDay reads a day of a query; what is no day becomes a problem of its field.
func ReadDay(c echo.Context, field string, ps *dispatch.Problems) time.Time {
	typed := strings.TrimSpace(c.QueryParam(field))
	day, ok := dispatch.ParseDay(typed)
	if typed != "" && !ok {
		*ps = append(*ps, dispatch.Problem{Field: field, Key: "problem.date"})
	}
	return day
}

// TimingForm reads when something is to be sent.
func TimingForm(values url.Values) views.TimingForm {
	return views.TimingForm{Day: values.Get(dispatch.FieldSendDay), Clock: values.Get(dispatch.FieldSendTime), Urgent: values.Get(dispatch.FieldUrgent) == "true"}
}

// BadForm is a body that is no form; one that is too large keeps its error.
func BadForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return echo.ErrBadRequest
}

// FormStatus is how a form is answered that has these problems.
func FormStatus(ps dispatch.Problems) int {
	if len(ps) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// ReadVersion is the version that the form was made from.
func ReadVersion(c echo.Context) int {
	return views.TypedVersion(c.FormValue("versjon"))
}
