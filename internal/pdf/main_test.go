package pdf

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/shut"
)

// The test program is its own child: with one of these as its first argument it plays a part instead of testing.
const (
	partReal       = "part-real"       // the child as it is
	partSilent     = "part-silent"     // never confines itself
	partRefuse     = "part-refuse"     // cannot confine itself
	partStuffed    = "part-stuffed"    // never reads the file
	partDeaf       = "part-deaf"       // closes its input early
	partCrash      = "part-crash"      // dies of the file
	partKilled     = "part-killed"     // is killed from outside
	partLiar       = "part-liar"       // answers what cannot be
	partEndless    = "part-endless"    // answers without end
	partForker     = "part-forker"     // starts a process of its own and hangs
	partProbe      = "part-probe"      // tries what it must not
	partLimited    = "part-limited"    // the same without the filter of system calls
	partLandlocked = "part-landlocked" // the same with Landlock alone
	partApart      = "part-apart"      // the same with a network of its own alone
	partParent     = "part-parent"     // has a child of its own
	partPrinter    = "part-printer"    // prints while it reads
	partUndrawn    = "part-undrawn"    // dies when it is to draw
	partStalled    = "part-stalled"    // never answers
)

// work is what the real child works with. The package that has it imports this one, so an outer test hands it over.
var work Work

// WorkWith hands it over.
func WorkWith(w Work) bool {
	work = w
	return true
}

func look(file []byte) Report {
	report, pages := work.Look(file)
	if pages != nil {
		pages.Ink()
		pages.Close()
	}
	return report
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if part, found := parts()[os.Args[1]]; found {
			if os.Args[len(os.Args)-2] == prepareArgument { // whatever the part is to do later
				part = play
			}
			os.Exit(part())
		}
	}
	os.Exit(m.Run())
}

func parts() map[string]func() int {
	all := map[string]func() int{
		partReal:    play,
		partSilent:  hang,
		partRefuse:  func() int { return exitRefused },
		partStuffed: func() int { acknowledge(); return hang() },
		partDeaf:    func() int { acknowledge(); _ = os.Stdin.Close(); return exitRefused },
		partStalled: func() int { takeFile(acknowledge()); return hang() },
		partCrash:   func() int { takeFile(acknowledge()); panic("the file") },
		partKilled:  func() int { takeFile(acknowledge()); return dieByKill() },
		partLiar:    func() int { takeFile(acknowledge()); fmt.Println(`{"pages":3}`); return 0 },
		partEndless: func() int { takeFile(acknowledge()); return answerForever() },
		partPrinter: func() int { return printAndLook() },
		partUndrawn: func() int {
			w := work
			w.Look = func(file []byte) (Report, Pages) {
				report, pages := work.Look(file)
				return report, undrawn{pages}
			}
			return Child(os.Args[2:], os.Stdin, os.Stdout, w, shut.Files)
		},
	}
	for name, part := range partsOfSystem() {
		all[name] = part
	}
	return all
}

// play is what inspectpdf does.
func play() int { return Child(os.Args[2:], os.Stdin, os.Stdout, work, shut.Files) }

// hang waits until the parent is gone or kills us.
func hang() int {
	<-time.After(time.Minute)
	return 1
}

func acknowledge() order {
	o, err := receiveOrder(os.Stdin)
	if err != nil {
		os.Exit(exitRefused)
	}
	fmt.Print(Confinement{}.tell())
	return o
}

func takeFile(o order) {
	_, _ = io.CopyN(io.Discard, os.Stdin, o.Size) // shorter is as good
}

func answerForever() int {
	for {
		if _, err := os.Stdout.WriteString("{"); err != nil {
			return 0
		}
	}
}

func dieByKill() int {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		_ = self.Kill()
	}
	return hang()
}

func printAndLook() int {
	out := os.Stdout
	return Child(os.Args[2:], &noisy{in: os.Stdin}, out, work, shut.Files)
}

// undrawn are pages of whose drawing the child dies.
type undrawn struct{ Pages }

func (undrawn) Ink() []dispatch.InkBounds { os.Exit(1); return nil }

// noisy prints, as a parser might, when Child reads.
type noisy struct{ in io.Reader }

func (n *noisy) Read(b []byte) (int, error) {
	fmt.Println("pdfcpu: digested something")
	return n.in.Read(b)
}

// child makes options with which this program plays a part as the child.
func child(t *testing.T, part string, o Options) Options {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Command = []string{program, part}
	return o
}

func inspect(t *testing.T, i *Inspector, file []byte) Report {
	t.Helper()
	report, err := i.Inspect(t.Context(), bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return report
}
