package dispatch

import "time"

// ExportFormat is the kind of file that a list is wanted as.
type ExportFormat string

// The formats.
const (
	FormatCSV  ExportFormat = "csv"
	FormatXLSX ExportFormat = "xlsx"
)

// Valid tells whether there is such a format.
func (f ExportFormat) Valid() bool { return f == FormatCSV || f == FormatXLSX }

// Export is a list that somebody has asked for as a file.
type Export struct {
	ID        string
	Format    ExportFormat
	CreatedAt time.Time
	ExpiresAt time.Time // when it is deleted
	Expected  int       // how many rows there were when it was asked for; -1: more than were counted
	Rows      int       // how many are written
	Size      int64     // in bytes, when it is done
	Done      bool
	Failed    bool // it cannot be made; somebody may ask again
}

// Waits tells whether the file is still to come.
func (e Export) Waits() bool { return !e.Done && !e.Failed }
