package browsertest

import (
	"context"
	"errors"
	"fmt"
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

// Looked caches by hash which kinds of elements axe has checked in one kind of window: axe takes a second per page, and most
// elements of a page are on a hundred others. Tabs may share one.
type Looked struct {
	mu    sync.Mutex
	kinds map[uint64]bool
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

// listKinds is a JavaScript expression for the kinds that the page holds.
var listKinds = `[...new Set((` + kindsOf + `)(document).map(([kind]) => kind))]`

// axeRun is a JavaScript function that runs axe on the elements of some kinds, with their content. Those within another of
// them are its content: axe goes through all that it is told of for each rule.
var axeRun = `async (kinds) => {
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
