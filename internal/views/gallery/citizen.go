package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// citizenExhibits are the report on the uses of a person's number.
func citizenExhibits() []exhibit {
	page := func(name, says string, who dispatch.User, change func(*admin.CitizenPage)) exhibit {
		return exhibit{path: "citizen/" + name, says: says, show: func(f frame) templ.Component {
			p := admin.CitizenPage{Page: f.page(who, f.text("citizen.title"))}
			p.Section = views.SectionCitizen
			change(&p)
			return admin.Citizen(p)
		}}
	}
	reported := func(p *admin.CitizenPage) {
		p.Number, p.Purpose, p.Accounts = "12847800281", "Innsynskrav fra den registrerte", []string{"Oppvekst og utdanning"}
		p.Report = &admin.CitizenReport{Shown: "128478 *****"}
	}
	wrong := func(number, key string) func(*admin.CitizenPage) {
		return func(p *admin.CitizenPage) {
			p.Number, p.Purpose, p.Problems = number, "Innsynskrav", dispatch.Problems{{Field: dispatch.FieldSearch, Key: key}}
		}
	}
	return []exhibit{
		page("new", "nobody has asked yet", administrator(), func(*admin.CitizenPage) {}),
		page("problems", "without a number and a purpose", auditor(), func(p *admin.CitizenPage) {
			p.Problems = dispatch.Problems{{Field: dispatch.FieldSearch, Key: "problem.search.number_empty"}, {Field: dispatch.FieldPurpose, Key: "problem.purpose.empty"}}
		}),
		page("national-id", "a national id that cannot be", auditor(), wrong("12345678901", "problem.report.national_id")),
		page("phone", "a phone number that cannot be", auditor(), wrong("+479000012", "problem.report.phone")),
		page("of-organization", "of an organization", auditor(), func(p *admin.CitizenPage) {
			reported(p)
			p.Number, p.Report.Shown, p.Report.Organization = "974760673", "974 760 673", true
		}),
		page("mistyped", "a national id whose check digits do not fit", auditor(), func(p *admin.CitizenPage) {
			reported(p)
			p.Number, p.Report.Shown, p.Report.Mistyped = "27855984567", "278559 *****", true
		}),
		page("mistyped-organization", "an organization number whose check digit does not fit", auditor(), func(p *admin.CitizenPage) {
			reported(p)
			p.Number, p.Report.Shown, p.Report.Organization, p.Report.Mistyped = "974760674", "974 760 674", true, true
		}),
		page("none", "nothing was sent", administrator(), reported),
		page("report", "SMS, a shipment, a look-up and who saw them, on several accounts", administrator(), func(p *admin.CitizenPage) {
			reported(p)
			p.Accounts = []string{sampleAccount(0).Name, sampleAccount(1).Name, "Kultur og fritid", "Teknisk"}
			p.Report.More, p.Report.Hidden = true, 2
			for i, kind := range dispatch.Kinds {
				it := dispatch.Item{ID: dispatch.ItemID(sampleID(10 + i)), Kind: kind, State: dispatch.StateAccepted, Status: dispatch.StatusDelivered, CreatedAt: galleryNow.Add(-48 * time.Hour), Creator: "Kari Nordmann"}
				it.AcceptedAt = it.CreatedAt.Add(time.Minute)
				if kind == dispatch.KindShipment {
					it.Status = dispatch.StatusRead
				}
				p.Report.Items = append(p.Report.Items, admin.CitizenItem{Item: it, Account: sampleAccount(i), Title: "Vedtak om barnehageplass"})
			}
			for i, state := range []dispatch.State{dispatch.StateQueued, dispatch.StateCancelled, dispatch.StateUncertain} {
				it := dispatch.Item{ID: dispatch.ItemID(sampleID(20 + i)), Kind: dispatch.KindSMS, State: state, CreatedAt: galleryNow.Add(-49 * time.Hour), Creator: "Kari Nordmann"}
				p.Report.Items = append(p.Report.Items, admin.CitizenItem{Item: it, Account: sampleAccount(0)})
			}
			l := admin.LogLine{At: galleryNow.Add(-50 * time.Hour), Actor: "Kari Nordmann", Account: sampleAccount(0), Action: "lookup", Details: map[string]any{"purpose": "Varsle om stengt skole"}}
			p.Report.Lookups = []admin.LogLine{l}
			l.Action, l.Details = "item.revealed", nil
			p.Report.Views = []admin.LogLine{l}
			l.Action = "recipient.today"
			earlier := admin.LogLine{At: l.At, Actor: "Nora Lie", Action: "citizen.report", Details: map[string]any{"purpose": "Innsynskrav"}}
			p.Report.Searches = []admin.LogLine{l, earlier}
		}),
	}
}
