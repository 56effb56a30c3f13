package recipients

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	textunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"utsending/internal/dispatch"
)

// findEncoding detects the encoding: by the byte order mark, else valid UTF-8, else byte by byte Windows-1252 (a superset of
// Latin-1), or Mac Roman or CP850 where only those give Norwegian letters.
func findEncoding(r io.Reader, start []byte) (encoding.Encoding, dispatch.ListEncoding, error) {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return textunicode.UTF16(textunicode.LittleEndian, textunicode.ExpectBOM), "", nil
	}
	var s scan
	if err := s.all(r); err != nil {
		return nil, "", err
	}
	page, kind := s.judge()
	return mixed{page: page, marks: kind != ""}, kind, nil
}

// scan is the result of scanning a text before it is read.
type scan struct {
	line    int
	cr      bool
	ended   int    // line of a DOS end-of-file mark
	wide    int    // UTF-8 characters beyond ASCII
	odd     int    // bytes that are not UTF-8
	cut     bool   // the text ends within a character
	before  byte   // the byte before the chunk
	nordic  [3]int // Nordic letters, by code page
	control int    // line of the first byte that is not text
	binary  bool   // that byte is typical of another kind of file
}

// pages are the code pages of bytes that are not UTF-8, most likely first.
var pages = [3]*charmap.Charmap{charmap.Windows1252, charmap.CodePage850, charmap.Macintosh}

var pageNames = [3]dispatch.ListEncoding{"", dispatch.EncodingDOS, dispatch.EncodingMac}

