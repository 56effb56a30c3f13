package dispatch

import "unicode/utf8"

// Piece is a stretch of a text, measured: texts that are put together from pieces are counted without writing each of them.
type Piece struct {
	GSM, UCS2  int32 // units in either encoding
	Characters int32
	Costly     bool // some character forces UCS-2
	Blank      bool // nothing in it can be seen
	Unreadable bool // it can neither be kept nor sent

	pairs string // the stretch itself where a character takes two units, within which no segment may end
}

// MeasurePiece measures a stretch of a text.
func MeasurePiece(text string) Piece {
	text = NormalizeText(text)
	p := Piece{Characters: int32(utf8.RuneCountInString(text)), Blank: isBlank(text), Unreadable: !Readable(text)}
	for _, r := range text {
		p.GSM += int32(EncodingGSM7.cost(r))
		p.UCS2 += int32(EncodingUCS2.cost(r))
		p.Costly = p.Costly || !inGSM(r)
	}
	if p.GSM > p.Characters || p.UCS2 > p.Characters {
		p.pairs = text
	}
	return p
}

// units is the length of a piece in an encoding.
func (p Piece) units(e Encoding) int {
	if e == EncodingUCS2 {
		return int(p.UCS2)
	}
	return int(p.GSM)
}

// CountPieces counts the segments of a text that is put together from pieces, as Segment counts those of the whole, and tells
// whether an SMS can hold it.
func CountPieces(pieces []Piece) (segments int, fits bool) {
	e, single, several := EncodingGSM7, 160, 153
	points, units, readable, blank := 0, 0, true, true
	for _, p := range pieces {
		points, units, readable, blank = points+int(p.Characters), units+int(p.UCS2), readable && !p.Unreadable, blank && p.Blank
		if p.Costly {
			e, single, several = EncodingUCS2, 70, 67
		}
	}
	fits = readable && !blank && points >= SMSTextMin && units <= SMSTextMax
	if segments = packPieces(pieces, e, single); segments > 1 {
		segments = packPieces(pieces, e, several)
	}
	return segments, fits
}

func packPieces(pieces []Piece, e Encoding, size int) int {
	f := filling{size: size}
	for _, p := range pieces {
		if p.pairs != "" {
			f.put(p.pairs, e)
		} else {
			f.putUnits(p.units(e))
		}
	}
	return f.count
}
