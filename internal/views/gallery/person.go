package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// personExhibits ask for a purpose, and show everything sent to one recipient.
func personExhibits() []exhibit {
	ask := func(says, path string, change func(*follow.AskPersonPage)) exhibit {
		return exhibit{path: "person/" + path, says: says, show: func(f frame) templ.Component {
			p := follow.AskPersonPage{Page: f.onAccount(caseworker(), views.SectionItems, f.text("person.title")), Number: "120478 •••••", Back: "/k/oppvekst/utsendinger", Action: "/k/oppvekst/sms/" + sampleID(1) + "/person"}
			p.Narrow = true
			change(&p)
			return follow.AskPerson(p)
		}}
	}
	show := func(says, path string, change func(*follow.PersonPage)) exhibit {
		return exhibit{path: "person/" + path, says: says, show: func(f frame) templ.Component {
			p := follow.PersonPage{Page: f.onAccount(caseworker(), views.SectionItems, f.text("person.title")), Number: "120478 •••••", Purpose: "Svare på en klage om skoleskyss"}
			change(&p)
			return follow.ToPerson(p)
		}}
	}
	return []exhibit{
		ask("asks for the purpose first", "ask", func(*follow.AskPersonPage) {}),
		ask("no purpose was given", "ask-empty", func(p *follow.AskPersonPage) {
			p.Problems = dispatch.Problems{{Field: dispatch.FieldPurpose, Key: "problem.purpose.empty"}}
		}),
		show("everything to one recipient, over both channels", "all", func(p *follow.PersonPage) {
			letter := sampleShipment(2)
			letter.State, letter.Status = dispatch.StateAccepted, dispatch.StatusNotDelivered
			p.Sums = []follow.PersonSum{
				{Kind: dispatch.KindShipment, N: 3, Failed: 1, First: ago(200 * 24 * time.Hour), Last: ago(time.Hour)},
				{Kind: dispatch.KindSMS, N: 1, First: ago(2 * time.Hour), Last: ago(2 * time.Hour)},
			}
			p.Items = []dispatch.ListRow{*views.RowOf(sampleSMS(1)), {Item: letter.Item, Title: letter.Title, RecipientName: letter.Recipient.Postal.Name}}
			p.Older = "/k/oppvekst/mottaker/x?eldre=1"
		}),
		show("what was there is gone", "none", func(*follow.PersonPage) {}),
	}
}
