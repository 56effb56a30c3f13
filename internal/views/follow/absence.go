package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// Person is a user who works on an account.
type Person struct {
	ID   dispatch.UserID
	Name string
}

// AbsencePage shows absences from an account, and the form of an absence.
type AbsencePage struct {
	views.Page
	Absences []dispatch.Absence
	Workers  []Person
	Form     AbsenceForm
}

// AbsenceForm is the form as typed.
type AbsenceForm struct {
	Who    string // empty: the user
	Until  string
	Deputy string
}

// leads tells whether the user may enter absences of others.
func (p AbsencePage) leads() bool { return p.May(dispatch.RightLead) }

// mayEnd tells whether the user may end an absence.
func (p AbsencePage) mayEnd(a dispatch.Absence) bool { return a.User == p.User.ID || p.leads() }

// deputies are the possible deputies: everybody except the user, if the form is about the user only.
func (p AbsencePage) deputies() (list []Person) {
	for _, w := range p.Workers {
		if w.ID != p.User.ID || p.leads() {
			list = append(list, w)
		}
	}
	return list
}

// HandOverAllPage gives a colleague's open work to another.
type HandOverAllPage struct {
	views.Page
	Workers           []Person
	From, To          string
	FromName          string
	Open              dispatch.HandOverCounts
	Most              int // limit of the counts
	FollowUps, Drafts bool
}

// whose are the filters by owner; deputies also get the one for absent colleagues.
func (p FollowUpPage) whose() []Whose {
	list := []Whose{WhoseAll, WhoseMine, WhoseSent, WhoseFree}
	if len(p.Away) > 0 || p.Whose == WhoseAway {
		list = append(list, WhoseAway)
	}
	return list
}
