package dispatch

// ChangeKind tells whether a piece of text was kept, removed or added between two versions.
type ChangeKind int

// The kinds of change.
const (
	Kept ChangeKind = iota
	Removed
	Added
)

// Change is a piece of text with its change.
type Change struct {
	Kind ChangeKind
	Text string
}

// wordPattern splits a text into words, line breaks, blanks and signs.
var wordPattern = pattern(`[\pL\pN]+|\n|[^\S\n]+|.`)

// Difference is a word diff. A removed piece stands before its replacement.
func Difference(before, after string) []Change {
	a, b := wordPattern().FindAllString(before, -1), wordPattern().FindAllString(after, -1)
	length := commonLengths(a, b)
	var changes []Change
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			changes = joined(changes, Kept, a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && length[i+1][j] >= length[i][j+1]:
			changes = joined(changes, Removed, a[i])
			i++
		default:
			changes = joined(changes, Added, b[j])
			j++
		}
	}
	return changes
}

// commonLengths is the table of longest common subsequences: for each pair of suffixes of the two texts, the number
// of common pieces.
func commonLengths(a, b []string) [][]int16 {
	length := make([][]int16, len(a)+1)
	for i := range length {
		length[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	return length
}

// joined appends a piece, merged into the last change if that is of the same kind.
func joined(changes []Change, k ChangeKind, text string) []Change {
	if n := len(changes); n > 0 && changes[n-1].Kind == k {
		changes[n-1].Text += text
		return changes
	}
	return append(changes, Change{k, text})
}
