package views

// Known is one thing that is known of a shipment.
type Known struct{ Label, Value string }
