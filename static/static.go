// Package static embeds style sheets, scripts, icons and fonts, and gives each an address with a hash of its content, so that
// browsers can cache it for ever. Command assets makes the files.
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

// Assets are the files of one build.
type Assets struct {
	dist     fs.FS
	files    map[string]file
	manifest map[string]string
}

type file struct {
	name        string
	compressed  string // name of the gzip copy; empty for formats that are compressed already
	contentType string
}

// Load finds the embedded files. It fails if a file is missing because command assets was not run.
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

// contentType does not use the tables of the operating system, which differ.
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

// Path returns the address of a file: "app.css" is at "/static/app-HASH.css". For an unknown name it returns an address that
// answers 404: a page without one picture is better than no page.
func (a *Assets) Path(name string) string {
	if hashed, ok := a.manifest[name]; ok {
		return prefix + hashed
	}
	return prefix + strings.TrimPrefix(name, "/")
}
