package recipients

import (
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// Columns are the columns of recipients, from 0; -1: none. Both are the same column when national ids and phone
// numbers are mixed. A cell is read as what it is, whichever of the two columns it is in.
type Columns struct {
	NationalID, Phone int
	Spare             int // a second phone column, for rows whose first is empty; -1: none
}

func (c Columns) none() bool { return c.NationalID < 0 && c.Phone < 0 }

func (c Columns) has(i int) bool {
	return i == c.NationalID || i == c.Phone || i == c.Spare && c.Spare >= 0
}

// Words of headings, most reliable first. Of several columns the one with the most reliable word is taken, then the
// leftmost.
var (
	nationalIDWords = []string{"fødselsnummer", "fodselsnummer", "fnr", "personnummer", "fødselsnr", "fodselsnr", "personnr", "dnummer"}
	phoneWords      = []string{"mobilnummer", "mobil", "mobilnr", "mobiltelefon", "mobiltlf", "mobiltelefonnummer", "mobilnumre", "mob", "telefonnummer", "telefon", "telefonnr", "tlf", "tlfnr", "tlfnummer", "kontakttelefon", "phone", "mobile", "sms"}
	mixedWords      = []string{"mottaker", "mottakere", "nummer", "nr"}
)

// change applies the columns that a person has chosen.
func (c *Columns) change(choice dispatch.ListChoice) {
	for _, one := range []struct {
		column *int
		chosen int
	}{{&c.NationalID, choice.NationalID}, {&c.Phone, choice.Phone}, {&c.Spare, choice.Spare}} {
		if one.chosen > 0 && one.chosen <= MaxColumns {
			*one.column = one.chosen - 1
		} else if one.chosen < 0 {
			*one.column = -1
		}
	}
}

// findColumns uses the headings, or the content of cells where no heading helps.
func findColumns(headings []string, sample []record) Columns {
	c := Columns{byWord(headings, nationalIDWords), byWord(headings, phoneWords), -1}
	if !c.none() {
		return c
	}
	if i := byWord(headings, mixedWords); i >= 0 && count(sample, i).any() > 0 {
		return Columns{i, i, -1}
	}
	return byContent(sample)
}

func byWord(headings, words []string) int {
	for _, word := range words {
		for i, heading := range headings {
			if hasWord(heading, word) {
				return i
			}
		}
	}
	return -1
}

func hasWord(heading, word string) bool { return slices.Contains(words(heading), word) }

// content counts what the cells of a column look like.
type content struct {
	ids, phones int
	sure        int // national ids with valid check digits
}

func (c content) any() int { return c.ids + c.phones }

func count(sample []record, column int) (c content) {
	for _, rec := range sample {
		switch n := (written{cell: rec.number(column), numeric: rec.isNumeric(column)}).read(); {
		case n.problem != "":
		case n.id != "":
			c.ids++
			c.sure += one(n.warning == "")
		case n.phone != "":
			c.phones++
		}
	}
	return c
}

// byContent takes the column with the most recipients. A second column is taken only if it holds the other kind
// alone.
func byContent(sample []record) Columns {
	width := 0
	for _, rec := range sample {
		width = max(width, len(rec.cells))
	}
	best, second, found := -1, -1, make([]content, width)
	for i := range found {
		found[i] = count(sample, i)
		if found[i].any() > 0 && (best < 0 || found[i].any() > found[best].any()) {
			best = i
		}
	}
	for i := range found {
		if best >= 0 && i != best && complementary(found[best], found[i]) && (second < 0 || found[i].any() > found[second].any()) {
			second = i
		}
	}
	return arrange(found, best, second)
}

func complementary(a, b content) bool {
	return a.phones == 0 && b.ids == 0 && b.phones > 0 || a.ids == 0 && b.phones == 0 && b.ids > 0
}

func arrange(found []content, best, second int) Columns {
	switch {
	case second < 0:
		return Columns{best, best, -1}
	case found[best].ids > 0:
		return Columns{best, second, -1}
	}
	return Columns{second, best, -1}
}

func headings(cells []string) []string {
	list := make([]string, len(cells))
	for i, cell := range cells {
		list[i] = strings.TrimSpace(cell)
	}
	return list
}

// fields finds the personal fields: all columns with a heading except the recipient's. A national id or a phone
// number must not be in a text.
func fields(headings []string, c Columns) map[string]int {
	found := map[string]int{}
	for i, heading := range headings {
		name := dispatch.PlaceholderKey(heading)
		if name == "" || c.has(i) {
			continue
		}
		if _, there := found[name]; there {
			found[name] = twice
			continue
		}
		found[name] = i
	}
	return found
}

// Fields returns the names of the personal fields in the order of their columns: the valid placeholders.
func (l *List) Fields() []string {
	var names []string
	for i, heading := range l.Headings {
		if at, ok := l.fields[dispatch.PlaceholderKey(heading)]; ok && at == i {
			names = append(names, dispatch.PlaceholderKey(heading))
		}
	}
	return names
}

// ColumnName returns the heading of a column, or its letter as in a spreadsheet.
func (l *List) ColumnName(i int) string {
	if i < len(l.Headings) && l.Headings[i] != "" {
		return l.Headings[i]
	}
	return letters(i)
}

func letters(i int) string {
	name := ""
	for ; i >= 0; i = i/26 - 1 {
		name = string(rune('A'+i%26)) + name
	}
	return name
}
