package recipients

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// styles tell how a workbook shows numbers, as far as it matters in a message: days, times and leading zeros.
type styles struct {
	looks    []look // by the number of a cell's style
	from1904 bool   // days are counted from 1904
}

// look is how a number is shown: as a time in Go's layout, with so many digits, or as it is.
type look struct {
	layout string
	digits int
}

const (
	day      = "02.01.2006"
	clock    = "15:04"
	dayClock = day + " " + clock
)

// builtIn are the formats that a workbook need not describe (ECMA-376, 18.8.30).
var builtIn = map[string]look{
	"14": {layout: day}, "15": {layout: day}, "16": {layout: day}, "17": {layout: day}, "18": {layout: clock}, "19": {layout: clock},
	"20": {layout: clock}, "21": {layout: clock}, "22": {layout: dayClock}, "45": {layout: clock}, "46": {layout: clock}, "47": {layout: clock},
}

func (b *workbook) readStyles(name string) (styles, error) {
	var s styles
	if b.parts[name] == nil {
		return s, nil
	}
	described, inCells := map[string]look{}, false
	err := b.each(name, func(_ *part, token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "numFmt":
				described[attribute(e, "numFmtId")] = lookOf(attribute(e, "formatCode"))
			case "cellXfs":
				inCells = true
			case "xf":
				if inCells && len(s.looks) < 1<<16 {
					id := attribute(e, "numFmtId")
					l, ok := described[id]
					if !ok {
						l = builtIn[id]
					}
					s.looks = append(s.looks, l)
				}
			}
		case xml.EndElement:
			inCells = inCells && e.Name.Local != "cellXfs"
		}
		return nil
	})
	return s, err
}

var (
	quoted = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]|_.|\*.`) // of a format: words, colours, widths
	zeros  = regexp.MustCompile(`^0{2,15}$`)
)

func lookOf(format string) look {
	format, _, _ = strings.Cut(strings.ToLower(quoted.ReplaceAllString(format, "")), ";")
	hasDay := strings.ContainsAny(format, "dy")
	hasClock := strings.Contains(format, "h") || strings.Contains(format, "ss")
	switch {
	case zeros.MatchString(format):
		return look{digits: len(format)}
	case hasDay && hasClock:
		return look{layout: dayClock}
	case hasDay:
		return look{layout: day}
	case hasClock:
		return look{layout: clock}
	}
	return look{}
}

// show writes a number as a Norwegian spreadsheet does: no exponent, a decimal comma, days as days.
func (s styles) show(value string, style int) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return value
	}
	l := look{}
	if style >= 0 && style < len(s.looks) {
		l = s.looks[style]
	}
	switch {
	case l.layout != "" && n >= 0 && n < 2_958_466: // the last day of 9999
		return s.time(n).Format(l.layout)
	case n == math.Trunc(n) && math.Abs(n) < 1e15:
		text := strconv.FormatInt(int64(n), 10)
		return strings.Repeat("0", max(l.digits-len(text), 0)) + text
	}
	return strings.Replace(strconv.FormatFloat(n, 'f', -1, 64), ".", ",", 1)
}

// time counts from the day before 1900, with the leap day that spreadsheets think there was.
func (s styles) time(n float64) time.Time {
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if s.from1904 {
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	days := math.Floor(n)
	return epoch.AddDate(0, 0, int(days)).Add(time.Duration(math.Round((n-days)*86400)) * time.Second)
}
