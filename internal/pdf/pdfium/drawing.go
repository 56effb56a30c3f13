package pdfium

import (
	"errors"
	"image"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// printed draws a page as a printer does: with only those annotations, fields and layers that are printed.
const printed = enums.FPDF_RENDER_FLAG_PRINTING | enums.FPDF_RENDER_FLAG_ANNOT | enums.FPDF_RENDER_FLAG_RENDER_LIMITEDIMAGECACHE |
	enums.FPDF_RENDER_FLAG_REVERSE_BYTE_ORDER

// Draw draws a page as printed, in a size in pixels.
func (p *Page) Draw(width, height int) (*image.RGBA, error) {
	if err := p.settle(); err != nil {
		return nil, err
	}
	return p.paint(width, height)
}

func (p *Page) paint(width, height int) (*image.RGBA, error) {
	return p.paintWith(width, height, printed)
}

func (p *Page) paintWith(width, height int, flags enums.FPDF_RENDER_FLAG) (*image.RGBA, error) {
	made, err := p.d.i.FPDFBitmap_CreateEx(&requests.FPDFBitmap_CreateEx{Width: width, Height: height, Format: enums.FPDF_BITMAP_FORMAT_BGRX, Pointer: uint64(0)})
	if err != nil {
		return nil, err
	}
	defer func() {
		_, err := p.d.i.FPDFBitmap_Destroy(&requests.FPDFBitmap_Destroy{Bitmap: made.Bitmap})
		_ = p.d.keep(err)
	}()
	_, err = p.d.i.FPDFBitmap_FillRect(&requests.FPDFBitmap_FillRect{Bitmap: made.Bitmap, Width: width, Height: height, Color: 0xffffffff})
	if err != nil {
		return nil, p.d.keep(err)
	}
	_, err = p.d.i.FPDF_RenderPageBitmap(&requests.FPDF_RenderPageBitmap{Bitmap: made.Bitmap, Page: p.request(), SizeX: width, SizeY: height, Flags: flags})
	if err != nil {
		return nil, p.d.keep(err)
	}
	pixels, err := p.d.i.FPDFBitmap_GetBuffer(&requests.FPDFBitmap_GetBuffer{Bitmap: made.Bitmap})
	if err != nil {
		return nil, p.d.keep(err)
	}
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	if len(pixels.Buffer) != len(picture.Pix) {
		return nil, errors.New("drawn page has another size")
	}
	copy(picture.Pix, pixels.Buffer)
	for i := 3; i < len(picture.Pix); i += 4 {
		picture.Pix[i] = 0xff
	}
	return picture, nil
}
