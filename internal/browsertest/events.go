package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// requestedLimit is how long a requested navigation may take to start. Some never start: mailto: and sms: links.
const requestedLimit = 2 * time.Second

// events is the state that the page's events have reported.
type events struct {
	frame cdp.FrameID // the page's own; nested frames do not count for loading

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced when loading or requested changes
	loading   bool
	requested time.Time // when a navigation that has not started was requested, else zero
	commits   int       // documents loaded so far
	urls      []string
	errors    []string
	documents map[network.RequestID]bool   // requests of documents, not of their resources
	open      map[network.RequestID]string // addresses of requests that have no end yet
	last      string                       // what the page told last about its loading, for the message of a failure
}

func newEvents(id target.ID) *events {
	return &events{
		frame:     cdp.FrameID(id), // the protocol gives both the same id
		changed:   make(chan struct{}),
		documents: map[network.RequestID]bool{},
		open:      map[network.RequestID]string{},
	}
}

func (e *events) hear(event any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch event := event.(type) {
	case *page.EventFrameRequestedNavigation:
		if event.FrameID == e.frame && event.Disposition == page.ClientNavigationDispositionCurrentTab {
			e.set(e.loading, time.Now())
		}
	case *page.EventFrameStartedLoading:
		if event.FrameID == e.frame {
			e.last = "loading has started"
			e.set(true, time.Time{})
		}
	case *page.EventFrameStoppedLoading:
		if event.FrameID == e.frame {
			e.set(false, time.Time{})
		}
	case *page.EventNavigatedWithinDocument:
		if event.FrameID == e.frame {
			e.set(e.loading, time.Time{})
		}
	case *page.EventFrameNavigated:
		if event.Frame.ID == e.frame {
			e.commits++
			e.last = "the document has come"
		}
	case *page.EventLoadEventFired:
		e.last = "the load event has been fired"
	default:
		e.record(event)
	}
}

func (e *events) set(loading bool, requested time.Time) {
	e.loading, e.requested = loading, requested
	close(e.changed)
	e.changed = make(chan struct{})
}

// record records what tests ask about later.
func (e *events) record(event any) {
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		if event.Type == network.ResourceTypeDocument && event.FrameID == e.frame {
			e.documents[event.RequestID] = true
		}
		if !strings.HasPrefix(event.Request.URL, "data:") && !strings.HasPrefix(event.Request.URL, "blob:") {
			e.urls = append(e.urls, event.Request.URL)
			e.open[event.RequestID] = event.Request.URL
		}
	case *network.EventLoadingFinished:
		delete(e.open, event.RequestID)
	case *network.EventLoadingFailed:
		delete(e.open, event.RequestID)
	case *network.EventWebSocketCreated:
		e.urls = append(e.urls, event.URL)
	case *runtime.EventConsoleAPICalled:
		if event.Type == runtime.ConsoleAPICalledTypeError || event.Type == runtime.ConsoleAPICalledTypeAssert {
			e.errors = append(e.errors, "console: "+consoleText(event.Args))
		}
	case *runtime.EventExceptionThrown:
		d := event.ExceptionDetails
		text := consoleText([]*runtime.RemoteObject{d.Exception})
		e.errors = append(e.errors, fmt.Sprintf("%s %s (%s:%d)", d.Text, text, d.URL, d.LineNumber+1))
	case *log.EventEntryAdded:
		// A document answered with 404 or 422 is no error: the test sees its content.
		if event.Entry.Level == log.EntryLevelError && !e.documents[event.Entry.NetworkRequestID] {
			entry := event.Entry
			e.errors = append(e.errors, fmt.Sprintf("%s: %s (%s)", entry.Source, entry.Text, entry.URL))
		}
	}
}

func consoleText(args []*runtime.RemoteObject) string {
	var parts []string
	for _, arg := range args {
		if arg == nil {
			continue
		}
		var text string
		if json.Unmarshal(arg.Value, &text) != nil { // not a string
			text = strings.TrimSpace(arg.Description + " " + string(arg.Value))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// idle waits until the page neither loads nor is about to.
func (e *events) idle(ctx context.Context) error {
	for {
		e.mu.Lock()
		loading, requested, changed := e.loading, e.requested, e.changed
		e.mu.Unlock()
		if !loading && (requested.IsZero() || time.Since(requested) > requestedLimit) {
			return nil
		}
		select {
		case <-changed:
		case <-time.After(requestedLimit):
		case <-ctx.Done():
			return fmt.Errorf("the page does not finish loading (%s): %w", e.waitsFor(), ctx.Err())
		}
	}
}

// waitsFor tells how far the page's loading has come, and which requests have no end.
func (e *events) waitsFor() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	text := cmp.Or(e.last, "nothing was told")
	if !e.requested.IsZero() {
		text += ", a navigation was requested"
	}
	if len(e.open) > 0 {
		text += ", without an end: " + strings.Join(slices.Sorted(maps.Values(e.open)), " ")
	}
	return text
}

func (e *events) committed() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.commits
}

// URLs lists the addresses that the page has requested, in order, including blocked and redirected ones.
func (p *Page) URLs() []string {
	p.events.mu.Lock()
	defer p.events.mu.Unlock()
	return slices.Clone(p.events.urls)
}

// ConsoleErrors lists the browser's complaints: errors on the console, uncaught exceptions, violations of the content
// security policy, and resources that did not load.
func (p *Page) ConsoleErrors() []string {
	p.events.mu.Lock()
	defer p.events.mu.Unlock()
	return slices.Clone(p.events.errors)
}
