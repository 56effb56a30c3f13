package dispatch

// Fault is the service's complaint about a shipment that it rejected.
type Fault struct {
	Field string // of the form; empty: the complaint names no field that we know
	Said  string // verbatim; it may name people, so it is shown on pages only, never logged
}

// FaultMax is how many characters of the complaint are kept.
const FaultMax = 500
