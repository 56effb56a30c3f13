package plain

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"golang.org/x/net/html"
)

// layouts are the forms of what browsers let people pick. Written so, the earlier comes before the later.
var layouts = map[string][]string{
	"date": {"2006-01-02"}, "month": {"2006-01"}, "time": {"15:04", "15:04:05"}, "datetime-local": {"2006-01-02T15:04", "2006-01-02T15:04:05"},
}

// sanitize is what a field makes of a value, and whether it is one that it reads.
func sanitize(n *html.Node, value string) (string, bool) {
	switch k := kind(n); k {
	case "email", "url":
		return strings.TrimSpace(value), true
	case "number", "range":
		if _, ok := number(value); !ok {
			return "", value == ""
		}
	case "date", "month", "time", "datetime-local":
		for _, layout := range layouts[k] {
			if _, err := time.Parse(layout, value); err == nil {
				return value, true
			}
		}
		return "", value == ""
	}
	return value, true
}

func number(text string) (float64, bool) {
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

var emailAddress = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

// problem tells why a browser would not send a control's form, if it would not.
func (d *document) problem(n *html.Node) string {
	k := kind(n)
	switch {
	case isDisabled(n), has(n, "readonly"), k == "hidden", k == "button", k == "reset", k == "submit", k == "image":
		return ""
	}
	f, value := d.fields[n], d.value(n)
	switch {
	case f != nil && f.unread:
		return "nobody can read what is typed"
	case d.isMissing(n, value):
		return "it is empty"
	case value == "" || k == "checkbox" || k == "radio" || k == "file" || isTag(n, "select"):
		return ""
	case f != nil && f.typed != nil && isShort(n, value):
		return "it is too short"
	}
	return misfit(n, k, value)
}

func (d *document) isMissing(n *html.Node, value string) bool {
	switch kind(n) {
	case "radio":
		required := false
		for _, r := range d.group(n) {
			if d.isChecked(r) {
				return false
			}
			required = required || has(r, "required")
		}
		return required
	case "checkbox":
		return has(n, "required") && !d.isChecked(n)
	case "file":
		return has(n, "required") && (d.fields[n] == nil || len(d.fields[n].files) == 0)
	default:
		return has(n, "required") && value == ""
	}
}

func isShort(n *html.Node, value string) bool {
	least, ok := number(attr(n, "minlength"))
	return ok && float64(len(utf16.Encode([]rune(value)))) < least
}

// misfit tells what is wrong with a value that is there.
func misfit(n *html.Node, kind, value string) string {
	switch kind {
	case "email":
		if !emailAddress.MatchString(value) {
			return "it is no e-mail address"
		}
	case "url":
		if u, err := url.Parse(value); err != nil || !u.IsAbs() {
			return "it is no address"
		}
	case "number", "range":
		return outOfRange(n, value)
	}
	if _, picked := layouts[kind]; picked {
		if least := attr(n, "min"); least != "" && value < least {
			return "it is before " + least
		}
		if most := attr(n, "max"); most != "" && value > most {
			return "it is after " + most
		}
		return ""
	}
	if pattern := attr(n, "pattern"); pattern != "" && !isTag(n, "textarea") {
		if match, err := regexp.MatchString("^(?:"+pattern+")$", value); err != nil || !match {
			return fmt.Sprintf("it does not match %s %v", pattern, err)
		}
	}
	return ""
}

func outOfRange(n *html.Node, text string) string {
	value, _ := number(text)
	least, bounded := number(attr(n, "min"))
	if bounded && value < least {
		return "it is less than " + attr(n, "min")
	}
	if most, ok := number(attr(n, "max")); ok && value > most {
		return "it is more than " + attr(n, "max")
	}
	step, ok := number(attr(n, "step"))
	if !ok || step <= 0 {
		step = 1
	}
	if attr(n, "step") != "any" && math.Abs(math.Remainder(value-least, step)) > step/1e6 {
		return fmt.Sprintf("it is not in steps of %v", step)
	}
	return ""
}
