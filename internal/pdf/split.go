package pdf

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"utsending/internal/dispatch"
)

// Limits of a division. Every slice holds the fonts that it uses, so that all slices together can be much larger than the file.
const (
	splitCPU      = 3 * time.Minute
	maxAllSlices  = 2_000_000_000
	maxSlicePages = 1000
)

// Splitter divides a file: look.Split in the real child.
type Splitter func(file []byte, cut dispatch.Cut, take func(slice []byte) error) (Problem, error)

// sliceHead precedes the bytes of each slice; the last one is followed by none.
type sliceHead struct {
	Size    int64   `json:"size,omitempty"`
	Report  Report  `json:"report,omitzero"`
	Last    bool    `json:"last,omitempty"`
	Problem Problem `json:"problem,omitempty"`
}

// Split has a confined child divide a PDF into slices where cut says, and passes each to take as it comes, with its report.
// After a problem with the file, slices that were passed before are void.
// An error means the same as with Inspect, or is take's.
func (i *Inspector) Split(ctx context.Context, r io.Reader, size int64, cut dispatch.Cut, take func(slice io.Reader, size int64, found Report) error) (Problem, error) {
	switch {
	case size <= 0:
		return ProblemEmpty, nil
	case size > i.o.MaxFile:
		return ProblemTooLarge, nil
	case cut.Pages < 0 || cut.Pages > maxSlicePages:
		return ProblemUneven, nil
	}
	if err := i.splits.take(ctx, i.who); err != nil {
		return "", fmt.Errorf("divide PDF: %w", err)
	}
	defer i.splits.leave()
	problem, err := i.splitIn(ctx, r, size, cut, take)
	if ctx.Err() != nil {
		err = ctx.Err() // whatever else went wrong, this is why
	}
	if err != nil {
		return "", fmt.Errorf("divide PDF: %w", err)
	}
	return problem, nil
}

func (i *Inspector) splitIn(ctx context.Context, r io.Reader, size int64, cut dispatch.Cut, take func(io.Reader, int64, Report) error) (Problem, error) {
	o := order{CPU: seconds(splitCPU), Size: size}
	o.divide(cut)
	c, end, err := i.begin(ctx, o)
	if err != nil {
		return "", err
	}
	defer end()
	if err := c.feed(r, size); err != nil {
		return "", err
	}
	return c.slices(cut.Pages, take)
}

// slices passes the slices on as the child makes them. Nothing that the child says is trusted.
func (p *process) slices(each int, take func(io.Reader, int64, Report) error) (Problem, error) {
	for room := int64(maxAllSlices); ; {
		var head sliceHead
		err := p.within(splitCPU, func() (err error) {
			head, err = receiveHead(p.line, each)
			return err
		})
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, os.ErrClosed), p.late.Load():
			<-p.done
			report, err := p.verdict(splitCPU)
			return report.Problem, err
		case err != nil:
			return ProblemBroken, nil // it says what cannot be
		case head.Last:
			return head.Problem, nil
		}
		if room -= head.Size; room < 0 {
			return ProblemTooLarge, nil
		}
		content := &timedSlice{p: p, left: head.Size}
		if err := take(content, head.Size, head.Report); err != nil {
			return "", err
		}
		if content.left > 0 {
			return "", errors.New("a slice was not read whole")
		}
	}
}

func receiveHead(r *bufio.Reader, each int) (sliceHead, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return sliceHead{}, err
	}
	head := sliceHead{}
	if err := json.Unmarshal(line, &head); err != nil {
		return sliceHead{}, fmt.Errorf("answer: %w", err)
	}
	switch {
	case head.Last && head.Problem.ofSplit():
		return head, nil
	case head.Last, head.Size <= 0, head.Report.Problem != "", each > 0 && head.Report.Pages != each, head.Report.Pages > maxSlicePages:
		return sliceHead{}, errors.New("answer: impossible slice")
	}
	return head, head.Report.check()
}

// ofSplit tells whether a division may end with the problem.
func (p Problem) ofSplit() bool {
	switch p {
	case "", ProblemBroken, ProblemPassword, ProblemProtected, ProblemMarked, ProblemUneven, ProblemTooLarge, ProblemNoBeginning:
		return true
	}
	return false
}

// timedSlice reads one slice from the child. A child that stops in the middle is killed.
type timedSlice struct {
	p    *process
	left int64
}

// Read implements io.Reader.
func (t *timedSlice) Read(b []byte) (n int, err error) {
	if t.left == 0 {
		return 0, io.EOF
	}
	err = t.p.within(patience, func() error {
		n, err = t.p.line.Read(b[:min(int64(len(b)), t.left)])
		return err
	})
	if t.left -= int64(n); err != nil {
		err = early(err)
	}
	return n, err
}

// splitAndTell is the child's side of a division.
func splitAndTell(out io.Writer, file []byte, cut dispatch.Cut, look func([]byte) Report, split Splitter) error {
	answer := json.NewEncoder(out)
	broken, long := errors.New("a slice does not hold its pages"), errors.New("a slice has too many pages")
	problem, err := split(file, cut, func(slice []byte) error {
		found := look(slice)
		switch {
		case found.Pages > maxSlicePages:
			return long
		case found.Problem != "" || cut.Pages > 0 && found.Pages != cut.Pages:
			return broken
		}
		if err := answer.Encode(sliceHead{Size: int64(len(slice)), Report: found}); err != nil {
			return err
		}
		_, err := out.Write(slice)
		return err
	})
	switch {
	case errors.Is(err, broken):
		problem, err = ProblemBroken, nil
	case errors.Is(err, long):
		problem, err = ProblemTooLarge, nil
	}
	if err != nil {
		return err
	}
	return answer.Encode(sliceHead{Last: true, Problem: problem})
}