func (s *scan) all(r io.Reader) error {
	s.line = 1
	buf, rest := make([]byte, 64<<10), 0
	for {
		n, err := r.Read(buf[rest:])
		piece := buf[:rest+n]
		whole := len(piece)
		if err == nil {
			whole = lastWhole(piece)
		}
		s.piece(piece[:whole])
		rest = copy(buf, piece[whole:])
		switch {
		case s.binary:
			return refuse("problem.list.kind", nil)
		case err == io.EOF && s.control > 0:
			return refuse("problem.list.control", dispatch.Args{"N": s.control})
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

func (s *scan) piece(b []byte) {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r < utf8.RuneSelf {
			s.plain(b[i], b, i)
		} else if r != utf8.RuneError || n > 1 {
			s.wide++
			s.cut = false
		} else {
			s.oddByte(b, i)
		}
		s.before = b[i+n-1]
		i += n
	}
}

// plain checks an ASCII byte. Form feeds and vertical tabs are blanks, and 0x1A ends a DOS file.
func (s *scan) plain(c byte, b []byte, i int) {
	s.cut = false
	switch {
	case c == '\n' && s.cr:
	case c == '\n' || c == '\r':
		s.line++
	case c >= ' ' || c == '\t' || c == '\v' || c == '\f':
	case c == 0x1a, c == 0 && s.ended > 0: // old programs pad the rest with zeros
		s.ended = s.line
	case s.control == 0:
		s.control = s.line
		s.binary = bytes.Count(b[i:min(len(b), i+64)], []byte{c})+otherControls(b[i:min(len(b), i+64)], c) > 2
	}
	if s.ended > 0 && c != 0x1a && c > ' ' && s.control == 0 {
		s.control = s.ended
	}
	s.cr = c == '\r'
}

func otherControls(b []byte, not byte) (n int) {
	for _, c := range b {
		n += one(c != not && c < ' ' && c != '\n' && c != '\r' && c != '\t')
	}
	return n
}

// oddByte checks a byte that is not UTF-8: in which code pages it is a Nordic letter, where a small letter may be in
// a word.
func (s *scan) oddByte(b []byte, i int) {
	s.odd++
	before, after := s.before, byte(0)
	if i+1 < len(b) {
		after = b[i+1]
	}
	s.cut = i+1 == len(b) && s.wide > 0 && b[i] >= 0xc2 && b[i] <= 0xf4
	inside := wordByte(before) && wordByte(after)
	for p, page := range pages {
		r := page.DecodeByte(b[i])
		s.nordic[p] += one(strings.ContainsRune("æøåöäé", r) && (p == 0 || inside) || p == 0 && strings.ContainsRune("ÆØÅÖÄÉ", r))
	}
}

func wordByte(c byte) bool { return c >= 0x80 || unicode.IsLetter(rune(c)) }

// judge chooses the code page, and returns the guess if people must check it by names that they know.
func (s *scan) judge() (*charmap.Charmap, dispatch.ListEncoding) {
	switch {
	case s.odd == 0:
		return pages[0], ""
	case s.cut && s.odd == 1:
		return pages[0], dispatch.EncodingCut
	case s.wide > 0:
		return pages[0], dispatch.EncodingMixed
	}
	best := 0
	for p := range pages {
		if s.nordic[p] > 3*s.nordic[0] && s.nordic[p] > s.nordic[best] {
			best = p
		}
	}
	return pages[best], pageNames[best]
}

// lastWhole is the length of a chunk without a rune that may continue in the next one.
func lastWhole(piece []byte) int {
	for i := len(piece) - 1; i >= 0 && i >= len(piece)-utf8.UTFMax; i-- {
		if utf8.RuneStart(piece[i]) {
			if !utf8.FullRune(piece[i:]) {
				return i
			}
			break
		}
	}
	return len(piece)
}

// mixed is UTF-8 mixed with bytes of an older code page. Byte order marks are dropped everywhere.
type mixed struct {
	page  *charmap.Charmap
	marks bool // characters from the code page are marked
}

// NewDecoder implements encoding.Encoding.
func (m mixed) NewDecoder() *encoding.Decoder { return &encoding.Decoder{Transformer: m} }

// NewEncoder implements encoding.Encoding; nothing is written.
func (m mixed) NewEncoder() *encoding.Encoder { return m.page.NewEncoder() }

// Reset implements transform.Transformer.
func (mixed) Reset() {}

// Transform implements transform.Transformer.
func (m mixed) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, n := utf8.DecodeRune(src[nSrc:])
		if len(dst)-nDst < 2*utf8.UTFMax {
			return nDst, nSrc, transform.ErrShortDst
		}
		if r == utf8.RuneError && n == 1 {
			r = m.page.DecodeByte(src[nSrc])
			if r == utf8.RuneError { // the code page has no such character
				r = rune(src[nSrc])
			}
			if m.marks {
				nDst += utf8.EncodeRune(dst[nDst:], stray)
			}
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += n
	}
	return nDst, nSrc, nil
}

// evenText drops byte order marks and DOS end-of-file marks, and turns CR and CRLF into LF.
func evenText(r io.Reader) io.Reader {
	return &evenLines{r: transform.NewReader(r, dropMarks{})}
}

// dropMarks drops byte order marks and DOS end-of-file marks.
type dropMarks struct{ transform.NopResetter }

var (
	mark        = []byte("\ufeff")
	writtenMark = []byte("\u00ef\u00bb\u00bf") // a mark that was decoded as three letters and encoded again
)

// Transform implements transform.Transformer.
func (dropMarks) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		rest := src[nSrc:]
		switch {
		case !atEOF && len(rest) < len(writtenMark) && (rest[0] == mark[0] || rest[0] == writtenMark[0]):
			return nDst, nSrc, transform.ErrShortSrc
		case bytes.HasPrefix(rest, mark):
			nSrc += len(mark)
		case bytes.HasPrefix(rest, writtenMark):
			nSrc += len(writtenMark)
		case rest[0] == 0x1a, rest[0] == 0: // zeros only after it
			nSrc++
		case nDst == len(dst):
			return nDst, nSrc, transform.ErrShortDst
		default:
			dst[nDst] = rest[0]
			if rest[0] == '\v' || rest[0] == '\f' {
				dst[nDst] = ' '
			}
			nDst, nSrc = nDst+1, nSrc+1
		}
	}
	return nDst, nSrc, nil
}
