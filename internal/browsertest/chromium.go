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

// chromium is a browser that can be started.
type chromium struct {
	path string
	env  []string // on top of our own
}

// errNoChromium tells a newcomer what to do.
var errNoChromium = errors.New("no Chromium found: run `npm ci` (linux/amd64 only), " +
	"or install one (apt-get install chromium), or set CHROMIUM to its path")

// systemNames are looked for in the PATH and in /usr/bin.
var systemNames = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// findChromium looks at the environment, the system and node_modules, in this order. An explicit path that does not
// exist is an error, so that a typing error is not passed over in silence.
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

// npmChromium is the headless shell that @sparticuz/chromium carries, unpacked once per version.
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

// withLibraries adds the package's own copies of NSS and its kin where the system has none. Where the system has
// them, they are the better ones.
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

// moduleRoot is the directory of go.mod, found from the package directory in which go test runs us.
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
