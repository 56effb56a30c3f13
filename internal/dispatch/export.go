package dispatch

import "time"

// ExportFormat is the file format of an exported list.
type ExportFormat string

// The formats.
const (
	FormatCSV  ExportFormat = "csv"
	FormatXLSX ExportFormat = "xlsx"
)

// Valid tells whether the format is one of ours.
func (f ExportFormat) Valid() bool { return f == FormatCSV || f == FormatXLSX }

// Export is a list that a user has asked for as a file.
type Export struct {
	ID        string
	Format    ExportFormat
	CreatedAt time.Time
	ExpiresAt time.Time // when it is deleted
	Expected  int       // rows when it was asked for; -1: more than were counted
	Rows      int       // rows written so far
	Size      int64     // in bytes, when done
	Done      bool
	Failed    bool // it could not be made, and may be asked for again
}

// Waits tells whether the file is still being made.
func (e Export) Waits() bool { return !e.Done && !e.Failed }
