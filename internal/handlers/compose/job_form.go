package compose

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// jobForm reads the form of a job's text as typed.
func jobForm(c echo.Context) (compose.JobForm, error) {
	values, err := c.FormParams()
	if err != nil {
		return compose.JobForm{}, frame.BadForm(err)
	}
	return jobFormOf(values), nil
}

func jobFormOf(values url.Values) compose.JobForm {
	return compose.JobForm{
		Text: dispatch.NormalizeText(values.Get(dispatch.FieldText)), Mode: dispatch.JobMode(values.Get(views.FieldMode)), Hide: values.Get("skjul") == "true",
		Chosen: values.Get("mal"), Template: compose.ParseUse(values.Get("mal-brukt")), TimingFields: frame.TimingFields(values),
		SecondText: dispatch.SecondText{Nynorsk: dispatch.NormalizeText(values.Get(dispatch.FieldNynorsk)), Otherwise: dispatch.WrittenForm(values.Get(dispatch.FieldOtherwise))},
	}
}
