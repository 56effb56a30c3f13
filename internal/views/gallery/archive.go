package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// archiveExhibits are the archive package of a day, and the case in which an item is archived.
func archiveExhibits() []exhibit {
	day := func(path, says string, who dispatch.User, ps dispatch.Problems) exhibit {
		return exhibit{path: "archive/" + path, says: says, show: func(f frame) templ.Component {
			p := follow.ArchivePage{Page: f.onAccount(who, views.SectionItems, f.text("archive.title")), Others: true}
			p.Narrow, p.Problems = true, ps
			return follow.Archive(p)
		}}
	}
	note := func(path, says string, a dispatch.Archived, ps dispatch.Problems) exhibit {
		return exhibit{path: "archive/" + path, says: says, show: func(f frame) templ.Component {
			p := follow.ArchivedPage{Page: f.onAccount(caseworker(), views.SectionItems, f.text("archive.note")), Item: sampleShipment(1).Item, Archived: a}
			p.Narrow, p.Problems = true, ps
			return follow.NoteArchived(p)
		}}
	}
	problem := func(key string) dispatch.Problems {
		return dispatch.Problems{{Field: dispatch.FieldArchiveCase, Key: key}}
	}
	list := []exhibit{
		day("day", "the package of a day", caseworker(), nil),
		day("day-wrong", "without a day", caseworker(), dispatch.Problems{{Field: "dag", Key: "problem.date"}}),
		note("note", "in which case it is archived", dispatch.Archived{}, nil),
		note("noted", "where it is archived, which can be taken back", dispatch.Archived{Case: "2026/1234", By: "Kari Nordmann", At: ago(time.Hour)}, nil),
	}
	for _, key := range []string{"problem.archive.empty", "problem.archive.long", "problem.archive.number"} {
		list = append(list, note("note-"+key, "what is wrong with the case", dispatch.Archived{}, problem(key)))
	}
	return append(list, exhibit{path: "shipment/archived", says: "where it is archived, that it was taken back once, and that it is kept", show: func(f frame) templ.Component {
		return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
			notified(p)
			p.Kept = follow.Kept{By: "Ingrid Lunde", At: ago(2 * time.Hour)}
			p.Archived = dispatch.Archived{Case: "2026/1234", By: "Kari Nordmann", At: ago(time.Hour)}
			p.Events = append([]dispatch.Event{
				{At: ago(time.Hour), Kind: dispatch.EventArchived, Actor: "Kari Nordmann", Detail: "2026/1234"},
				{At: ago(2 * time.Hour), Kind: dispatch.EventUnarchived, Actor: "Kari Nordmann"},
			}, p.Events...)
		}))
	}})
}
