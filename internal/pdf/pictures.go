package pdf

import (
	"bytes"
	"cmp"
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
	highestPicture = 3   // times its width
	maxPictures    = 100 // at a time
)

// How wide the pictures of pages are, in pixels.
const (
	PictureWidth = 320  // twice what is shown, for sharp screens
	WidePicture  = 1280 // text of ten points can be read
)

// Drawing says what is drawn of a PDF.
type Drawing struct {
	First, Count int // pages; the first one is 1
	Width        int // of each picture in pixels, WidePicture at most; 0: PictureWidth
}

// pictureHead precedes the pixels of each picture, four bytes each; the last one is followed by none.
type pictureHead struct {
	Width  int  `json:"width,omitempty"`
	Height int  `json:"height,omitempty"`
	Last   bool `json:"last,omitempty"`
}

// Pictures has pages of a PDF drawn by a confined child, and hands over each as a PNG. There are fewer where the file has
// fewer, or one cannot be drawn. An error means the same as with Inspect, or is take's.
func (i *Inspector) Pictures(ctx context.Context, r io.Reader, size int64, d Drawing, take func(png []byte) error) error {
	d.Width = cmp.Or(d.Width, PictureWidth)
	if size <= 0 || size > i.o.MaxFile || d.First < 1 || d.Count < 1 || d.Width < 1 || d.Width > WidePicture {
		return fmt.Errorf("draw pages of a PDF: %+v", d)
	}
	if err := i.slots.take(ctx, i.who); err != nil {
		return fmt.Errorf("draw pages of a PDF: %w", err)
	}
	defer i.slots.leave()
	err := i.picturesIn(ctx, r, size, order{First: int64(d.First), Count: int64(min(d.Count, maxPictures)), Width: int64(d.Width)}, take)
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
		picture := c.pictureWithin(i.o.Timeout, int(o.Width))
		if picture == nil {
			return nil
		}
		if err := take(picture); err != nil {
			return err
		}
	}
	return nil
}

// pictureWithin returns the next picture as a PNG, so wide at most; nil when there are no more, or the child died while drawing.
func (p *process) pictureWithin(limit time.Duration, width int) []byte {
	var picture *image.RGBA
	err := p.within(limit, func() (err error) {
		picture, err = p.picture(width)
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
func (p *process) picture(width int) (*image.RGBA, error) {
	line, err := p.line.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	head := pictureHead{}
	if err := json.Unmarshal(line, &head); err != nil || head.Last {
		return nil, err
	}
	if head.Width < 1 || head.Height < 1 || head.Width > width || head.Height > highestPicture*width {
		return nil, errors.New("answer: impossible picture")
	}
	picture := image.NewRGBA(image.Rect(0, 0, head.Width, head.Height))
	_, err = io.ReadFull(p.line, picture.Pix)
	return picture, err
}

// drawAndTell is the child's side of drawing.
func drawAndTell(out io.Writer, file []byte, o order, draw func([]byte, Drawing, func(*image.RGBA) error) error) error {
	err := draw(file, Drawing{First: int(o.First), Count: int(o.Count), Width: int(o.Width)}, func(picture *image.RGBA) error { return tellPicture(out, picture) })
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
