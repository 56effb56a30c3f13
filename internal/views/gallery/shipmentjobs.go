package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// sampleShipmentJob is a shipment to twenty recipients with some faulty rows.
func sampleShipmentJob() dispatch.Job {
	return dispatch.Job{
		ID: dispatch.JobID(sampleID(720)), Kind: dispatch.KindShipment, CreatedBy: "kari", Creator: "Kari Nordmann", CreatedAt: ago(20 * time.Minute),
		State: dispatch.JobDraft, Mode: dispatch.ModeTraceable, Draft: dispatch.ItemID(sampleID(1)),
		List: dispatch.JobList{Read: 20, Valid: 17, Duplicate: 1, LeftOut: 1},
	}
}

func sentShipmentJob() dispatch.Job {
	j := sampleShipmentJob()
	j.State, j.Text, j.SentAt, j.DueAt, j.Recipients, j.Made, j.MadeAt = dispatch.JobRunning, "Vedtak om redusert foreldrebetaling", ago(9*time.Minute), ago(8*time.Minute), 19, 19, ago(8*time.Minute)
	return j
}

// shipmentJobExhibits are the pages of a shipment to many, from its list to its result.
func shipmentJobExhibits() []exhibit {
	return slices.Concat(manyListExhibits(), manyFaultExhibits(), manyReviewExhibits(), manyShowExhibits(), ownFileExhibits())
}

func manyListExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, change func(*compose.ShipmentJobPage)) {
		list = append(list, exhibit{path: "shipment-job/" + name, says: says, show: func(f frame) templ.Component {
			p := compose.ShipmentJobPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipments.title")), ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob(), Documents: sampleFiles(), Titled: true}
			p.Narrow, p.Form = true, compose.SplitForm{Choice: compose.SplitSame}
			change(&p)
			return compose.ShipmentJob(p)
		}})
	}
	add("new", "where a list is pasted or chosen", func(p *compose.ShipmentJobPage) { p.Job = dispatch.Job{} })
	add("replaced", "a draft whose recipients are all in other sendings", func(p *compose.ShipmentJobPage) { p.Unreached = allReplaced(&p.Job) })
	list = append(list, exhibit{path: "shipment-job/draft", says: "the draft of a shipment to many", show: func(f frame) templ.Component {
		return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) { p.Many, p.Valid = 20, 20 }))
	}})
	list = append(list, exhibit{path: "shipment-job/draft-nobody", says: "the draft of a shipment to many, all of whom are in other sendings or left out", show: func(f frame) templ.Component {
		return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) { p.Many, p.Valid, p.Replaced = 3, 2, 2 }))
	}})
	list = append(list, exhibit{path: "shipment-job/draft-faulty", says: "the draft of a shipment to many, some of whose rows must be corrected", show: func(f frame) templ.Component {
		return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) {
			p.Many, p.Valid, p.Faulty, p.Unchecked, p.Form.Name, p.Form.Number = 9, 2, 4, 3, "", ""
			p.Problems = dispatch.Problems{{Field: compose.FaultyRows, Key: "problem.shipments.rows", Args: dispatch.Args{"N": 4}}}
		}))
	}})
	add("list-doubted", "the list of a draft to those whom a job did not reach, as far as is known", func(p *compose.ShipmentJobPage) {
		p.Job.Again, p.Job.Former, p.Job.Doubted, p.Unreached = true, dispatch.JobID(sampleID(700)), 2, sampleUnreached()
	})
	add("list-again", "the list of a draft to those whom a job did not reach", func(p *compose.ShipmentJobPage) {
		p.Job.Again, p.Job.Former, p.Unreached = true, dispatch.JobID(sampleID(700)), sampleUnreached()
	})
	add("list-stopped", "the list of a draft to those whom a stopped job did not reach", func(p *compose.ShipmentJobPage) {
		p.Job.Again, p.Job.OnlyStopped, p.Job.List, p.Unreached = true, true, dispatch.JobList{Read: 1, Valid: 1}, sampleUnreached()[:1]
	})
	add("lacks-both", "the draft has no title and no files yet", func(p *compose.ShipmentJobPage) { p.Documents, p.Titled = nil, false })
	add("lacks-title", "the draft has no title yet", func(p *compose.ShipmentJobPage) { p.Titled = false })
	add("lacks-files", "the draft has no files yet", func(p *compose.ShipmentJobPage) { p.Documents = nil })
	for name, own := range map[string]dispatch.Division{
		"draft-files": {Document: dispatch.DocumentID(sampleID(5)), By: dispatch.DivideByFiles},
		"draft-kept":  {Document: dispatch.DocumentID(sampleID(5)), Kept: true},
	} {
		list = append(list, exhibit{path: "shipment-job/" + name, says: "the draft of a shipment to many, each of whom has a file or a part of their own", show: func(f frame) templ.Component {
			return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) {
				if p.Many, p.Valid, p.Own = 20, 20, own; own.Kept {
					p.Documents = nil
				}
			}))
		}})
	}
	add("refused", "a list without headings", func(p *compose.ShipmentJobPage) {
		p.Job, p.Problems = dispatch.Job{}, dispatch.Problems{{Field: views.FieldList, Key: "problem.list.no_name"}}
	})
	add("edit", "what a list holds, and who gets what", func(*compose.ShipmentJobPage) {})
	add("fields", "columns that may stand in the title", func(p *compose.ShipmentJobPage) { p.Job.Columns = []string{"navn", "barn", "beløp (kr)"} })
	add("ready", "all rows are settled", func(p *compose.ShipmentJobPage) { p.Job.List = dispatch.JobList{Read: 20, Valid: 19, LeftOut: 1} })
	add("kept", "the parts come from an earlier job", func(p *compose.ShipmentJobPage) {
		p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), Pages: 2, Slices: 20, Kept: true}
	})
	add("kept-differ", "slices of an earlier job that differ in pages", func(p *compose.ShipmentJobPage) {
		p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), Slices: 20, Kept: true}
	})
	add("files", "each row names its own file, and some are uploaded", func(p *compose.ShipmentJobPage) {
		p.Job.Columns = []string{"navn", "filnavn", "giroark"}
		p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), By: dispatch.DivideByFiles, Column: "filnavn", Giro: "giroark", Slices: 17}
		p.Form = compose.SplitFormOf(p.Job.Division)
	})
	add("split-file_column", "no column of file names is chosen", func(p *compose.ShipmentJobPage) {
		p.Job.Columns, p.Form = []string{"navn", "barn"}, compose.SplitForm{Choice: compose.SplitFiles}
		p.Problems = dispatch.Problems{{Field: compose.FieldFileColumn, Key: "problem.split.file_column"}}
	})
	add("unassigned", "a file divided by addresses, some pages of which go to nobody", func(p *compose.ShipmentJobPage) {
		p.Job.Division = dispatch.Division{Document: sampleFiles()[0].ID, By: dispatch.DivideByAddress, Slices: 17}
		p.Job.Unassigned, p.Form = sampleUnassigned(30), compose.SplitFormOf(p.Job.Division)
	})
	for key, args := range map[string]dispatch.Args{
		"uneven": {"N": 41, "Each": 2, "Left": 1}, "count": {"N": 20, "Parts": 19}, "pages": nil, "file": nil, "again": nil, "mark": nil, "no_beginning": {"Name": "fakturaer.pdf"}, "no_mark": {"Name": "fakturaer.pdf", "Said": "Vedtak nr."}, "mark_long": {"Most": dispatch.MarkMax}, "broken": nil, "password": nil, "protected": nil, "marked": nil,
		"too_large": nil, "too_slow": nil, "empty": nil, "unavailable": nil, "gone": nil, "column": {"Name": "giroark"},
	} {
		if args == nil {
			args = dispatch.Args{"Name": "fakturaer.pdf"}
		}
		field := compose.FieldSplitFile
		switch key {
		case "uneven", "count", "pages":
			field = compose.FieldSplitPages
		case "gone":
			field = compose.FieldSplit
		case "column":
			field = compose.FieldGiroColumn
		}
		add("split-"+key, "a file that cannot be divided so", func(p *compose.ShipmentJobPage) {
			p.Form, p.Job.Columns = compose.SplitForm{Choice: compose.SplitParts, File: string(sampleFiles()[0].ID), Pages: "2"}, []string{"navn", "giro"}
			p.Problems = dispatch.Problems{{Field: field, Key: "problem.split." + key, Args: args}}
		})
	}
	return list
}

