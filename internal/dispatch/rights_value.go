package dispatch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRightsValue is the longest value of the login's rights claim, in characters.
const maxRightsValue = 200

// RightsValues parses values of the rights claim as an administrator types them, one a line, without those that
// stand there before, and tells whether all are valid. Adding and removing use the same rule.
func RightsValues(typed string) (values []string, ok bool) {
	for line := range strings.SplitSeq(NormalizeText(typed), "\n") {
		v := strings.TrimSpace(line)
		if v == "" {
			continue
		}
		if utf8.RuneCountInString(v) > maxRightsValue || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
			return nil, false
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values, len(values) > 0
}
