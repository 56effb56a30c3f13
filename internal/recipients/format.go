package recipients

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// styles are a workbook's number formats (ECMA-376, 18.8.30 and 18.8.31), rendered as a Norwegian spreadsheet does.
type styles struct {
	looks    []look // by the style number of a cell
	from1904 bool   // dates count from 1904
}

// look is a parsed number format; nil renders a number unformatted.
type look []section

// builtIn are the predefined formats, which a workbook does not contain (ECMA-376, 18.8.30), in their Norwegian form.
var builtIn = func() map[string]look {
	all := map[string]look{}
	for id, code := range map[string]string{
		"1": "0", "2": "0.00", "3": "#,##0", "4": "#,##0.00", "5": `"kr" #,##0;"kr" -#,##0`, "6": `"kr" #,##0;"kr" -#,##0`, "7": `"kr" #,##0.00;"kr" -#,##0.00`, "8": `"kr" #,##0.00;"kr" -#,##0.00`, "9": "0 %", "10": "0.00 %", "11": "0.00E+00", "12": "# ?/?", "13": "# ??/??", "14": "dd/mm/yyyy", "15": "dd/mmm/yy", "16": "dd/mmm", "17": "mmm/yy",
		"18": "h:mm AM/PM", "19": "h:mm:ss AM/PM", "20": "hh:mm", "21": "hh:mm:ss", "22": "dd/mm/yyyy hh:mm", "37": "#,##0;-#,##0", "38": "#,##0;-#,##0", "39": "#,##0.00;-#,##0.00", "40": "#,##0.00;-#,##0.00",
		"41": `#,##0;-#,##0;"-"`, "42": `"kr" #,##0;"kr" -#,##0;"kr -"`, "43": `#,##0.00;-#,##0.00;"-"`, "44": `"kr" #,##0.00;"kr" -#,##0.00;"kr -"`,
		"45": "mm:ss", "46": "[h]:mm:ss", "47": "mm:ss", "48": "##0.0E+0",
	} {
		all[id] = lookOf(code)
	}
	return all
}()

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

// show returns a number as the cell shows it, and raw for reading recipients' numbers.
func (s styles) show(value string, style int) (shown, raw string) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return value, ""
	}
	var l look
	if style >= 0 && style < len(s.looks) {
		l = s.looks[style]
	}
	raw = general(n)
	chosen, n, minus := l.choose(n)
	switch {
	case chosen == nil:
		return raw, raw
	case chosen.elapsed != 0:
		return chosen.elapsedTime(n, minus), raw
	case chosen.moment:
		if minus || n >= 2_958_466 { // beyond the year 9999 a spreadsheet shows ####
			return raw, raw
		}
		shown = strings.TrimSpace(chosen.time(s.time(n)))
		return shown, shown
	}
	shown = strings.TrimSpace(chosen.number(n))
	if minus {
		shown = "-" + shown
	}
	if padded := bare(shown); digits(padded) && strings.TrimLeft(padded, "0") == raw {
		raw = padded // with the zeros that are shown
	}
	return shown, raw
}

// text returns a text as the cell shows it: the last section of a format may add words to texts or hide them.
func (s styles) text(value string, style int) string {
	if style < 0 || style >= len(s.looks) || len(s.looks[style]) == 0 {
		return value
	}
	l := s.looks[style]
	last := l[len(l)-1]
	if len(l) < 4 && !last.has('@') {
		return value
	}
	var b strings.Builder
	for _, p := range last.pieces {
		if p.sign == '@' || p.sign == 'g' {
			b.WriteString(value)
		} else {
			b.WriteString(p.text)
		}
	}
	return strings.TrimSpace(b.String())
}

// general renders a number with the 15 significant digits that a spreadsheet keeps. Larger numbers get an exponent:
// their last digits are lost.
func general(n float64) string {
	text := strconv.FormatFloat(n, 'g', 15, 64)
	n, _ = strconv.ParseFloat(text, 64) // valid: formatted above
	if math.Abs(n) >= 1e15 {
		text = strconv.FormatFloat(n, 'E', 5, 64)
		mantissa, exponent, _ := strings.Cut(text, "E")
		return strings.Replace(strings.TrimRight(strings.TrimRight(mantissa, "0"), "."), ".", ",", 1) + "E" + exponent
	}
	return strings.Replace(strconv.FormatFloat(n, 'f', -1, 64), ".", ",", 1)
}

// time converts a serial date. Dates from 1900 contain a leap day that did not exist, which spreadsheets count.
func (s styles) time(n float64) time.Time {
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case s.from1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n >= 1 && n < 60:
		epoch = epoch.AddDate(0, 0, 1)
	}
	days := math.Floor(n)
	return epoch.AddDate(0, 0, int(days)).Add(time.Duration(math.Round((n-days)*86400)) * time.Second)
}

// written renders a date that a workbook stores as text (ISO 8601).
func (s styles) written(value string, style int) (string, bool) {
	for _, form := range []string{"2006-01-02T15:04:05.999", "2006-01-02T15:04:05.999Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05.999", "2006-01-02", "15:04:05", "T15:04:05", "15:04", "T15:04"} {
		t, err := time.Parse(form, value)
		if err != nil {
			continue
		}
		if style >= 0 && style < len(s.looks) {
			if l := s.looks[style]; len(l) > 0 && l[0].moment {
				return l[0].time(t), true
			}
		}
		switch {
		case t.Year() == 0:
			return t.Format("15:04"), true
		case t.Hour()+t.Minute()+t.Second() > 0:
			return t.Format("02.01.2006 15:04"), true
		}
		return t.Format("02.01.2006"), true
	}
	return value, false
}
