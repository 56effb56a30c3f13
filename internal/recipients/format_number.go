package recipients

import (
	"math"
	"strconv"
	"strings"
)

// digitsOf is the layout of a number in a section: the words around it, and its digit placeholders.
type digitsOf struct {
	whole, decimals []piece // placeholders and the words between them
	exponent        []piece
	before, after   string
	thousands       bool
	fraction        string // denominator of a fraction: ?? or 4
	sign            string // of an exponent
}

// number renders a number that is not negative.
func (s section) number(n float64) string {
	if s.has('g') {
		return s.around(general(n))
	}
	d, scale := s.places()
	n *= scale
	switch {
	case s.has('/') && d.fraction != "":
		return d.before + fractionOf(n, d) + d.after
	case d.sign != "":
		return d.before + d.power(n) + d.after
	case len(d.whole)+len(d.decimals) == 0: // words only
		return d.before + d.after
	}
	return d.before + d.fixed(n) + d.after
}

func (s section) has(sign byte) bool {
	for _, p := range s.pieces {
		if p.sign == sign {
			return true
		}
	}
	return false
}

// around puts the words of a section around a number.
func (s section) around(number string) string {
	var b strings.Builder
	for _, p := range s.pieces {
		switch p.sign {
		case 'g':
			b.WriteString(number)
		case 0, '%':
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func placeholder(p piece) bool { return p.sign == '0' || p.sign == '#' || p.sign == '?' }

// places groups the signs of a section, and returns the scale of the number: percent, thousands.
func (s section) places() (d digitsOf, scale float64) {
	scale = 1
	first, last := -1, -1
	for i, p := range s.pieces {
		if placeholder(p) {
			if first < 0 {
				first = i
			}
			last = i
		}
		if p.sign == '%' {
			scale *= 100
		}
	}
	point, behind := false, false
	for i, p := range s.pieces {
		switch {
		case p.sign == '.' && i > 0 && placeholder(s.pieces[i-1]) || p.sign == '.' && i+1 < len(s.pieces) && placeholder(s.pieces[i+1]):
			point = true
		case p.sign == ',' && first >= 0 && i > first && i < last:
			d.thousands = true
		case p.sign == ',' && last >= 0 && i > last:
			scale /= 1000
		case p.sign == 'E':
			d.sign = p.text
		case p.sign == '/' && last > i && first < i:
			behind = true
		case behind && (placeholder(p) || p.sign == 0 && digits(p.text)):
			d.fraction += p.text
		case behind, first < 0 || i > last:
			if first >= 0 && i > last {
				d.after += p.text
			} else {
				d.before += p.text
			}
		case i < first:
			d.before += p.text
		case d.sign != "":
			d.exponent = append(d.exponent, p)
		case point:
			d.decimals = append(d.decimals, p)
		default:
			d.whole = append(d.whole, p)
		}
	}
	return d, scale
}

// fixed renders a number with as many decimals as the section has placeholders.
func (d digitsOf) fixed(n float64) string {
	places := 0
	for _, p := range d.decimals {
		places += one(placeholder(p))
	}
	whole, decimals := rounded(n, places)
	text := d.fill(whole)
	if len(d.decimals) == 0 {
		return text
	}
	var b strings.Builder
	kept := strings.TrimRight(decimals, "0")
	for i, at := 0, 0; i < len(d.decimals); i++ {
		p := d.decimals[i]
		if !placeholder(p) {
			b.WriteString(p.text)
			continue
		}
		if p.sign == '0' || at < len(kept) {
			b.WriteByte(decimals[at])
		}
		at++
	}
	return text + "," + b.String()
}

// rounded rounds half up as spreadsheets do, on the 15 significant digits that they keep.
func rounded(n float64, places int) (whole, decimals string) {
	kept, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64) // valid: formatted by us
	text := strconv.FormatFloat(kept, 'f', -1, 64)
	whole, decimals, _ = strings.Cut(text, ".")
	if len(decimals) > places {
		up := decimals[places] >= '5'
		all := []byte(whole + decimals[:places])
		for i := len(all) - 1; up && i >= 0; i-- {
			if all[i]++; all[i] <= '9' {
				up = false
			} else {
				all[i] = '0'
			}
		}
		if up {
			all = append([]byte{'1'}, all...)
		}
		whole, decimals = string(all[:len(all)-places]), string(all[len(all)-places:])
	}
	return whole, decimals + strings.Repeat("0", places-len(decimals))
}

// fill puts the digits before the comma into their placeholders, from the right. Surplus digits go before the first
// placeholder.
func (d digitsOf) fill(whole string) string {
	if whole == "0" {
		whole = ""
	}
	var parts []string
	at, count := len(whole), 0
	digit := func(c string) {
		if d.thousands && count > 0 && count%3 == 0 {
			parts = append(parts, " ")
		}
		parts, count = append(parts, c), count+1
	}
	first := true
	for i := len(d.whole) - 1; i >= 0; i-- {
		p := d.whole[i]
		switch {
		case !placeholder(p):
			if at > 0 || d.needed(i) {
				parts = append(parts, p.text)
			}
		case at > 0:
			at--
			digit(whole[at : at+1])
		case p.sign == '0':
			digit("0")
		case p.sign == '?' && first:
			parts = append(parts, " ")
		}
		first = first && !placeholder(p)
	}
	for at > 0 {
		at--
		digit(whole[at : at+1])
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return b.String()
}

// needed tells whether a placeholder further left always shows a zero.
func (d digitsOf) needed(i int) bool {
	for _, p := range d.whole[:i] {
		if p.sign == '0' {
			return true
		}
	}
	return false
}

// power renders a number with an exponent.
func (d digitsOf) power(n float64) string {
	exponent := 0
	if n != 0 {
		exponent = int(math.Floor(math.Log10(n)))
	}
	places := 0
	for _, p := range d.whole {
		places += one(placeholder(p))
	}
	if places > 1 {
		exponent -= ((exponent % places) + places) % places
	}
	mantissa := d.fixed(n / math.Pow(10, float64(exponent)))
	sign := ""
	if exponent < 0 {
		sign = "-"
	} else if d.sign == "+" {
		sign = "+"
	}
	text := strconv.Itoa(max(exponent, -exponent))
	return mantissa + "E" + sign + strings.Repeat("0", max(len(d.exponent)-len(text), 0)) + text
}

// fractionOf renders a number as an integer and a fraction: 2 1/2.
func fractionOf(n float64, d digitsOf) string {
	whole := 0.0
	if len(d.whole) > 1 {
		whole = math.Floor(n)
	}
	over, under := nearest(n-whole, d.fraction)
	switch {
	case over == 0:
		return strconv.FormatFloat(whole, 'f', 0, 64)
	case over == under && under > 0 && len(d.whole) > 1:
		return strconv.FormatFloat(whole+1, 'f', 0, 64)
	case whole == 0:
		return strconv.Itoa(over) + "/" + strconv.Itoa(under)
	}
	return strconv.FormatFloat(whole, 'f', 0, 64) + " " + strconv.Itoa(over) + "/" + strconv.Itoa(under)
}

// nearest finds the nearest fraction with a denominator of the given number of digits (??), or with the given one
// (4).
func nearest(n float64, under string) (best, bottom int) {
	if fixed, err := strconv.Atoi(under); err == nil && fixed > 0 {
		return int(math.Round(n * float64(fixed))), fixed
	}
	most := int(math.Pow10(min(len(under), 3))) - 1
	best, bottom = int(math.Round(n)), 1
	for q := 1; q <= most; q++ {
		p := int(math.Round(n * float64(q)))
		if math.Abs(n-float64(p)/float64(q)) < math.Abs(n-float64(best)/float64(bottom))-1e-12 {
			best, bottom = p, q
		}
	}
	return best, bottom
}
