package browsertest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// chromium is an installed browser.
type chromium struct {
	path string
	env  []string // in addition to our own
}

// errNoChromium tells how to install one.
var errNoChromium = errors.New("no Chromium found: run `npm ci` (linux/amd64 only), " +
	"or install one (apt-get install chromium), or set CHROMIUM to its path")

// systemNames are searched for in PATH and /usr/bin.
var systemNames = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// findChromium searches the environment, the system and node_modules, in this order. A configured path that does not
// exist is an error, so that a typo is noticed.
func findChromium(ctx context.Context, root string) (chromium, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return chromium{}, fmt.Errorf("CHROMIUM: %w", err)
		}
		return chromium{path: path}, nil
	}
	for _, name := range systemNames {
		for _, candidate := range []string{name, filepath.Join("/usr/bin", name)} {
			if path, err := exec.LookPath(candidate); err == nil {
				return chromium{path: path}, nil
			}
		}
	}
	return npmChromium(ctx, filepath.Join(root, "node_modules"))
}

// npmChromium is the headless shell in @sparticuz/chromium, unpacked once per version.
func npmChromium(ctx context.Context, modules string) (chromium, error) {
	version, err := packageVersion(filepath.Join(modules, "@sparticuz", "chromium"))
	if errors.Is(err, fs.ErrNotExist) || runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return chromium{}, errNoChromium
	}
	if err != nil {
		return chromium{}, fmt.Errorf("@sparticuz/chromium: %w", err)
	}
	home, err := unpacked(ctx, modules, version)
	if err != nil {
		return chromium{}, fmt.Errorf("unpack @sparticuz/chromium: %w", err)
	}
	c := chromium{
		path: filepath.Join(home, "chromium"),
		env:  []string{"FONTCONFIG_FILE=" + filepath.Join(home, fontsConf)},
	}
	return c.withLibraries(ctx, filepath.Join(home, "al2023", "lib"))
}

// withLibraries adds the package's own copies of NSS and related libraries if the system lacks them. The system's own
// are preferred.
func (c chromium) withLibraries(ctx context.Context, lib string) (chromium, error) {
	if c.version(ctx) == nil {
		return c, nil
	}
	c.env = append(c.env, "LD_LIBRARY_PATH="+lib)
	if err := c.version(ctx); err != nil {
		return chromium{}, fmt.Errorf("the Chromium of node_modules does not run here: %w: apt-get install chromium", err)
	}
	return c, nil
}

func (c chromium) version(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, "--version", "--no-sandbox")
	cmd.Env = append(os.Environ(), c.env...)
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// moduleRoot is the directory of go.mod, above the package directory in which go test runs.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod in any parent directory")
		}
	}
}
