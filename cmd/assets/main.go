// Command assets builds static/dist from static/css, static/ts, static/icons.json, static/favicon.svg and the npm
// packages that package.json names. It is run from the root of the repository, needs node_modules (npm ci) but no
// Node: esbuild is used as a Go library. The same sources always give the same names and bytes.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if err := run(".", os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

// run builds everything in memory, and only then replaces static/dist below root.
func run(root string, out, warnings io.Writer) error {
	start := time.Now()
	o, err := build(root, warnings)
	if err != nil {
		return err
	}
	if err := o.replace(filepath.Join(root, "static", "dist")); err != nil {
		return err
	}

	_, err = fmt.Fprintf(out, "assets: %d files, %s\n", len(o.files), time.Since(start).Round(time.Millisecond))
	return err
}

func build(root string, warnings io.Writer) (*output, error) {
	packages, err := readPackages(root)
	if err != nil {
		return nil, err
	}
	o := newOutput()
	if err := o.addSprite(root, warnings); err != nil {
		return nil, err
	}
	if err := o.addBundles(root, warnings); err != nil {
		return nil, err
	}
	if err := o.addPostalPlaces(root); err != nil {
		return nil, err
	}
	if err := o.addFavicon(root); err != nil {
		return nil, err
	}
	if err := o.addLicenses(root, packages); err != nil {
		return nil, err
	}
	return o, o.finish()
}

func (o *output) addFavicon(root string) error {
	mark, err := os.ReadFile(filepath.Join(root, "static", "favicon.svg"))
	if err != nil {
		return err
	}
	o.add("favicon.svg", mark)
	return nil
}
