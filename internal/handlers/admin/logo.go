package admin

import (
	"bytes"
	"image"
	_ "image/jpeg" // logos may be JPEG
	"image/png"
	"io"

	"github.com/labstack/echo/v4"
	"golang.org/x/image/draw"

	"utsending/internal/dispatch"
)

// The largest picture that is taken for a logo.
const (
	maxLogo      = 128 << 10
	maxLogoSides = 1200
)

// The largest logo that is served: twice the room that the header has for it (.brand-logo), and bytes that leave a page's first visit
// within its limit on a slow line.
const (
	logoWidth  = 288
	logoHeight = 72
	logoBytes  = 6 << 10
)

// readLogo returns the file of the form as a small PNG of our own making, without anything that was hidden in it; nil: no file.
func readLogo(c echo.Context) ([]byte, *dispatch.Problem) {
	problem := func(key string, args dispatch.Args) ([]byte, *dispatch.Problem) {
		return nil, &dispatch.Problem{Field: dispatch.FieldThemeLogo, Key: key, Args: args}
	}
	header, err := c.FormFile(dispatch.FieldThemeLogo)
	if err != nil || header.Size == 0 { // none, or a form without files
		return nil, nil
	}
	if header.Size > maxLogo {
		return problem("problem.theme.logo_size", dispatch.Args{"Most": maxLogo >> 10})
	}
	file, err := header.Open()
	if err != nil {
		return problem("problem.theme.logo", nil)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return problem("problem.theme.logo", nil)
	}
	shape, _, err := image.DecodeConfig(bytes.NewReader(content)) // before pixels take memory
	if err != nil {
		return problem("problem.theme.logo", nil)
	}
	if shape.Width > maxLogoSides || shape.Height > maxLogoSides {
		return problem("problem.theme.logo_sides", dispatch.Args{"Most": maxLogoSides})
	}
	picture, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return problem("problem.theme.logo", nil)
	}
	logo, err := lightLogo(picture)
	switch {
	case err != nil:
		return problem("problem.theme.logo", nil)
	case logo == nil:
		return problem("problem.theme.logo_detail", dispatch.Args{"Most": logoBytes >> 10})
	}
	return logo, nil
}

// lightLogo is the picture as a PNG that fits logoWidth and logoHeight, or three quarters or half of that where it would have more than
// logoBytes; nil: it has more even then.
func lightLogo(picture image.Image) ([]byte, error) {
	for _, part := range []int{4, 3, 2} {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, fitted(picture, logoWidth*part/4, logoHeight*part/4)); err != nil {
			return nil, err
		}
		if b.Len() <= logoBytes {
			return b.Bytes(), nil
		}
	}
	return nil, nil
}

// fitted is the picture, made smaller where it is wider or higher.
func fitted(picture image.Image, width, height int) image.Image {
	size := picture.Bounds().Size()
	scale := min(float64(width)/float64(size.X), float64(height)/float64(size.Y), 1)
	small := image.NewNRGBA(image.Rect(0, 0, max(int(float64(size.X)*scale), 1), max(int(float64(size.Y)*scale), 1)))
	if scale == 1 {
		draw.Draw(small, small.Bounds(), picture, picture.Bounds().Min, draw.Src)
		return small
	}
	draw.CatmullRom.Scale(small, small.Bounds(), picture, picture.Bounds(), draw.Src, nil)
	return small
}
