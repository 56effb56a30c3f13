package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const iconFolder = "node_modules/@navikt/aksel-icons/dist/svg"

var (
	svgParts = regexp.MustCompile(`(?s)^<svg[^>]* viewBox="([^"]+)"[^>]*>(.*)</svg>\s*$`)
	pathData = regexp.MustCompile(` d="([^"]*)"`)
)

// addSprite makes one sprite of the icons in static/icons.json, after checking that they are those that the views
// use.
func (o *output) addSprite(root string, warnings io.Writer) error {
	var names []string
	if err := readJSON(filepath.Join(root, "static", "icons.json"), &names); err != nil {
		return err
	}
	slices.Sort(names)
	if err := checkIcons(filepath.Join(root, "internal", "views"), names, warnings); err != nil {
		return err
	}

	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg">`)
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(iconFolder), name+".svg"))
		if err != nil {
			return fmt.Errorf("icon %s of static/icons.json: %w", name, err)
		}
		symbol, err := toSymbol(name, string(content))
		if err != nil {
			return err
		}
		b.WriteString(symbol)
	}
	b.WriteString(`</svg>`)
	o.add("icons.svg", []byte(b.String()))
	return nil
}

// toSymbol converts an icon file to a symbol, with rounded coordinates.
func toSymbol(name, svg string) (string, error) {
	m := svgParts.FindStringSubmatch(svg)
	if m == nil {
		return "", fmt.Errorf("icon %s: not an svg element with a viewBox", name)
	}
	var problem error
	inner := pathData.ReplaceAllStringFunc(m[2], func(attribute string) string {
		d, err := roundPath(pathData.FindStringSubmatch(attribute)[1])
		if err != nil {
			problem = fmt.Errorf("icon %s: %w", name, err)
		}
		return ` d="` + d + `"`
	})
	return fmt.Sprintf(`<symbol id="%s" viewBox="%s">%s</symbol>`, name, m[1], strings.TrimSpace(inner)), problem
}
