package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	absolutePath = regexp.MustCompile(`^[MLHVCSQTZ0-9eE.,+\-\s]*$`)
	pathToken    = regexp.MustCompile(`[MLHVCSQTZ]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`)
)

// roundPath rounds the numbers of path data to two decimals, a hundredth of a pixel at the size icons are drawn.
// Relative commands would add up the errors and arcs have flags that look like digits; the icon package has neither,
// so they are refused instead of handled.
func roundPath(d string) (string, error) {
	if !absolutePath.MatchString(d) {
		return "", fmt.Errorf("path data %.40q has relative commands or arcs, which cannot be rounded", d)
	}
	var b strings.Builder
	last := ""
	for _, token := range pathToken.FindAllString(d, -1) {
		if token[0] < 'A' {
			n, err := strconv.ParseFloat(token, 64)
			if err != nil {
				return "", err
			}
			token = shortNumber(n)
			b.WriteString(separator(last, token))
		}
		b.WriteString(token)
		last = token
	}
	return b.String(), nil
}

// shortNumber renders 12.7501 as 12.75, 0.5 as .5 and -0.001 as 0.
func shortNumber(n float64) string {
	s := strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
	switch {
	case s == "-0":
		return "0"
	case strings.HasPrefix(s, "0."):
		return s[1:]
	case strings.HasPrefix(s, "-0."):
		return "-" + s[2:]
	}
	return s
}

// separator is the separator that two tokens of path data need: none after a command, before a sign, or before a
// second decimal point.
func separator(last, token string) string {
	switch {
	case last == "" || last[0] >= 'A', token[0] == '-', token[0] == '.' && strings.Contains(last, "."):
		return ""
	}
	return " "
}
