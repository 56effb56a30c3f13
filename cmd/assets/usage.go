package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var iconUse = regexp.MustCompile(`\b[iI]con\("([^"]+)"|\bIcon:\s*"([^"]+)"`)

// checkIcons compares icons.json with the views. A missing icon is an error, since the view would show none; an
// unused one only costs bytes, and is a warning.
func checkIcons(views string, names []string, warnings io.Writer) error {
	files, err := readViews(views)
	if err != nil {
		return err
	}
	if doubles := len(names) - len(slices.Compact(slices.Clone(names))); doubles > 0 {
		return fmt.Errorf("static/icons.json names %d icons twice", doubles)
	}
	if missing := missingIcons(files, names); len(missing) > 0 {
		return fmt.Errorf("icons missing from static/icons.json: %s", strings.Join(missing, ", "))
	}
	if unused := unusedIcons(files, names); len(unused) > 0 {
		fmt.Fprintf(warnings, "assets: no view uses these icons of static/icons.json: %s\n", strings.Join(unused, ", "))
	}
	return nil
}

// missingIcons returns the names in icon("Name") and Icon: "Name" that icons.json lacks, each with the first file
// that uses it.
func missingIcons(files map[string]string, names []string) []string {
	var missing, seen []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for _, m := range iconUse.FindAllStringSubmatch(files[path], -1) {
			name := m[1] + m[2]
			if slices.Contains(names, name) || slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			missing = append(missing, fmt.Sprintf("%s (%s)", name, path))
		}
	}
	return missing
}

func unusedIcons(files map[string]string, names []string) []string {
	var all strings.Builder
	for _, content := range files {
		all.WriteString(content)
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.Contains(all.String(), `"`+name+`"`)
	})
}

// readViews returns the templ and Go files below views by path; none if there are no views yet.
func readViews(views string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(views, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "gallery": // sample pages, which use what real pages use
			return fs.SkipDir
		case d.IsDir() || !holdsIcons(d.Name()):
			return nil
		}
		content, err := os.ReadFile(path)
		files[filepath.ToSlash(path)] = string(content)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return files, err
}

// holdsIcons excludes tests and generated files.
func holdsIcons(file string) bool {
	switch filepath.Ext(file) {
	case ".templ":
		return true
	case ".go":
		return !strings.HasSuffix(file, "_templ.go") && !strings.HasSuffix(file, "_test.go")
	}
	return false
}
