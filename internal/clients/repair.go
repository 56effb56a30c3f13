package clients

import (
	"bytes"
	"strconv"
	"unicode"

	"utsending/internal/text"
)

// Word truncates and repairs a word from a service, such as a status, so that it can be stored and indexed.
func Word(said string) string { return text.Repaired(said, 100) }

// Sentence truncates and repairs a text from a service so that it can be stored.
func Sentence(said string) string { return text.Repaired(said, 2000) }

// repaired replaces escaped control characters in JSON by U+FFFD: PostgreSQL cannot store NUL, and an answer must not
// be lost because of one. Invalid UTF-8 and unpaired surrogates become U+FFFD when the JSON is decoded.
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
		i++ // skip an escaped backslash
	}
	return body
}
