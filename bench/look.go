package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The user's machine and line.
const (
	slower      = 4       // times slower than this processor
	lineSpeed   = 200_000 // bytes a second: 1.6 Mbit/s
	lineDelay   = "150 ms"
	lineLatency = 150 // the same, in milliseconds
)

// seen is what a browser reports of a page, in kB and ms.
type seen struct {
	Requests     int
	First, Later float64  // kB over the line, the first and the second time
	Foreign      []string // addresses on other servers
	Paint        float64  // the largest (LCP)
	Shift        float64  // of the layout (CLS)
	Click        float64  // the slowest of some (INP)
	Clicks       int
	Clicked      string // the element of the slowest click
}

// values are the figures of a page; paint is the name of its largest paint's, if that is one.
func (s seen) values(paint string) map[string]float64 {
	values := map[string]float64{firstWeight: s.First, firstRequests: float64(s.Requests), laterWeight: s.Later, layoutShift: 1000 * s.Shift, clickTime: s.Click}
	if paint != "" {
		values[paint] = s.Paint
	}
	return values
}

func (s seen) String() string {
	return fmt.Sprintf("%.1f kB in %d requests, then %.1f kB; largest paint %.0f ms, shift %.3f, slowest of %d clicks %.0f ms %s", s.First, s.Requests, s.Later, s.Paint, s.Shift, s.Clicks, s.Click, s.Clicked)
}

// look visits a page twice in a tab with an empty cache.
func look(tabs context.Context, address, cookie string) (seen, error) {
	ctx, cancel := chromedp.NewContext(tabs, chromedp.WithNewBrowserContext())
	defer cancel()
	ctx, done := context.WithTimeout(ctx, visitLimit)
	defer done()
	var first, later seen
	steps := []func() error{
		func() error { return slowDown(ctx, address, cookie) },
		func() error { return visitOnce(ctx, address, &first) },
		func() error { return clickAround(ctx, &first) },
		func() error { return visitOnce(ctx, "about:blank", &later) },
		func() error { return visitOnce(ctx, address, &later) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return seen{}, err
		}
	}
	if len(first.Foreign) > 0 {
		return seen{}, fmt.Errorf("loads %q from other servers", first.Foreign)
	}
	first.Later = later.First
	return first, nil
}

// slowDown logs the tab in, and makes its processor and line slow.
func slowDown(ctx context.Context, address, cookie string) error {
	if err := chromedp.Do(ctx); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	name, value, _ := strings.Cut(cookie, "=")
	yes := true
	if _, err := chromedp.Call(ctx, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: address, Path: "/", Secure: &yes, HTTPOnly: &yes}); err != nil {
		return err
	}
	line := []*network.Conditions{{Latency: lineLatency, DownloadThroughput: lineSpeed, UploadThroughput: lineSpeed}}
	if _, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: line}); err != nil {
		return err
	}
	window := emulation.SetDeviceMetricsOverrideParams{Width: 1440, Height: 900, DeviceScaleFactor: 1}
	if _, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, window); err != nil {
		return err
	}
	_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
	return err
}

// visitOnce opens a page and reads what the browser has measured when all is loaded and drawn.
func visitOnce(ctx context.Context, address string, s *seen) error {
	got, err := chromedp.Call(ctx, cdppage.Navigate, cdppage.NavigateParams{URL: address})
	if err == nil && got.ErrorText != "" {
		err = fmt.Errorf("%s", got.ErrorText)
	}
	if err != nil || address == "about:blank" {
		return err
	}
	*s, err = chromedp.Run(ctx, chromedp.Evaluate[seen](reportOfPage, chromedp.EvalAwaitPromise))
	return err
}

const reportOfPage = `(async () => {
	if (document.readyState !== "complete") await new Promise((then) => addEventListener("load", then));
	await document.fonts.ready;
	const drawn = () => new Promise((then) => requestAnimationFrame(() => setTimeout(then)));
	await drawn(); await drawn();
	const entries = (type) => new Promise((then) => {
		new PerformanceObserver((list) => then(list.getEntries())).observe({ type, buffered: true });
		setTimeout(() => then([]), 1000);
	});
	const loads = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
	const paints = await entries("largest-contentful-paint"), shifts = await entries("layout-shift");
	return {
		Requests: loads.length,
		First: loads.reduce((sum, l) => sum + l.transferSize, 0) / 1000,
		Foreign: loads.map((l) => l.name).filter((name) => new URL(name).origin !== location.origin),
		Paint: paints.length ? paints.at(-1).startTime : -1,
		Shift: shifts.filter((s) => !s.hadRecentInput).reduce((sum, s) => sum + s.value, 0),
	};
})()`

// clickAround clicks what opens, is ticked or written in, and notes how long the slowest took until the page was drawn anew.
func clickAround(ctx context.Context, s *seen) error {
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](noteClicks, chromedp.EvalAwaitPromise)); err != nil {
		return err
	}
	for n := 0; n < 8; n++ {
		at, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(nextTarget, n)))
		if err != nil {
			return err
		}
		if len(at) == 0 {
			break
		}
		if err := chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])); err != nil {
			return err
		}
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(drawAgain, n%2), chromedp.EvalAwaitPromise)); err != nil {
			return err
		}
		s.Clicks++
	}
	slowest, err := chromedp.Run(ctx, chromedp.Evaluate[seen](slowestClick, chromedp.EvalAwaitPromise))
	s.Click, s.Clicked = slowest.Click, slowest.Clicked
	return err
}

// drawAgain waits for the next frame, in which a dot in the window's corner changes its colour. The browser ends the time of a click with
// the next frame that differs: where a click changes nothing, that is when the caret blinks, half a second later.
const drawAgain = `new Promise((then) => requestAnimationFrame(() => {
	document.getElementById("dot").style.background = ["black", "white"][%d];
	setTimeout(() => then(true));
}))`

// noteClicks adds the dot, and begins to note events before the first click: for a later observer the browser keeps only those of 104 ms and
// more. It notes none below 16 ms.
const noteClicks = `new Promise((then) => {
	const dot = document.documentElement.appendChild(Object.assign(document.createElement("i"), { id: "dot" }));
	dot.style.cssText = "position: fixed; inset: 0 auto auto 0; inline-size: 1px; block-size: 1px; will-change: transform";
	window.noted = [];
	new PerformanceObserver((list) => window.noted.push(...list.getEntries())).observe({ type: "event", durationThreshold: 16 });
	requestAnimationFrame(() => setTimeout(() => then(true)));
})`

// slowestClick waits half a second for what the browser notes of the last click.
const slowestClick = `new Promise((then) => setTimeout(() => {
	const slowest = { Click: 0, Clicked: "" };
	for (const e of window.noted) if (e.interactionId && e.duration > slowest.Click) {
		slowest.Click = e.duration;
		slowest.Clicked = e.name + " " + (e.target?.cloneNode(false).outerHTML.slice(0, 90) ?? "") + ", of that " +
			Math.round(e.processingStart - e.startTime) + " waiting, " + Math.round(e.processingEnd - e.processingStart) + " in scripts";
	}
	then(slowest);
}, 500))`

// nextTarget returns the middle of the n-th thing to click; nothing after the last.
const nextTarget = `(() => {
	const targets = [...document.querySelectorAll("summary, button[popovertarget], main input:is([type=checkbox], [type=radio]), main textarea, main input[type=text]")].filter((e) => e.checkVisibility());
	const target = targets[%d];
	if (!target) return [];
	target.scrollIntoView({ block: "center", behavior: "instant" });
	const box = target.getBoundingClientRect();
	return [box.x + box.width / 2, box.y + box.height / 2];
})()`
