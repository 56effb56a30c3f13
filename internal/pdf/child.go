package pdf

import (
	"encoding/json"
	"image"
	"io"
	"os"
	"sync/atomic"

	"utsending/internal/dispatch"
)

// Shutter closes the process's access to files by name, and tells whether the kernel agreed.
type Shutter func() (holds bool)

// Work is the child's work: look.Work in the real child.
type Work struct {
	Prepare func(cache string) error // fills the cache of compiled code
	Start   func(cache string) error // makes the engine ready, before confinement
	Look    func(file []byte) (Report, Pages)
	Slice   func(file []byte) Report // inspects a slice of a divided file
	Split   Splitter
	Draw    func(file []byte, d Drawing, take func(*image.RGBA) error) error
	Clean   Cleaner
}

// Pages are the pages of an inspected file. They are drawn in this order, once.
type Pages interface {
	// Ink returns the bounds of ink on each page.
	Ink() []dispatch.InkBounds
	// First returns the picture of the first page, PictureWidth wide; nil when it cannot be drawn.
	First() *image.RGBA
	Close()
}

// prepareArgument makes a child fill the cache, which the next argument names. It gets no file.
const prepareArgument = "prepare"

// Child is the child's side of an inspection, of a division, and of a drawing: what the program inspectpdf runs, with
// standard input and output. It makes the engine ready and confines the whole process for good before it reads the first
// byte of the file, and returns the exit code. Its arguments name the cache, if there is one.
func Child(args []string, in io.Reader, out io.Writer, w Work, shut Shutter) int {
	os.Stdout = os.Stderr // if a parser prints anything, it must not be taken for our answer
	if len(args) == 2 && args[0] == prepareArgument {
		return exitOf(w.Prepare(args[1]))
	}
	cache := ""
	if len(args) > 0 {
		cache = args[len(args)-1]
	}
	if err := w.Start(cache); err != nil {
		return exitRefused
	}
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
	return exitOf(w.do(in, out, o))
}

func exitOf(err error) int {
	if err != nil {
		return exitRefused
	}
	return 0
}

// do reads the file and answers.
func (w Work) do(in io.Reader, out io.Writer, o order) error {
	answer := json.NewEncoder(out)
	file, err := room(o.Size)
	if err != nil {
		return answer.Encode(Report{Problem: ProblemTooLarge})
	}
	if _, err := io.ReadFull(in, file); err != nil {
		return err
	}
	limitThought(o.CPU)
	switch {
	case o.Clean > 0:
		return cleanAndTell(out, file, w.Clean)
	case o.First > 0:
		return drawAndTell(out, file, o, w.Draw)
	case o.Each > 0, o.Begins > 0:
		return splitAndTell(out, file, o.cut(), w.Slice, w.Split)
	}
	report, pages := w.Look(file)
	if err := answer.Encode(report); err != nil || pages == nil {
		return err
	}
	defer pages.Close()
	if err := answer.Encode(pages.Ink()); err != nil {
		return err
	}
	if picture := pages.First(); picture != nil {
		return tellPicture(out, picture)
	}
	return tellLastPicture(out)
}

// pagesTime is how many seconds of processor time the file's pages add.
var pagesTime atomic.Int64

// Grant extends the child's processor time for a file of many pages.
func Grant(pages int) { pagesTime.Store(max(pagesTime.Load(), seconds(PagesCPU(pages)))) }
