package views

import (
	"utsending/internal/dispatch"
)

// ContactLooks are the looks of the register's statuses (ui-spec 7.4).
var ContactLooks = map[dispatch.ContactStatus]Look{
	dispatch.ContactValid:    {Color: "success", Icon: "CheckmarkCircle"},
	dispatch.ContactInvalid:  {Color: "warning", Icon: "ExclamationmarkTriangle"},
	dispatch.ContactNotFound: {Color: "neutral", Icon: "QuestionmarkCircle"},
}

// lookupProblemsKey is the heading of a look-up's problems: a rate limit leaves nothing to correct.
func lookupProblemsKey(p dispatch.Problem) string {
	if p.Key == "problem.lookup.often" || p.Key == "problem.lookup.much" {
		return "form.lookup_later"
	}
	return "form.lookup"
}

// OfLookups maps reasons worded for messages to those worded for queries.
var OfLookups = map[string]string{
	"reason.rejected":    "reason.rejected.lookup",
	"reason.invalid":     "reason.rejected.lookup",
	"reason.too_large":   "reason.rejected.lookup",
	"reason.early_error": "reason.server_error",
}
