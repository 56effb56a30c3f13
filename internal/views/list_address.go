package views

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

// WithQuery appends a query, which may be empty.
func WithQuery(base, query string) string {
	if query == "" {
		return base
	}
	return base + "?" + query
}
