// Package browsertest finds and drives a headless Chromium, so that tests walk through the application as people do.
// Each step waits for what it needs, never for a length of time, and fails the test with the address of the page and
// a picture of it (in the directory that SCREENSHOTS names, else in .testout/pictures).
package browsertest

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"utsending/internal/ramdisk"
)

const (
	startLimit = 5 * time.Minute // of a browser on a machine that is busy compiling
	stepLimit  = 5 * time.Minute // of one step on a page, unless PageOptions says otherwise: to tell hanging, not to measure
)

// Browser is one browser process.
type Browser struct {
	ctx  context.Context
	root string // directory of go.mod and node_modules
}

// running is the browser that all tests of one test program share: each costs a second of processor time to start, and a
// process or three to keep. Pages keep tests apart.
var running struct {
	mu      sync.Mutex
	users   int // tests
	browser *Browser
	stop    func()
}

// Start returns the browser of this test program, which is started for the first test that asks and stopped after the
// last. It fails the test when the machine has none.
func Start(t testing.TB) *Browser {
	t.Helper()
	running.mu.Lock()
	defer running.mu.Unlock()
	if running.browser == nil {
		b, stop, err := launch(t.Context())
		if err != nil {
			t.Fatalf("start browser: %v", err)
		}
		running.browser, running.stop = b, stop
	}
	running.users++
	t.Cleanup(leave)
	return running.browser
}

// leave stops the browser after its last test.
func leave() {
	running.mu.Lock()
	defer running.mu.Unlock()
	if running.users--; running.users == 0 {
		running.stop()
		running.browser = nil
	}
}

func launch(ctx context.Context) (*Browser, func(), error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, nil, err
	}
	chromium, err := findChromium(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	// The browser outlives the test that starts it.
	allocator, stop := chromedp.NewExecAllocator(context.Background(), chromium.options()...)
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	slow := time.AfterFunc(startLimit, cancel)
	defer slow.Stop()
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		stop()
		return nil, nil, fmt.Errorf("%s: %w", chromium.path, err)
	}
	return &Browser{ctx: ctx, root: root}, func() { cancel(); stop() }, nil
}

func (c chromium) options() []chromedp.ExecAllocatorOption {
	return append(chromedp.DefaultExecAllocatorOptions[:], // headless, no first run, no background traffic, no sync
		chromedp.ExecPath(c.path),
		chromedp.Env(c.env...),
		chromedp.NoSandbox, // Chromium as root refuses to start with it
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-dev-shm-usage", ramdisk.Dir() == ""),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("font-render-hinting", "none"), // glyphs as wide on one machine as on another
	)
}

// PageOptions say what kind of person looks at the page.
type PageOptions struct {
	Width, Height int           // of the window; 1440 × 900 when zero, 390 × 844 on a mobile
	Mobile        bool          // a phone: touch, two pixels per point, viewport as the page asks for it
	Dark          bool          // prefers dark colours
	JavaScriptOff bool          // scripts of the page do not run
	Timeout       time.Duration // of each step; five minutes when zero
}

func (o PageOptions) complete() PageOptions {
	width, height := 1440, 900
	if o.Mobile {
		width, height = 390, 844
	}
	o.Width, o.Height, o.Timeout = cmp.Or(o.Width, width), cmp.Or(o.Height, height), cmp.Or(o.Timeout, stepLimit)
	return o
}

// Page opens a page with cookies and storage of its own. It closes with the test.
func (b *Browser) Page(t testing.TB, o PageOptions) *Page {
	t.Helper()
	o = o.complete()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &Page{t: t, ctx: ctx, o: o, root: b.root}
	t.Cleanup(func() {
		p.pictureOfFailure()
		cancel()
	})
	if err := p.prepare(); err != nil {
		t.Fatalf("open page: %v", err)
	}
	return p
}

// prepare opens the tab, listens to it and makes it look the way the options say.
func (p *Page) prepare() error {
	if err := chromedp.Do(p.ctx); err != nil {
		return err
	}
	p.events = newEvents(chromedp.FromContext(p.ctx).Target.TargetID)
	if err := chromedp.Listen(p.ctx, p.hear); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.o.Timeout)
	defer cancel()
	if err := p.wear(ctx); err != nil {
		return err
	}
	return p.setScripts(ctx, !p.o.JavaScriptOff)
}

// As shows the page that is there as another person sees it: in the window and the colours of the options. It is laid
// out anew, not loaded. Whether scripts run stays as it was.
func (p *Page) As(o PageOptions) {
	p.t.Helper()
	o.JavaScriptOff = p.o.JavaScriptOff
	p.o = o.complete()
	p.once("change the window", func(ctx context.Context) error {
		if err := p.wear(ctx); err != nil {
			return err
		}
		_, err := chromedp.Run(ctx, chromedp.Evaluate[int](endTransitions))
		return err
	})
}

// endTransitions has colours and sizes that glide to their new values be there at once.
const endTransitions = `document.getAnimations().filter((a) => a instanceof CSSTransition).map((a) => a.finish()).length`

// wear makes the tab look the way the options say.
func (p *Page) wear(ctx context.Context) error {
	scheme := "light"
	if p.o.Dark {
		scheme = "dark"
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}); err != nil {
		return err
	}
	return p.setDevice(ctx)
}

func (p *Page) setDevice(ctx context.Context) error {
	metrics := emulation.SetDeviceMetricsOverrideParams{
		Width: int64(p.o.Width), Height: int64(p.o.Height), DeviceScaleFactor: 1, Mobile: p.o.Mobile,
	}
	if p.o.Mobile {
		metrics.DeviceScaleFactor = 2
	}
	if _, err := chromedp.Call(ctx, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: p.o.Mobile}); err != nil {
		return err
	}
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, metrics)
	return err
}

func (p *Page) setScripts(ctx context.Context, on bool) error {
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: !on})
	return err
}

// hear is called for each event of the page, in order, and must not wait.
func (p *Page) hear(event any) {
	if _, ok := event.(*page.EventJavascriptDialogOpening); ok {
		go p.acceptDialog()
	}
	p.events.hear(event)
}

// acceptDialog answers alert, confirm and "leave this page?" with yes; an open dialog stops everything else.
func (p *Page) acceptDialog() {
	ctx, cancel := context.WithTimeout(p.ctx, p.o.Timeout)
	defer cancel()
	// An error means that the dialog or the page is gone, which is as good.
	_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
}
