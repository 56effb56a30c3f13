package simulator

import "net/http"

// smsMessage is SmsMeldingRequest.
type smsMessage struct {
	Text         string  `json:"tekst"`
	HideInReport bool    `json:"skjulTekstIRapport"`
	NationalID   *string `json:"fnr"`
	Phone        *string `json:"telefonnummer"`
}

// smsBatch is SmsBatchRequest.
type smsBatch struct {
	Phones       []string `json:"telefonnummere"`
	Text         string   `json:"tekst"`
	HideInReport bool     `json:"skjulTekstIRapport"`
}

// smsID is SmsId.
type smsID struct {
	ID string `json:"id"`
}

// smsStatus is SmsRespons.
type smsStatus struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

func (s *Simulator) registerSMS() {
	const account = "/varsling/api/v2/sms/{kontoId}"
	s.mux.HandleFunc("POST "+account+"/send", s.smsOperation(OpSend, s.send))
	s.mux.HandleFunc("GET "+account+"/sms/{smsId}", s.smsOperation(OpStatus, s.status))
	s.mux.HandleFunc("POST "+account+"/sendBatch", s.smsOperation(OpBatch, s.sendBatch))
	s.mux.HandleFunc("POST "+account+"/oppslag", s.smsOperation(OpLookup, s.lookup))
}

// smsOperation puts the checks that all four operations share before the handler.
func (s *Simulator) smsOperation(name string, h func(*exchange)) http.HandlerFunc {
	return s.operation(name, func(x *exchange) {
		if x.checkUp() && x.checkToken() && x.checkSMSIntegration() && x.checkAccount() && x.checkShape() {
			h(x)
		}
	})
}

// checkSMSIntegration wants the two headers when Options.SMSIntegration says so: the deployed service demands them, the
// specification does not list them (upstream-facts, section 5).
func (x *exchange) checkSMSIntegration() bool {
	x.readIntegration()
	return !x.s.options.SMSIntegration || x.checkIntegration()
}

func (s *Simulator) send(x *exchange) {
	var in smsMessage
	if !x.decode(&in) {
		return
	}
	if err := in.check(); err != nil {
		x.invalid(err.Error())
		return
	}
	m := SMS{Text: in.Text, HideInReport: in.HideInReport}
	if in.Phone != nil {
		m.Phone = *in.Phone
	} else {
		m.NationalID = *in.NationalID
	}
	x.setRecipient(m.recipient())

	fault := x.decide(m.recipient(), s.ending(m.Phone).send)
	x.play(fault, func(lost bool) any {
		return smsID{ID: x.accept(lost, m)[0].ID}
	})
}

func (s *Simulator) status(x *exchange) {
	id := x.r.PathValue("smsId")
	if !isUUID(id) {
		x.invalid("smsId is not a uuid")
		return
	}
	m, ok := s.find(x.accountID, id)
	if !ok {
		x.fail(http.StatusNotFound)
		return
	}
	x.setRecipient(m.recipient())

	ending := s.ending(m.Phone)
	fault := x.decide(m.recipient(), ending.read)
	x.play(fault, func(bool) any {
		if fault == NewStatus {
			return smsStatus{ID: m.ID, Status: statusNew}
		}
		age := s.options.Now().Sub(m.AcceptedAt)
		return smsStatus{ID: m.ID, Status: ending.fate.statusAfter(age, s.options.Pace)}
	})
}

// sendBatch meets the fault of its first number.
func (s *Simulator) sendBatch(x *exchange) {
	var in smsBatch
	if !x.decode(&in) {
		return
	}
	if err := in.check(); err != nil {
		x.invalid(err.Error())
		return
	}
	first := in.Phones[0]
	x.setRecipient(first)

	fault := x.decide(first, s.ending(first).send)
	x.play(fault, func(lost bool) any {
		messages := make([]SMS, 0, len(in.Phones))
		for _, phone := range in.Phones {
			messages = append(messages, SMS{Phone: phone, Text: in.Text, HideInReport: in.HideInReport, Batch: true})
		}
		x.accept(lost, messages...)
		return nil
	})
}
