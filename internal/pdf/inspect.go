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

// headLength is where a PDF header must begin, as readers have it.
const headLength = 1024

// program is what the child runs. It lies beside the program that asks.
const program = "inspectpdf"

// ErrUnavailable says that files cannot be checked here, whatever they are: the child does not start, or cannot confine
// itself.
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

// Ahead tells whether a file of theirs waits to be looked into, and how many files of others are looked into before it.
func (i *Inspector) Ahead() (n int, waits bool) { return i.slots.ahead(i.who) }

// For returns the Inspector for the files of a person on an account: accounts and people take turns.
func (i *Inspector) For(account, person string) *Inspector {
	own := *i
	own.who = party{account, person}
	return &own
}

// Inspect reads size bytes from r, once, and tells what they are. A problem with the file is a Report with Problem set;
// an error means that the file could not be checked: r failed or ended early, ctx ended, the child was killed by
// somebody else, or it did not start or could not confine itself, which is ErrUnavailable.
//
// Others may be waiting while r is read, so r should be fast and end with ctx. r is not read after Inspect has returned,
// and is left unread beyond its first bytes when those settle the matter.
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
		return Report{}, ctx.Err() // whatever else went wrong, this is why
	}
	return report, err
}

// inChild starts a child and ends it again, whatever happens between.
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

// begin starts a child and has it confine itself. end ends it.
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

// early says that an end within what was promised is no ordinary end.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
