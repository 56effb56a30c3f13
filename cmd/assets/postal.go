package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	postalPackage = "norwegian-postalcodes-mapper"
	postalName    = "postnummer.json"
)

// postalEntry matches a postal code with its place in the package's script.
var postalEntry = regexp.MustCompile(`"(\d{4})": \{ "city": "([^"]+)"`)

// addPostalPlaces adds Norway's postal codes with their places. The package's script is parsed, never run.
func (o *output) addPostalPlaces(root string) error {
	script, err := os.ReadFile(filepath.Join(root, "node_modules", postalPackage, "dist", "index.js"))
	if err != nil {
		return err
	}
	places := map[string]string{}
	for _, entry := range postalEntry.FindAllStringSubmatch(string(script), -1) {
		places[entry[1]] = placeName(entry[2])
	}
	if len(places) == 0 {
		return fmt.Errorf("%s holds no postal codes", postalPackage)
	}
	content, err := json.Marshal(places)
	if err != nil {
		return err
	}
	o.add(postalName, content)
	return nil
}

// placeName converts a place from the register's capitals: "OS I ØSTERDALEN" is "Os i Østerdalen".
func placeName(capitals string) string {
	words := strings.Fields(strings.ToLower(capitals))
	for i, word := range words {
		if i == 0 || !smallWords[word] {
			words[i] = startingLarge(word)
		}
	}
	return strings.Join(words, " ")
}

// smallWords stay in lower case within a name.
var smallWords = map[string]bool{"i": true, "på": true, "og": true, "ved": true}

// startingLarge capitalizes each part of a hyphenated word.
func startingLarge(word string) string {
	parts := strings.Split(word, "-")
	for i, part := range parts {
		first, size := utf8.DecodeRuneInString(part)
		if size > 0 {
			parts[i] = string(unicode.ToUpper(first)) + part[size:]
		}
	}
	return strings.Join(parts, "-")
}
