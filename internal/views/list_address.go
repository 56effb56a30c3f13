package views

import "utsending/internal/dispatch"

// Query parameters of a list's address.
const (
	FieldKind     = "kanal"
	FieldGroup    = "gruppe"
	FieldStatus   = "status"
	FieldFrom     = "fra"
	FieldTo       = "til"
	FieldSender   = "avsender"
	FieldBilling  = "konteringskode"
	FieldType     = "type"
	FieldSigning  = "signering"
	FieldArchived = "arkivert"
	FieldHeld     = "beholdes"
	FieldJob      = "jobb"
	FieldOrder    = "rekkefolge"
	FieldName     = "navn"

	// Dimensions of the statistics.
	FieldOutcome  = "utfall"
	FieldRoute    = "vei"
	FieldTemplate = "mal"
	FieldRead     = "lest"
	FieldSigned   = "signert"
	FieldWatch    = "spor"

	FieldSearchID = "sok" // id of the search within which the list is filtered
)

// HeldPath is the address of an account's items under legal hold.
func HeldPath(a dispatch.Account) string {
	return WithQuery(AccountPath(a, "utsendinger"), FieldHeld+"=ja")
}

// WithQuery appends a query, which may be empty.
func WithQuery(base, query string) string {
	if query == "" {
		return base
	}
	return base + "?" + query
}
