package simulator

import (
	"fmt"
	"net/http"
	"strings"
)

// The values of Status.
const (
	shipmentReceived      = "MOTTATT"
	shipmentAccepted      = "AKSEPTERT"
	shipmentReady         = "KLAR_FOR_MOTTAK"
	ShipmentNotified      = "VARSLET"
	shipmentRead          = "LEST"
	shipmentSentToPrint   = "SENDT_PRINT"
	shipmentPrinted       = "PRINTET"
	shipmentSentDigitally = "SENDT_DIGITALT"
	shipmentSentToMailbox = "SENDT_SDP"
	shipmentInMailbox     = "LEVERT_SDP"
	shipmentRejected      = "AVVIST"
	shipmentNotDelivered  = "IKKE_LEVERT"
	shipmentHandled       = "MANUELT_HANDTERT"
	shipmentSentToAltinn  = "SENDT_ALTINN"
	shipmentInAltinn      = "LEVERT_ALTINN"
	shipmentSentToHealth  = "SENDT_NHN_MOTTAKER"
	shipmentInHealth      = "LEVERT_NHN_MOTTAKER"
	shipmentFailed        = "FEILET_UNDER_MOTTAK"
	shipmentDeleted       = "SLETTET"
)

// The values of Signeringsstatus.
const (
	signingRefused  = "AVVIST_AV_SVARUT"
	signingWaits    = "VENTER_SIGNERING"
	signingDone     = "SIGNERT_AV_MOTTAKER"
	signingDeclined = "AVVIST_AV_MOTTAKER"
	signingExpired  = "UTLOPT"
)

// word is the effect of a word in a title. Each sets one of the fields below its meaning.
type word struct {
	text    string
	meaning string

	route   []string // status values, one for each Options.Pace
	signing string   // how a signing assignment ends
	send    Fault    // of a submission
	Read    Fault    // of status, and of statuser if the shipment comes first
}

// Words lists the effects of a word in the title of a shipment; letter case does not count. The simulator itself runs
// from this list. A title may hold one word of each kind: a route, an end of the signing, a fault of the submission
// and a fault of the status. Where V1 and V2 say VARSLET, V3
// says SENDT_ALTINN and LEVERT_ALTINN. Without a word, a shipment with a number is read (digital only: SENDT_DIGITALT), one
// without is printed (digital only: IKKE_LEVERT), and a signing is completed.
func Words() []Ending {
	var all []Ending
	for _, w := range words() {
		all = append(all, Ending{Digits: w.text, Meaning: w.meaning})
	}
	return all
}

func words() []word {
	var all []word
	all = append(all, routeWords()...)
	all = append(all, signingWords()...)
	all = append(all, statusWords()...)
	all = append(all, faultWords()...)
	return append(all, readWords()...)
}

// routeWords follow the transitions of upstream-facts, section 3.
func routeWords() []word {
	route := func(text string, after ...string) word {
		meaning := "goes " + strings.Join(after, ", ") + " after AKSEPTERT"
		return word{text: text, meaning: meaning, route: append([]string{shipmentReceived, shipmentAccepted}, after...)}
	}
	return []word{
		route("[lest]", ShipmentNotified, shipmentRead),
		route("[altinn]", ShipmentNotified),
		route("[ukvittert]", shipmentSentToHealth),
		route("[sdp]", shipmentSentToMailbox, shipmentInMailbox),
		route("[print]", shipmentSentToPrint, shipmentPrinted),
		route("[lesefrist]", ShipmentNotified, shipmentSentToPrint, shipmentPrinted),
		route("[lest etter print]", ShipmentNotified, shipmentSentToPrint, shipmentRead),
		route("[klar]", shipmentReady, shipmentRead),
		route("[digitalt]", ShipmentNotified, shipmentSentDigitally),
		{
			text: "[ikke levert]", meaning: "goes IKKE_LEVERT after AKSEPTERT if it is digital only, else SENDT_PRINT, PRINTET",
			route: []string{shipmentReceived, shipmentAccepted, shipmentNotDelivered},
		},
		route("[manuelt]", shipmentHandled),
		route("[ny verdi]", StatusNew),
		{
			text: "[avvist]", meaning: "ends AVVIST, without AKSEPTERT",
			route: []string{shipmentReceived, shipmentRejected},
		},
		{
			text: "[feilet]", meaning: "ends FEILET_UNDER_MOTTAK, without AKSEPTERT; on V1 and V2 AVVIST",
			route: []string{shipmentReceived, shipmentFailed},
		},
		{
			text: "[slettet]", meaning: "goes VARSLET, LEST, SLETTET after AKSEPTERT; on V1 and V2 it stays LEST",
			route: []string{shipmentReceived, shipmentAccepted, ShipmentNotified, shipmentRead, shipmentDeleted},
		},
	}
}

