package simulator

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// signature is one line of the signing log.
type signature struct {
	at     time.Time
	status string
	old    string // the type as the deployed service has called it
	event  string
}

// signatures is the signing log until now: registered with AKSEPTERT, started a step later, ended two steps later.
func (b *booked) signatures(now time.Time, pace time.Duration, zone *time.Location) []signature {
	if b.AcceptedAt.IsZero() || len(b.letter.signed()) == 0 {
		return nil
	}
	end := cmp.Or(b.words.signing, signingDone)
	if b.route()[1] == shipmentRejected {
		end = signingRefused
	}
	var all []signature
	for i, line := range b.signingLines(end, zone) {
		line.at = b.AcceptedAt.Add(time.Duration(i+1) * pace)
		if line.at.After(now) {
			break
		}
		if line.event != "" {
			all = append(all, line)
		}
	}
	return all
}

// signingLines gives one line for each step; one without text is left out.
//
// Assumption: the texts of UTLOPT and AVVIST_AV_SVARUT are made up.
func (b *booked) signingLines(end string, zone *time.Location) []signature {
	if end == signingRefused {
		return []signature{{status: end, old: end, event: "Signeringsoppdraget er avvist."}}
	}
	registered := fmt.Sprintf("Signeringsoppdrag av type %s registert og utløper %s",
		b.letter.signatureType, b.letter.signBy.In(zone).Format("02.01.2006"))
	started := signature{status: signingWaits, old: "SigneringsoppdragStartet", event: "Mottaker starter signeringsoppdraget."}
	last := map[string]signature{
		signingDone: {old: "SigneringsoppdragFullfort", event: "Mottaker har fullført signeringsoppdraget og svar er sendt " +
			"tilbake til avsender. Referanse: " + uuid.NewSHA1(uuid.NameSpaceURL, []byte(b.ID)).String()},
		signingDeclined: {old: "SigneringsoppdragAvvistAvMottaker", event: "Mottaker har avvist signeringsoppdraget."},
		signingExpired:  {old: "SigneringsoppdragUtlopt", event: "Signeringsoppdraget er utløpt."},
	}[end]
	last.status = end
	if end == signingExpired {
		started.event = "" // nobody came
	}
	return []signature{
		{status: signingWaits, old: "SigneringsoppdragRegistrert", event: registered}, started, last,
	}
}
