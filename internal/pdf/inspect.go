package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// headLength is how far from the beginning a PDF header may be, as in common readers.
const headLength = 1024

// program is the child program, beside the running program.
const program = "inspectpdf"

// ErrUnavailable says that no file can be inspected here: the child does not start, or cannot confine itself.
var ErrUnavailable = errors.New("PDFs cannot be checked")

// Inspector inspects files, a few at a time. It is safe for concurrent use.
type Inspector struct {
	o      Options
	slots  *turns
	splits *turns
	cache  *cache
	who    party
}

// New returns an Inspector. Nothing runs until a file is inspected.
func New(o Options) *Inspector {
	o = o.withDefaults()
	return &Inspector{o: o, slots: newTurns(o.Parallel), splits: newTurns(1), cache: &cache{dir: o.Cache}}
}

// Ahead tells whether a file of theirs is waiting, and how many files of others are before it.
func (i *Inspector) Ahead() (n int, waits bool) { return i.slots.ahead(i.who) }

// For returns the Inspector for the files of a person on an account: accounts and people take turns.
func (i *Inspector) For(account, person string) *Inspector {
	own := *i
	own.who = party{account, person}
	return &own
}

// Inspect reads size bytes from r, once, and reports on the file. A problem of the file is a Report with Problem set;
// an error means that the file could not be inspected: r failed or ended early, ctx ended, another process killed the
// child, or it did not start or could not confine itself, which is ErrUnavailable.
//
// Others may be waiting while r is read, so r should be fast and end with ctx. r is not read after Inspect has
// returned, and only its beginning is read if that decides the matter.
func (i *Inspector) Inspect(ctx context.Context, r io.Reader, size int64) (Report, error) {
	if size < 0 {
		return Report{}, fmt.Errorf("inspect PDF: size %d", size)
	}
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("inspect PDF: %w", err)
	}
	if size == 0 {
		return Report{Problem: ProblemEmpty}, nil
	}
	head := make([]byte, min(size, headLength))
	if n, err := io.ReadFull(r, head); err != nil {
		return Report{}, fmt.Errorf("inspect PDF: read byte %d of %d: %w", n, size, early(err))
	}
	switch {
	case !bytes.Contains(head, []byte("%PDF-")):
		return Report{Problem: ProblemNotPDF}, nil
	case size > i.o.MaxFile:
		return Report{Problem: ProblemTooLarge}, nil
	}
	report, err := i.inTurn(ctx, io.MultiReader(bytes.NewReader(head), r), size)
	if err != nil {
		return Report{}, fmt.Errorf("inspect PDF: %w", err)
	}
	return report, nil
}

func (i *Inspector) inTurn(ctx context.Context, r io.Reader, size int64) (Report, error) {
	if err := i.slots.take(ctx, i.who); err != nil {
		return Report{}, err
	}
	defer i.slots.leave()
	report, err := i.inChild(ctx, r, size)
	if ctx.Err() != nil {
		return Report{}, ctx.Err() // ctx is the cause, whatever the error
	}
	return report, err
}

// inChild inspects the file in a new child, which is always ended.
func (i *Inspector) inChild(ctx context.Context, r io.Reader, size int64) (Report, error) {
	c, end, err := i.begin(ctx, order{CPU: seconds(i.o.cpu(size)), Size: size})
	if err != nil {
		return Report{}, err
	}
	defer end()
	if err := c.feed(r, size); err != nil {
		return Report{}, err
	}
	return c.answer(i.o.Timeout, i.o.cpu(size))
}

// begin starts a child and has it confine itself; end ends it.
func (i *Inspector) begin(ctx context.Context, o order) (c *process, end func(), err error) {
	command, err := i.command()
	if err != nil {
		return nil, nil, err
	}
	if dir := i.cache.filled(ctx, command); dir != "" {
		command = append(command[:len(command):len(command)], dir)
	}
	if c, err = start(command); err != nil {
		return nil, nil, fmt.Errorf("%w: start child: %w", ErrUnavailable, err)
	}
	stop := context.AfterFunc(ctx, c.kill)
	end = func() { stop(); c.end() }
	o.Memory = i.o.Memory
	if err := c.instruct(o); err != nil {
		end()
		return nil, nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return c, end, nil
}

func (i *Inspector) command() ([]string, error) {
	if len(i.o.Command) > 0 {
		return i.o.Command, nil
	}
	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("%w: find own program: %w", ErrUnavailable, err)
	}
	return []string{filepath.Join(filepath.Dir(own), program)}, nil
}

// early turns an EOF within promised data into io.ErrUnexpectedEOF.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
