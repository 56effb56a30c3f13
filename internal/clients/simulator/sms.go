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
	s.Mux.HandleFunc("POST "+account+"/send", s.smsOperation(OpSend, s.send))
	s.Mux.HandleFunc("GET "+account+"/sms/{smsId}", s.smsOperation(OpStatus, s.status))
	s.Mux.HandleFunc("POST "+account+"/sendBatch", s.smsOperation(OpBatch, s.sendBatch))
	s.Mux.HandleFunc("POST "+account+"/oppslag", s.smsOperation(OpLookup, s.lookup))
}

// smsOperation makes the checks that all four operations share before the handler.
func (s *Simulator) smsOperation(name string, h func(*Exchange)) http.HandlerFunc {
	return s.Operation(name, func(x *Exchange) {
		if x.CheckUp() && x.CheckToken() && x.checkSMSIntegration() && x.CheckAccount() && x.CheckShape() {
			h(x)
		}
	})
}

// checkSMSIntegration requires the two headers if Options.SMSIntegration says so: the deployed service requires them,
// the specification does not list them (upstream-facts, section 5).
func (x *Exchange) checkSMSIntegration() bool {
	x.ReadIntegration()
	return !x.Sim.Options.SMSIntegration || x.CheckIntegration()
}

func (s *Simulator) send(x *Exchange) {
	var in smsMessage
	if !x.Decode(&in) {
		return
	}
	if err := in.check(); err != nil {
		x.Invalid(err.Error())
		return
	}
	m := SMS{Text: in.Text, HideInReport: in.HideInReport}
	if in.Phone != nil {
		m.Phone = *in.Phone
	} else {
		m.NationalID = *in.NationalID
	}
	x.SetRecipient(m.recipient())

	fault := x.Decide(m.recipient(), s.ending(m.Phone).send)
	x.Play(fault, func(lost bool) any {
		return smsID{ID: x.accept(lost, m)[0].ID}
	})
}

func (s *Simulator) status(x *Exchange) {
	id := x.Request.PathValue("smsId")
	if !IsUUID(id) {
		x.Invalid("smsId is not a uuid")
		return
	}
	m, ok := s.find(x.AccountID, id)
	if !ok {
		x.Fail(http.StatusNotFound)
		return
	}
	x.SetRecipient(m.recipient())

	ending := s.ending(m.Phone)
	fault := x.Decide(m.recipient(), ending.read)
	x.Play(fault, func(bool) any {
		if fault == NewStatus {
			return smsStatus{ID: m.ID, Status: StatusNew}
		}
		age := s.Options.Now().Sub(m.AcceptedAt)
		return smsStatus{ID: m.ID, Status: ending.fate.statusAfter(age, s.Options.Pace)}
	})
}

// sendBatch has the fault of its first number.
func (s *Simulator) sendBatch(x *Exchange) {
	var in smsBatch
	if !x.Decode(&in) {
		return
	}
	if err := in.check(); err != nil {
		x.Invalid(err.Error())
		return
	}
	first := in.Phones[0]
	x.SetRecipient(first)

	fault := x.Decide(first, s.ending(first).send)
	x.Play(fault, func(lost bool) any {
		messages := make([]SMS, 0, len(in.Phones))
		for _, phone := range in.Phones {
			messages = append(messages, SMS{Phone: phone, Text: in.Text, HideInReport: in.HideInReport, Batch: true})
		}
		x.accept(lost, messages...)
		return nil
	})
}
