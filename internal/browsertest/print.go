package browsertest

import (
	"context"

	"github.com/chromedp/cdproto/emulation"
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

// Visible tells whether some element that matches takes room on the page now.
func (p *Page) Visible(selector string) bool {
	p.t.Helper()
	return read[bool](p, "see "+selector, call("(s) => [...document.querySelectorAll(s)].some((e) => e.getClientRects().length > 0)", selector))
}