// sampleUnassigned are pages that no slice has, one for every reason.
func sampleUnassigned(n int) (list []dispatch.UnassignedSlice) {
	reasons := []dispatch.UnassignedReason{dispatch.SliceNobody, dispatch.SliceSeveral, dispatch.SliceAgain, dispatch.SliceNotRead}
	for i := range n {
		list = append(list, dispatch.UnassignedSlice{First: 3*i + 1, Last: 3*i + 1 + i%2, Reason: reasons[i%len(reasons)]})
	}
	return list
}

func sampleRecipient(row int) dispatch.JobRow {
	return dispatch.JobRow{Position: row, Shipment: &dispatch.ShipmentRecipient{Number: "12047800155", Postal: dispatch.PostalAddress{
		Name: "Åse Marie Nordmann-Kristoffersen", Line1: "Øvre Storgata 12 B", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}}
}

func manyFaultExhibits() []exhibit {
	faults := func(change func(*compose.ShipmentFaultsPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.ShipmentFaultsPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipments.faults.title")), ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob()}
			p.Narrow = true
			change(&p)
			return compose.ShipmentFaults(p)
		}
	}
	fault := func(row int, field, key string, args dispatch.Args) compose.ShipmentFault {
		f := compose.ShipmentFault{JobRow: sampleRecipient(row)}
		f.Problem = dispatch.Problem{Field: field, Key: key, Args: args}
		f.Problems = dispatch.Problems{{Field: f.FieldName(field), Key: key, Args: args}}
		return f
	}
	return []exhibit{
		{path: "shipment-job/faults", says: "rows that keep all from being sent", show: faults(func(p *compose.ShipmentFaultsPage) {
			out := fault(31, "", dispatch.ProblemLeftOut, nil)
			out.Problems = nil
			p.Faults = []compose.ShipmentFault{
				fault(8, dispatch.FieldPostalCode, "problem.postal_code", nil),
				fault(22, dispatch.FieldRecipientNumber, dispatch.ProblemDuplicate, dispatch.Args{"N": 2}),
				fault(27, dispatch.FieldDocument+"x", "problem.file.stopped", dispatch.Args{"Name": "fakturaer.pdf"}),
				fault(29, "", "problem.placeholder.empty", dispatch.Args{"Name": "barn"}),
				out, fault(34, "", "problem.row.left_out", nil), fault(35, "", dispatch.ProblemNoSlice, nil),
			}
			p.Job.Columns, p.Used = []string{"barn"}, []int{0}
			p.More = "/k/oppvekst/utkast/" + sampleID(1) + "/flere/feil?etter=31"
		})},
		{path: "shipment-job/left-out", says: "all rows are in order, and one without a name is left out", show: faults(func(p *compose.ShipmentFaultsPage) {
			out := fault(31, "", dispatch.ProblemLeftOut, nil)
			out.Problems, out.Shipment = nil, &dispatch.ShipmentRecipient{}
			p.Title, p.Job.List = "Utelatte rader", dispatch.JobList{Read: 3, Valid: 2, LeftOut: 1}
			p.Faults = []compose.ShipmentFault{out}
		})},
		{path: "shipment-job/left-out-stays", says: "two rows are left out, and one of them must stay so", show: faults(func(p *compose.ShipmentFaultsPage) {
			line := sampleUnreached()[0]
			out := fault(31, "", dispatch.ProblemLeftOut, nil)
			stays := fault(32, "", dispatch.ProblemLeftOut, nil)
			out.Problems, stays.Problems, stays.Replaced = nil, nil, &line
			p.Title, p.Job.List = "Utelatte rader", dispatch.JobList{Read: 3, Valid: 1, LeftOut: 2}
			p.Faults = []compose.ShipmentFault{out, stays}
		})},
		{path: "shipment-job/row", says: "one row that is right, to be changed", show: faults(func(p *compose.ShipmentFaultsPage) {
			p.Title, p.One, p.Faults = "Rett mottakeren", 8, []compose.ShipmentFault{{JobRow: sampleRecipient(8)}}
		})},
		{path: "shipment-job/row-out", says: "one row that must be left out", show: faults(func(p *compose.ShipmentFaultsPage) {
			line := sampleUnreached()[0]
			line.Replaced, line.Second = true, true
			p.Title, p.One, p.Out, p.Faults = "Utelat raden", 8, &line, []compose.ShipmentFault{{JobRow: sampleRecipient(8)}}
		})},
		{path: "shipment-job/row-file", says: "one row with its own file, which can be replaced", show: faults(func(p *compose.ShipmentFaultsPage) {
			p.Title, p.One = "Rett mottakeren", 8
			f := compose.ShipmentFault{JobRow: sampleRecipient(8)}
			f.Fields, f.Slice = []string{"vedtak-8.pdf", "2"}, &dispatch.Document{FileName: "vedtak-8.pdf", MimeType: dispatch.MimePDF, Pages: 2, Size: 61_000, Slice: 7, Own: true}
			ownFileJob(p, f)
			p.Flash = &views.Flash{Key: "flash.own_file_taken", Color: "success"}
		})},
		{path: "shipment-job/row-file-none", says: "one row without a file, and one that cannot be its own", show: faults(func(p *compose.ShipmentFaultsPage) {
			p.Title, p.One = "Rett mottakeren", 8
			f := fault(8, compose.PersonalField(0), dispatch.ProblemNoFile, dispatch.Args{"Name": "vedtak-8.pdf"})
			f.Fields = []string{"vedtak-8.pdf", ""}
			ownFileJob(p, f)
			p.Problems = dispatch.Problems{{Field: "fil", Key: "problem.own_file.one"}}
		})},
		{path: "shipment-job/faults-files", says: "rows without a file of their own", show: faults(func(p *compose.ShipmentFaultsPage) {
			for i, problem := range sampleFileProblems() {
				f := fault(8+i, compose.PersonalField(0), problem.Key, problem.Args)
				f.Fields = []string{"vedtak.pdf", ""}
				ownFileJob(p, f)
			}
		})},
		{path: "shipment-job/faults-names", says: "the name is in two columns, which a title can name", show: faults(func(p *compose.ShipmentFaultsPage) {
			p.Job.Columns, p.Names = []string{"fornavn", "etternavn"}, []int{0, 1}
			for i := range p.Faults {
				p.Faults[i].Fields = []string{"Ola", "Nordmann"}
			}
		})},
		{path: "shipment-job/faults-none", says: "all rows are right", show: faults(func(p *compose.ShipmentFaultsPage) { p.Job.List = dispatch.JobList{Read: 20, Valid: 20} })},
		{path: "shipment-job/faults-left-out", says: "one row is left out", show: faults(func(p *compose.ShipmentFaultsPage) {
			p.Job.List = dispatch.JobList{Read: 20, Valid: 19, LeftOut: 1}
			f := fault(34, "", dispatch.ProblemLeftOut, nil)
			f.Problems = nil
			p.Faults = []compose.ShipmentFault{f}
		})},
	}
}

func manyReviewExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, change func(*compose.ShipmentListReviewPage)) {
		list = append(list, exhibit{path: "shipment-job/" + name, says: says, show: func(f frame) templ.Component {
			p := compose.ShipmentListReviewPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("shipment.review.title")), Numbered: true, ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob(), Shipment: sampleShipment(1).Shipment}
			p.Narrow, p.Job.List = true, dispatch.JobList{Read: 20, Valid: 20}
			p.Account.Prices = dispatch.Prices{Digital: dispatch.PriceOf(400), Print: dispatch.PriceOf(1650)}
			for row := 2; row < 6; row++ {
				p.Lines = append(p.Lines, compose.ShipmentLine{Row: sampleRecipient(row), Shipment: sampleShipment(1).Shipment})
			}
			change(&p)
			return compose.ShipmentListReview(p)
		}})
	}
	add("review", "the same files to all", func(*compose.ShipmentListReviewPage) {})
	add("review-replaced", "a copy of a failed shipment, in place of which another was sent", func(p *compose.ShipmentListReviewPage) {
		p.Other.Item = dispatch.Item{ID: dispatch.ItemID(sampleID(2)), Kind: dispatch.KindShipment}
	})
	add("review-again", "to those whom an earlier job did not reach", func(p *compose.ShipmentListReviewPage) {
		p.Job.Again, p.Job.Former = true, dispatch.JobID(sampleID(700))
		failed := dispatch.Item{ID: dispatch.ItemID(sampleID(742)), Kind: dispatch.KindShipment, State: dispatch.StateFailed}
		p.Unreached = []compose.UnreachedLine{{Row: 2, Number: "Ola Nordmann", Item: failed}, {Row: 5, Number: "Kari Nordmann", Item: failed, Replaced: true}}
		p.Job.Replaced = p.Job.List.Valid
	})
	add("review-numberless", "some have no number", func(p *compose.ShipmentListReviewPage) { p.Numberless = 3 })
	add("review-numberless-one", "one has no number", func(p *compose.ShipmentListReviewPage) { p.Numberless = 1 })
	add("review-paper", "nobody has a number", func(p *compose.ShipmentListReviewPage) { p.Numbered = false })
	add("review-window", "one address in the window of all", func(p *compose.ShipmentListReviewPage) {
		p.Shipment.Documents = slices.Clone(p.Shipment.Documents)
		p.Shipment.Documents[0].Reading = soundReading(p.Shipment.Documents[0].Pages)
	})
	add("review-parts", "each a part of one file, some to be looked at, some left out, more to come", func(p *compose.ShipmentListReviewPage) {
		file := p.Shipment.Documents[0]
		p.Job.Division = dispatch.Division{Document: file.ID, Pages: 2, Slices: 20}
		p.Job.List = dispatch.JobList{Read: 20, Valid: 18, LeftOut: 2, Warned: 2}
		for i := range p.Lines {
			part := file
			part.Slice = i + 1
			p.Lines[i].Slice = &part
		}
		p.Lines[1].Row.Warnings = []dispatch.RowWarning{{Key: "hint.shipment.check"}}
		p.First, p.More = "/k/oppvekst/utkast/"+sampleID(1)+"/flere/kontroll", "/k/oppvekst/utkast/"+sampleID(1)+"/flere/kontroll?etter=26"
	})
	add("review-differ", "slices of unequal length, and pages that go to nobody", func(p *compose.ShipmentListReviewPage) {
		p.Job.Division = dispatch.Division{Document: p.Shipment.Documents[0].ID, By: dispatch.DivideByAddress, Slices: 20}
		p.Job.Unassigned, p.Sizes = sampleUnassigned(1), []dispatch.SliceSize{{Pages: 1, N: 15}, {Pages: 4, N: 5}}
	})
	add("review-giro", "giro pages of each one's own, and no price of paper", func(p *compose.ShipmentListReviewPage) {
		p.Account.Prices = dispatch.Prices{Digital: dispatch.PriceOf(400)}
		p.Job.Division = dispatch.Division{Document: p.Shipment.Documents[0].ID, Pages: 4, Slices: 20, Giro: "giroark"}
		p.Sizes = []dispatch.SliceSize{{Pages: 4, N: 13}, {Pages: 4, Giro: []int{4}, N: 7}}
		for i := range p.Lines {
			part := p.Shipment.Documents[0]
			part.Slice, part.Pages = i+1, 4
			if i%2 == 0 {
				part.GiroPages = []int{4}
			}
			p.Lines[i].Slice, p.Lines[i].Shipment.Documents = &part, []dispatch.Document{part}
		}
	})
	add("review-fields", "a title and a reference of each one's own", func(p *compose.ShipmentListReviewPage) {
		p.Shipment.Title, p.Shipment.ExternalReference = "Vedtak for ((barn))", "Sak ((saksnr))"
		for i := range p.Lines {
			p.Lines[i].Shipment.Title, p.Lines[i].Shipment.ExternalReference = "Vedtak for Åse", "Sak 2026/17"
		}
	})
	add("review-files", "each a file of their own, of unequal length", func(p *compose.ShipmentListReviewPage) {
		slot := dispatch.Document{ID: dispatch.DocumentID(sampleID(5)), FileName: sampleID(5) + ".pdf", MimeType: dispatch.MimePDF, Pages: 4, Size: 1}
		p.Job.Division = dispatch.Division{Document: slot.ID, By: dispatch.DivideByFiles, Column: "filnavn", Slices: 20}
		p.Shipment.Documents = append([]dispatch.Document{slot}, p.Shipment.Documents...)
		p.Sizes = []dispatch.SliceSize{{Pages: 1, N: 5}, {Pages: 2, N: 12}, {Pages: 4, N: 3}}
		p.Account.Prices.Sheet = 90
		for i := range p.Lines {
			own := slot
			own.Own, own.Slice, own.Pages, own.FileName = true, i+1, 1+i%4, ownFileName(i)
			p.Lines[i].Slice = &own
			p.Lines[i].Shipment.Documents = append([]dispatch.Document{own}, p.Shipment.Documents[1:]...)
		}
	})
	add("review-doubts", "parts that may be somebody else's, one of them looked at", doubtedSlices)
	add("review-unseen", "sent without a look at the parts that may be somebody else's", func(p *compose.ShipmentListReviewPage) {
		doubtedSlices(p)
		p.Problems = dispatch.Problems{{Field: compose.FieldLooked, Key: "problem.part.unseen"}}
	})
	add("review-contacts", "what the contact register said, and those without a number", func(p *compose.ShipmentListReviewPage) {
		p.Contacts = dispatch.ContactForecast{Valid: 14, NotFound: 3, Numberless: 2, At: galleryNow}
	})
	add("review-cleaned", "pages that may look different since the file was cleaned", func(p *compose.ShipmentListReviewPage) { lookAgain(&p.Shipment, &p.Problems) })
	add("review-repeated", "the same was sent today, the account is held, a draft out of a backup", func(p *compose.ShipmentListReviewPage) {
		p.Today = compose.ListToday{N: 1, Sent: 1}
		p.Before, p.Held, p.Job.Restored = dispatch.SameJob{ID: dispatch.JobID(sampleID(703)), Reached: 3, All: 3}, dispatch.BlockRefused, true
		p.Problems = dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.shipments.repeated"}}
	})
	add("review-all", "with everything that a shipment can have", func(p *compose.ShipmentListReviewPage) { p.Shipment = fullShipment() })
	add("review-references", "each gets a reference of its own", func(p *compose.ShipmentListReviewPage) {
		p.Account.References, p.ReferenceEach, p.Shipment.ExternalReference = sampleReferences(), true, ""
	})
	add("review-reference", "all get a reference that is made when they are sent", func(p *compose.ShipmentListReviewPage) {
		p.Account.References, p.Shipment.ExternalReference = sampleReferences(), ""
	})
	add("review-two", "some get their title in nynorsk", func(p *compose.ShipmentListReviewPage) {
		p.TitleBokmal, p.TitleNynorsk, p.Forms = "Vedtak om skoleskyss", "Vedtak om skuleskyss", dispatch.FormCounts{Bokmal: 14, Nynorsk: 6, Unsaid: 1}
		p.Lines[1].Shipment.Title = "Vedtak om skuleskyss"
	})
	add("review-planned", "at a time of its own", func(p *compose.ShipmentListReviewPage) { p.Shipment.SendAt = galleryNow.Add(50 * time.Hour) })
	add("review-digital", "digital only, without a time to undo", func(p *compose.ShipmentListReviewPage) { p.Shipment.DigitalOnly, p.Account.UndoWindow = true, 0 })
	return list
}

