package dispatch

// Synthetic tells whether the number is one that no living person can have: the month is 80 higher (Tenor), or 65 (NHN), with the
// day as it is or 40 higher (D-numbers); see upstream facts, section 10.
//
// Assumption: a month that is 40 higher is taken for real. Some synthetic people have one, but so have H-numbers, which hospitals
// give to people whose number they do not know.
func (n NationalID) Synthetic() bool {
	month := 0
	if len(n) == NationalIDLength && allDigits(string(n)) {
		month = int(n[2]-'0')*10 + int(n[3]-'0')
	}
	return n.DateFits() && (month > 80 || month > 65 && month <= 65+12)
}

// Refuses tells whether a national identity number must not reach the environment: a real person's, in a test. An
// organisation's number is public, and names nobody.
func (e Environment) Refuses(n NationalID) bool {
	return e == EnvironmentTest && n != "" && !n.Synthetic()
}

// ProblemReal is the key of the problem of a real person's number in a test environment.
const ProblemReal = "problem.national_id.real"

// ValidateNumber returns the problem of a number in the environment of the account's integration for a kind of items; nil: none.
func (a Account) ValidateNumber(k Kind, field string, n NationalID) *Problem {
	environment := a.SMSEnvironment
	if k == KindShipment {
		environment = a.ShipmentEnvironment
	}
	if environment.Refuses(n) {
		return &Problem{Field: field, Key: ProblemReal}
	}
	return nil
}

// ValidateSMS returns what keeps an SMS from being sent from the account.
func (a Account) ValidateSMS(m SMS) Problems {
	ps := m.Validate()
	ps.add(a.ValidateNumber(KindSMS, FieldNationalID, m.Recipient.NationalID))
	return ps
}

// ValidateNumbers returns the problems of a shipment's numbers in the account's environment: the recipient's, that of whom
// answers go to, and those of others who may read it.
func (a Account) ValidateNumbers(s Shipment) Problems {
	var ps Problems
	if s.Health != nil {
		ps.add(a.ValidateNumber(KindShipment, FieldPatientID, s.Health.PatientID))
	} else {
		ps.add(a.ValidateNumber(KindShipment, FieldRecipientNumber, s.Recipient.Digital.NationalID))
	}
	if s.ReplyTo != nil {
		ps.add(a.ValidateNumber(KindShipment, FieldReplyNumber, s.ReplyTo.Digital.NationalID))
	}
	for i, d := range s.SharedWith {
		if a.ShipmentEnvironment.Refuses(d.NationalID) {
			ps.add(&Problem{Field: FieldSharedWith, Key: "problem.lookup.real", Args: Args{"Line": i + 1}})
		}
	}
	return ps
}

// CheckRow marks a row of a list whose number the account's environment refuses.
func (a Account) CheckRow(r JobRow) JobRow {
	if p := a.ValidateNumber(KindSMS, FieldRecipient, r.Recipient.NationalID); p != nil && r.Problem.Key == "" {
		r.Problem = *p
	}
	return r
}

// ValidateLookup returns the problems of a look-up's numbers in the account's environment, by line.
func (a Account) ValidateLookup(l Lookup) Problems {
	var ps Problems
	for _, e := range l.Entries {
		if len(e.Number) == NationalIDLength && a.ValidateNumber(KindSMS, FieldNumbers, NationalID(e.Number)) != nil && len(ps) < maxLineProblems {
			ps.add(&Problem{Field: FieldNumbers, Key: "problem.lookup.real", Args: Args{"Line": e.Line}})
		}
	}
	return ps
}

// RefusesShipment tells whether a shipment names a real person whom the environment refuses.
func (e Environment) RefusesShipment(s Shipment) bool {
	return len(Account{ShipmentEnvironment: e}.ValidateNumbers(s)) > 0
}
