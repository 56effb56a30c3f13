package look

import (
	"bytes"
	"strconv"
)

// token is a piece of a content stream or a character map: an operand, or an operator that ends a list of them.
type token struct {
	kind   kind
	number float64
	text   string  // of names, strings and operators
	list   []token // of arrays
}

type kind int

const (
	tokenOperator kind = iota
	tokenNumber
	tokenName
	tokenString
	tokenArray
	tokenOther
)

// maxNesting ends arrays inside arrays.
const maxNesting = 10

// lexer reads a content stream. What makes no sense in one is left out, as readers do.
type lexer struct {
	in []byte
	at int
}

// next returns the next token; not ok at the end.
func (l *lexer) next(depth int) (t token, ok bool) {
	for l.skipBlank(); l.at < len(l.in); l.skipBlank() {
		switch c := l.in[l.at]; {
		case c == '/':
			l.at++
			return token{kind: tokenName, text: unescapedName(l.word())}, true
		case c == '(':
			return token{kind: tokenString, text: l.literal()}, true
		case c == '<' && l.peek(1) == '<', c == '>' && l.peek(1) == '>':
			l.at += 2
			return token{kind: tokenOther}, true
		case c == '<':
			return token{kind: tokenString, text: l.hex()}, true
		case c == '[':
			l.at++
			return l.array(depth), true
		case c == ']':
			l.at++
			return token{kind: tokenOther, text: "]"}, true
		case isDelimiter(c):
			l.at++
		default:
			return wordToken(l.word()), true
		}
	}
	return token{}, false
}

func (l *lexer) array(depth int) token {
	t := token{kind: tokenArray}
	for {
		e, ok := l.next(depth + 1)
		if !ok || e.kind == tokenOther && e.text == "]" {
			return t
		}
		if depth < maxNesting {
			t.list = append(t.list, e)
		}
	}
}

func wordToken(word string) token {
	if c := word[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
		if n, err := strconv.ParseFloat(word, 64); err == nil {
			return token{kind: tokenNumber, number: n}
		}
		return token{kind: tokenNumber}
	}
	return token{kind: tokenOperator, text: word}
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.in) {
		return l.in[l.at+n]
	}
	return 0
}

func (l *lexer) skipBlank() {
	for l.at < len(l.in) {
		switch c := l.in[l.at]; {
		case c == '%':
			for l.at < len(l.in) && l.in[l.at] != '\n' && l.in[l.at] != '\r' {
				l.at++
			}
		case isBlank(c):
			l.at++
		default:
			return
		}
	}
}

// word takes what is neither blank nor delimiter.
func (l *lexer) word() string {
	from := l.at
	for l.at < len(l.in) && !isBlank(l.in[l.at]) && !isDelimiter(l.in[l.at]) {
		l.at++
	}
	return string(l.in[from:l.at])
}

func (l *lexer) literal() string {
	var b []byte
	depth := 0
	for ; l.at < len(l.in); l.at++ {
		switch c := l.in[l.at]; c {
		case '(':
			if depth++; depth > 1 {
				b = append(b, c)
			}
		case ')':
			if depth--; depth == 0 {
				l.at++
				return string(b)
			}
			b = append(b, c)
		case '\\':
			b = l.escape(b)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// escape takes what follows a backslash, and leaves the lexer on its last byte.
func (l *lexer) escape(b []byte) []byte {
	l.at++
	c := l.peek(0)
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 && c != 0 {
		return append(b, "\n\r\t\b\f"[i])
	}
	switch {
	case c >= '0' && c <= '7':
		n := 0
		for i := 0; i < 3 && l.peek(0) >= '0' && l.peek(0) <= '7'; i++ {
			n = n*8 + int(l.peek(0)-'0')
			l.at++
		}
		l.at--
		return append(b, byte(n))
	case c == '\r' && l.peek(1) == '\n':
		l.at++
		return b
	case c == '\r' || c == '\n':
		return b
	}
	return append(b, c)
}

func (l *lexer) hex() string {
	var b []byte
	digit, half := byte(0), false
	for l.at++; l.at < len(l.in) && l.in[l.at] != '>'; l.at++ {
		n, err := strconv.ParseUint(string(l.in[l.at]), 16, 8)
		if err != nil {
			continue
		}
		if half {
			b = append(b, digit<<4|byte(n))
		}
		digit, half = byte(n), !half
	}
	l.at++
	if half {
		b = append(b, digit<<4)
	}
	return string(b)
}

// skipImage goes past an image that stands in the stream itself.
func (l *lexer) skipImage() {
	for l.at < len(l.in) {
		i := bytes.Index(l.in[l.at:], []byte("EI"))
		if i < 0 {
			l.at = len(l.in)
			return
		}
		from := l.at + i
		l.at = from + 2
		if from > 0 && isBlank(l.in[from-1]) && (l.at >= len(l.in) || isBlank(l.in[l.at])) {
			return
		}
	}
}

func unescapedName(name string) string {
	if !bytes.Contains([]byte(name), []byte("#")) {
		return name
	}
	var b []byte
	for i := 0; i < len(name); i++ {
		if name[i] == '#' && i+2 < len(name) {
			if n, err := strconv.ParseUint(name[i+1:i+3], 16, 8); err == nil {
				b = append(b, byte(n))
				i += 2
				continue
			}
		}
		b = append(b, name[i])
	}
	return string(b)
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0
}
