package recipients

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// section is a section of a number format: for all numbers, or for the positive, negative or zero ones.
type section struct {
	pieces  []piece
	moment  bool // dates and times
	elapsed byte // h, m or s: elapsed time, which goes beyond a day
	half    bool // AM/PM
	test    func(float64) bool
}

// piece is a run of one format sign, or literal words.
type piece struct {
	sign byte // 0: words; else one of y m n d h s a . , 0 # ? % E /, where n is minutes
	text string
}

// system are format codes that denote the machine's long date and time.
var system = [][2]string{{"[$-F800]", "dddd d. mmmm yyyy"}, {"[$-x-sysdate]", "dddd d. mmmm yyyy"}, {"[$-F400]", "hh:mm:ss"}, {"[$-x-systime]", "hh:mm:ss"}}

// lookOf parses a format. nil: numbers are rendered unformatted.
func lookOf(code string) look {
	var all look
	for _, of := range system {
		if len(code) >= len(of[0]) && strings.EqualFold(code[:len(of[0])], of[0]) {
			code = of[1]
		}
	}
	for _, part := range sectionsOf(code) {
		all = append(all, sectionOf(part))
	}
	if len(all) == 0 || len(all) == 1 && len(all[0].pieces) == 0 || strings.EqualFold(code, "general") || strings.EqualFold(code, "standard") {
		return nil
	}
	return all
}

// sectionsOf splits a format at semicolons outside literals.
func sectionsOf(code string) (parts []string) {
	from, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				parts, from = append(parts, code[from:i]), i+1
			}
		}
	}
	return append(parts, code[min(from, len(code)):])
}

func sectionOf(code string) (s section) {
	for code != "" {
		r, n := utf8.DecodeRuneInString(code)
		rest := code[n:]
		switch {
		case r == '"':
			words, after, _ := strings.Cut(rest, `"`)
			s.words(words)
			rest = after
		case r == '\\' || r == '_' || r == '*':
			next, m := utf8.DecodeRuneInString(rest)
			if rest = rest[m:]; r == '\\' {
				s.words(string(next))
			} else if r == '_' {
				s.words(" ")
			}
		case r == '[':
			inside, after, _ := strings.Cut(rest, "]")
			s.bracket(inside)
			rest = after
		case len(code) >= 5 && strings.EqualFold(code[:5], "am/pm"):
			s.pieces, s.half, rest = append(s.pieces, piece{'a', ""}), true, code[5:]
		case len(code) >= 7 && strings.EqualFold(code[:7], "general"):
			s.pieces, rest = append(s.pieces, piece{'g', ""}), code[7:]
		case len(code) >= 8 && strings.EqualFold(code[:8], "standard"):
			s.pieces, rest = append(s.pieces, piece{'g', ""}), code[8:]
		case (r == 'E' || r == 'e') && rest != "" && (rest[0] == '+' || rest[0] == '-'):
			s.pieces, rest = append(s.pieces, piece{'E', rest[:1]}), rest[1:]
		case r < utf8.RuneSelf && strings.IndexByte("ymdhsYMDHS", byte(r)) >= 0:
			s.sign(byte(r) | 0x20)
			s.moment = true
		case r < utf8.RuneSelf && strings.IndexByte("0#?.,%/@", byte(r)) >= 0:
			s.sign(byte(r))
		default:
			s.words(string(r))
		}
		code = rest
	}
	s.minutes()
	return s
}

// sign adds a sign to its run.
func (s *section) sign(c byte) {
	if last := len(s.pieces) - 1; last >= 0 && s.pieces[last].sign == c && strings.IndexByte("ymdhs", c) >= 0 {
		s.pieces[last].text += string(c)
		return
	}
	s.pieces = append(s.pieces, piece{c, string(c)})
}

func (s *section) words(text string) {
	if last := len(s.pieces) - 1; last >= 0 && s.pieces[last].sign == 0 {
		s.pieces[last].text += text
		return
	}
	s.pieces = append(s.pieces, piece{0, text})
}

// bracket parses a bracket: a currency, elapsed time, or a condition. Colours and languages are ignored.
func (s *section) bracket(inside string) {
	lower := strings.ToLower(inside)
	switch {
	case strings.HasPrefix(inside, "$"):
		currency, _, _ := strings.Cut(inside[1:], "-")
		s.words(currency)
	case lower != "" && strings.Trim(lower, lower[:1]) == "" && strings.Contains("hms", lower[:1]):
		s.elapsed = lower[0]
		s.pieces = append(s.pieces, piece{lower[0], lower})
	case lower != "" && strings.Contains("<>=", lower[:1]):
		s.test = condition(inside)
	}
}

func condition(text string) func(float64) bool {
	number := strings.TrimLeft(text, "<>=")
	limit, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil
	}
	switch text[:len(text)-len(number)] {
	case "<":
		return func(n float64) bool { return n < limit }
	case "<=":
		return func(n float64) bool { return n <= limit }
	case ">":
		return func(n float64) bool { return n > limit }
	case ">=":
		return func(n float64) bool { return n >= limit }
	case "=":
		return func(n float64) bool { return n == limit }
	}
	return func(n float64) bool { return n != limit }
}

