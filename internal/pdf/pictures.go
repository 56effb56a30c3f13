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
)

// Limits of pictures of pages.
const (
	maxPictureWidth  = 2000
	maxPictureHeight = 6000
	maxPictures      = 100 // at a time
)

// pictureHead stands before the pixels of each picture, four bytes each; the last one has no picture behind it.
type pictureHead struct {
	Width  int  `json:"width,omitempty"`
	Height int  `json:"height,omitempty"`
	Last   bool `json:"last,omitempty"`
}

// Pictures has pages of a PDF drawn by a confined child, count of them from first, which counts from 1, and hands over each as
// a PNG so many pixels wide. There are fewer where the file has fewer, or one cannot be drawn. An error means the same as
// with Inspect, or is take's.
func (i *Inspector) Pictures(ctx context.Context, r io.Reader, size int64, first, count, width int, take func(png []byte) error) error {
	if size <= 0 || size > i.o.MaxFile || first < 1 || count < 1 || width < 1 || width > maxPictureWidth {
		return fmt.Errorf("draw pages of a PDF: %d pages from %d, %d pixels wide", count, first, width)
	}
	if err := i.slots.take(ctx, i.who); err != nil {
		return fmt.Errorf("draw pages of a PDF: %w", err)
	}
	defer i.slots.leave()
	err := i.picturesIn(ctx, r, size, order{First: int64(first), Count: int64(min(count, maxPictures)), Width: int64(width)}, take)
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
		var picture *image.RGBA
		err := c.within(i.o.Timeout, func() (err error) {
			picture, err = c.picture()
			return err
		})
		if err != nil || picture == nil {
			return nil // there are no more, or the child has died of the next one
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, picture); err != nil {
			return err
		}
		if err := take(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// picture reads the next picture; nil after the last one. It comes as pixels, so that nothing that the child has written is
// handed to a browser.
func (p *process) picture() (*image.RGBA, error) {
	line, err := p.line.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	head := pictureHead{}
	if err := json.Unmarshal(line, &head); err != nil || head.Last {
		return nil, err
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxPictureWidth || head.Height > maxPictureHeight {
		return nil, errors.New("answer: impossible picture")
	}
	picture := image.NewRGBA(image.Rect(0, 0, head.Width, head.Height))
	_, err = io.ReadFull(p.line, picture.Pix)
	return picture, err
}

// drawAndTell is the child's side of a drawing.
func drawAndTell(out io.Writer, file []byte, o order, draw func([]byte, int, int, int, func(*image.RGBA) error) error) error {
	answer := json.NewEncoder(out)
	err := draw(file, int(o.First), int(o.Count), int(o.Width), func(picture *image.RGBA) error {
		if err := answer.Encode(pictureHead{Width: picture.Rect.Dx(), Height: picture.Rect.Dy()}); err != nil {
			return err
		}
		_, err := out.Write(picture.Pix)
		return err
	})
	if err != nil {
		return err
	}
	return answer.Encode(pictureHead{Last: true})
}
