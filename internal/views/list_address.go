package views

// Fields of a list's address.
const (
	FieldKind    = "kanal"
	FieldGroup   = "gruppe"
	FieldStatus  = "status"
	FieldFrom    = "fra"
	FieldTo      = "til"
	FieldSender  = "avsender"
	FieldBilling = "konteringskode"
	FieldType    = "type"
	FieldSigning = "signering"
	FieldJob     = "jobb"
	FieldOrder   = "rekkefolge"
	FieldName    = "navn"

	// What numbers count by.
	FieldOutcome  = "utfall"
	FieldRoute    = "vei"
	FieldTemplate = "mal"
	FieldRead     = "lest"
	FieldSigned   = "signert"

	FieldSearchID = "sok" // a search that the choice is made within
)

// WithQuery is an address with a query, which may be empty.
func WithQuery(base, query string) string {
	if query == "" {
		return base
	}
	return base + "?" + query
}
