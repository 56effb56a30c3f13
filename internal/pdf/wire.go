package pdf

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
)

// The protocol on the two pipes: the parent sends an order; the child confines itself and reports that; the parent
// sends the file; the child answers with lines of JSON and exits.

// order is the first message. It comes from the parent, so the child trusts it.
type order struct {
	Protocol [8]byte // set by send
	Memory   int64   // bytes
	CPU      int64   // seconds
	Size     int64   // of the file
	Each     int64   // pages of a slice, where the file is to be divided
	Begins   int64   // 1: the file is divided where letters begin
	Window   [4]int64
	Mark     [4 * dispatch.MarkMax]byte
	First    int64 // first page to draw, from 1; 0: inspect or divide
	Count    int64 // of pages to draw
	Width    int64 // of their pictures, in pixels
	Clean    int64 // 1: the file is cleaned
}

// protocol detects a parent and a child of different releases.
const protocol = "pdfchk09"

// maxAnswer limits each line of a child.
const maxAnswer = 512 << 10

// The child's exit codes when it has not answered.
const (
	exitRefused = 3 // for reasons other than the file
	exitTooSlow = 4 // its processor time is used up
)

func (o order) send(w io.Writer) error {
	copy(o.Protocol[:], protocol)
	return binary.Write(w, binary.BigEndian, o)
}

// divide says where the file is divided.
func (o *order) divide(cut dispatch.Cut) {
	if o.Each = int64(cut.Pages); cut.Pages == 0 {
		o.Begins = 1
	}
	r := cut.Rules
	o.Window = [4]int64{int64(r.WindowLeft), int64(r.WindowTop), int64(r.WindowWidth), int64(r.WindowHeight)}
	copy(o.Mark[:], cut.Mark)
}

// cut is where the file is divided.
func (o order) cut() dispatch.Cut {
	w := o.Window
	return dispatch.Cut{Pages: int(o.Each), Mark: strings.TrimRight(string(o.Mark[:]), "\x00"), Rules: dispatch.PrintRules{
		WindowLeft: int(w[0]), WindowTop: int(w[1]), WindowWidth: int(w[2]), WindowHeight: int(w[3])}}
}

func receiveOrder(r io.Reader) (order, error) {
	var o order
	if err := binary.Read(r, binary.BigEndian, &o); err != nil {
		return order{}, err
	}
	if string(o.Protocol[:]) != protocol || o.Memory <= 0 || o.CPU <= 0 || o.Size <= 0 || o.Each < 0 || o.First < 0 || o.First > 0 && (o.Count < 1 || o.Width < 1 || o.Width > WidePicture) {
		return order{}, errors.New("no order of this release")
	}
	return o, nil
}

// receiveAnswer reads the report. The child may be compromised by the file, so nothing in it is trusted.
func receiveAnswer(r *bufio.Reader) (Report, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return Report{}, err
	}
	report := Report{}
	if err := json.Unmarshal(line, &report); err != nil {
		return Report{}, fmt.Errorf("answer: %w", err)
	}
	return report, report.check()
}

// receiveInk reads the bounds of the pages' ink.
func receiveInk(r *bufio.Reader, pages int) ([]dispatch.InkBounds, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	var ink []dispatch.InkBounds
	if err := json.Unmarshal(line, &ink); err != nil {
		return nil, fmt.Errorf("ink: %w", err)
	}
	if len(ink) > min(pages, dispatch.MaxInkPages) {
		return nil, errors.New("ink: more pages than there are")
	}
	if slices.ContainsFunc(ink, func(b dispatch.InkBounds) bool { return !b.Possible() }) {
		return nil, errors.New("ink: impossible bounds")
	}
	return ink, nil
}

func (r Report) check() error {
	known := []Problem{"", ProblemBroken, ProblemPassword, ProblemTooLarge, ProblemEmpty}
	switch {
	case !slices.Contains(known, r.Problem):
		return errors.New("answer: unknown problem")
	case (r.Problem == "") != (r.Pages > 0), r.Pages > math.MaxInt32:
		return errors.New("answer: pages and problem disagree")
	case (r.Problem == "") != (r.Reading != nil):
		return errors.New("answer: reading and problem disagree")
	case r.Reading != nil:
		return r.Reading.Check(r.Pages)
	}
	return nil
}

// seconds rounds up: the kernel counts whole seconds.
func seconds(d time.Duration) int64 {
	return int64((d + time.Second - 1) / time.Second)
}
