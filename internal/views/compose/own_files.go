package compose

import (
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// Form fields of the page of own files: one file for each row of a list.
const (
	FieldOwnFile = "egen-fil" // its id
	FieldSurplus = "overflodige"
	FieldOwnPart = "egen-del" // in the form of a draft whose recipients have own files or slices
)

// FileLine is a row of a list with its own file.
type FileLine struct {
	Row  dispatch.JobRow
	File *dispatch.Document // nil: it has none
}

// OwnFilesPage shows the file of each row, missing files, and files that no row uses.
type OwnFilesPage struct {
	views.Page
	ID    dispatch.ItemID
	Job   dispatch.Job
	Files []dispatch.OwnFile // all files
	Rows  map[string]int     // numbers of faulty rows by problem
	Lines []FileLine         // one page of the rows
	First string             // addresses of other pages; empty: there are none
	More  string
	Most  int
}

func (p OwnFilesPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID), "flere"}, parts...)...)
}

// RowsWithoutFile counts the rows without an own file, given the numbers of faulty rows by problem.
func RowsWithoutFile(rows map[string]int) (n int) {
	for _, key := range dispatch.FileProblems() {
		n += rows[key]
	}
	return n
}

// others is the number of rows with a file and another problem.
func (p OwnFilesPage) others() int { return p.Job.List.Faulty() - RowsWithoutFile(p.Rows) }

// surplus are the files that no row uses.
func (p OwnFilesPage) surplus() (list []dispatch.OwnFile) {
	for _, f := range p.Files {
		if f.Slice <= 0 {
			list = append(list, f)
		}
	}
	return list
}

// size is the size of all files together, in bytes.
func (p OwnFilesPage) size() (n int64) {
	for _, f := range p.Files {
		n += f.Size
	}
	return n
}

// named is the file name given in the row.
func (p OwnFilesPage) named(r dispatch.JobRow) string {
	for i, name := range p.Job.Columns {
		if name == p.Job.Division.Column {
			return PersonalValue(r, i)
		}
	}
	return ""
}

// row is the address where the row is corrected.
func (p OwnFilesPage) row(r dispatch.JobRow) string {
	return p.at("feil") + "?" + FieldRow + "=" + strconv.Itoa(r.Position)
}

// shortKey is a row problem's key without its prefix.
func shortKey(key string) string { return strings.TrimPrefix(key, "problem.row.") }

// shownSurplus is the most unused files that are listed.
const shownSurplus = 50
