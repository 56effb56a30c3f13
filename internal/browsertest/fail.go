package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// pictureLimit is how long a failing test may take for its report.
const pictureLimit = time.Minute

// fail fails the test with the action, the error, the address, and the page's complaints.
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

// pictureOfFailure saves a picture if the test has failed outside a step.
func (p *Page) pictureOfFailure() {
	if p.t.Failed() && !p.pictured {
		p.t.Logf("page: %s, picture: %s", p.where(), p.savePicture())
	}
}

// savePicture saves a screenshot, and returns its path, or why there is none.
func (p *Page) savePicture() string {
	p.pictured = true
	path, err := PathOfFailure(p.t, ".png")
	if err != nil {
		return "none: " + err.Error()
	}
	ctx, cancel := context.WithTimeout(p.ctx, pictureLimit)
	defer cancel()
	if err := p.picture(ctx, path); err != nil {
		return "none: " + err.Error()
	}
	return path
}

// PathOfFailure is the path for a failure's artefact. It creates the directory: SCREENSHOTS, else .testout/pictures.
func PathOfFailure(t testing.TB, ending string) (string, error) {
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		root, err := moduleRoot()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(root, ".testout", "pictures")
	}
	name := strings.NewReplacer("/", "_", " ", "_").Replace(t.Name())
	return filepath.Join(dir, fmt.Sprintf("%s-%s%s", name, time.Now().UTC().Format("150405.000"), ending)), os.MkdirAll(dir, 0o755)
}
