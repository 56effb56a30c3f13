package compose

import (
	"net/url"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/views/compose"
)

// smsForm reads the form as typed.
func smsForm(c echo.Context) (compose.SMSForm, error) {
	values, err := c.FormParams()
	if err != nil {
		return compose.SMSForm{}, frame.BadForm(err)
	}
	return smsFormOf(values), nil
}

func smsFormOf(values url.Values) compose.SMSForm {
	return compose.SMSForm{
		Key: frame.FormKey(values.Get("nokkel")), By: values.Get(dispatch.FieldRecipient), NationalID: values.Get(dispatch.FieldNationalID),
		Phone: values.Get(dispatch.FieldPhone), Text: dispatch.NormalizeText(values.Get(dispatch.FieldText)), Hide: values.Get("skjul") == "true",
		Chosen: values.Get("mal"), Template: compose.ParseUse(values.Get("mal-brukt")),
		TimingFields: frame.TimingFields(values),
	}
}
