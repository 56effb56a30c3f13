package browsertest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// pictureLimit is what a failing test may spend on telling where it was.
const pictureLimit = time.Minute

// fail ends the test with what was attempted, why it failed, where, and what else the page complains about.
func (p *Page) fail(action string, err error) {
	p.t.Helper()
	where := p.where()
	picture := p.savePicture()
	message := fmt.Sprintf("%s: %v\n\tpage: %s\n\tpicture: %s", action, err, where, picture)
	for _, complaint := range p.ConsoleErrors() {
		message += "\n\tbrowser: " + complaint
	}
	p.t.Fatal(message)
}

func (p *Page) where() string {
	ctx, cancel := context.WithTimeout(p.ctx, pictureLimit)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`location.pathname + location.search + " (" + document.title + ")"`))
	if err != nil {
		return "unknown: " + err.Error()
	}
	return got
}

// pictureOfFailure saves a picture when the test has failed for a reason of its own.
func (p *Page) pictureOfFailure() {
	if p.t.Failed() && !p.pictured {
		p.t.Logf("page: %s, picture: %s", p.where(), p.savePicture())
	}
}

// savePicture returns where the picture is, or why there is none.
func (p *Page) savePicture() string {
	p.pictured = true
	dir := cmp.Or(os.Getenv("SCREENSHOTS"), filepath.Join(p.root, ".testout", "pictures"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "none: " + err.Error()
	}
	ctx, cancel := context.WithTimeout(p.ctx, pictureLimit)
	defer cancel()
	name := strings.NewReplacer("/", "_", " ", "_").Replace(p.t.Name())
	path := filepath.Join(dir, fmt.Sprintf("%s-%s.png", name, time.Now().UTC().Format("150405.000")))
	if err := p.picture(ctx, path); err != nil {
		return "none: " + err.Error()
	}
	return path
}
