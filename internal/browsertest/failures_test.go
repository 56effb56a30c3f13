package browsertest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// failing is a test that is expected to fail.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Fatal(args ...any) {
	f.message = fmt.Sprint(args...)
	panic(f) // ends the step, as runtime.Goexit ends a test
}

// TestPictureOfAFailure: a failure has a picture of the whole page.
func TestPictureOfAFailure(t *testing.T) {
	t.Parallel()
	p := Start(t).Page(t, PageOptions{})
	p.Go("data:text/html,<title>Skjema</title><h1>Ny utsending</h1>")
	path := p.savePicture()
	picture, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(path)
	}
	if !strings.HasPrefix(string(picture), "\x89PNG") {
		t.Errorf("%s begins with %q", path, picture[:min(len(picture), 8)])
	}
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
}

// TestLoadingWithoutEnd: a page that does not finish loading tells how far it has come, and what it waits for.
func TestLoadingWithoutEnd(t *testing.T) {
	t.Parallel()
	e := newEvents("page")
	request := func(id, url string) {
		e.hear(&network.EventRequestWillBeSent{RequestID: network.RequestID(id), Request: &network.Request{URL: url}})
	}
	e.hear(&page.EventFrameStartedLoading{FrameID: "page"})
	request("1", "http://x.example/side")
	e.hear(&page.EventFrameNavigated{Frame: &cdp.Frame{ID: "page"}})
	request("2", "http://x.example/stil.css")
	request("3", "http://x.example/skrift.woff2")
	request("4", "http://x.example/bilde.png")
	for _, id := range []network.RequestID{"1", "3"} {
		e.hear(&network.EventLoadingFinished{RequestID: id})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	want := "the page does not finish loading (the document has come, without an end: http://x.example/bilde.png http://x.example/stil.css): context canceled"
	if err := e.idle(ctx); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func testFailures(t *testing.T, browser *Browser, base string) {
	for name, tt := range map[string]struct {
		step func(p *Page)
		want string
	}{
		"missing":  {func(p *Page) { p.Click("#nowhere") }, "click on #nowhere: after 300ms: no such element"},
		"disabled": {func(p *Page) { p.Click("#off") }, "it is disabled"},
		"covered":  {func(p *Page) { p.Click("#covered") }, "it is covered by <dialog"},
		"text":     {func(p *Page) { p.WaitText("h1", "Gammel") }, `it reads ["Ny utsending"]`},
		"option":   {func(p *Page) { p.Select("select", "Kultur") }, "it offers Skole, Helse"},
		"selector": {func(p *Page) { p.Text("h1[") }, "is not a valid selector"},
		"history":  {func(p *Page) { p.Back(); p.Back(); p.Back() }, "this is the first page"},
		"network":  {func(p *Page) { p.Go("http://localhost:1/") }, "net::ERR_"},
		"file":     {func(p *Page) { p.Upload("[type=file]", "/nowhere.pdf") }, "no such file"},
	} {
		p := browser.Page(t, PageOptions{})
		p.Go(base + "/skjema")
		read[int](p, "cover the page", `(() => {
			const dialog = document.createElement("dialog");
			document.body.append(dialog);
			dialog.showModal();
			return 1;
		})()`)
		if name != "history" && name != "network" { // they fail by themselves, after steps that take their time
			p.o.Timeout = 300 * time.Millisecond // only the step itself is to time out
		}
		f := &failing{TB: t}
		p.t = f
		func() {
			defer func() { _ = recover() }()
			tt.step(p)
		}()
		p.t = t
		if !strings.Contains(f.message, tt.want) {
			t.Errorf("%s: got %q, want %q in it", name, f.message, tt.want)
		}
		if !strings.Contains(f.message, "page: /skjema (Skjema)") && name != "history" && name != "network" {
			t.Errorf("%s: %q does not tell the page", name, f.message)
		}
		_, picture, _ := strings.Cut(f.message, "picture: ")
		picture, _, _ = strings.Cut(picture, "\n")
		if err := os.Remove(picture); err != nil {
			t.Errorf("%s: no picture: %v", name, err)
		}
	}
}
