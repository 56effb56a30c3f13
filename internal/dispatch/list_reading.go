package dispatch

// ListEncoding is a set of characters that a list was guessed to be written in; empty where there was nothing to guess.
type ListEncoding string

// The guesses.
const (
	EncodingDOS   ListEncoding = "dos"
	EncodingMac   ListEncoding = "mac"
	EncodingMixed ListEncoding = "mixed" // UTF-8 with other bytes among it
	EncodingCut   ListEncoding = "cut"   // the list ends within a character
)

// ListChoice is how a person wants a list to be read; the zero value leaves all to the program.
type ListChoice struct {
	Sheet      string `json:"sheet,omitempty"`
	Header     int    `json:"header,omitempty"` // line of the headings; -1: there are none
	NationalID int    `json:"id,omitempty"`     // columns counted from 1; -1: none
	Phone      int    `json:"phone,omitempty"`
	Spare      int    `json:"spare,omitempty"`  // where the phone column has nothing
	Hidden     bool   `json:"hidden,omitempty"` // hidden rows and columns too
}

// ListColumn is one column of a list.
type ListColumn struct {
	Name    string `json:"name"`
	At      int    `json:"at"`                // counted from 1
	Numbers bool   `json:"numbers,omitempty"` // there seem to be numbers of recipients in it
}

// StrangeCell is a value with characters that look lost, as it would go out.
type StrangeCell struct {
	Row    int    `json:"row"`
	Column string `json:"column"`
	Value  string `json:"value"`
}

// StrangeCellsMax is how many of them a page shows.
const StrangeCellsMax = 8

// ListReading tells how a list was read, so that a person sees it before anything is sent, and may change it.
type ListReading struct {
	Choice  ListChoice   `json:"choice"`
	Sheet   string       `json:"sheet,omitempty"`
	Sheets  []string     `json:"sheets,omitempty"` // that are shown and hold something
	Lists   int          `json:"lists,omitempty"`  // how many of them look like lists
	Header  int          `json:"header"`           // line of the headings; 0: none
	First   int          `json:"first"`            // line of the first row that holds something
	Columns []ListColumn `json:"columns,omitempty"`

	NationalID int   `json:"id"` // columns that were used, counted from 1; 0: none
	Phone      int   `json:"phone"`
	Spare      int   `json:"spare,omitempty"`
	Shipment   []int `json:"shipment,omitempty"` // columns of a list of shipments

	HiddenRows    int          `json:"hidden_rows,omitempty"` // that hold something and are left out
	HiddenColumns int          `json:"hidden_columns,omitempty"`
	Above         int          `json:"above,omitempty"` // rows over the headings
	Title         string       `json:"title,omitempty"` // the first of them
	Encoding      ListEncoding `json:"encoding,omitempty"`

	Unusable []string      `json:"unusable,omitempty"` // headings that no text can name
	Strange  []StrangeCell `json:"strange,omitempty"`  // the first ones
	Oddly    int           `json:"oddly,omitempty"`    // how many rows have some
}

// Column is a column by its place, counted from 1.
func (r ListReading) Column(at int) ListColumn {
	for _, c := range r.Columns {
		if c.At == at {
			return c
		}
	}
	return ListColumn{}
}

// Others are the columns with numbers that were not used.
func (r ListReading) Others() (list []ListColumn) {
	for _, c := range r.Columns {
		if c.Numbers && c.At != r.NationalID && c.At != r.Phone && c.At != r.Spare {
			list = append(list, c)
		}
	}
	return list
}

// Said tells whether there is anything about a list to be told.
func (r ListReading) Said() bool { return len(r.Columns) > 0 }
