// Package pdf inspects an uploaded file: number of pages, page sizes, encryption. An untrusted PDF may exploit its
// parser, so the parser runs in a confined child process that gets the file and is killed when it takes too long. The
// parent parses nothing, links no parser, and holds one buffer of the file at a time.
package pdf

import (
	"time"

	"utsending/internal/dispatch"
)

// Options are the limits of an inspection. The zero value is ready for use.
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
	defaultMaxFile = 350_000_000 // the shipment service's print limit
	parserMemory   = 256 << 20
)

// The processor time for a file: fileCPU, and more by size and, once the child has counted them, pages.
const (
	fileCPU     = 5 * time.Second
	megabyteCPU = 200 * time.Millisecond
	pageCPU     = 10 * time.Millisecond
	mostPageCPU = 15 * time.Second
)

// cpu is the processor time for a file, without its pages' part.
func (o Options) cpu(size int64) time.Duration {
	return min(o.CPU, fileCPU+time.Duration(size/1_000_000)*megabyteCPU)
}

// PagesCPU is the additional time for so many pages.
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

// Problem is why a file cannot be sent as a PDF; empty if it can.
type Problem string

// The problems that a file can have.
const (
	ProblemNotPDF   Problem = "not_pdf"   // no PDF header near its start
	ProblemBroken   Problem = "broken"    // a PDF whose pages cannot be read, or for which the child's memory is too small
	ProblemPassword Problem = "password"  // cannot be opened without a password or certificate
	ProblemTooSlow  Problem = "too_slow"  // used up the time
	ProblemTooLarge Problem = "too_large" // larger than MaxFile
	ProblemEmpty    Problem = "empty"     // no bytes, or no pages
)

// The problems of dividing a file.
const (
	ProblemUneven Problem = "uneven" // the pages cannot be divided evenly
	// ProblemNoBeginning: no page begins a letter, or the first one does not have the mark that all begin with.
	ProblemNoBeginning Problem = "no_beginning"
	ProblemProtected   Problem = "protected" // opens without a password, but is encrypted
	ProblemMarked      Problem = "marked"    // fields or comments lie on its pages
)

// The problems of cleaning a file, besides ProblemProtected.
const (
	ProblemSigned Problem = "signed" // a change would break its signature
	// ProblemBound: its pages are made of what would be removed: XFA, or a portfolio.
	ProblemBound Problem = "bound"
	// ProblemAltered: pages without anything to remove would look different, so the copy cannot be trusted.
	ProblemAltered   Problem = "altered"
	ProblemUnchanged Problem = "unchanged" // nothing could be removed
)

// Report is the result of an inspection.
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