// windowWords are lines in the address window.
func windowWords(lines ...string) (words []dispatch.Word) {
	for i, line := range lines {
		for j, word := range strings.Fields(line) {
			words = append(words, dispatch.Word{Text: word, X: 25 + 20*float64(j), Y: 40 + 6*float64(i), Width: 18, Height: 4, Line: i})
		}
	}
	return words
}

// doubtedSlices divides a file into three doubtful slices, each for another reason.
func doubtedSlices(p *compose.ShipmentListReviewPage) {
	file := p.Shipment.Documents[0]
	p.Job.Division, p.Unseen = dispatch.Division{Document: file.ID, Pages: 2, Slices: 20}, 3
	p.ToUnseen = "/k/oppvekst/utkast/" + sampleID(1) + "/flere/kontroll#rad-2"
	others, moved := soundReading(2), soundReading(2)
	others.LaterRead, moved.LaterRead = true, true
	others.Later = []dispatch.PageWords{{Page: 2, Words: others.Words}}
	others.Words = windowWords("Åse Marie Nordmann-Kristoffersen", "Øvre Storgata 12 B", "7713 Steinkjer", "Ola Hansen", "7800 Namsos")
	stranger := soundReading(2)
	stranger.LaterRead, stranger.Words = true, windowWords("Ola Hansen", "7800 Namsos")
	for i, r := range []*dispatch.FileReading{nil, others, moved, stranger} {
		part, l := file, &p.Lines[i]
		part.Slice, part.Pages, part.Reading = i+1, 2, r
		l.Slice, l.Look, l.Seen = &part, sampleSum("9f2c"), i == 2
		l.Shipment.Documents = []dispatch.Document{part}
		l.Shipment.Recipient.Postal = l.Row.Shipment.Postal
	}
	to := p.Lines[2].Row.Shipment
	to.Postal.Name = "Ola Nordmann"
	p.Lines[2].Shipment.Recipient.Postal = to.Postal
}

