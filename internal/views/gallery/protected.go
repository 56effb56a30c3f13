package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

func sampleProtected() []dispatch.Protected {
	viewers := []dispatch.ProtectedViewer{{ID: "amir", Name: "Amir Hosseini"}, {ID: teamLead().ID, Name: teamLead().Name}}
	return []dispatch.Protected{
		{ID: "p1", AccountID: sampleAccount(0).ID, SetBy: "Ola Vik", SetAt: ago(40 * 24 * time.Hour), Viewers: viewers, Known: true, Number: "15844112349", Phone: "+4790000100"},
		{ID: "p2", AccountID: sampleAccount(0).ID, SetBy: "Kari Nordmann", SetAt: ago(24 * time.Hour), Viewers: viewers[:1]},
	}
}

// protectedExhibits are the pages about protected people.
func protectedExhibits() []exhibit {
	page := func(change func(*follow.ProtectedPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.ProtectedPage{Page: f.onAccount(teamLead(), views.SectionProtected, f.text("protected.title")), Workers: sampleWorkers()}
			change(&p)
			return follow.ProtectedPeople(p)
		}
	}
	one := func(change func(*follow.ProtectedOnePage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.ProtectedOnePage{Page: f.onAccount(teamLead(), views.SectionProtected, f.text("protected.one.title")), Workers: sampleWorkers(), Person: sampleProtected()[0]}
			p.Form.Viewers = []string{"amir"}
			p.Narrow = true
			change(&p)
			return follow.ProtectedOne(p)
		}
	}
	wrong := func(field, key string) exhibit {
		return exhibit{path: "protected/" + key, says: "a field that is wrong", show: page(func(p *follow.ProtectedPage) {
			p.Form, p.Problems = dispatch.ProtectedForm{Number: "1584411", Reason: "Fordi"}, dispatch.Problems{{Field: field, Key: key}}
		})}
	}
	list := []exhibit{
		{path: "protected/none", says: "nobody is protected", show: page(func(*follow.ProtectedPage) {})},
		{path: "protected/some", says: "one whom the lead may see, and one not", show: page(func(p *follow.ProtectedPage) {
			p.People = sampleProtected()
			p.Looks = []dispatch.ProtectedLook{
				{At: ago(time.Hour), By: "Amir Hosseini", Person: "p1", Number: "15844112349", Item: "i1", Kind: dispatch.KindShipment},
				{At: ago(2 * time.Hour), By: "Amir Hosseini"},
				{At: ago(50 * time.Hour), By: "Kari Nordmann", Person: "p1", Number: "15844112349"},
			}
		})},
		{path: "protected/one", says: "who is named for one", show: one(func(*follow.ProtectedOnePage) {})},
		{path: "protected/end", says: "ending without a reason", show: one(func(p *follow.ProtectedOnePage) {
			p.Ending, p.Problems = true, dispatch.Problems{{Field: follow.FieldEndReason, Key: "problem.protected.end_why"}}
		})},
		wrong(dispatch.FieldProtectedViewers, "problem.protected.viewers"), wrong(dispatch.FieldProtectedNumber, "problem.protected.taken"),
	}
	for _, key := range []string{"flash.protected", "flash.protected_named", "flash.protected_ended"} {
		list = append(list, exhibit{path: "protected/" + key, says: "just done", show: page(func(p *follow.ProtectedPage) { p.Flash = &views.Flash{Key: key, Color: "success"} })})
	}
	return list
}
