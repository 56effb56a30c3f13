package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base32"
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

const (
	manifestName = "manifest.json"
	keepName     = ".keep" // committed, so that go:embed finds the folder in a fresh checkout
)

// output is the future content of static/dist: files by name, and the manifest from plain to hashed names.
type output struct {
	files    map[string][]byte
	manifest map[string]string
}

func newOutput() *output {
	return &output{files: map[string][]byte{keepName: {}}, manifest: map[string]string{}}
}

// add adds a file, with a hash of the content in its name.
func (o *output) add(name string, content []byte) {
	ext := filepath.Ext(name)
	o.addHashed(name, strings.TrimSuffix(name, ext)+"-"+hash(content)+ext, content)
}

// hash is the short hash of a content in its file's name.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return base32.StdEncoding.EncodeToString(sum[:])[:8]
}

// addHashed adds a file whose name has a hash already.
func (o *output) addHashed(name, hashed string, content []byte) {
	o.manifest[name] = hashed
	o.files[hashed] = content
}

// finish adds the compressed copies and the manifest. Fonts get no copy: woff2 is compressed already.
func (o *output) finish() error {
	for _, name := range slices.Sorted(maps.Values(o.manifest)) {
		if filepath.Ext(name) == ".woff2" {
			continue
		}
		small, err := compress(o.files[name])
		if err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
		o.files[name+".gz"] = small
	}

	manifest, err := json.MarshalIndent(o.manifest, "", "  ")
	if err != nil {
		return err
	}
	o.files[manifestName] = append(manifest, '\n')
	return nil
}

func compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// replace writes to a directory beside dist and then swaps the two, so that a failed build leaves the old one.
func (o *output) replace(dist string) error {
	work, err := os.MkdirTemp(filepath.Dir(dist), ".dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	fresh, old := filepath.Join(work, "new"), filepath.Join(work, "old")
	if err := o.write(fresh); err != nil {
		return err
	}
	if err := os.Rename(dist, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dist); err != nil {
		return errors.Join(err, os.Rename(old, dist))
	}
	return nil
}

func (o *output) write(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for name, content := range o.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
