// Package docx writes a Word template for letters that keeps an account's rules for PDFs.
package docx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"utsending/internal/dispatch"
)

// Kind is the content type of the template.
const Kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// Words are the texts of the template, in a language.
type Words struct {
	Language string // as in nb-NO
	Title    string // of the document
	Address  []string
	Heading  string
	Body     []string
}

// Layout is where a letter may have text, in millimetres.
type Layout struct {
	Left, Right, Top, Bottom int // margins

	// Address is where the recipient's address has to stand, and nothing else; its zero value: nowhere, since the service
	// puts a cover sheet in front.
	Address Area
}

// Area is an area of a page.
type Area struct{ X, Y, Width, Height int }

// What looks like a letter, where the rules ask for less; and how far text stays from the zones of the printer.
const (
	usual = 20
	apart = 3
)

// LayoutOf returns the layout that keeps the rules.
func LayoutOf(r dispatch.PrintRules) Layout {
	l := Layout{Left: max(usual, r.SideMargin, r.BarcodeWidth+apart), Right: max(usual, r.SideMargin), Top: max(usual, r.EndMargin), Bottom: max(usual, r.EndMargin)}
	if r.CoverSheet {
		return l
	}
	const inside = 5 // from the edges of the window, in which the sheet moves
	x, y := max(l.Left, r.WindowLeft+inside), max(l.Top, r.WindowTop+inside)
	l.Address = Area{x, y, max(r.WindowLeft+r.WindowWidth-inside-x, 0), max(r.WindowTop+r.WindowHeight-inside-y, 0)}
	return l
}

// Write writes the template for an account's rules: A4, with the address where the window shows it, if it does.
func Write(out io.Writer, r dispatch.PrintRules, words Words) error {
	z := zip.NewWriter(out)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", packageRelations},
		{"docProps/core.xml", fmt.Sprintf(core, escape(words.Title), escape(words.Language))},
		{"word/_rels/document.xml.rels", documentRelations},
		{"word/settings.xml", settings},
		{"word/styles.xml", fmt.Sprintf(styles, escape(words.Language))},
		{"word/document.xml", document(r, words)},
	} {
		w, err := z.Create(part.name)
		if err == nil {
			_, err = io.WriteString(w, declaration+part.content)
		}
		if err != nil {
			return fmt.Errorf("word template: %w", err)
		}
	}
	return z.Close()
}

// document is the letter itself. The address stands in a frame that has a fixed place on the page, whatever else is written. The frame
// reaches above the window, where there is room for text, and below it, and lets nothing stand beside it, so that no other text shows
// there.
func document(r dispatch.PrintRules, words Words) string {
	l := LayoutOf(r)
	var b strings.Builder
	if a := l.Address; a.Width > 0 && a.Height > 0 {
		top := min(a.Y, max(l.Top, r.WindowTop-apart)) // the letter's text may begin above the window
		frame := fmt.Sprintf(`<w:framePr w:w="%d" w:h="%d" w:hRule="exact" w:hSpace="0" w:wrap="notBeside" w:vAnchor="page" w:hAnchor="page" w:x="%d" w:y="%d"/>`,
			twips(a.Width), twips(r.WindowTop+r.WindowHeight+apart-top), place(a.X), place(top))
		for i, line := range words.Address {
			before := ""
			if i == 0 && top < a.Y {
				before = fmt.Sprintf(`<w:spacing w:before="%d"/>`, twips(a.Y-top))
			}
			b.WriteString(paragraph(`<w:pStyle w:val="Address"/>`+frame+before, line))
		}
	}
	b.WriteString(paragraph(`<w:pStyle w:val="Heading1"/>`, words.Heading))
	for _, line := range words.Body {
		b.WriteString(paragraph("", line))
	}
	return fmt.Sprintf(`<w:document %s><w:body>%s<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="%d" w:right="%d" w:bottom="%d" w:left="%d" w:header="%d" w:footer="%d" w:gutter="0"/></w:sectPr></w:body></w:document>`,
		wordNames, b.String(), twips(l.Top), twips(l.Right), twips(l.Bottom), twips(l.Left), twips(l.Top/2), twips(l.Bottom/2))
}

func paragraph(properties, text string) string {
	return `<w:p><w:pPr>` + properties + `</w:pPr><w:r><w:t xml:space="preserve">` + escape(text) + `</w:t></w:r></w:p>`
}

// twips converts millimetres to twentieths of a point, rounded up: nothing comes nearer to an edge than it may.
func twips(mm int) int { return (mm*1440*10 + 253) / 254 }

// place is the place of a frame, which Word takes for none where it is 0.
func place(mm int) int { return max(twips(mm), 1) }

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

const (
	declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	wordNames   = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

	contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
		`<Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/>` +
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
	relations        = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	packageRelations = relations + `<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`
	documentRelations = relations + `<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings" Target="settings.xml"/></Relationships>`

	// No author: what is saved as a PDF would name them. The title and the language go into the PDF, for screen readers.
	core = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>%s</dc:title><dc:language>%s</dc:language></cp:coreProperties>`

	// Fonts are embedded in the document too, so that they are at hand wherever it is saved as a PDF; names of people who change
	// the document are left out when it is saved.
	settings = `<w:settings ` + wordNames + `><w:removePersonalInformation/><w:embedTrueTypeFonts/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`

	styles = `<w:styles ` + wordNames + `><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="Arial" w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="%s"/></w:rPr></w:rPrDefault>` +
		`<w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="30"/></w:rPr></w:style>` +
		`<w:style w:type="paragraph" w:customStyle="1" w:styleId="Address"><w:name w:val="Address"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr></w:style></w:styles>`
)
