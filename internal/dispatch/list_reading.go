package dispatch

// ListEncoding is the guessed character encoding of a list; empty when no guess was needed.
type ListEncoding string

// The guesses.
const (
	EncodingDOS   ListEncoding = "dos"
	EncodingMac   ListEncoding = "mac"
	EncodingMixed ListEncoding = "mixed" // UTF-8 mixed with other bytes
	EncodingCut   ListEncoding = "cut"   // the list ends within a character
)

// ListChoice is a person's choices about reading a list; the zero value leaves them to the program.
type ListChoice struct {
	Sheet      string `json:"sheet,omitempty"`
	Header     int    `json:"header,omitempty"` // line of the headings; -1: there are none
	NationalID int    `json:"id,omitempty"`     // columns counted from 1; -1: none
	Phone      int    `json:"phone,omitempty"`
	Spare      int    `json:"spare,omitempty"`  // second phone column, for rows whose first is empty
	Hidden     bool   `json:"hidden,omitempty"` // hidden rows and columns too
}

// ListColumn is one column of a list.
type ListColumn struct {
	Name    string `json:"name"`
	At      int    `json:"at"`                // counted from 1
	Numbers bool   `json:"numbers,omitempty"` // seems to hold recipients' numbers
}

// StrangeCell is a value with characters that seem to have been lost in an encoding.
type StrangeCell struct {
	Row    int    `json:"row"`
	Column string `json:"column"`
	Value  string `json:"value"`
}

// StrangeCellsMax is how many a page shows.
const StrangeCellsMax = 8

// ListReading tells how a list was read, for a person to check and change before sending.
type ListReading struct {
	Choice  ListChoice   `json:"choice"`
	Sheet   string       `json:"sheet,omitempty"`
	Sheets  []string     `json:"sheets,omitempty"` // visible and not empty
	Lists   int          `json:"lists,omitempty"`  // sheets that look like lists
	Header  int          `json:"header"`           // line of the headings; 0: none
	First   int          `json:"first"`            // line of the first non-empty row
	Columns []ListColumn `json:"columns,omitempty"`

	NationalID int   `json:"id"` // columns that were used, counted from 1; 0: none
	Phone      int   `json:"phone"`
	Spare      int   `json:"spare,omitempty"`
	Shipment   []int `json:"shipment,omitempty"` // columns of a list of shipments
	RecipientColumns

	HiddenRows    int          `json:"hidden_rows,omitempty"` // not empty, and left out
	HiddenColumns int          `json:"hidden_columns,omitempty"`
	Above         int          `json:"above,omitempty"` // rows over the headings
	Title         string       `json:"title,omitempty"` // the first of them
	Encoding      ListEncoding `json:"encoding,omitempty"`

	Unusable    []string      `json:"unusable,omitempty"` // headings that no placeholder can name
	Strange     []StrangeCell `json:"strange,omitempty"`  // the first ones
	StrangeRows int           `json:"oddly,omitempty"`    // number of rows with strange cells
}

// Column returns a column by its number, from 1.
func (r ListReading) Column(at int) ListColumn {
	for _, c := range r.Columns {
		if c.At == at {
			return c
		}
	}
	return ListColumn{}
}

// Others returns the columns with numbers that were not used.
func (r ListReading) Others() (list []ListColumn) {
	for _, c := range r.Columns {
		if c.Numbers && c.At != r.NationalID && c.At != r.Phone && c.At != r.Spare {
			list = append(list, c)
		}
	}
	return list
}

// Known tells whether the reading has anything to show.
func (r ListReading) Known() bool { return len(r.Columns) > 0 }
