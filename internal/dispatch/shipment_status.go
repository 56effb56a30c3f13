package dispatch

// Status values of the shipment service (Shipment spec, States and transitions). It shares StatusNotDelivered with the
// SMS service.
const (
	StatusReceived           Status = "MOTTATT"
	StatusAccepted           Status = "AKSEPTERT"
	StatusReadyToFetch       Status = "KLAR_FOR_MOTTAK"
	StatusNotified           Status = "VARSLET"
	StatusRead               Status = "LEST"
	StatusSentToPrint        Status = "SENDT_PRINT"
	StatusSentDigitally      Status = "SENDT_DIGITALT"
	StatusSentToMailbox      Status = "SENDT_SDP"
	StatusDeliveredToMailbox Status = "LEVERT_SDP"
	StatusPrinted            Status = "PRINTET"
	StatusDismissed          Status = "AVVIST"
	StatusHandledManually    Status = "MANUELT_HANDTERT"
)

// Status values of newer generations of the service (upstream facts 1.7).
const (
	StatusSentToAltinn      Status = "SENDT_ALTINN"
	StatusDeliveredToAltinn Status = "LEVERT_ALTINN"
	StatusSentToHealth      Status = "SENDT_NHN_MOTTAKER"
	StatusDeliveredToHealth Status = "LEVERT_NHN_MOTTAKER"
	StatusFailedOnReception Status = "FEILET_UNDER_MOTTAK"
	StatusDeleted           Status = "SLETTET"
)

// settledShipment tells whether a shipment's status is final (docs/delivery.md, Status reads). Those of newer generations are
// not until more is known of them.
func (s Status) settledShipment() bool {
	switch s {
	case StatusRead, StatusDeliveredToMailbox, StatusPrinted, StatusDismissed, StatusNotDelivered, StatusHandledManually:
		return true
	}
	return false
}

// SigningStatus is how far the signing of a shipment has come, verbatim. The set is open.
type SigningStatus string

// The signing statuses (Shipment spec, Enumerations).
const (
	SigningRefusedByService   SigningStatus = "AVVIST_AV_SVARUT"
	SigningWaiting            SigningStatus = "VENTER_SIGNERING"
	SigningDone               SigningStatus = "SIGNERT_AV_MOTTAKER"
	SigningRefusedByRecipient SigningStatus = "AVVIST_AV_MOTTAKER"
	SigningExpired            SigningStatus = "UTLOPT"
)

// Settled tells whether the signing has ended.
func (s SigningStatus) Settled() bool {
	switch s {
	case SigningRefusedByService, SigningDone, SigningRefusedByRecipient, SigningExpired:
		return true
	}
	return false
}
