package pdf

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"utsending/internal/dispatch"
)

// Limits of a cleaning. The child holds the file, its objects, and the copy, and compares the pages of both.
const (
	cleanCPU = 2 * time.Minute
	maxMade  = 2 * dispatch.MaxCleaned // the size of the copy, in which nothing is compressed that was not
)

// Cleaner writes a copy of a file without what can be removed: look.Clean in the real child.
type Cleaner func(file []byte) (made []byte, done dispatch.Cleaning, problem Problem)

// cleanHead precedes the bytes of a cleaned file.
type cleanHead struct {
	Size    int64             `json:"size,omitempty"`
	Done    dispatch.Cleaning `json:"done,omitzero"`
	Problem Problem           `json:"problem,omitempty"`
}

// Clean has a confined child write a copy of a PDF without comments, author, attachments, scripts and media, and with its fields
// made part of the page, and passes it to take. A problem is why there is none. An error means the same as with Inspect, or is
// take's. take may inspect the copy: it waits for another turn than this one.
func (i *Inspector) Clean(ctx context.Context, r io.Reader, size int64, take func(made io.Reader, done dispatch.Cleaning) error) (Problem, error) {
	switch {
	case size <= 0:
		return ProblemEmpty, nil
	case size > min(i.o.MaxFile, dispatch.MaxCleaned):
		return ProblemTooLarge, nil
	}
	if err := i.splits.take(ctx, i.who); err != nil {
		return "", fmt.Errorf("clean PDF: %w", err)
	}
	defer i.splits.leave()
	problem, err := i.cleanIn(ctx, r, size, take)
	if ctx.Err() != nil {
		err = ctx.Err() // whatever else went wrong, this is why
	}
	if err != nil {
		return "", fmt.Errorf("clean PDF: %w", err)
	}
	return problem, nil
}

func (i *Inspector) cleanIn(ctx context.Context, r io.Reader, size int64, take func(io.Reader, dispatch.Cleaning) error) (Problem, error) {
	c, end, err := i.begin(ctx, order{CPU: seconds(cleanCPU), Size: size, Clean: 1})
	if err != nil {
		return "", err
	}
	defer end()
	if err := c.feed(r, size); err != nil {
		return "", err
	}
	var head cleanHead
	err = c.within(2*i.o.Timeout, func() (err error) {
		head, err = receiveClean(c.line)
		return err
	})
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, os.ErrClosed), c.late.Load():
		<-c.done
		report, err := c.verdict(cleanCPU)
		return report.Problem, err
	case err != nil:
		return ProblemBroken, nil // it says what cannot be
	case head.Problem != "":
		return head.Problem, nil
	}
	return "", take(&timedSlice{p: c, left: head.Size}, head.Done)
}

func receiveClean(r *bufio.Reader) (cleanHead, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return cleanHead{}, err
	}
	head := cleanHead{}
	if err := json.Unmarshal(line, &head); err != nil {
		return cleanHead{}, fmt.Errorf("answer: %w", err)
	}
	if head.Problem != "" {
		if !head.Problem.ofClean() {
			return cleanHead{}, errors.New("answer: unknown problem")
		}
		return head, nil
	}
	if head.Size <= 0 || head.Size > maxMade {
		return cleanHead{}, errors.New("answer: impossible copy")
	}
	return head, head.Done.Check(math.MaxInt32)
}

// ofClean tells whether a cleaning may end with the problem.
func (p Problem) ofClean() bool {
	switch p {
	case ProblemBroken, ProblemPassword, ProblemEmpty, ProblemTooLarge, ProblemProtected, ProblemSigned, ProblemBound, ProblemAltered, ProblemUnchanged:
		return true
	}
	return false
}

// cleanAndTell is the child's side of a cleaning.
func cleanAndTell(out io.Writer, file []byte, clean Cleaner) error {
	made, done, problem := clean(file)
	if problem == "" && len(made) > maxMade {
		problem = ProblemTooLarge
	}
	if problem != "" {
		return json.NewEncoder(out).Encode(cleanHead{Problem: problem})
	}
	if err := json.NewEncoder(out).Encode(cleanHead{Size: int64(len(made)), Done: done}); err != nil {
		return err
	}
	_, err := out.Write(made)
	return err
}
