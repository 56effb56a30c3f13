package dispatch

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPiecesCountAsTheirText: however a text is cut, its pieces are counted as the whole is.
func TestPiecesCountAsTheirText(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "Å", "€", "[", "č", "😀", "\n", " ", "x", "y", "é", "\r\n"}
	for range 3000 {
		kinds := letters[:1+r.IntN(len(letters))]
		var pieces []Piece
		var text strings.Builder
		for range 1 + r.IntN(9) {
			var b strings.Builder
			for range r.IntN(120) {
				b.WriteString(kinds[r.IntN(len(kinds))])
			}
			pieces = append(pieces, MeasurePiece(b.String()))
			text.WriteString(NormalizeText(b.String()))
		}
		parts, fits := CountPieces(pieces)
		if want := Segment(text.String()).Count; parts != want {
			t.Fatalf("got %d parts of %q, want %d", parts, text.String(), want)
		}
		if want := validateText(text.String()); fits != (want == nil) {
			t.Fatalf("%q fits: %t, and the domain says %v", text.String(), fits, want)
		}
	}
}
