package recipients

import (
	"slices"

	"utsending/internal/dispatch"
)

// Lengths are what the fields of a list's rows add to a text. A text is counted for every row by them while it is written,
// without the list being read each time.
type Lengths struct {
	names     []string
	positions []int
	pieces    []dispatch.Piece // of each row, as many as there are names
}

// NewLengths measures those fields.
func NewLengths(names []string) *Lengths { return &Lengths{names: names} }

// Add measures a row.
func (l *Lengths) Add(position int, value func(name string) string) {
	l.positions = append(l.positions, position)
	for _, name := range l.names {
		l.pieces = append(l.pieces, dispatch.MeasurePiece(value(name)))
	}
}

// Knows tells whether those fields are measured.
func (l *Lengths) Knows(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(l.names, name) })
}

// Rows is how many rows are measured.
func (l *Lengths) Rows() int { return len(l.positions) }

// Size is how many values are measured.
func (l *Lengths) Size() int { return len(l.pieces) }

// ForecastFor is what a text comes to that is the same for so many.
func (t Template) ForecastFor(recipients int) (f dispatch.Forecast) {
	f.Add(recipients, t.whole)
	return f
}

// Forecast counts the text for every row. The lengths know its fields.
func (t Template) Forecast(l *Lengths) (f dispatch.Forecast) {
	pieces := make([]dispatch.Piece, len(t.pieces))
	at := make([]int, len(t.pieces)) // of a field among the names
	for i, piece := range t.pieces {
		if i%2 == 1 {
			at[i] = slices.Index(l.names, piece)
		} else {
			pieces[i] = dispatch.MeasurePiece(piece)
		}
	}
	longest := -1
	for row, position := range l.positions {
		values := l.pieces[row*len(l.names) : (row+1)*len(l.names)]
		size, lacks, costly := 0, false, false
		for i := range pieces {
			if i%2 == 1 {
				pieces[i] = values[at[i]]
				lacks = lacks || pieces[i].Characters == 0
			}
			size, costly = size+int(pieces[i].UCS2), costly || pieces[i].Costly
		}
		parts, fits := dispatch.CountPieces(pieces)
		if lacks || !fits {
			f.Unfit++
			continue
		}
		f.Add(1, parts)
		if costly {
			f.Costly++
		}
		if size += parts * dispatch.SMSTextMax * 2; size > longest {
			longest, f.Longest = size, position
		}
	}
	return f
}
