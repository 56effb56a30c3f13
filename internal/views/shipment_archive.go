package views

// Known is a labelled value.
type Known struct{ Label, Value string }