// minutes distinguishes m for minutes, behind hours or before seconds, from m for months.
func (s *section) minutes() {
	before := byte(0)
	for i := range s.pieces {
		p := &s.pieces[i]
		if p.sign == 'm' && len(p.text) <= 2 && (before == 'h' || s.followed(i, 's')) {
			p.sign = 'n'
		}
		if strings.IndexByte("ymndhs", p.sign) >= 0 && p.sign != 0 {
			before = p.sign
		}
	}
}

// followed tells whether the next date or time sign is the given one.
func (s *section) followed(i int, sign byte) bool {
	for _, p := range s.pieces[i+1:] {
		if p.sign != 0 && strings.IndexByte("ymndhs", p.sign) >= 0 {
			return p.sign == sign
		}
	}
	return false
}

// choose returns the section for a number, its size, and whether a minus must be added.
func (l look) choose(n float64) (s *section, size float64, minus bool) {
	switch {
	case len(l) == 0:
		return nil, n, false
	case l[0].test != nil:
		for i := range l {
			if l[i].test == nil || l[i].test(n) {
				return &l[i], math.Abs(n), n < 0
			}
		}
		return nil, n, false
	case n < 0 && len(l) > 1 && !l[1].has('@'):
		return &l[1], -n, false // may be empty and show nothing, as in "0;-0;;@"
	case n == 0 && len(l) > 2 && !l[2].has('@'):
		return &l[2], 0, false
	}
	if l[0].plain() {
		return nil, n, false
	}
	return &l[0], math.Abs(n), n < 0
}

// plain tells whether a section leaves numbers unformatted: it is General alone, or for texts.
func (s section) plain() bool {
	return s.has('@') || len(s.pieces) == 1 && s.has('g')
}

var (
	monthNames = [...]string{"januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "desember"}
	dayNames   = [...]string{"søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"}
)

func short(name string) string { return string([]rune(name)[:3]) }

// time renders a date or a time of day.
func (s section) time(t time.Time) string {
	var b strings.Builder
	for i, p := range s.pieces {
		switch p.sign {
		case 0, '%', '#', '?', 'E':
			b.WriteString(p.text)
		case '/':
			b.WriteByte('.') // the Norwegian date separator
		case ',':
			b.WriteByte(',')
		case '.':
			if i == 0 || s.pieces[i-1].sign != 's' {
				b.WriteByte('.')
			}
		case 'a':
			b.WriteString(t.Format("PM"))
		case 'h':
			hour := t.Hour()
			if s.half {
				hour = (hour+11)%12 + 1
			}
			pad(&b, hour, len(p.text))
		case 'n':
			pad(&b, t.Minute(), len(p.text))
		case 's':
			pad(&b, t.Second(), len(p.text))
		default:
			b.WriteString(dayPart(p, t))
		}
	}
	return b.String()
}

func dayPart(p piece, t time.Time) string {
	switch {
	case p.sign == 'y' && len(p.text) <= 2:
		return t.Format("06")
	case p.sign == 'y':
		return t.Format("2006")
	case p.sign == 'm' && len(p.text) == 3:
		return short(monthNames[t.Month()-1])
	case p.sign == 'm' && len(p.text) == 5:
		return monthNames[t.Month()-1][:1]
	case p.sign == 'm' && len(p.text) > 3:
		return monthNames[t.Month()-1]
	case p.sign == 'm' && len(p.text) == 2:
		return t.Format("01")
	case p.sign == 'm':
		return strconv.Itoa(int(t.Month()))
	case p.sign == 'd' && len(p.text) == 3:
		return short(dayNames[t.Weekday()])
	case p.sign == 'd' && len(p.text) > 3:
		return dayNames[t.Weekday()]
	case p.sign == 'd' && len(p.text) == 2:
		return t.Format("02")
	case p.sign == 'd':
		return strconv.Itoa(t.Day())
	}
	return ""
}

func pad(b *strings.Builder, n, width int) {
	text := strconv.Itoa(n)
	b.WriteString(strings.Repeat("0", max(min(width, 2)-len(text), 0)) + text)
}

// elapsedTime renders hours, minutes or seconds beyond a day.
func (s section) elapsedTime(n float64, minus bool) string {
	seconds := int(math.Round(n * 86400))
	var b strings.Builder
	if minus {
		b.WriteByte('-')
	}
	for _, p := range s.pieces {
		switch p.sign {
		case 'h':
			pad(&b, seconds/3600, len(p.text))
		case 'n', 'm':
			minutes := seconds / 60
			if s.elapsed == 'h' {
				minutes %= 60
			}
			pad(&b, minutes, len(p.text))
		case 's':
			if s.elapsed == 's' {
				pad(&b, seconds, len(p.text))
			} else {
				pad(&b, seconds%60, len(p.text))
			}
		case 0:
			b.WriteString(p.text)
		}
	}
	return b.String()
}
