package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

var hashInName = regexp.MustCompile(`-[A-Z0-9]{8}(\.[a-z0-9]+)$`)

// browsers are the oldest ones with light-dark(), native popovers and modules.
var browsers = []api.Engine{
	{Name: api.EngineChrome, Version: "123"},
	{Name: api.EngineFirefox, Version: "125"},
	{Name: api.EngineSafari, Version: "17.5"},
}

// addBundles bundles the style sheets with their fonts, and the script.
func (o *output) addBundles(root string, warnings io.Writer) error {
	dir, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	result := api.Build(bundleOptions(dir))
	for _, w := range result.Warnings {
		fmt.Fprintln(warnings, "assets:", describe(w))
	}
	if len(result.Errors) > 0 {
		return describeAll(result.Errors)
	}
	return o.addResult(dir, result)
}

func bundleOptions(dir string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:     dir,
		EntryPoints:       []string{"static/css/app.css", "static/css/contrast.css", "static/ts/app.ts"},
		Outdir:            "static/dist",
		EntryNames:        "[name]-[hash]",
		AssetNames:        "[name]-[hash]",
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Engines:           browsers,
		Loader:            map[string]api.Loader{".woff2": api.LoaderFile},
		LegalComments:     api.LegalCommentsNone, // LICENSES.txt has them all
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LogLevel:          api.LogLevelSilent,
	}
}

// addResult adds esbuild's files, whose names have hashes already.
func (o *output) addResult(dir string, result api.BuildResult) error {
	for _, file := range result.OutputFiles {
		hashed := filepath.Base(file.Path)
		plain := hashInName.ReplaceAllString(hashed, "$1")
		if plain == hashed {
			return fmt.Errorf("bundle: no hash in %s", strings.TrimPrefix(file.Path, dir))
		}
		o.addHashed(plain, hashed, file.Contents)
	}
	return nil
}

func describeAll(messages []api.Message) error {
	var lines []string
	for _, m := range messages {
		lines = append(lines, describe(m))
	}
	return errors.New(strings.Join(lines, "\n"))
}

func describe(m api.Message) string {
	if m.Location == nil {
		return m.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.Location.File, m.Location.Line, m.Location.Column+1, m.Text)
}
