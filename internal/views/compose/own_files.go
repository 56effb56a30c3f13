package compose

import (
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// Fields of the page of files that rows of a list have of their own.
const (
	FieldOwnFile = "egen-fil" // its id
	FieldSurplus = "overflodige"
	FieldOwnPart = "egen-del" // of the form of a draft, whose recipients have a part that it does not
)

// FileLine is a row of a list with its own file.
type FileLine struct {
	Row  dispatch.JobRow
	File *dispatch.Document // nil: it has none
}

// OwnFilesPage shows which file each row of a list has, what is missing and what nobody gets.
type OwnFilesPage struct {
	views.Page
	ID    dispatch.ItemID
	Job   dispatch.Job
	Files []dispatch.OwnFile // all
	Rows  map[string]int     // that keep the shipments from being sent, by their problem
	Lines []FileLine         // one window of the rows
	First string             // addresses of other windows; empty: there are none
	More  string
	Most  int
}

func (p OwnFilesPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID), "flere"}, parts...)...)
}

// RowsWithoutFile counts the rows that have no file of their own, of rows by their problem.
func RowsWithoutFile(rows map[string]int) (n int) {
	for _, key := range dispatch.FileProblems() {
		n += rows[key]
	}
	return n
}

// others counts the rows with a file that something else is wrong with.
func (p OwnFilesPage) others() int { return p.Job.List.Faulty() - RowsWithoutFile(p.Rows) }

// surplus are the files that nobody gets.
func (p OwnFilesPage) surplus() (list []dispatch.OwnFile) {
	for _, f := range p.Files {
		if f.Slice <= 0 {
			list = append(list, f)
		}
	}
	return list
}

// size is how large all files are together, in bytes.
func (p OwnFilesPage) size() (n int64) {
	for _, f := range p.Files {
		n += f.Size
	}
	return n
}

// named is the file that a row names.
func (p OwnFilesPage) named(r dispatch.JobRow) string {
	for i, name := range p.Job.Columns {
		if name == p.Job.Division.Column {
			return PersonalValue(r, i)
		}
	}
	return ""
}

// row is where one row is corrected.
func (p OwnFilesPage) row(r dispatch.JobRow) string {
	return p.at("feil") + "?" + FieldRow + "=" + strconv.Itoa(r.Position)
}

// shortKey is the last part of the key of a problem of rows.
func shortKey(key string) string { return strings.TrimPrefix(key, "problem.row.") }

// shownSurplus is how many of the files that nobody gets are shown.
const shownSurplus = 50
