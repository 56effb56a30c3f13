package pdf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"time"
)

// Limits of pictures of pages.
const (
	maxPictureHeight = 3 * PictureWidth
	maxPictures      = 100 // in one call
)

// PictureWidth is the width of pictures of pages, in pixels: twice the shown width, for high-resolution screens.
const PictureWidth = 320

// pictureHead precedes the pixels of each picture, four bytes each; the last one is followed by none.
type pictureHead struct {
	Width  int  `json:"width,omitempty"`
	Height int  `json:"height,omitempty"`
	Last   bool `json:"last,omitempty"`
}

// Pictures has a confined child draw count pages of a PDF from first, which counts from 1, and passes each as a PNG
// to take. There are fewer if the file has fewer, or one cannot be drawn. An error means the same as with Inspect, or
// is take's.
func (i *Inspector) Pictures(ctx context.Context, r io.Reader, size int64, first, count int, take func(png []byte) error) error {
	if size <= 0 || size > i.o.MaxFile || first < 1 || count < 1 {
		return fmt.Errorf("draw pages of a PDF: %d pages from %d", count, first)
	}
	if err := i.slots.take(ctx, i.who); err != nil {
		return fmt.Errorf("draw pages of a PDF: %w", err)
	}
	defer i.slots.leave()
	err := i.picturesIn(ctx, r, size, order{First: int64(first), Count: int64(min(count, maxPictures))}, take)
	if ctx.Err() != nil {
		err = ctx.Err() // whatever else went wrong, this is why
	}
	if err != nil {
		return fmt.Errorf("draw pages of a PDF: %w", err)
	}
	return nil
}

func (i *Inspector) picturesIn(ctx context.Context, r io.Reader, size int64, o order, take func(png []byte) error) error {
	o.CPU, o.Size = seconds(i.o.cpu(size)), size
	c, end, err := i.begin(ctx, o)
	if err != nil {
		return err
	}
	defer end()
	if err := c.feed(r, size); err != nil {
		return err
	}
	for range o.Count {
		picture := c.pictureWithin(i.o.Timeout)
		if picture == nil {
			return nil
		}
		if err := take(picture); err != nil {
			return err
		}
	}
	return nil
}

// pictureWithin returns the next picture as a PNG; nil when there are no more, or the child died while drawing.
func (p *process) pictureWithin(limit time.Duration) []byte {
	var picture *image.RGBA
	err := p.within(limit, func() (err error) {
		picture, err = p.picture()
		return err
	})
	var b bytes.Buffer
	if err != nil || picture == nil || (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, picture) != nil {
		return nil
	}
	return b.Bytes()
}

// picture reads the next picture; nil after the last one. It is read as pixels and encoded here, so that nothing
// written by the child reaches a browser.
func (p *process) picture() (*image.RGBA, error) {
	line, err := p.line.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	head := pictureHead{}
	if err := json.Unmarshal(line, &head); err != nil || head.Last {
		return nil, err
	}
	if head.Width < 1 || head.Height < 1 || head.Width > PictureWidth || head.Height > maxPictureHeight {
		return nil, errors.New("answer: impossible picture")
	}
	picture := image.NewRGBA(image.Rect(0, 0, head.Width, head.Height))
	_, err = io.ReadFull(p.line, picture.Pix)
	return picture, err
}

// drawAndTell is the child's side of drawing.
func drawAndTell(out io.Writer, file []byte, o order, draw func([]byte, int, int, func(*image.RGBA) error) error) error {
	err := draw(file, int(o.First), int(o.Count), func(picture *image.RGBA) error { return tellPicture(out, picture) })
	if err != nil {
		return err
	}
	return tellLastPicture(out)
}

func tellPicture(out io.Writer, picture *image.RGBA) error {
	if err := json.NewEncoder(out).Encode(pictureHead{Width: picture.Rect.Dx(), Height: picture.Rect.Dy()}); err != nil {
		return err
	}
	_, err := out.Write(picture.Pix)
	return err
}

func tellLastPicture(out io.Writer) error {
	return json.NewEncoder(out).Encode(pictureHead{Last: true})
}
