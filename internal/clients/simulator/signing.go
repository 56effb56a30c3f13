package simulator

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// signature is one line of the signing log.
type signature struct {
	At     time.Time
	Status string
	Old    string // the type's old name in the deployed service
	Event  string
}

// Signatures is the signing log up to now: registered with AKSEPTERT, started a step later, ended two steps later.
func (b *Booked) Signatures(now time.Time, pace time.Duration, zone *time.Location) []signature {
	if b.AcceptedAt.IsZero() || len(b.Fields.Signed()) == 0 {
		return nil
	}
	end := cmp.Or(b.Words.signing, signingDone)
	if second := b.route()[1]; second == shipmentRejected || second == shipmentFailed {
		end = signingRefused
	}
	var all []signature
	for i, line := range b.signingLines(end, zone) {
		line.At = b.AcceptedAt.Add(time.Duration(i+1) * pace)
		if line.At.After(now) {
			break
		}
		if line.Event != "" {
			all = append(all, line)
		}
	}
	return all
}

// signingLines returns one line for each step; one without text is left out.
//
// Assumption: the texts of UTLOPT and AVVIST_AV_SVARUT are made up.
func (b *Booked) signingLines(end string, zone *time.Location) []signature {
	if end == signingRefused {
		return []signature{{Status: end, Old: end, Event: "Signeringsoppdraget er avvist."}}
	}
	registered := fmt.Sprintf("Signeringsoppdrag av type %s registert og utløper %s",
		b.Fields.SignatureType, b.Fields.SignBy.In(zone).Format("02.01.2006"))
	started := signature{Status: signingWaits, Old: "SigneringsoppdragStartet", Event: "Mottaker starter signeringsoppdraget."}
	last := map[string]signature{
		signingDone: {Old: "SigneringsoppdragFullfort", Event: "Mottaker har fullført signeringsoppdraget og svar er sendt " +
			"tilbake til avsender. Referanse: " + uuid.NewSHA1(uuid.NameSpaceURL, []byte(b.ID)).String()},
		signingDeclined: {Old: "SigneringsoppdragAvvistAvMottaker", Event: "Mottaker har avvist signeringsoppdraget."},
		signingExpired:  {Old: "SigneringsoppdragUtlopt", Event: "Signeringsoppdraget er utløpt."},
	}[end]
	last.Status = end
	if end == signingExpired {
		started.Event = "" // the recipient has not begun to sign
	}
	return []signature{
		{Status: signingWaits, Old: "SigneringsoppdragRegistrert", Event: registered}, started, last,
	}
}
