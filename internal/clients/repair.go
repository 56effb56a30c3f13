package clients

import (
	"bytes"
	"strconv"
	"unicode"

	"utsending/internal/text"
)

// Word is a word of a service's own, such as a status, as it can be kept: an index has it.
func Word(said string) string { return text.Repaired(said, 100) }

// Sentence is a text of a service's own as it can be kept.
func Sentence(said string) string { return text.Repaired(said, 2000) }

// repaired is an answer in a form that can be kept: JSON may carry control characters as escapes, NUL among them, which no
// column holds. Each becomes U+FFFD, whatever field it stands in, so that what the service decided is never lost over how it
// put it. Bytes and halves of surrogate pairs that are no characters become U+FFFD when the JSON is read.
func repaired(body []byte) []byte {
	if !bytes.Contains(body, []byte(`\u00`)) {
		return body
	}
	body = bytes.Clone(body)
	for i := 0; i+1 < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		if body[i+1] == 'u' && i+6 <= len(body) {
			code, err := strconv.ParseUint(string(body[i+2:i+6]), 16, 16)
			if r := rune(code); err == nil && unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
				copy(body[i+2:], "fffd")
			}
		}
		i++ // what follows a backslash is no backslash of its own
	}
	return body
}
