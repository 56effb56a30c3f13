package gallery

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// ownFileName is the name of a sample file.
func ownFileName(i int) string { return fmt.Sprintf("vedtak-%d.pdf", i+2) }

// ownFileJob adds a row to a page of rows that have files of their own.
func ownFileJob(p *compose.ShipmentFaultsPage, f compose.ShipmentFault) {
	p.Job.Columns, p.Used, p.Faults = []string{"filnavn", "giroark"}, []int{0, 1}, append(p.Faults, f)
	p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), By: dispatch.DivideByFiles, Column: "filnavn", Giro: "giroark"}
}

// sampleFileProblems are all reasons why a row has no file.
func sampleFileProblems() []dispatch.Problem {
	return []dispatch.Problem{
		{Key: dispatch.ProblemNoFile, Args: dispatch.Args{"Name": "vedtak-3.pdf"}}, {Key: dispatch.ProblemFileEmpty},
		{Key: dispatch.ProblemFilePath, Args: dispatch.Args{"Name": "vedtak/2026/vedtak-5.pdf"}},
		{Key: dispatch.ProblemFileShared, Args: dispatch.Args{"Name": "vedtak.pdf", "N": 7, "Said": "8, 9, 12, 13, 15, …"}},
	}
}

// ownFileExhibits are the page of own files, and the answers to uploads.
func ownFileExhibits() []exhibit {
	var list []exhibit
	add := func(name, says string, change func(*compose.OwnFilesPage)) {
		list = append(list, exhibit{path: "shipment-job/files-" + name, says: says, show: func(f frame) templ.Component {
			p := compose.OwnFilesPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, f.text("own_files.title")), ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob(), Most: dispatch.OwnFilesMax}
			p.Narrow, p.Job.Columns, p.Job.List = true, []string{"filnavn", "giroark"}, dispatch.JobList{Read: 20, Valid: 20}
			p.Job.Division = dispatch.Division{Document: dispatch.DocumentID(sampleID(5)), By: dispatch.DivideByFiles, Column: "filnavn", Giro: "giroark"}
			for i := range 20 {
				p.Files = append(p.Files, dispatch.OwnFile{ID: dispatch.DocumentID(sampleID(900 + i)), FileName: ownFileName(i), Slice: i + 1, Pages: 1 + i%3, Size: 61_000})
			}
			for i := range 5 {
				row := sampleRecipient(i + 2)
				row.Fields = []string{ownFileName(i), ""}
				file := dispatch.Document{ID: p.Files[i].ID, FileName: ownFileName(i), Pages: p.Files[i].Pages, Size: 61_000, Own: true}
				if i%2 == 1 {
					file.GiroPages = []int{file.Pages}
				}
				p.Lines = append(p.Lines, compose.FileLine{Row: row, File: &file})
			}
			change(&p)
			return compose.OwnFiles(p)
		}})
	}
	add("ready", "every row has its file", func(p *compose.OwnFilesPage) { p.Flash = &views.Flash{Key: "flash.own_files_none", Color: "success"} })
	add("none", "nothing is uploaded yet", func(p *compose.OwnFilesPage) {
		p.Files, p.Rows, p.Job.List.Valid = nil, map[string]int{dispatch.ProblemNoFile: 20}, 0
		for i := range p.Lines {
			p.Lines[i].File = nil
			p.Lines[i].Row.Problem = dispatch.Problem{Key: dispatch.ProblemNoFile, Args: dispatch.Args{"Name": ownFileName(i)}}
		}
	})
	add("some", "rows without a file, files that nobody gets, and files that were not taken in", func(p *compose.OwnFilesPage) {
		p.Job.List.Valid = 9
		p.Rows = map[string]int{dispatch.ProblemNoFile: 3, dispatch.ProblemFileEmpty: 2, dispatch.ProblemFilePath: 2, dispatch.ProblemFileShared: 2, "problem.file.password": 2}
		for i, problem := range sampleFileProblems() {
			p.Lines[i].File, p.Lines[i].Row.Problem = nil, problem
			p.Files[i].Slice = -1
		}
		p.Lines[4].Row.Problem = dispatch.Problem{Key: "problem.file.password", Args: dispatch.Args{"Name": ownFileName(4)}}
		p.First, p.More = "/k/oppvekst/utkast/"+sampleID(1)+"/flere/filer", "/k/oppvekst/utkast/"+sampleID(1)+"/flere/filer?etter=101"
		for _, key := range []string{"name", "many", "room", "stale"} {
			p.Problems = append(p.Problems, dispatch.Problem{Field: "fil", Key: "problem.own_file." + key, Args: dispatch.Args{"Name": "vedtak-" + key + ".pdf", "Most": 5}})
		}
		p.Problems = append(p.Problems, dispatch.Problem{Field: "fil", Key: "problem.own_file.more", Args: dispatch.Args{"N": 12}})
	})
	add("many", "more files that nobody gets than a page shows; a name of great length", func(p *compose.OwnFilesPage) {
		p.Flash, p.Job.List.Valid, p.Rows = &views.Flash{Key: "flash.own_files_removed", N: 2, Color: "success"}, 19, map[string]int{dispatch.ProblemNoFile: 1}
		for i := range 60 {
			p.Files = append(p.Files, dispatch.OwnFile{ID: dispatch.DocumentID(sampleID(1000 + i)), FileName: fmt.Sprintf("annet-%d.pdf", i), Slice: -1, Size: 2_000_000})
		}
		p.Files[20].FileName = strings.Repeat("vedtak", 30) + ".pdf"
	})
	return append(list, exhibit{path: "shipment-job/files-item", says: "a file of a row, as the answer to its upload", part: true, show: func(f frame) templ.Component {
		d := dispatch.Document{ID: dispatch.DocumentID(sampleID(900)), FileName: "vedtak-2.pdf", Renamed: "vedtak:2.pdf", Pages: 0, Size: 61_000, Found: dispatch.DocumentPassword}
		return compose.OwnFileItem(compose.OwnFilesPage{Page: f.onAccount(caseworker(), views.SectionNewShipment, "")}, d)
	}})
}