func signingWords() []word {
	return []word{
		{text: "[avviser signering]", meaning: "a signing assignment ends AVVIST_AV_MOTTAKER", signing: signingDeclined},
		{text: "[utløper]", meaning: "a signing assignment ends UTLOPT", signing: signingExpired},
		{text: "[avvist signering]", meaning: "a signing assignment ends AVVIST_AV_SVARUT", signing: signingRefused},
	}
}

// statusWords are the words that are an HTTP status themselves.
func statusWords() []word {
	var all []word
	for _, code := range []int{400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504} {
		meaning := fmt.Sprintf("submission answers %d %s, nothing is accepted", code, http.StatusText(code))
		if code == http.StatusTooManyRequests {
			meaning += "; with Retry-After: 2"
		}
		all = append(all, word{text: fmt.Sprintf("[feil %d]", code), meaning: meaning, send: Status(code)})
	}
	return all
}

func faultWords() []word {
	return []word{
		{text: "[svar tapt]", meaning: "submission accepts, then cuts the connection without an answer", send: LostAfter},
		{text: "[tapt]", meaning: "submission cuts the connection, nothing is accepted", send: LostBefore},
		{text: "[tapt én gang]", meaning: "submission cuts the connection the first time for the title, then works", send: LostOnce},
		{text: "[brutt]", meaning: "submission cuts the connection before the documents are read", send: CutInBody},
		{text: "[tidlig 503]", meaning: "submission answers 503 before the documents are read", send: EarlyError},
		{text: "[treg]", meaning: "submission accepts, but is slow to answer", send: Slow},
		{text: "[html]", meaning: "submission answers 200 with HTML, nothing is accepted", send: HTMLAnswer},
		{text: "[halvt svar]", meaning: "submission accepts, then cuts the connection in the middle of the answer", send: HalfAnswer},
		{text: "[uten id]", meaning: "submission answers 200 without an id, nothing is accepted", send: NoID},
		{text: "[nede én gang]", meaning: "submission answers 503 the first time for the title, then works", send: DownOnce},
		{text: "[feil én gang]", meaning: "submission accepts, but answers 500 the first time for the title", send: FailedOnce},
		{text: "[duplikat]", meaning: "submission answers 400 with a Duplikat message, nothing is accepted", send: Duplicate},
		{text: "[feil tittel]", meaning: "submission answers 400 with a message that names tittel, nothing is accepted", send: BadTitle},
		{text: "[gjentagende]", meaning: "submission answers 400 GJENTAGENDE_FORSENDELSE, nothing is accepted", send: Repeated},
	}
}

func readWords() []word {
	return []word{
		{text: "[status 404]", meaning: "status answers 404, statuser leaves the shipment out", Read: MissingStatus},
		{text: "[status 500]", meaning: "status answers 500, and statuser when the shipment comes first", Read: Status(http.StatusInternalServerError)},
	}
}

// wordsIn merges the effects of a title's words; of two words of one kind the first in the list counts.
func (s *Simulator) wordsIn(title string) word {
	title = strings.ToLower(title)
	var found word
	for _, w := range s.words {
		if !strings.Contains(title, w.text) {
			continue
		}
		if found.route == nil {
			found.route = w.route
		}
		if found.signing == "" {
			found.signing = w.signing
		}
		if found.send == NoFault {
			found.send = w.send
		}
		if found.Read == NoFault {
			found.Read = w.Read
		}
	}
	return found
}
