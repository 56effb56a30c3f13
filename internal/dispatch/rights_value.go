package dispatch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRightsValue is how many characters a value of the login's rights claim may have.
const maxRightsValue = 200

// RightsValues reads values of the login's rights claim as an administrator types them, one on each line, and tells whether
// all can be kept: what is kept is read by the same rule when it is to be removed.
func RightsValues(typed string) (values []string, ok bool) {
	for line := range strings.SplitSeq(NormalizeText(typed), "\n") {
		v := strings.TrimSpace(line)
		if v == "" {
			continue
		}
		if utf8.RuneCountInString(v) > maxRightsValue || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
			return nil, false
		}
		values = append(values, v)
	}
	return values, len(values) > 0
}
