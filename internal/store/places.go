package store

import (
	"fmt"
	"strconv"

	"utsending/internal/dispatch"
)

// ReviewPlace is where the note of an access review is sealed for.
func ReviewPlace(id string) string { return "access-review/" + id }

func answerPlace(id dispatch.ItemID) string { return "item/" + string(id) + "/answer" }

// CredentialsPlace is where an integration's credentials are sealed for.
func CredentialsPlace(id dispatch.IntegrationID) string {
	return "integration/" + string(id) + "/credentials"
}

// ExportPlace is where the query of an export is sealed for.
func ExportPlace(id string) string { return "export/" + id }

// ExportFile names an attempt at an export the way its pieces are sealed.
func ExportFile(id string, attempt int) dispatch.DocumentID {
	return dispatch.DocumentID(fmt.Sprintf("export/%s/%d", id, attempt))
}

// NotePlace is where the note of a follow-up is sealed for.
func NotePlace(id dispatch.ItemID) string { return "follow_up/" + string(id) + "/note" }

// ReasonPlace is where the reason of a follow-up is sealed for.
func ReasonPlace(id dispatch.ItemID) string { return "follow_up/" + string(id) + "/reason" }

// HoldPlace is where the reason of a legal hold is sealed for.
func HoldPlace(id dispatch.ItemID) string { return "hold/" + string(id) }

// ListFile names a list as it was received the way its pieces are sealed.
func ListFile(id dispatch.JobID) dispatch.DocumentID {
	return dispatch.DocumentID("list/" + string(id))
}

// RowPlace is where a row of a job is sealed for.
func RowPlace(job dispatch.JobID, position int) string {
	return "job/" + string(job) + "/row/" + strconv.Itoa(position)
}

// PatternPlace is where the shipment that a job is made from is sealed for.
func PatternPlace(id dispatch.JobID) string { return "job/" + string(id) + "/pattern" }

// PatternFormPlace is where the form of that shipment is sealed for.
func PatternFormPlace(id dispatch.JobID) string { return "job/" + string(id) + "/form" }

// LookupPlace is where a session's look-up is sealed for.
func LookupPlace(token string, account dispatch.AccountID) string {
	return "session/" + token + "/lookup/" + string(account)
}

// SearchPlace is where a search is sealed for.
func SearchPlace(id string) string { return "search/" + id }

// FaultPlace is where the service's fault of a shipment is sealed for.
func FaultPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/fault" }

// FormPlace is where a draft's form is sealed for.
func FormPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/form" }

// ContentPlace is where a shipment's content is sealed for.
func ContentPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/content" }

// ReadingPlace is where the reading of a document is sealed for.
func ReadingPlace(id dispatch.DocumentID) string { return "document/" + string(id) + "/reading" }

// JobPlace is where the text of a job is sealed for.
func JobPlace(id dispatch.JobID) string { return "job/" + string(id) + "/content" }

// ReportPlace is where what the service told of a shipment is sealed for.
func ReportPlace(id dispatch.ItemID, source dispatch.Source) string {
	return "shipment/" + string(id) + "/" + string(source)
}

// RecipientPlace is where the recipient of an SMS is sealed for.
func RecipientPlace(id dispatch.ItemID) string { return "sms/" + string(id) + "/recipient" }

// TextPlace is where the text of an SMS is sealed for.
func TextPlace(id dispatch.ItemID) string { return "sms/" + string(id) + "/text" }

// ChoicesPlace is where the choices of a template's version are sealed for.
func ChoicesPlace(id dispatch.TemplateID, version int) string {
	return "template/" + string(id) + "/" + strconv.Itoa(version)
}
