package pdf

import (
	"encoding/json"
	"io"
	"os"
)

// Child is the child's side of an inspection: what the program inspectpdf runs, with standard input and output. It
// confines the whole process for good before it reads the first byte of the file, has look read the whole of it, and
// returns the exit code.
func Child(in io.Reader, out io.Writer, look func(file []byte) Report) int {
	os.Stdout = os.Stderr // should the parser ever print, it must not be taken for our answer
	o, err := receiveOrder(in)
	if err != nil {
		return exitRefused
	}
	if err := confine(o); err != nil {
		return exitRefused
	}
	if _, err := io.WriteString(out, acknowledgement()); err != nil {
		return exitRefused
	}
	report, ok := readAndLook(in, o, look)
	if !ok {
		return exitRefused
	}
	if err := json.NewEncoder(out).Encode(report); err != nil {
		return exitRefused
	}
	return 0
}

func acknowledgement() string {
	if systemCallsDropped() {
		return filtered
	}
	return confined
}

func readAndLook(in io.Reader, o order, look func([]byte) Report) (Report, bool) {
	file, err := room(o.Size)
	if err != nil {
		return Report{Problem: ProblemTooLarge}, true
	}
	if _, err := io.ReadFull(in, file); err != nil {
		return Report{}, false
	}
	limitThought(o.CPU)
	return look(file), true
}
