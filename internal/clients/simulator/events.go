package simulator

import (
	"cmp"
	"fmt"
	"time"
)

// LogTime is the format of times in the logs, in Europe/Oslo.
const LogTime = "02.01.2006 15:04:05"

// The texts of the log are those that users of the deployed service have published, with their spelling
// (upstream-facts, section 2.6).
const eventReceived = "Mottatt, og tildelt forsendelse-id"

// events are the lines of the log at a change of status.
//
// Assumption: the texts of LEST, PRINTET, SENDT_DIGITALT, SENDT_SDP, LEVERT_SDP, KLAR_FOR_MOTTAK, AVVIST, IKKE_LEVERT
// and MANUELT_HANDTERT are made up, and so are those of V3.
func (b *Booked) events(status, previous string) []string {
	switch status {
	case shipmentReceived:
		return b.eventsOfReception()
	case shipmentAccepted:
		return []string{"Forsendelsesfil generert", "Akseptert for ekspedering"}
	case ShipmentNotified:
		return b.eventsOfNotification()
	case shipmentRead:
		return []string{"Lest av " + cmp.Or(b.Fields.recipientID(), "mottaker")}
	case shipmentReady:
		return []string{"Klar for mottak hos " + cmp.Or(b.Fields.recipientID(), "mottaker")}
	case shipmentRejected:
		return []string{"Forsendelsen er avvist: " + cmp.Or(b.Rejected, "ugyldig innhold")}
	case shipmentSentToPrint, shipmentSentDigitally:
		return b.eventsOfSending(status, previous)
	}
	text := map[string]string{
		shipmentPrinted:       "Utskrift bekreftet",
		shipmentSentToMailbox: "Sendt til sikker digital postkasse",
		shipmentInMailbox:     "Leveringskvittering mottatt fra sikker digital postkasse",
		shipmentNotDelivered:  "Forsendelsen kunne ikke leveres digitalt",
		shipmentHandled:       "Satt manuelt håndtert",
		shipmentSentToAltinn:  "Sendt til Altinn",
		shipmentInAltinn:      "Levert til Altinn",
		shipmentSentToHealth:  "Sendt til mottaker i helsenettet",
		shipmentInHealth:      "Mottak bekreftet av mottaker i helsenettet",
		shipmentFailed:        "Forsendelsen feilet under mottak",
		shipmentDeleted:       "Filer og metadata er slettet",
	}[status]
	return []string{cmp.Or(text, "Status endret til "+status)}
}

func (b *Booked) eventsOfReception() []string {
	var all []string
	if !b.PreGenerated { // otherwise it is logged at the reservation
		all = append(all, eventReceived)
	}
	if b.Rejected == "" {
		all = append(all, "Metadata er validert OK")
	}
	noun := "dokumenter"
	if len(b.Documents) == 1 {
		noun = "dokument"
	}
	return append(all, fmt.Sprintf("Orginaldokumenter er lagret (%d %s)", len(b.Documents), noun))
}

func (b *Booked) eventsOfNotification() []string {
	var all []string
	if id := b.Fields.To.NationalID; id != "" {
		all = append(all, "Mottaker "+id+" er registert i kontaktregister, men har ikke registrert postkasse.")
	}
	if b.DigitalOnly {
		return append(all, "Varsling sent til Altinn.")
	}
	return append(all, "Varsling sent til Altinn. Forsendelsen vil ettersendes som brevpost dersom den ikke blir lest "+
		"innen utløp av lesefristen. Lesefristen utløper etter 2 timer.")
}

func (b *Booked) eventsOfSending(status, previous string) []string {
	var all []string
	if previous == ShipmentNotified || previous == shipmentInAltinn {
		all = append(all, "Lesefrist utløpt.")
	}
	if status == shipmentSentToPrint {
		return append(all, "Sendt til manuell print")
	}
	return append(all, "Sendt digitalt")
}

// Reading is a call of settLest.
type Reading struct {
	At     time.Time // of the call
	On     time.Time // as in the call
	By     string    // national id
	System string
}

func (r Reading) event(owner string, zone *time.Location) string {
	return fmt.Sprintf("Lest eksternt %s av %s hos avsender %s i systemet '%s'",
		r.On.In(zone).Format(LogTime), r.By, owner, r.System)
}
