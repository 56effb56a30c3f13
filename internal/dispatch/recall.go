package dispatch

// Recall is what can still be done about an item that is on its way to the wrong recipient.
type Recall string

// The recalls. Nothing in the service's interface stops a shipment that it has accepted: only a person in its own portal can, and
// not everywhere (upstream facts, MANUELT_HANDTERT).
const (
	RecallHere     Recall = "here"     // not sent: it is stopped here
	RecallAsk      Recall = "ask"      // a call is under way, or it is looked for: the wish is kept
	RecallDoubt    Recall = "doubt"    // nobody knows whether it was sent
	RecallUnsent   Recall = "unsent"   // it was never sent
	RecallSMS      Recall = "sms"      // an SMS that was handed over
	RecallRefused  Recall = "refused"  // an SMS that the service says it did not send
	RecallMissed   Recall = "missed"   // an SMS that the service says did not reach the telephone
	RecallPortal   Recall = "portal"   // with the service, which has not chosen a channel
	RecallSystem   Recall = "system"   // in the receiving organisation's system, until it is fetched
	RecallNotified Recall = "notified" // the recipient has been told
	RecallDigital  Recall = "digital"  // sent digitally, not printed later
	RecallMailbox  Recall = "mailbox"  // sent to, or in, a mailbox of somebody else's
	RecallPrinter  Recall = "printer"  // with the printer
	RecallGone     Recall = "gone"     // read or printed
	RecallNowhere  Recall = "nowhere"  // refused at its reception, or without a way to the recipient: nobody got it
	RecallClosed   Recall = "closed"   // closed by hand or deleted: the recipient may have opened it before
	RecallUnknown  Recall = "unknown"  // a status that is not described yet
)

// RecallOf returns what can still be done about an item that is no draft.
func RecallOf(it Item) Recall {
	switch it.State {
	case StateQueued:
		return RecallHere
	case StateSending:
		return RecallAsk
	case StateUncertain:
		if !it.RecoverAt.IsZero() {
			return RecallAsk
		}
		return RecallDoubt
	case StateAccepted:
		if it.Kind == KindSMS {
			return recallOfSMS(it.Status)
		}
		return recallOfStatus(it.Status)
	}
	if it.MayHaveArrived || it.Doubted {
		return RecallDoubt
	}
	return RecallUnsent
}

// Calls tells, of an item that was replaced, whether it calls for an act of its own: it is on its way, or somebody has got it.
func (r Recall) Calls() bool {
	return r != RecallUnsent && r != RecallDoubt && r != RecallRefused && r != RecallMissed && r != RecallNowhere && r != RecallClosed
}

func recallOfSMS(s Status) Recall {
	switch s.Of(KindSMS).Meaning {
	case MeaningRefused:
		return RecallRefused
	case MeaningNotDelivered:
		return RecallMissed
	}
	return RecallSMS
}

func recallOfStatus(s Status) Recall {
	row := s.Of(KindShipment)
	switch row.Meaning {
	case MeaningNew:
		if s == "" {
			return RecallPortal
		}
		return RecallUnknown
	case MeaningReceived, MeaningAccepted:
		return RecallPortal
	case MeaningReady:
		return RecallSystem
	case MeaningNotified:
		return RecallNotified
	case MeaningSentToPrint:
		return RecallPrinter
	case MeaningRead, MeaningPrinted:
		return RecallGone
	case MeaningSent, MeaningInMailbox:
		if row.Channel == ChannelDigital {
			return RecallDigital
		}
		return RecallMailbox
	case MeaningRefused, MeaningNotDelivered:
		return RecallNowhere
	}
	return RecallClosed
}
