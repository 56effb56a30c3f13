package look

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// acting are the actions that are removed; links stay.
var acting = []string{"JavaScript", "Launch", "GoToE", "GoToR", "ImportData", "Rendition", "Movie", "Sound", "RichMediaExecute", "GoTo3DView", "SubmitForm", "ResetForm",
	"Hide", "Thread", "Trans", "SetOCGState"}

// sweep removes actions, attachments and descriptions from everything that the catalogue leads to.
func (c *cleaner) sweep() {
	c.openAction()
	seen, waiting := map[int]bool{}, []types.Object{c.catalog}
	for len(waiting) > 0 {
		last := len(waiting) - 1
		o := waiting[last]
		waiting = waiting[:last]
		if ref, is := o.(types.IndirectRef); is {
			number := int(ref.ObjectNumber)
			entry, found := c.w.objects.FindTableEntryForIndRef(&ref)
			if _, gone := c.gone[number]; !found || entry.Free || seen[number] || gone {
				continue
			}
			seen[number] = true
			o = entry.Object
		}
		switch o := o.(type) {
		case types.Array:
			waiting = append(waiting, o...)
		case types.Dict:
			c.strip(o)
			for _, inner := range o {
				waiting = append(waiting, inner)
			}
		case types.StreamDict:
			c.strip(o.Dict)
			for _, inner := range o.Dict {
				waiting = append(waiting, inner)
			}
		}
	}
}

// openAction keeps where the file opens, and nothing that it does.
func (c *cleaner) openAction() {
	if d, err := c.w.dict(c.catalog, "OpenAction"); err == nil && d != nil && c.w.name(d, "S") != "GoTo" {
		delete(c.catalog, "OpenAction")
	}
}

// strip removes from a dictionary what acts, is attached, or describes. Names of resources can be any, so the values count too.
func (c *cleaner) strip(d types.Dict) {
	if c.w.element(d) {
		c.untag(d)
	}
	for _, key := range names(d) {
		if c.acts(d, key) || c.attached(d, key) || c.describes(d, key) {
			delete(d, key)
		}
	}
}

// acts tells whether an entry leads to an action.
func (c *cleaner) acts(d types.Dict, key string) bool {
	action, err := c.w.objects.DereferenceDict(d[key])
	if err != nil || action == nil {
		return false
	}
	_, typed := action.Find("Type")
	_, kind := action.Find("Subtype")
	switch {
	case key == "AA" && !typed && !kind:
		return true
	case key == "Next":
		s := c.w.name(d, "S")
		return s == "URI" || s == "GoTo" || s == "Named"
	case slices.Contains(acting, c.w.name(action, "S")):
		return !c.w.element(action)
	case c.w.name(action, "S") == "URI":
		uri, _ := action.Find("URI")
		text, err := c.w.objects.DereferenceText(uri)
		return err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(text)), "javascript:")
	}
	return false
}

// attached tells whether an entry leads to a file.
func (c *cleaner) attached(d types.Dict, key string) bool {
	switch key {
	case "EF":
		return d["F"] != nil || d["UF"] != nil || c.w.name(d, "Type") == "Filespec"
	case "AF":
		list, err := c.w.objects.DereferenceArray(d[key])
		if err != nil {
			list = types.Array{d[key]}
		}
		return !slices.ContainsFunc(list, func(o types.Object) bool {
			file, err := c.w.objects.DereferenceDict(o)
			return err != nil || file["F"] == nil && file["UF"] == nil && file["EF"] == nil && c.w.name(file, "Type") != "Filespec"
		})
	}
	return false
}

// describes tells whether an entry describes its object: who made it, when, and of what.
func (c *cleaner) describes(d types.Dict, key string) bool {
	switch key {
	case "Metadata":
		ref, is := d[key].(types.IndirectRef)
		if is && c.meta != nil && ref == *c.meta {
			return false
		}
		sd, is := c.w.streamDict(d[key])
		return is && (c.w.name(sd.Dict, "Subtype") == "XML" || c.w.name(sd.Dict, "Type") == "Metadata")
	case "PieceInfo", "Thumb", "LastModified":
		return c.w.name(d, "Type") == "Page" || c.w.name(d, "Type") == "XObject" || c.w.name(d, "Type") == "Catalog" || c.w.name(d, "Subtype") == "Form"
	}
	return false
}

// describe replaces the file's description by one with its title, and the mark of PDF/UA where the tags are as they were.
func (c *cleaner) describe() {
	xmp := c.w.description()
	title := ""
	if o := c.w.info("Title"); o != nil {
		if text, err := c.w.objects.DereferenceText(o); err == nil && strings.TrimSpace(text) != "" {
			title, c.title = strings.TrimSpace(text), o
		}
	}
	if title == "" {
		title = property(xmp, "dc:title")
	}
	if c.title != nil {
		c.title, _ = c.w.objects.Dereference(c.title)
	}
	universal := ""
	if part := universalPart.FindSubmatch(xmp); part != nil && len(c.drawnOn) == 0 {
		universal = fmt.Sprintf("<pdfuaid:part>%s</pdfuaid:part>", part[1])
	}
	if title == "" && universal == "" {
		return
	}
	var b bytes.Buffer
	b.WriteString("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">" +
		"<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\">")
	if title != "" {
		b.WriteString("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">")
		_ = xml.EscapeText(&b, []byte(title)) // a buffer never fails
		b.WriteString("</rdf:li></rdf:Alt></dc:title>")
	}
	b.WriteString(universal + "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>")
	made := c.addStream(types.Dict{"Type": types.Name("Metadata"), "Subtype": types.Name("XML")}, b.String())
	c.meta = &made
}

var (
	universalPart = regexp.MustCompile(`pdfuaid:part(?:>|=["'])\s*(\d)`)
	markup        = regexp.MustCompile(`<[^>]*>`)
)

// info is an entry of the file's information; nil when there is none.
func (w *walker) info(key string) types.Object {
	if w.objects.Info == nil {
		return nil
	}
	d, err := w.objects.DereferenceDict(*w.objects.Info)
	if err != nil {
		return nil
	}
	return d[key]
}

// description is the file's XMP.
func (w *walker) description() []byte {
	catalog, err := w.objects.Catalog()
	if err != nil {
		return nil
	}
	o, found := catalog.Find("Metadata")
	if !found {
		return nil
	}
	xmp, _ := w.stream(o)
	return bytes.ReplaceAll(xmp, []byte{0}, nil) // UTF-16, roughly
}

// property is the text of a property in XMP, written as an element or as an attribute.
func property(xmp []byte, name string) string {
	if _, from, found := bytes.Cut(xmp, []byte("<"+name+">")); found {
		text, _, _ := bytes.Cut(from, []byte("</"+name))
		return strings.TrimSpace(html.UnescapeString(string(markup.ReplaceAll(text, nil))))
	}
	if _, from, found := bytes.Cut(xmp, []byte(name+`="`)); found {
		text, _, _ := bytes.Cut(from, []byte(`"`))
		return strings.TrimSpace(html.UnescapeString(string(text)))
	}
	return ""
}
