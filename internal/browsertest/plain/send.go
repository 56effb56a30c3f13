package plain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const (
	kindForm      = "application/x-www-form-urlencoded"
	kindMultipart = "multipart/form-data"
)

// send sends a form with a button, unless a field of it stops that.
func (p *Page) send(action string, form, button *html.Node) {
	p.t.Helper()
	if p.stopped = ""; !has(form, "novalidate") && !has(button, "formnovalidate") && p.isStopped(form) {
		return
	}
	said := func(name string) string {
		if value, ok := attribute(button, "form"+name); ok {
			return value
		}
		return attr(form, name)
	}
	if target := said("target"); target != "" && target != "_self" {
		p.fail(action, errors.New("it opens another window"))
	}
	to, err := p.resolve(cmp.Or(said("action"), p.doc.address.String()))
	if err != nil {
		p.fail(action, err)
	}
	r := request{method: http.MethodGet, to: to, from: p.doc.address, referrer: p.doc.referrer}
	entries := p.doc.entries(form, button)
	switch method := strings.ToLower(said("method")); {
	case method == "dialog":
		p.closeDialog(action, form)
		return
	case method != "post":
		to.RawQuery = encode(entries)
	case strings.EqualFold(said("enctype"), kindMultipart):
		r.method = http.MethodPost
		r.kind, r.body, err = encodeParts(entries)
	default:
		r.method, r.kind, r.body = http.MethodPost, kindForm, []byte(encode(entries))
	}
	if err != nil {
		p.fail(action, err)
	}
	p.visit(action, r)
}

// isStopped gives the keyboard to the first field that stops a form, as browsers do.
func (p *Page) isStopped(form *html.Node) bool {
	for _, n := range p.doc.elements("input", "select", "textarea") {
		if p.doc.formOf(n) != form {
			continue
		}
		if problem := p.doc.problem(n); problem != "" {
			p.stopped = fmt.Sprintf("%s %s: %s", n.Data, cmp.Or(attr(n, "id"), attr(n, "name")), problem)
			p.doc.focusOn(n)
			return true
		}
	}
	return false
}

func (p *Page) closeDialog(action string, form *html.Node) {
	p.t.Helper()
	dialog := above(form, "dialog")
	if dialog == nil {
		p.fail(action, errors.New("there is no dialog to close"))
	}
	dialog.Attr = slices.DeleteFunc(dialog.Attr, func(a html.Attribute) bool { return a.Key == "open" })
}

// sent is a name and a value that a form sends, or a file.
type sent struct {
	name, value string
	file        *string // path; empty: no file is chosen
}

// entries are what a form sends, in the order of the page.
func (d *document) entries(form, button *html.Node) (entries []sent) {
	for _, n := range d.elements("input", "button", "select", "textarea") {
		name := attr(n, "name")
		if d.formOf(n) != form || name == "" || isDisabled(n) {
			continue
		}
		switch k := kind(n); {
		case k == "submit" || k == "button" || k == "reset" || k == "image":
			if n == button {
				entries = append(entries, sent{name: name, value: attr(n, "value")})
			}
		case k == "checkbox" || k == "radio":
			if d.isChecked(n) {
				entries = append(entries, sent{name: name, value: d.value(n)})
			}
		case k == "file":
			files := []string{""}
			if f := d.fields[n]; f != nil && len(f.files) > 0 {
				files = f.files
			}
			for _, file := range files {
				entries = append(entries, sent{name: name, value: filepath.Base(cmp.Or(file, "/")), file: &file})
			}
		case isTag(n, "select"):
			for _, o := range d.selected(n) {
				if !isDisabled(o) {
					entries = append(entries, sent{name: name, value: optionValue(o)})
				}
			}
		default:
			entries = append(entries, sent{name: name, value: d.value(n)})
		}
	}
	return entries
}

// lines are as forms send them.
var lines = strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n")

func encode(entries []sent) string {
	pairs := make([]string, len(entries))
	for i, e := range entries {
		if e.file != nil && *e.file == "" {
			e.value = ""
		}
		pairs[i] = url.QueryEscape(lines.Replace(e.name)) + "=" + url.QueryEscape(lines.Replace(e.value))
	}
	return strings.Join(pairs, "&")
}

// quoted is a name as it stands in the head of a part.
func quoted(name string) string {
	return `"` + strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22").Replace(name) + `"`
}

// kinds are what browsers say that files are, by the ends of their names.
var kinds = map[string]string{
	".pdf": "application/pdf", ".csv": "text/csv", ".xml": "text/xml", ".txt": "text/plain", ".png": "image/png",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

func encodeParts(entries []sent) (kind string, body []byte, err error) {
	var buffer bytes.Buffer
	w := multipart.NewWriter(&buffer)
	for _, e := range entries {
		head, content := textproto.MIMEHeader{}, []byte(lines.Replace(e.value))
		disposition := "form-data; name=" + quoted(lines.Replace(e.name))
		if e.file != nil {
			content = nil
			if *e.file == "" {
				disposition += `; filename=""`
			} else if content, err = os.ReadFile(*e.file); err == nil {
				disposition += "; filename=" + quoted(e.value)
			}
			head.Set("Content-Type", cmp.Or(kinds[strings.ToLower(filepath.Ext(*e.file))], "application/octet-stream"))
		}
		head.Set("Content-Disposition", disposition)
		part, failed := w.CreatePart(head)
		if failed == nil {
			_, failed = part.Write(content)
		}
		if err = errors.Join(err, failed); err != nil {
			return "", nil, err
		}
	}
	err = w.Close()
	return w.FormDataContentType(), buffer.Bytes(), err
}
