package pdf

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

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
	partDraws      = "part-draws"      // gives the file back as if it had drawn it
	partInk        = "part-ink"        // takes the file and draws one page with ink in a corner
	partHangs      = "part-hangs"      // takes the file and hangs
	partTry        = "part-try"        // draws nothing, and tries what a drawing program must not
)

// look is what the real child looks with. The package that has it imports this one, so an outer test hands it over.
var look func([]byte) Report

// split is what it divides with.
var split Splitter

// LookWith hands both over.
func LookWith(f func([]byte) Report, s Splitter) bool {
	look, split = f, s
	return true
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if part, found := parts()[os.Args[1]]; found {
			os.Exit(part())
		}
	}
	os.Exit(m.Run())
}

func parts() map[string]func() int {
	all := map[string]func() int{
		partReal:  play,
		partDraws: func() int { _, err := io.Copy(os.Stdout, os.Stdin); return exitOf(err) },
		partHangs: hang,
		partInk: func() int {
			_, err := io.Copy(io.Discard, os.Stdin)
			fmt.Print(grey(4, 3, "x"))
			return exitOf(err)
		},
		partSilent:  hang,
		partRefuse:  func() int { return exitRefused },
		partStuffed: func() int { acknowledge(); return hang() },
		partDeaf:    func() int { acknowledge(); _ = os.Stdin.Close(); return exitRefused },
		partCrash:   func() int { takeFile(acknowledge()); panic("the file") },
		partKilled:  func() int { takeFile(acknowledge()); return dieByKill() },
		partLiar:    func() int { takeFile(acknowledge()); fmt.Println(`{"pages":3}`); return 0 },
		partEndless: func() int { takeFile(acknowledge()); return answerForever() },
		partPrinter: func() int { return printAndLook() },
	}
	for name, part := range partsOfSystem() {
		all[name] = part
	}
	return all
}

// play is what inspectpdf does.
func play() int {
	if len(os.Args) > 2 {
		command, _ := Drawing(os.Args[1:])
		return DrawChild(os.Stdin, os.Stdout, command, shut.Files)
	}
	return Child(os.Stdin, os.Stdout, look, look, split, shut.Files)
}

func exitOf(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

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
	return Child(&noisy{in: os.Stdin}, out, look, look, split, shut.Files)
}

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
