package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npmPackage is an installed package, as build and licence list need it.
type npmPackage struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	License  string `json:"license"`
	Homepage string `json:"homepage"`
	dir      string
}

// readPackages reads the runtime dependencies of package.json, by name. An installed version that differs is an
// error, so that nobody builds from stale packages.
func readPackages(root string) ([]npmPackage, error) {
	var wanted struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := readJSON(filepath.Join(root, "package.json"), &wanted); err != nil {
		return nil, err
	}

	var packages []npmPackage
	for _, name := range slices.Sorted(maps.Keys(wanted.Dependencies)) {
		p := npmPackage{dir: filepath.Join(root, "node_modules", filepath.FromSlash(name))}
		err := readJSON(filepath.Join(p.dir, "package.json"), &p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not in node_modules: run npm ci first", name)
		}
		if err != nil {
			return nil, err
		}
		if p.Version != wanted.Dependencies[name] {
			return nil, fmt.Errorf("%s in node_modules is %s, not %s: run npm ci first", name, p.Version, wanted.Dependencies[name])
		}
		packages = append(packages, p)
	}
	return packages, nil
}

func readJSON(path string, v any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// addLicenses concatenates the licences of the packages, which must accompany every copy.
func (o *output) addLicenses(root string, packages []npmPackage) error {
	var b strings.Builder
	b.WriteString("Licences of what is bundled with this program.\n")
	for _, p := range packages {
		text, err := p.licence(root)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n%s\n%s %s, %s, %s\n\n%s\n", strings.Repeat("=", 80), p.Name, p.Version, p.License, p.Homepage, text)
	}
	o.add("LICENSES.txt", []byte(b.String()))
	return nil
}

// licence is the text of the package's own licence file; without one, the text in static/licenses for the licence
// that its package.json names.
func (p npmPackage) licence(root string) (string, error) {
	own, err := filepath.Glob(filepath.Join(p.dir, "LICEN[SC]E*"))
	if err != nil {
		return "", err
	}
	if len(own) > 0 {
		text, err := os.ReadFile(own[0])
		return strings.TrimSpace(string(text)), err
	}

	text, err := os.ReadFile(filepath.Join(root, "static", "licenses", p.License+".txt"))
	if err != nil {
		return "", fmt.Errorf("%s has no licence file, and its licence %q has none in static/licenses", p.Name, p.License)
	}
	return fmt.Sprintf("Copyright (c) the authors of %s. The package holds no licence file; its package.json names %s:\n\n%s",
		p.Name, p.License, strings.TrimSpace(string(text))), nil
}
