// Package static holds the style sheets, script, icons and fonts that the browser gets, and gives them addresses with
// a hash of their content, so that a browser may keep each of them for ever. Command assets makes what is embedded.
package static

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed all:dist
var embedded embed.FS

const (
	prefix       = "/static/"
	manifestName = "manifest.json"
)

// Assets are the files of one build. They stay where they are embedded, and never change.
type Assets struct {
	dist     fs.FS
	files    map[string]file
	manifest map[string]string
}

type file struct {
	name        string
	compressed  string // name of the gzip; empty for what is compressed by nature
	contentType string
}

// Load finds the embedded files. It fails when the asset step has not been run, or left something out.
func Load() (*Assets, error) {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		return nil, err
	}
	return load(dist)
}

func load(dist fs.FS) (*Assets, error) {
	content, err := fs.ReadFile(dist, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("run the asset step first: make assets")
	}
	if err != nil {
		return nil, err
	}

	a := &Assets{dist: dist, files: map[string]file{}}
	if err := json.Unmarshal(content, &a.manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestName, err)
	}
	for _, name := range a.manifest {
		f, err := findFile(dist, name)
		if err != nil {
			return nil, fmt.Errorf("%s names %s: %w", manifestName, name, err)
		}
		a.files[name] = f
	}
	return a, nil
}

func findFile(dist fs.FS, name string) (file, error) {
	f := file{name: name, contentType: contentType(name)}
	if f.contentType == "" {
		return f, errors.New("unknown kind of file")
	}
	if _, err := fs.Stat(dist, name); err != nil {
		return f, err
	}
	_, err := fs.Stat(dist, name+".gz")
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	f.compressed = name + ".gz"
	return f, err
}

// contentType is spelled out, since the tables of operating systems differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return ""
}

// Path gives the address of a file by its plain name: "app.css" is at "/static/app-HASH.css". A name that the build
// does not have keeps its plain name, an address that answers 404: a page without one picture is better than no page.
func (a *Assets) Path(name string) string {
	if hashed, ok := a.manifest[name]; ok {
		return prefix + hashed
	}
	return prefix + strings.TrimPrefix(name, "/")
}
