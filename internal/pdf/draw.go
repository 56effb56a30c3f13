package pdf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"

	"utsending/internal/dispatch"
)

// drawArgument makes the child a drawing one.
const drawArgument = "draw"

// Pixels of a millimetre, without shades between ink and paper, are fine enough for margins: finer ones take many times as long.
const (
	tenthsOfPixel = 10 // a pixel, in tenths of a millimetre
	pixelsPerInch = 254. / tenthsOfPixel
)

// maxPixels is how long a side of a drawn page may be: more than three metres.
const maxPixels = 7000

// CanDraw returns the program that draws pages, empty when there is none here.
func (i *Inspector) CanDraw() string {
	if len(i.o.Drawer) > 0 {
		return i.o.Drawer[0]
	}
	for _, name := range []string{"pdftoppm", "/usr/bin/pdftoppm", "/usr/local/bin/pdftoppm"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Draw has a PDF's pages drawn by a confined child and tells where their ink is. It comes back with fewer pages than the
// file has, or none, when they could not be drawn: nothing here can, the file is too much, or the child died of it. An
// error means that r failed or ctx ended.
func (i *Inspector) Draw(ctx context.Context, r io.Reader, size int64) ([]dispatch.InkBounds, error) {
	drawer := i.o.Drawer
	if path := i.CanDraw(); path == "" || size > i.o.MaxFile {
		return nil, nil
	} else if len(drawer) == 0 {
		drawer = []string{path}
	}
	if err := i.slots.take(ctx, i.who); err != nil {
		return nil, fmt.Errorf("draw PDF: %w", err)
	}
	defer i.slots.leave()
	ink, err := i.drawIn(ctx, drawer, r, size)
	if ctx.Err() != nil {
		err = ctx.Err() // whatever else went wrong, this is why
	}
	if err != nil {
		return nil, fmt.Errorf("draw PDF: %w", err)
	}
	return ink, nil
}

func (i *Inspector) drawIn(ctx context.Context, drawer []string, r io.Reader, size int64) ([]dispatch.InkBounds, error) {
	command, err := i.command()
	if err != nil {
		return nil, nil // nothing here can draw: Missing has said so
	}
	command = append(append(command[:len(command):len(command)], drawArgument), drawer...)
	command = append(command, "-q", "-gray", "-aa", "no", "-aaVector", "no", "-r", strconv.FormatFloat(pixelsPerInch, 'f', 4, 64), "-l", strconv.Itoa(dispatch.MaxInkPages), "-")
	c, err := start(command)
	if err != nil {
		return nil, nil
	}
	defer c.end()
	defer context.AfterFunc(ctx, c.kill)()
	if err := c.instruct(order{Memory: i.o.Memory, CPU: seconds(i.o.cpu(size)), Size: size}); err != nil {
		return nil, nil
	}
	if err := c.feed(r, size); err != nil && !c.late.Load() {
		return nil, err
	}
	_ = c.in.Close() // the program reads to the end
	var ink []dispatch.InkBounds
	_ = c.within(i.o.Timeout, func() (err error) { // what came until it failed is as good
		ink, err = readInk(c.line)
		return err
	})
	return ink, nil
}

// DrawChild is the child's side of a drawing: what the program inspectpdf becomes with the arguments "draw" and a
// command. It confines itself as far as a program that starts allows, and turns into the command, which reads the file
// from standard input. It returns an exit code when it could not.
func DrawChild(in io.Reader, out io.Writer, command []string, shut Shutter) int {
	o, err := receiveOrder(in)
	if err != nil || len(command) == 0 {
		return exitRefused
	}
	held, err := confineProgram(o, command[0], shut)
	if err != nil {
		return exitRefused
	}
	if _, err := io.WriteString(out, held.tell()); err != nil {
		return exitRefused
	}
	_ = become(command) // comes back only when it failed
	return exitRefused
}

// Drawing tells whether a child was started to draw, and with which command.
func Drawing(args []string) (command []string, ok bool) {
	if len(args) > 2 && args[1] == drawArgument {
		return args[2:], true
	}
	return nil, false
}

// readInk reads pages one after the other, as portable grey maps. They come from a program that has been near the file.
func readInk(r *bufio.Reader) ([]dispatch.InkBounds, error) {
	var all []dispatch.InkBounds
	for len(all) < dispatch.MaxInkPages {
		var width, height, most int
		_, err := fmt.Fscanf(r, "P5\n%d %d\n%d\n", &width, &height, &most)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return all, nil
		}
		if err != nil || width < 1 || height < 1 || width > maxPixels || height > maxPixels || most != 255 {
			return all, errors.New("no drawn page")
		}
		b, err := bounds(r, width, height)
		if err != nil {
			return all, err
		}
		all = append(all, b)
	}
	return all, nil
}

// paper is how light a pixel must be to count as paper: a light shade at an edge is no ink.
const paper = 225

// bounds reads the rows of one page.
func bounds(r io.Reader, width, height int) (dispatch.InkBounds, error) {
	b := dispatch.InkBounds{dispatch.NoInk, dispatch.NoInk, dispatch.NoInk, dispatch.NoInk, dispatch.NoInk}
	row := make([]byte, width)
	for y := range height {
		if _, err := io.ReadFull(r, row); err != nil {
			return b, err
		}
		left, right := edges(row)
		if left < 0 {
			continue
		}
		b[0], b[2] = min(b[0], left*tenthsOfPixel), min(b[2], right*tenthsOfPixel)
		b[1], b[3] = min(b[1], y*tenthsOfPixel), (height-1-y)*tenthsOfPixel
		if at := y * tenthsOfPixel / 10; at >= dispatch.BarcodeTop && at < dispatch.BarcodeBottom {
			b[4] = min(b[4], left*tenthsOfPixel)
		}
	}
	return b, nil
}

// edges returns how many pixels of paper a row begins and ends with; less than none for a row without ink.
func edges(row []byte) (left, right int) {
	for left < len(row) && row[left] >= paper {
		left++
	}
	if left == len(row) {
		return -1, -1
	}
	for row[len(row)-1-right] >= paper {
		right++
	}
	return left, right
}
