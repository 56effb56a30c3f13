package pdf

import (
	"encoding/json"
	"io"
	"os"
	"sync/atomic"
)

// Shutter closes the process's ways to files by their names, but for what a program reads that it is to become (empty for
// none), and tells whether the kernel agreed.
type Shutter func(program string) (holds bool)

// Child is the child's side of an inspection, and of a division: what the program inspectpdf runs, with standard input and
// output. It confines the whole process for good before it reads the first byte of the file, has look read the whole of it,
// or split divide it and part read the parts, and returns the exit code.
func Child(in io.Reader, out io.Writer, look, part func(file []byte) Report, split Splitter, shut Shutter) int {
	os.Stdout = os.Stderr // should the parser ever print, it must not be taken for our answer
	o, err := receiveOrder(in)
	if err != nil {
		return exitRefused
	}
	held, err := confine(o, shut)
	if err != nil {
		return exitRefused
	}
	if _, err := io.WriteString(out, held.tell()); err != nil {
		return exitRefused
	}
	file, report, ok := read(in, o)
	switch {
	case !ok:
		return exitRefused
	case o.Each > 0 && file != nil:
		if !splitAndTell(out, file, int(o.Each), part, split) {
			return exitRefused
		}
		return 0
	case file != nil:
		report = look(file)
	}
	if err := json.NewEncoder(out).Encode(report); err != nil {
		return exitRefused
	}
	return 0
}

// pagesTime is by how many seconds the pages of the file prolong its processor time.
var pagesTime atomic.Int64

// Grant lets the child that calls it think longer about a file of many pages.
func Grant(pages int) { pagesTime.Store(max(pagesTime.Load(), seconds(PagesCPU(pages)))) }

// read takes the file in; without one the report says why.
func read(in io.Reader, o order) (file []byte, r Report, ok bool) {
	file, err := room(o.Size)
	if err != nil {
		return nil, Report{Problem: ProblemTooLarge}, true
	}
	if _, err := io.ReadFull(in, file); err != nil {
		return nil, Report{}, false
	}
	limitThought(o.CPU)
	return file, Report{}, true
}
