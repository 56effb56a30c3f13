package recipients

import (
	"io"
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// Words of headings of a list for a shipment, most reliable first.
var (
	organizationWords = []string{"organisasjonsnummer", "orgnummer", "orgnr", "organisasjonsnr"}
	nameWords         = []string{"navn", "mottaker", "mottakernavn", "namn"}
	addressWords      = []string{"adresse", "adresselinje", "gateadresse", "postadresse", "gate", "postboks"}
	postalCodeWords   = []string{"postnummer", "postnr"}
	cityWords         = []string{"poststed", "poststad", "sted"}
	countryWords      = []string{"land", "landkode"}
	givenNameWords    = []string{"fornavn", "førenamn"}
	familyNameWords   = []string{"etternavn", "etternamn"}
)

// Shipments is an opened list of a shipment's recipients. It must have headings: nothing else distinguishes a street
// from a name.
type Shipments struct {
	list                       *List
	numbers, names, lines      []int // columns, in order; several for the parts of a name
	postalCode, place, country int
}

// OpenShipments detects the format and the columns of a list for a shipment. The error is *Refused when the list
// itself is at fault.
func OpenShipments(r io.ReaderAt, size int64) (*Shipments, error) {
	return OpenShipmentsAs(r, size, dispatch.ListChoice{})
}

// OpenShipmentsAs opens a list for a shipment with a person's choices.
func OpenShipmentsAs(r io.ReaderAt, size int64, choice dispatch.ListChoice) (*Shipments, error) {
	_, found, err := choose(r, size, choice, func(l *List) (*Shipments, error) { return l.shipments(choice) })
	return found, err
}

func (l *List) shipments(choice dispatch.ListChoice) (*Shipments, error) {
	sample, err := l.begin(choice)
	if err != nil {
		return nil, err
	}
	if len(sample[0].cells) > MaxColumns {
		return nil, refuse("problem.list.columns", dispatch.Args{"N": MaxColumns})
	}
	sample = l.behead(sample, max(l.headingRow(sample, choice), 0))
	found := shipmentColumns(l)
	switch {
	case len(found.names) == 0:
		return nil, refuse("problem.list.no_name", nil)
	case len(sample) == 0:
		return nil, refuse("problem.list.empty", nil)
	}
	l.Columns = Columns{-1, -1, -1}
	l.fields = fields(l.Headings, l.Columns)
	for _, at := range found.numbers { // a number belongs in no title
		delete(l.fields, dispatch.PlaceholderKey(l.Headings[at]))
	}
	l.describe(sample, choice)
	l.reading.Shipment, l.reading.RecipientColumns = found.used(), found.columns()
	return found, nil
}

// Reading tells how the list is read.
func (l *Shipments) Reading() dispatch.ListReading { return l.list.reading }

// Fields names the columns that placeholders may name.
func (l *Shipments) Fields() []string { return l.list.Fields() }

// used returns the columns of numbers and addresses, counted from 1.
func (l *Shipments) used() (columns []int) {
	for _, at := range slices.Concat(l.numbers, l.names, l.lines, []int{l.postalCode, l.place, l.country}) {
		if at >= 0 && !slices.Contains(columns, at+1) {
			columns = append(columns, at+1)
		}
	}
	slices.Sort(columns)
	return columns
}

// columns are those of the recipient that a title can name.
func (l *Shipments) columns() dispatch.RecipientColumns {
	c := dispatch.RecipientColumns{Recipient: map[string]string{}}
	named := func(at int) string {
		if at < 0 {
			return ""
		}
		name := dispatch.PlaceholderKey(l.list.Headings[at])
		if of, there := l.list.fields[name]; !there || of != at {
			return ""
		}
		return name
	}
	set := func(at int, field string) {
		if name := named(at); name != "" && c.Recipient[name] == "" {
			c.Recipient[name] = field
		}
	}
	switch len(l.names) {
	case 1:
		set(l.names[0], dispatch.FieldName)
	case 2:
		if given, family := named(l.names[0]), named(l.names[1]); given != "" && family != "" {
			c.Names = []string{given, family}
		}
	}
	for i, field := range []string{dispatch.FieldLine1, dispatch.FieldLine2, dispatch.FieldLine3} {
		if i < len(l.lines) {
			set(l.lines[i], field)
		}
	}
	set(l.postalCode, dispatch.FieldPostalCode)
	set(l.place, dispatch.FieldCity)
	set(l.country, dispatch.FieldCountry)
	return c
}

func shipmentColumns(l *List) *Shipments {
	c := &Shipments{list: l, postalCode: byWord(l.Headings, postalCodeWords), place: byWord(l.Headings, cityWords), country: byWord(l.Headings, countryWords)}
	c.numbers = columnsOf(l.Headings, append(append([]string{}, nationalIDWords...), organizationWords...))
	if c.lines = columnsOf(l.Headings, addressWords); len(c.lines) > 3 {
		c.lines = c.lines[:3]
	}
	given, family := byWord(l.Headings, givenNameWords), byWord(l.Headings, familyNameWords)
	switch whole := byWord(l.Headings, nameWords); {
	case whole >= 0:
		c.names = []int{whole}
	case given >= 0 && family >= 0:
		c.names = []int{given, family}
	}
	if len(c.numbers) == 0 {
		c.numbers = columnsOf(l.Headings, []string{"nummer"})
	}
	return c
}

func columnsOf(headings, words []string) (columns []int) {
	for i, heading := range headings {
		for _, word := range words {
			if hasWord(heading, word) {
				columns = append(columns, i)
				break
			}
		}
	}
	return columns
}

// Each iterates over the list from the beginning and calls do with every row that is not empty. It stops at the first
// error, its own or do's; its own is *Refused when the list is at fault, and then no row should be used. Only the
// form of a row is checked: whether it can be sent to depends on the shipment.
func (l *Shipments) Each(most int, do func(dispatch.JobRow) error) error {
	src, err := l.list.open()
	if err != nil {
		return err
	}
	notes := notes{list: l.list}
	for n := 0; ; {
		rec, err := src.next()
		if err == io.EOF && n == 0 {
			return refuse("problem.list.empty", nil)
		}
		if err == io.EOF {
			notes.done(src)
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case rec.blank(), rec.line == l.list.header:
			continue
		case rec.hidden:
			notes.hidden()
			continue
		case rec.line < l.list.header && !rec.any(holdsRecipient):
			notes.over(rec)
			continue
		}
		if n++; n > most {
			return refuse("problem.list.rows", dispatch.Args{"N": most})
		}
		if err := do(l.row(rec, notes.look(rec))); err != nil {
			return err
		}
	}
}

func (l *Shipments) row(rec record, odd int) dispatch.JobRow {
	to := &dispatch.ShipmentRecipient{Number: l.number(rec)}
	row := dispatch.JobRow{Position: rec.line, Shipment: to, Fields: l.list.FieldValues(rec.cells)}
	var names []string
	for _, at := range l.names {
		names = append(names, l.cell(rec, at))
	}
	to.Postal = dispatch.PostalAddress{Name: strings.TrimSpace(strings.Join(names, " ")), PostalCode: l.cell(rec, l.postalCode), City: l.cell(rec, l.place), Country: l.cell(rec, l.country)}
	for i, line := range []*string{&to.Postal.Line1, &to.Postal.Line2, &to.Postal.Line3} {
		if i < len(l.lines) {
			*line = l.cell(rec, l.lines[i])
		}
	}
	if to.Postal.Country == "" {
		to.Postal.Country = "Norge"
	}
	if code := to.Postal.PostalCode; len(code) == 3 && digits(code) && inOslo(to.Postal) {
		to.Postal.PostalCode = "0" + code // Assumption: a spreadsheet removed the leading zero
	}
	switch at := l.failed(rec); {
	case rec.broken:
		row.Problem = dispatch.Problem{Key: dispatch.ProblemQuote}
	case rec.line < l.list.header:
		row.Problem = dispatch.Problem{Key: dispatch.ProblemAbove}
	case at >= 0:
		row.Problem = dispatch.Problem{Key: dispatch.ProblemError}
	}
	if odd >= 0 {
		row.Warnings = append(row.Warnings, dispatch.RowWarning{Key: "hint.row.strange", Column: l.list.ColumnName(odd)})
	}
	return row
}

// failed is the column of a cell with an error value; -1: none.
func (l *Shipments) failed(rec record) int {
	for _, at := range l.used() {
		if noValue(rec.cell(at - 1)) {
			return at - 1
		}
	}
	return -1
}

// inOslo tells whether an address may be in Oslo: only Oslo's postal codes begin with a zero (Posten's register).
func inOslo(a dispatch.PostalAddress) bool {
	return a.Norwegian() && (a.City == "" || strings.EqualFold(a.City, "Oslo"))
}

// number returns the number columns' value. Of several filled columns it returns all values, so that a person is
// asked which is meant.
func (l *Shipments) number(rec record) string {
	var all []string
	for _, at := range l.numbers {
		cell := strings.TrimSpace(rec.number(at))
		if bare := bare(cell); looksLikeNumber(cell) && digits(bare) {
			if cell = bare; rec.isNumeric(at) && len(cell) == dispatch.NationalIDLength-1 {
				cell = "0" + cell // a national id stored as a number, without its leading zero
			}
		}
		if cell != "" {
			all = append(all, cell)
		}
	}
	return strings.Join(all, " / ")
}

func (l *Shipments) cell(rec record, at int) string {
	return strings.TrimSpace(rec.cell(at))
}
