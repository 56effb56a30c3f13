package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Violation is one rule of accessibility that the page breaks.
type Violation struct {
	ID      string   // the rule, as in https://dequeuniversity.com/rules/axe
	Impact  string   // minor, moderate, serious or critical
	Help    string   // what the rule asks for
	Targets []string // selectors of the elements at fault
}

// String is the violation on one line.
func (v Violation) String() string {
	return fmt.Sprintf("%s (%s): %s: %s", v.ID, v.Impact, v.Help, strings.Join(v.Targets, ", "))
}

const axeRun = `axe.run(document, { resultTypes: ["violations"], runOnly: %s }).then((result) => result.violations.map((v) => ({
	id: v.id, impact: v.impact, help: v.help, targets: v.nodes.map((n) => n.target.flat().join(" ")),
})))`

// What axe is asked for: everything, or the rules of its that look at colours.
const (
	allRules    = `{ type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"] }`
	colourRules = `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`
)

// Axe checks the page against WCAG 2.0, 2.1 and 2.2, levels A and AA, and axe's best practices. The script comes
// through DevTools, where the page's content security policy has no say.
func (p *Page) Axe() []Violation {
	p.t.Helper()
	return p.axe(allRules)
}

// AxeColours checks the rules of Axe that look at colours: enough for a page that Axe has seen in other colours, with
// every element in the same place (see Layout).
func (p *Page) AxeColours() []Violation {
	p.t.Helper()
	return p.axe(colourRules)
}

func (p *Page) axe(rules string) []Violation {
	p.t.Helper()
	script, err := os.ReadFile(filepath.Join(p.root, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		p.t.Fatalf("check accessibility: %v: run `npm ci`", err)
	}
	var got []Violation
	p.once("check accessibility", func(ctx context.Context) (err error) {
		if p.o.JavaScriptOff { // axe waits with timers, which stand still without scripts
			if err := p.setScripts(ctx, true); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, p.setScripts(ctx, false)) }()
		}
		loaded, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean(window.axe?.run)"))
		if err != nil {
			return err
		}
		if !loaded {
			if _, err := chromedp.Run(ctx, chromedp.Evaluate[*runtime.RemoteObject](string(script))); err != nil {
				return err
			}
		}
		got, err = chromedp.Run(ctx, chromedp.Evaluate[[]Violation](fmt.Sprintf(axeRun, rules), chromedp.EvalAwaitPromise))
		return err
	})
	return got
}
