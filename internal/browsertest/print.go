package browsertest

import (
	"context"
	"os"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Print shows the page as it is printed, or as it stands on a screen again.
func (p *Page) Print(on bool) {
	p.t.Helper()
	media := "screen"
	if on {
		media = "print"
	}
	p.once("print", func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
		return err
	})
}

// sheet saves the page as a PDF as wide as the window, with the styles of the screen.
func (p *Page) sheet(ctx context.Context, path string) error {
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "screen"}); err != nil {
		return err
	}
	const perInch = 96 // CSS pixels
	pdf, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground: new(true), PaperWidth: float64(p.o.Width) / perInch, PaperHeight: float64(p.o.Height) / perInch,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, pdf.Data, 0o644)
}

// Visible tells whether some element that matches takes room on the page now.
func (p *Page) Visible(selector string) bool {
	p.t.Helper()
	return read[bool](p, "see "+selector, call("(s) => [...document.querySelectorAll(s)].some((e) => e.getClientRects().length > 0)", selector))
}
