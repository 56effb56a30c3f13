// Package browsertest finds and drives a headless Chromium, so that tests walk through the application as people do.
// Each step waits for what it needs, never for a length of time, and fails the test with the address of the page and
// a picture of it, PNG or PDF (in the directory that SCREENSHOTS names, else in .testout/pictures).
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
	startLimit = 5 * time.Minute // for starting a browser on a machine that is busy compiling
	stepLimit  = 5 * time.Minute // default for one step on a page: detects hanging, does not measure
)

// Browser is a browser process.
type Browser struct {
	ctx  context.Context
	root string // directory of go.mod and node_modules
}

// running is the browser shared by all tests of a test program: it costs a second of processor time to start, and
// one to three processes to run. Pages isolate tests.
var running struct {
	mu      sync.Mutex
	users   int // tests that have it
	browser *Browser
	stop    func()
}

// Start returns the browser of this test program. It is started for the first test and stopped after the last. The
// test fails if there is no browser to start.
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

// Launch starts a browser for a program that is no test. Its tabs are chromedp contexts made of tabs.
func Launch(ctx context.Context) (tabs context.Context, stop func(), err error) {
	b, stop, err := launch(ctx)
	if err != nil {
		return nil, nil, err
	}
	return b.ctx, stop, nil
}

func launch(ctx context.Context, flags ...chromedp.ExecAllocatorOption) (*Browser, func(), error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, nil, err
	}
	chromium, err := findChromium(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	// The browser outlives the test that starts it.
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(chromium.options(), flags...)...)
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
		chromedp.NoSandbox, // as root, Chromium refuses to start with it
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-dev-shm-usage", ramdisk.Dir() == ""),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("font-render-hinting", "none"), // equal glyph widths on all machines
	)
}

// PageOptions describe the user's device and preferences.
type PageOptions struct {
	Width, Height int           // of the window; default 1440 × 900, on a mobile 390 × 844
	Mobile        bool          // a phone: touch, two pixels per point, the page's own viewport
	Dark          bool          // prefers dark colours
	Contrast      bool          // prefers more contrast
	Still         bool          // prefers reduced motion
	Forced        bool          // the system's own few colours take the place of the page's
	JavaScriptOff bool          // scripts of the page do not run
	Timeout       time.Duration // of each step; default five minutes
}

func (o PageOptions) complete() PageOptions {
	width, height := 1440, 900
	if o.Mobile {
		width, height = 390, 844
	}
	o.Width, o.Height, o.Timeout = cmp.Or(o.Width, width), cmp.Or(o.Height, height), cmp.Or(o.Timeout, stepLimit)
	return o
}

// Page opens a page with its own cookies and storage. It is closed at the end of the test.
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

// prepare opens the tab, listens to it and applies the options.
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
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: noteAnnouncements}); err != nil {
		return err
	}
	return p.setScripts(ctx, !p.o.JavaScriptOff)
}

// noteAnnouncements keeps what live regions have announced. A screen reader reads each text, although the next one soon takes its place.
const noteAnnouncements = `(() => {
	const announced = window.announced = [];
	new MutationObserver((changes) => {
		const changed = changes.map(({ target: t }) => t.nodeType === Node.ELEMENT_NODE ? t : t.parentElement);
		for (const region of new Set(changed.map((e) => e?.closest("[aria-live]")))) if (region?.textContent.trim()) announced.push(region.textContent);
	}).observe(document, { subtree: true, childList: true, characterData: true });
})()`

// As applies other window and colour options to the open page, which is laid out again, not reloaded. Whether scripts
// run does not change.
func (p *Page) As(o PageOptions) {
	p.t.Helper()
	o.JavaScriptOff = p.o.JavaScriptOff
	if o = o.complete(); o == p.o {
		return
	}
	p.o = o
	p.once("change the window", func(ctx context.Context) error {
		if err := p.wear(ctx); err != nil {
			return err
		}
		_, err := chromedp.Run(ctx, chromedp.Evaluate[int](endTransitions))
		return err
	})
}

// endTransitions finishes all CSS transitions.
const endTransitions = `document.getAnimations().filter((a) => a instanceof CSSTransition).map((a) => a.finish()).length`

// wear applies the options to the tab.
func (p *Page) wear(ctx context.Context) error {
	var features []*emulation.MediaFeature
	prefer := func(name string, wanted bool, yes, no string) {
		value := no
		if wanted {
			value = yes
		}
		features = append(features, &emulation.MediaFeature{Name: name, Value: value})
	}
	prefer("prefers-color-scheme", p.o.Dark, "dark", "light")
	prefer("prefers-contrast", p.o.Contrast, "more", "no-preference")
	prefer("prefers-reduced-motion", p.o.Still, "reduce", "no-preference")
	prefer("forced-colors", p.o.Forced, "active", "none")
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
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

// hear is called for each event of the page, in order, and must not block.
func (p *Page) hear(event any) {
	if _, ok := event.(*page.EventJavascriptDialogOpening); ok {
		go p.acceptDialog()
	}
	p.events.hear(event)
}

// acceptDialog accepts alert, confirm and "leave this page?": an open dialog blocks everything else.
func (p *Page) acceptDialog() {
	ctx, cancel := context.WithTimeout(p.ctx, p.o.Timeout)
	defer cancel()
	// An error means that the dialog or the page is gone, which is fine.
	_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
}
