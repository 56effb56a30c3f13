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

// checkIcons compares the sorted names of icons.json with the views. A view that names an icon that is not there is an
// error, since it would show nothing; a name that no view holds in quotes only costs bytes, and is a warning.
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

// missingIcons finds icon("Name") and Icon: "Name" without such a name, each with the first file that has it.
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

// readViews gives the content of the templ and Go files below views by path; nothing when there are no views yet.
func readViews(views string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(views, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "gallery": // samples, which show what pages use
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

// holdsIcons leaves out tests, and what templ made from the file beside it.
func holdsIcons(file string) bool {
	switch filepath.Ext(file) {
	case ".templ":
		return true
	case ".go":
		return !strings.HasSuffix(file, "_templ.go") && !strings.HasSuffix(file, "_test.go")
	}
	return false
}