func manyShowExhibits() []exhibit {
	show := func(name, says string, change func(*compose.JobPage)) exhibit {
		return exhibit{path: "shipment-job/" + name, says: says, show: func(f frame) templ.Component {
			p := compose.JobPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("shipments.job.title", "N", 19, "Count", 19)), Job: sentShipmentJob(), CopyKey: sampleID(704), Reach: dispatch.ReachOpen,
				Counts: dispatch.JobCounts{dispatch.JobWaiting: 9, dispatch.JobHandedOver: 4, dispatch.JobArrived: 4, dispatch.JobNotDelivered: 1, dispatch.JobClosed: 1}}
			change(&p)
			if p.Unreached.Left = p.Counts.Resendable(); p.Counts.OnlyCancelled() {
				p.Unreached.Left = p.Counts[dispatch.JobCancelled]
			}
			return follow.JobShow(p)
		}}
	}
	in := func(state dispatch.JobState) func(*compose.JobPage) {
		return func(p *compose.JobPage) { p.Job.State = state }
	}
	return []exhibit{
		show("running", "on its way", func(*compose.JobPage) {}),
		show("making", "its shipments are being made, and can be stopped", func(p *compose.JobPage) {
			p.Job.MadeAt, p.Job.Made, p.Job.DueAt, p.Counts = time.Time{}, 4, galleryNow.Add(time.Minute), dispatch.JobCounts{dispatch.JobWaiting: 19}
		}),
		show("paused", "paused, the account held", func(p *compose.JobPage) { p.Job.State, p.Job.Block = dispatch.JobPaused, dispatch.BlockRefused }),
		show("stopped", "stopped", in(dispatch.JobStopped)),
		show("stopped-at-once", "stopped before anything was sent, with a row left out", func(p *compose.JobPage) {
			p.Job.State, p.Job.List.Read, p.Counts = dispatch.JobStopped, 20, dispatch.JobCounts{dispatch.JobCancelled: 19}
		}),
		show("ended-left-out", "some got nothing, and some rows were left out", func(p *compose.JobPage) {
			p.Job.State, p.Job.List.Read, p.Counts = dispatch.JobDone, 22, dispatch.JobCounts{dispatch.JobArrived: 18, dispatch.JobNotSent: 1}
		}),
		show("stopped-uncertain", "stopped, and some are uncertain", func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain, p.Counts = dispatch.JobStopped, true, dispatch.JobCounts{dispatch.JobArrived: 10, dispatch.JobUncertain: 2, dispatch.JobCancelled: 7}
		}),
		show("ended", "all have ended, and none is uncertain", func(p *compose.JobPage) {
			p.Job.State, p.Counts = dispatch.JobDone, dispatch.JobCounts{dispatch.JobArrived: 18, dispatch.JobNotSent: 1}
		}),
		show("sent", "all are handed over, and statuses are still to come", func(p *compose.JobPage) {
			p.Job.State, p.Job.DoneAt, p.Counts = dispatch.JobDone, galleryNow.Add(-time.Minute), dispatch.JobCounts{dispatch.JobHandedOver: 4, dispatch.JobArrived: 15}
		}),
		show("done", "each got a part, and some are uncertain", func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain, p.Job.Division = dispatch.JobDone, true, dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), Pages: 2}
			p.Counts = dispatch.JobCounts{dispatch.JobArrived: 16, dispatch.JobUncertain: 2, dispatch.JobNotSent: 1}
		}),
		show("done-one", "one is uncertain", func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain, p.Counts = dispatch.JobDone, true, dispatch.JobCounts{dispatch.JobArrived: 18, dispatch.JobUncertain: 1}
		}),
		show("stopped-one", "stopped, and one is uncertain", func(p *compose.JobPage) {
			p.Job.State, p.Job.Uncertain, p.Counts = dispatch.JobStopped, true, dispatch.JobCounts{dispatch.JobArrived: 11, dispatch.JobUncertain: 1, dispatch.JobCancelled: 7}
		}),
		show("sent-files", "each got a file of their own", func(p *compose.JobPage) {
			p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), By: dispatch.DivideByFiles}
		}),
		show("differ", "each got a slice, of as many pages as it happened to have", func(p *compose.JobPage) {
			p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), By: dispatch.DivideByAddress}
		}),
		{path: "shipment-job/list", says: "among the jobs of an account", show: func(f frame) templ.Component {
			draft := sampleShipmentJob()
			draft.Again = true
			titled := sampleShipmentJob()
			titled.DraftTitle = "Vedtak om skyss"
			return follow.JobList(compose.JobListPage{Page: f.onAccount(caseworker(), views.SectionJobs, f.text("job.list.title")), Jobs: []dispatch.Job{draft, titled, sentShipmentJob(), sampleJob()}})
		}},
	}
}
