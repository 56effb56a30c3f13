package store

import (
	"fmt"
	"strconv"

	"utsending/internal/dispatch"
)

// ReviewPlace is the seal's context of an access review's note.
func ReviewPlace(id string) string { return "access-review/" + id }

// ChatPlace is that of the address of an account's chat.
func ChatPlace(id dispatch.AccountID) string { return "account/" + string(id) + "/chat" }

func answerPlace(id dispatch.ItemID) string { return "item/" + string(id) + "/answer" }

// CredentialsPlace is that of an integration's credentials.
func CredentialsPlace(id dispatch.IntegrationID) string {
	return "integration/" + string(id) + "/credentials"
}

// ExportPlace is that of an export's query.
func ExportPlace(id string) string { return "export/" + id }

// BulkPlace is that of the terms of an act on chosen items.
func BulkPlace(id string) string { return "bulk/" + id }

// ExportFile is the id under which the chunks of one attempt at an export are sealed.
func ExportFile(id string, attempt int) dispatch.DocumentID {
	return dispatch.DocumentID(fmt.Sprintf("export/%s/%d", id, attempt))
}

// MailPlace is that of a person's e-mail address.
func MailPlace(id dispatch.UserID) string { return "mail/" + string(id) }

// ProtectedPlace is that of a protected person's numbers.
func ProtectedPlace(id dispatch.ProtectedID) string { return "protected/" + string(id) }

// NotePlace is that of a follow-up's note.
func NotePlace(id dispatch.ItemID) string { return "follow_up/" + string(id) + "/note" }

// ReasonPlace is that of a follow-up's reason.
func ReasonPlace(id dispatch.ItemID) string { return "follow_up/" + string(id) + "/reason" }

// ApprovalPlace is that of an approval's note.
func ApprovalPlace(id dispatch.ApprovalID) string { return "approval/" + string(id) }

// HoldPlace is that of a legal hold's reason.
func HoldPlace(id dispatch.ItemID) string { return "hold/" + string(id) }

// ListFile is the id under which the chunks of a received list are sealed.
func ListFile(id dispatch.JobID) dispatch.DocumentID {
	return dispatch.DocumentID("list/" + string(id))
}

// RowPlace is that of a job's row.
func RowPlace(job dispatch.JobID, position int) string {
	return "job/" + string(job) + "/row/" + strconv.Itoa(position)
}

// PatternPlace is that of the shipment from which a job's shipments are made.
func PatternPlace(id dispatch.JobID) string { return "job/" + string(id) + "/pattern" }

// PatternFormPlace is that of the form of that shipment.
func PatternFormPlace(id dispatch.JobID) string { return "job/" + string(id) + "/form" }

// LookupPlace is that of a session's look-up.
func LookupPlace(token string, account dispatch.AccountID) string {
	return "session/" + token + "/lookup/" + string(account)
}

// SearchPlace is that of a search.
func SearchPlace(id string) string { return "search/" + id }

// FaultPlace is that of the service's complaint about a shipment.
func FaultPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/fault" }

// UnfinishedPlace is the place of what a user has typed in a form and not handed in.
func UnfinishedPlace(account dispatch.AccountID, user dispatch.UserID, form string) string {
	return "unfinished/" + string(account) + "/" + string(user) + "/" + form
}

// FormPlace is that of a draft's form.
func FormPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/form" }

// ContentPlace is that of a shipment's content.
func ContentPlace(id dispatch.ItemID) string { return "shipment/" + string(id) + "/content" }

// ReadingPlace is that of a document's reading.
func ReadingPlace(id dispatch.DocumentID) string { return "document/" + string(id) + "/reading" }

// JobPlace is that of a job's text.
func JobPlace(id dispatch.JobID) string { return "job/" + string(id) + "/content" }

// ReportPlace is that of a report of the service about a shipment.
func ReportPlace(id dispatch.ItemID, source dispatch.Source) string {
	return "shipment/" + string(id) + "/" + string(source)
}

// RecipientPlace is that of an SMS's recipient.
func RecipientPlace(id dispatch.ItemID) string { return "sms/" + string(id) + "/recipient" }

// TextPlace is that of an SMS's text.
func TextPlace(id dispatch.ItemID) string { return "sms/" + string(id) + "/text" }

// ChoicesPlace is that of the choices of a template's version.
func ChoicesPlace(id dispatch.TemplateID, version int) string {
	return "template/" + string(id) + "/" + strconv.Itoa(version)
}

// ChunkPlace is the seal's context of a chunk.
func ChunkPlace(id dispatch.DocumentID, position int) string {
	return fmt.Sprintf("document/%s/%d", id, position)
}
