package dispatch

// Fault is what the service said was wrong with a shipment that it did not take.
type Fault struct {
	Field string // of the form; empty: the text names none that we know
	Said  string // its own words; they may name somebody, and are shown on pages only
}

// FaultMax is the longest text that is kept of the service's words, in characters.
const FaultMax = 500
