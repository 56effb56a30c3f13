package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// sampleReading is the reading of a sheet with national identity numbers and two phone columns, with every kind of remark.
func sampleReading() dispatch.ListReading {
	return dispatch.ListReading{
		Sheet: "Foresatte", Sheets: []string{"Foresatte", "Ansatte"}, Lists: 2, Header: 3, First: 1, NationalID: 1, Phone: 2, Spare: 3,
		Columns: []dispatch.ListColumn{{Name: "Fødselsnummer", At: 1, Numbers: true}, {Name: "Mobil", At: 2, Numbers: true}, {Name: "Telefon", At: 3, Numbers: true},
			{Name: "Arbeid", At: 4, Numbers: true}, {Name: "fornavn", At: 5}, {Name: "klasse", At: 6}},
		HiddenRows: 12, HiddenColumns: 2, Above: 2, Title: "Foresatte ved Fjordvik skole", Encoding: dispatch.EncodingMixed, Unusable: []string{"Merknad", "Merknad"},
		Strange: []dispatch.StrangeCell{{Row: 7, Column: "fornavn", Value: "Ã…se"}, {Row: 9, Column: "fornavn", Value: "BjÃ¸rn"}}, StrangeRows: 14,
	}
}

// readSo gives a job this reading of its list, which can be changed.
func readSo(j *dispatch.Job, r dispatch.ListReading) { j.Reading, j.Received = r, true }

// readingExhibits are the reading of a list, while it can be changed and afterwards.
func readingExhibits() []exhibit {
	var list []exhibit
	edit := func(name, says string, change func(*compose.JobEditPage)) {
		list = append(list, exhibit{path: "reading/" + name, says: says, show: func(f frame) templ.Component {
			p := compose.JobEditPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.new.title")), Job: sampleJob()}
			p.Measured = measuredJob("", "", compose.ForMany{})
			p.Form = compose.JobForm{Text: p.Job.Text, Mode: p.Job.Mode}
			readSo(&p.Job, sampleReading())
			change(&p)
			return compose.JobEdit(p)
		}})
	}
	edit("all", "everything that can be told of how a list was read", func(*compose.JobEditPage) {})
	edit("mixed", "one column of both kinds of number, in a file that is cut off, of which nothing is left out", func(p *compose.JobEditPage) {
		p.Job.List = dispatch.JobList{Read: 3, Valid: 3, Phone: 2}
		p.Job.Reading = dispatch.ListReading{NationalID: 1, Phone: 1, First: 1, Encoding: dispatch.EncodingCut, Columns: []dispatch.ListColumn{{Name: "kolonne 1", At: 1, Numbers: true}, {Name: "kolonne 2", At: 2}}}
	})
	edit("plain", "one number on each line, pasted", func(p *compose.JobEditPage) {
		p.Job.List = dispatch.JobList{Read: 3, Valid: 3, Phone: 2}
		p.Job.Reading = dispatch.ListReading{NationalID: 1, Phone: 1, First: 1, Columns: []dispatch.ListColumn{{Name: "A", At: 1, Numbers: true}}}
	})
	edit("dos", "a file of an old system, without a phone number", func(p *compose.JobEditPage) {
		p.Job.Reading = dispatch.ListReading{NationalID: 1, Header: 1, First: 1, Encoding: dispatch.EncodingDOS, Columns: sampleReading().Columns[:1]}
	})
	edit("mac", "a file of an old Mac, whose headings stand far down", func(p *compose.JobEditPage) {
		p.Job.Reading = dispatch.ListReading{Phone: 2, Header: 14, First: 2, Encoding: dispatch.EncodingMac, Columns: sampleReading().Columns[1:2]}
	})
	edit("kept", "a list that is no longer kept as it came", func(p *compose.JobEditPage) { p.Job.Received = false })
	return append(list,
		exhibit{path: "reading/review", says: "told once more before it is sent", show: func(f frame) templ.Component {
			p := compose.JobReviewPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.review.title")), Job: sampleJob()}
			readSo(&p.Job, sampleReading())
			return compose.JobReview(p)
		}},
		exhibit{path: "reading/shipments", says: "how a list of recipients of shipments was read", show: func(f frame) templ.Component {
			p := compose.ShipmentJobPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipments.title")), ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob(), Documents: sampleFiles(), Titled: true}
			p.Narrow, p.Form = true, compose.SplitForm{Choice: compose.SplitSame}
			readSo(&p.Job, shipmentReading())
			return compose.ShipmentJob(p)
		}},
		exhibit{path: "reading/shipments-review", says: "told once more before the shipments are sent", show: func(f frame) templ.Component {
			p := compose.ShipmentListReviewPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipment.review.title")), Numbered: true, ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob(), Shipment: sampleShipment(1).Shipment}
			p.Narrow, p.Job.List = true, dispatch.JobList{Read: 22, Valid: 20, LeftOut: 2}
			readSo(&p.Job, shipmentReading())
			p.Lines = []compose.ShipmentLine{{Row: sampleRecipient(2), Shipment: sampleShipment(1).Shipment}}
			return compose.ShipmentListReview(p)
		}})
}

// shipmentReading is how a list of recipients of shipments was read.
func shipmentReading() dispatch.ListReading {
	return dispatch.ListReading{Header: 1, First: 1, Shipment: []int{1, 2, 3}, Columns: []dispatch.ListColumn{{Name: "Fødselsnummer", At: 1}, {Name: "Navn", At: 2}, {Name: "Adresse", At: 3}}}
}
