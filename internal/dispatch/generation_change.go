package dispatch

// MoveChange is one thing that is different after a move to another generation: the end of a catalogue key.
type MoveChange string

// The changes that are no field's.
const (
	ChangeCheckDigits MoveChange = "check_digits"
	ChangeCountries   MoveChange = "countries"
	ChangeReplyNumber MoveChange = "reply_number"
	ChangeSignReply   MoveChange = "sign_reply"
	ChangeGiro        MoveChange = "giro"
	ChangeLengths     MoveChange = "lengths"
	ChangeTypes       MoveChange = "types"
	ChangeAltinn      MoveChange = "altinn"
	ChangeHealth      MoveChange = "health"    // it reaches the health network now
	ChangeNoHealth    MoveChange = "no_health" // it no longer does
	ChangeRecovery    MoveChange = "recovery"

	// Rules of the former generation that no longer hold.
	ChangeNoCheckDigits MoveChange = "no_check_digits"
	ChangeNoCountries   MoveChange = "no_countries"
	ChangeNoReplyNumber MoveChange = "no_reply_number"
	ChangeNoSignReply   MoveChange = "no_sign_reply"
	ChangeNoGiro        MoveChange = "no_giro"
	ChangeNoLengths     MoveChange = "no_lengths"
	ChangeNoTypes       MoveChange = "no_types"
	ChangeNoAltinn      MoveChange = "no_altinn"
	ChangeNoRecovery    MoveChange = "no_recovery"
)

// Changes returns what an account loses by a move from one generation to another, what it gains, and what else is
// different. Fields go by their names in the table.
func Changes(from, to Generation) (lost, gained []string, rules []MoveChange) {
	for _, f := range fieldRows {
		before, after := f.In[from]&everybody, f.In[to]&everybody
		switch {
		case before&^after != 0:
			lost = append(lost, f.Field)
		case after&^before != 0:
			gained = append(gained, f.Field)
		}
	}
	was, is := from.Row(), to.Row()
	for _, c := range []struct {
		change MoveChange
		differ bool
	}{
		{ChangeHealth, is.Recipients&^was.Recipients&ToHealth != 0}, {ChangeNoHealth, was.Recipients&^is.Recipients&ToHealth != 0}, {ChangeAltinn, from < V3 && to >= V3},
		{ChangeCheckDigits, !was.CheckDigits && is.CheckDigits}, {ChangeCountries, !was.Countries && is.Countries},
		{ChangeReplyNumber, !was.ReplyNumber && is.ReplyNumber}, {ChangeSignReply, !was.SignReply && is.SignReply},
		{ChangeGiro, is.GiroPages > 0 && was.GiroPages == 0}, {ChangeLengths, is.Limits.Line > 0 && was.Limits.Line == 0},
		{ChangeTypes, is.TypesListed && !was.TypesListed}, {ChangeRecovery, was.Reserves && !is.Reserves},
		{ChangeNoAltinn, from >= V3 && to < V3}, {ChangeNoCheckDigits, was.CheckDigits && !is.CheckDigits}, {ChangeNoCountries, was.Countries && !is.Countries},
		{ChangeNoReplyNumber, was.ReplyNumber && !is.ReplyNumber}, {ChangeNoSignReply, was.SignReply && !is.SignReply},
		{ChangeNoGiro, was.GiroPages > 0 && is.GiroPages == 0}, {ChangeNoLengths, was.Limits.Line > 0 && is.Limits.Line == 0},
		{ChangeNoTypes, was.TypesListed && !is.TypesListed}, {ChangeNoRecovery, !was.Reserves && is.Reserves},
	} {
		if c.differ {
			rules = append(rules, c.change)
		}
	}
	return lost, gained, rules
}

// ReadyFor returns what in an account's own settings another generation would refuse in every new shipment.
func (a Account) ReadyFor(g Generation) Problems {
	var ps Problems
	row := g.Row()
	if !row.BillingCode().MatchString(a.BillingCode) {
		ps.add(&Problem{Field: FieldBillingCode, Key: "problem.billing_code"})
	}
	a.validateReplyFor(&ps, row)
	if a.Color && !g.Has(FieldColor, everybody) {
		ps.add(&Problem{Field: FieldColor, Key: "problem.lacks." + FieldColor})
	}
	return ps
}

// validateReplyFor adds what a generation would refuse in the reply address of every new shipment.
func (a Account) validateReplyFor(ps *Problems, row GenerationRow) {
	if a.Reply == (Address{}) {
		return
	}
	validatePlace(ps, row, "svar-", a.Reply.Postal)
	if row.ReplyNumber && a.Reply.Digital.Empty() {
		ps.add(&Problem{Field: FieldReplyNumber, Key: "problem.reply_number"})
	}
	if row.CheckDigits && !a.Reply.Digital.CheckDigitsFit() {
		ps.add(&Problem{Field: FieldReplyNumber, Key: "problem.check_digits"})
	}
}
