// Package pdf inspects an uploaded file: number of pages, page sizes, encryption. A PDF is a program for a parser, so
// the parser runs in a child process that holds the file, may use little else, and is killed when it takes too long.
// The parent parses nothing, links no parser, and holds no more of the file than one buffer.
package pdf

import (
	"time"

	"utsending/internal/dispatch"
)

// Options are the limits of a check. The zero value is ready for use.
type Options struct {
	// Command starts a program that calls Child, by its absolute path: inspectpdf beside this program unless given.
	Command []string
	// Cache is a directory for the engine's compiled code: a private one, in memory where there is one, unless given.
	Cache string
	// Timeout limits how long the child may think once it has the file, also on a busy machine: a minute.
	Timeout time.Duration
	// CPU limits the processor time of the largest files, in whole seconds: 20 seconds. Smaller ones get less.
	CPU time.Duration
	// MaxFile is the size in bytes above which a PDF is not looked into: 350 000 000.
	MaxFile int64
	// Memory limits in bytes what the child may take beyond what it has at its start. The parser's copy of the streams
	// lies beside the file, so it is 2 × MaxFile + 256 MiB unless given.
	Memory int64
	// Parallel is how many files are looked into at a time while others wait: 1.
	Parallel int
}

const (
	defaultTimeout = time.Minute
	defaultCPU     = 20 * time.Second
	defaultMaxFile = 350_000_000 // what the shipment service prints
	parserMemory   = 256 << 20
)

// The processor time that a file gets: all get fileCPU, and more by their size and, once the child has counted them, pages.
const (
	fileCPU     = 5 * time.Second
	megabyteCPU = 200 * time.Millisecond
	pageCPU     = 10 * time.Millisecond
	mostPageCPU = 15 * time.Second
)

// cpu is the processor time for a file, but for what its pages add.
func (o Options) cpu(size int64) time.Duration {
	return min(o.CPU, fileCPU+time.Duration(size/1_000_000)*megabyteCPU)
}

// PagesCPU is what so many pages add.
func PagesCPU(pages int) time.Duration {
	return min(time.Duration(min(pages, 1_000_000))*pageCPU, mostPageCPU)
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.CPU <= 0 {
		o.CPU = defaultCPU
	}
	if o.MaxFile <= 0 {
		o.MaxFile = defaultMaxFile
	}
	if o.Memory <= 0 {
		o.Memory = 2*o.MaxFile + parserMemory
	}
	if o.Parallel <= 0 {
		o.Parallel = 1
	}
	return o
}

// Problem is why a file cannot be sent as a PDF, empty when it can.
type Problem string

// The problems that a file can have.
const (
	ProblemNotPDF   Problem = "not_pdf"   // no PDF header near its start
	ProblemBroken   Problem = "broken"    // a PDF whose pages cannot be read, or for which the child's memory is too small
	ProblemPassword Problem = "password"  // cannot be opened without a password or certificate
	ProblemTooSlow  Problem = "too_slow"  // used up the time
	ProblemTooLarge Problem = "too_large" // larger than we look into
	ProblemEmpty    Problem = "empty"     // no bytes, or no pages
)

// The problems that only a division has.
const (
	ProblemUneven    Problem = "uneven"    // the pages cannot be divided so
	ProblemProtected Problem = "protected" // opens without a password, but is encrypted
	ProblemMarked    Problem = "marked"    // fields or comments lie on its pages
)

// Report is what a file turned out to be.
type Report struct {
	// Pages is 0 when there is a Problem.
	Pages int `json:"pages,omitempty"`
	// Reading is nil when there is a Problem.
	Reading *dispatch.FileReading `json:"reading,omitempty"`
	// Encrypted is also true for a file that opens without a password but restricts what may be done with it.
	Encrypted bool `json:"encrypted,omitempty"`
	// NeedsPassword comes with ProblemPassword.
	NeedsPassword bool    `json:"needs_password,omitempty"`
	Problem       Problem `json:"problem,omitempty"`
	// First is the picture of the first page, a PNG; nil when it could not be drawn.
	First []byte `json:"-"`
}
