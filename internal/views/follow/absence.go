package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// Person is somebody who works on an account.
type Person struct {
	ID   dispatch.UserID
	Name string
}

// AbsencePage shows who is away from an account, and is the form to say so.
type AbsencePage struct {
	views.Page
	Absences []dispatch.Absence
	Workers  []Person
	Form     AbsenceForm
}

// AbsenceForm is the form as typed.
type AbsenceForm struct {
	Who    string // empty: oneself
	Until  string
	Deputy string
}

// leads tells whether the user may say that others are away.
func (p AbsencePage) leads() bool { return p.May(dispatch.RightLead) }

// mayEnd tells whether the user may end an absence.
func (p AbsencePage) mayEnd(a dispatch.Absence) bool { return a.User == p.User.ID || p.leads() }

// deputies are those who can stand in: everybody but oneself, if the form is about oneself only.
func (p AbsencePage) deputies() (list []Person) {
	for _, w := range p.Workers {
		if w.ID != p.User.ID || p.leads() {
			list = append(list, w)
		}
	}
	return list
}

// HandOverAllPage gives a colleague what another has open.
type HandOverAllPage struct {
	views.Page
	Workers           []Person
	From, To          string
	FromName          string
	Open              dispatch.HandOverCounts
	Most              int // limit of the counts
	FollowUps, Drafts bool
}

// whose are the filters by owner; the one for absent colleagues is offered to who stands in.
func (p FollowUpPage) whose() []Whose {
	list := []Whose{WhoseAll, WhoseMine, WhoseSent, WhoseFree}
	if len(p.Away) > 0 || p.Whose == WhoseAway {
		list = append(list, WhoseAway)
	}
	return list
}
