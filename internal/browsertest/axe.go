package browsertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Violation is a violated accessibility rule.
type Violation struct {
	ID      string   // the rule, as in https://dequeuniversity.com/rules/axe
	Impact  string   // minor, moderate, serious or critical
	Help    string   // what the rule requires
	Targets []string // selectors of the violating elements
}

// String is the violation on one line.
func (v Violation) String() string {
	return fmt.Sprintf("%s (%s): %s: %s", v.ID, v.Impact, v.Help, strings.Join(v.Targets, ", "))
}

// Looked caches by hash which kinds of elements axe has checked in one kind of window. A kind is tag, classes, role,
// states and ancestors, without texts and ids: axe takes a second per page, and most elements of a page are on a
// hundred others. Tabs may share one.
type Looked struct {
	mu    sync.Mutex
	kinds map[uint64]bool
}

// all returns the checked kinds, never nil: JavaScript makes a set of it.
func (l *Looked) all() []uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.AppendSeq([]uint64{}, maps.Keys(l.kinds))
}

// fresh returns those of some kinds that are not checked, never nil: JavaScript makes a set of it.
func (l *Looked) fresh(kinds []uint64) []uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(append([]uint64{}, kinds...), func(k uint64) bool { return l.kinds[k] })
}

func (l *Looked) add(kinds []uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kinds == nil {
		l.kinds = map[uint64]bool{}
	}
	for _, k := range kinds {
		l.kinds[k] = true
	}
}

// kindsOf is a JavaScript function that returns the kinds of all elements of a document, in order, each with its
// element.
const kindsOf = `(doc) => {
	const told = new Set(["class", "role", "type", "scope", "tabindex", "lang", "aria-hidden", "aria-current", "aria-invalid", "data-color"]);
	const hash = (parent, text) => { // cyrb53, seeded with the parent's hash: 53 bits, which a number can hold
		let a = 0xdeadbeef ^ parent, b = 0x41c6ce57 ^ (parent / 4294967296);
		for (let i = 0; i < text.length; i++) {
			const c = text.charCodeAt(i);
			a = Math.imul(a ^ c, 2654435761);
			b = Math.imul(b ^ c, 1597334677);
		}
		a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
		b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
		return 4294967296 * (2097151 & b) + (a >>> 0);
	};
	const found = [];
	const walk = (e, above) => {
		const attributes = [...e.attributes].map((a) => told.has(a.name) ? a.name + "=" + a.value : a.name).sort();
		const texts = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data).join(" ");
		const longest = Math.max(0, ...texts.split(/\s+/).map((w) => w.length)); // a long word may overflow
		const here = hash(above, e.localName + "[" + attributes.join(" ") + "]");
		found.push([hash(here, longest > 24 ? "long" : longest > 0 ? "text" : ""), e]);
		for (const child of e.children) walk(child, here);
	};
	walk(doc.body, 0);
	return found;
}`

// listKinds is a JavaScript expression for the kinds that the page holds.
const listKinds = `[...new Set((` + kindsOf + `)(document).map(([kind]) => kind))]`

// axeRun is a JavaScript function that runs axe on the elements of some kinds, with their content. Those within another of
// them are its content: axe goes through all that it is told of for each rule.
const axeRun = `async (kinds) => {
	const asked = new Set(kinds), fresh = (` + kindsOf + `)(document).filter(([kind]) => asked.has(kind));
	if (fresh.length === 0) return { Kinds: [], Violations: [] };
	const elements = new Set(fresh.map(([, e]) => e));
	const within = (e) => { for (let up = e.parentElement; up; up = up.parentElement) if (elements.has(up)) return true; return false; };
	const whole = fresh.some(([, e]) => e === document.body);
	const result = await axe.run(whole ? document : { include: [...elements].filter((e) => !within(e)) }, {
		resultTypes: ["violations"], preload: false,
		runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"] },
	});
	return {
		Kinds: fresh.map(([kind]) => kind),
		Violations: result.violations.map((v) => ({
			ID: v.id, Impact: v.impact, Help: v.help, Targets: v.nodes.map((n) => n.target.flat().join(" ")),
		})),
	};
}`

// Axe checks the page against WCAG 2.0, 2.1 and 2.2, levels A and AA, and axe's best practices. Where looked is given, it
// leaves out the kinds of elements that are in it, and adds the others. The script comes through DevTools, where the
// page's content security policy has no say.
func (p *Page) Axe(looked *Looked) []Violation {
	p.t.Helper()
	axe, err := os.ReadFile(filepath.Join(p.root, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		p.t.Fatalf("check accessibility: %v: run `npm ci`", err)
	}
	if looked == nil {
		looked = &Looked{}
	}
	var got looks
	p.once("check accessibility", func(ctx context.Context) (err error) {
		if p.o.JavaScriptOff { // axe waits with timers, which do not run without scripts
			if err := p.setScripts(ctx, true); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, p.setScripts(ctx, false)) }()
		}
		kinds, err := chromedp.Run(ctx, chromedp.Evaluate[[]uint64](listKinds))
		if err != nil {
			return err
		}
		fresh := looked.fresh(kinds)
		if len(fresh) == 0 { // loading axe takes longer than a check
			return nil
		}
		loaded, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean(window.axe?.run)"))
		if err != nil {
			return err
		}
		if !loaded {
			if _, err := chromedp.Run(ctx, chromedp.Evaluate[*runtime.RemoteObject](string(axe))); err != nil {
				return err
			}
		}
		got, err = chromedp.Run(ctx, chromedp.Evaluate[looks](call(axeRun, fresh), chromedp.EvalAwaitPromise))
		return err
	})
	looked.add(got.Kinds)
	return got.Violations
}

// looks is axeRun's answer.
type looks struct {
	Kinds      []uint64
	Violations []Violation
}

// Unlooked returns the addresses of pages that together hold all kinds of elements that looked has not: each time that of the
// page with most of them. It reads the pages without showing them: all from one address of the site, as a JSON object with the HTML of
// each page by its address. A request for each page would take most of the time.
func (p *Page) Unlooked(looked *Looked, pages string) []string {
	p.t.Helper()
	var fresh []string
	p.once("read pages", func(ctx context.Context) (err error) {
		fresh, err = chromedp.Run(ctx, chromedp.Evaluate[[]string](call(`async (seen, source) => {
			const known = new Set(seen), fresh = [];
			const answer = await fetch(source);
			if (!answer.ok) throw new Error(source + ": " + answer.status);
			let pages = Object.entries(await answer.json()).map(([address, html]) => {
				const kinds = (`+kindsOf+`)(new DOMParser().parseFromString(html, "text/html")).map(([kind]) => kind);
				return { address, kinds: new Set(kinds) };
			});
			while (true) {
				for (const page of pages) page.kinds = page.kinds.difference(known);
				pages = pages.filter((page) => page.kinds.size > 0);
				if (pages.length === 0) return fresh;
				const most = pages.reduce((a, b) => b.kinds.size > a.kinds.size ? b : a);
				fresh.push(most.address);
				most.kinds.forEach((k) => known.add(k));
			}
		}`, looked.all(), pages), chromedp.EvalAwaitPromise))
		return err
	})
	return fresh
}
