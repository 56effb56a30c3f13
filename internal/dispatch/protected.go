package dispatch

import (
	"slices"
	"time"
)

// ProtectedID is our id of the protection of a person on an account.
type ProtectedID string

// Protected is a person whose messages only named people of an account may see, and send.
type Protected struct {
	ID        ProtectedID
	AccountID AccountID
	SetBy     string // name of who marked them
	SetAt     time.Time
	Viewers   []ProtectedViewer // by name
	Orphaned  bool              // none of them has logged in for long: leads may name others
	Known     bool              // the viewer is among them; if not, the numbers are empty
	Number    NationalID
	Phone     Phone // empty: not given
}

// ProtectedViewer is somebody who may see what is sent to a protected person.
type ProtectedViewer struct {
	ID   UserID `db:"id"`
	Name string `db:"name"`
}

// Names tells whether the user is among those who may see it.
func (p Protected) Names(u UserID) bool {
	return slices.ContainsFunc(p.Viewers, func(w ProtectedViewer) bool { return w.ID == u })
}

// ProtectedLook is one time that somebody opened a message to a protected person.
type ProtectedLook struct {
	At     time.Time
	By     string      // name
	Person ProtectedID // empty when the viewer is not among the named: who the person is, is not told
	Number NationalID
	Item   ItemID
	Kind   Kind
}

// Fields of the form that marks a person; the form uses the same names.
const (
	FieldProtectedNumber  = "fodselsnummer"
	FieldProtectedPhone   = "mobilnummer"
	FieldProtectedViewers = "navngitte"
)

// ProtectedForm is the form as typed.
type ProtectedForm struct {
	Number, Phone, Reason string
	Viewers               []string
}

// Protection is what the form asks for.
type Protection struct {
	Number  NationalID
	Phone   Phone // empty: none
	Viewers []UserID
	Reason  string
}

// Parse reads the form that marks a person.
func (f ProtectedForm) Parse() (p Protection, ps Problems) {
	var problem *Problem
	if p.Number, problem = ParseNationalID(FieldProtectedNumber, f.Number); problem != nil {
		ps = append(ps, *problem)
	}
	if f.Phone != "" {
		if p.Phone, problem = ParsePhone(FieldProtectedPhone, f.Phone); problem != nil {
			ps = append(ps, *problem)
		}
	}
	viewers, more := f.ParseViewers()
	p.Viewers, p.Reason = viewers.Viewers, viewers.Reason
	return p, append(ps, more...)
}

// ParseViewers reads who is named, and why.
func (f ProtectedForm) ParseViewers() (p Protection, ps Problems) {
	for _, id := range f.Viewers {
		if u := UserID(id); !slices.Contains(p.Viewers, u) {
			p.Viewers = append(p.Viewers, u)
		}
	}
	if len(p.Viewers) == 0 {
		ps = append(ps, Problem{Field: FieldProtectedViewers, Key: "problem.protected.viewers"})
	}
	var problem *Problem
	if p.Reason, problem = ParseActReason(f.Reason); problem != nil {
		ps = append(ps, *problem)
	}
	return p, ps
}

// MayChange tells whether the user may change who is named, and end the protection: leads who are named may, and, when none of the named
// has logged in for long, any lead.
func (p Protected) MayChange(u User) bool {
	return u.May(RightLead, p.AccountID) && (p.Names(u.ID) || p.Orphaned)
}
