package dispatch

// Forecast is what a text comes to for the rows of a list.
type Forecast struct {
	Rows       int   // that get it
	Unfit      int   // that lack a field, or whose own text cannot be sent
	Costly     int   // whose message has a character that makes its segments smaller
	Segments   int   // of all messages
	BySegments []int // how many rows get a message of one segment, of two, and so on
	Longest    int   // position of the row with the longest message that can be sent; 0: there is none
}

// Merge adds what another text comes to.
func (f *Forecast) Merge(o Forecast) {
	f.Unfit, f.Costly = f.Unfit+o.Unfit, f.Costly+o.Costly
	for i, n := range o.BySegments {
		f.Add(n, i+1)
	}
}

// Add counts so many messages of as many segments each.
func (f *Forecast) Add(messages, segments int) {
	if messages <= 0 || segments <= 0 {
		return
	}
	for len(f.BySegments) < segments {
		f.BySegments = append(f.BySegments, 0)
	}
	f.BySegments[segments-1] += messages
	f.Rows, f.Segments = f.Rows+messages, f.Segments+messages*segments
}
