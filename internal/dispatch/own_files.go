package dispatch

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Limits of the files of a list whose rows have one each. Assumption: the specification limits each shipment only; ours keep what a draft
// holds within reason.
const (
	OwnFilesMax     = ShipmentRowsMax
	OwnFilesSizeMax = 5_000_000_000 // bytes together
)

// Keys of problems of a row that has no file of its own: none of that name was uploaded, it names none, what it names is a path, and
// other rows name the same.
const (
	ProblemNoFile     = "problem.row.no_file"
	ProblemFileEmpty  = "problem.row.file_empty"
	ProblemFilePath   = "problem.row.file_path"
	ProblemFileShared = "problem.row.file_shared"
)

// FileProblems returns those keys.
func FileProblems() []string {
	return []string{ProblemNoFile, ProblemFileEmpty, ProblemFilePath, ProblemFileShared}
}

// fileWords are the words of a heading above file names, the most certain first.
var fileWords = []string{"filnavn", "filnamn", "fil", "filer", "pdf", "dokumentnavn", "dokument"}

// FileColumn returns the column of a list that seems to name each row's own file; empty: none does.
func FileColumn(columns []string) string {
	if i := columnOf(columns, fileWords); i >= 0 {
		return columns[i]
	}
	return ""
}

// FileKey is the name of a file as names are compared: letter case, blanks around it and the ending .pdf do not count, and characters
// that uploaded names lose stand as they do there. Names are in NFC on both sides. A path is no name: empty.
func FileKey(name string) string {
	if isPath(name) {
		return ""
	}
	key := strings.ToLower(strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case strings.ContainsRune(FileNameInvalid, r):
			return '-'
		}
		return r
	}, name)))
	return strings.TrimSpace(strings.TrimSuffix(key, ".pdf"))
}

func isPath(name string) bool { return strings.ContainsAny(name, `/\`) }

// OwnFile is a file of a list whose rows have one each.
type OwnFile struct {
	ID       DocumentID
	FileName string
	Key      string
	Slice    int // place of the row that has it, from 1; -1: nobody gets it
	Pages    int
	Size     int64
}

// FileMatcher finds the row of a list that a file is for: the only one that names it. It never guesses.
type FileMatcher struct {
	column int
	rows   []namedFile      // by place, from 1
	by     map[string][]int // places of the rows that name a file, but those that are left out
	out    map[string][]int // those
}

type namedFile struct {
	name, key string
	position  int
}

// NewFileMatcher returns a matcher without rows for the column of a list that names files; -1: there is none.
func NewFileMatcher(column int) *FileMatcher {
	return &FileMatcher{column: column, by: map[string][]int{}, out: map[string][]int{}}
}

// Add adds the next row of the list.
func (m *FileMatcher) Add(r JobRow) {
	var f namedFile
	if f.position = r.Position; m.column >= 0 && m.column < len(r.Fields) {
		f.name = strings.TrimSpace(r.Fields[m.column])
		f.key = FileKey(f.name)
	}
	m.rows = append(m.rows, f)
	names := m.by
	if r.Problem.Key == ProblemLeftOut {
		names = m.out
	}
	if f.key != "" {
		names[f.key] = append(names[f.key], len(m.rows))
	}
}

// Place returns the place of the row that a file is for, -1: no row names it, or several do. A row that is left out has its file as long
// as no other names it.
func (m *FileMatcher) Place(key string) int {
	names := m.by[key]
	if len(names) == 0 {
		names = m.out[key]
	}
	if key == "" || len(names) != 1 {
		return -1
	}
	return names[0]
}

// shownRows is how many rows a sentence names.
const shownRows = 5

// Problem returns why the row at a place has no file.
func (m *FileMatcher) Problem(place int) Problem {
	f := m.rows[place-1]
	same := m.by[f.key]
	switch {
	case f.name == "":
		return Problem{Key: ProblemFileEmpty}
	case isPath(f.name):
		return Problem{Key: ProblemFilePath, Args: Args{"Name": f.name}}
	case f.key != "" && len(same) > 1:
		rows := make([]string, min(len(same), shownRows))
		for i := range rows {
			rows[i] = strconv.Itoa(m.rows[same[i]-1].position)
		}
		if len(same) > len(rows) {
			rows = append(rows, "…")
		}
		return Problem{Key: ProblemFileShared, Args: Args{"Name": f.name, "N": len(same), "Said": strings.Join(rows, ", ")}}
	}
	return Problem{Key: ProblemNoFile, Args: Args{"Name": f.name}}
}

// OfFile tells whether the problem is that a row has no file of its own.
func (p Problem) OfFile() bool { return slices.Contains(FileProblems(), p.Key) }
