package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Secrets are what Laden holds besides what its pages say.
func Secrets() []string {
	return []string{"hemmelig-kommentar", "hemmelig-utheving", "hemmelig-forfatter", "hemmelig-xmp", "hemmelig-vedlegg", "hemmelig-fil-paa-side", "hemmelig-skript", "hemmelig-skjema", "hemmelig-program", "hemmelig-oppslag"}
}

// Laden returns a tagged letter of two pages with all that can be removed: comments, an author, attachments, scripts, a program to
// start, and a field whose value, "Feltverdi 42", is on its first page. A link and a bookmark lead from page to page.
func Laden(lines ...string) []byte {
	appearance := func(text string) string {
		return Stream("/Type /XObject /Subtype /Form /BBox [0 0 150 20] /Resources << /Font << /F 4 0 R >> >>", "BT /F 11 Tf 2 5 Td ("+text+") Tj ET")
	}
	note := func(entries string) string { return "<< /Type /Annot /F 4 /Rect [300 300 450 320] " + entries + " >>" }
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 3 0 R /Lang (nb-NO) /Metadata 19 0 R /AF [18 0 R] /OpenAction << /S /JavaScript /JS (hemmelig-skript) >> " +
			"/AA << /WC << /S /JavaScript /JS (hemmelig-skript) >> >> /Names << /EmbeddedFiles << /Names [(a) 18 0 R] >> /JavaScript << /Names [(b) << /S /JavaScript /JS (hemmelig-skript) >>] >> /Dests << /Names [(andre) [7 0 R /Fit]] >> >> " +
			"/AcroForm << /Fields [13 0 R] /DA (hemmelig-skjema) >> /Outlines 22 0 R >>",
		"<< /Type /Pages /Count 2 /Kids [5 0 R 7 0 R] " + A4 + " /Resources << /Font << /F 4 0 R >> >> >>",
		"<< /Type /StructTreeRoot /K [9 0 R] /ParentTree << /Nums [0 [10 0 R] 1 [11 0 R] 2 12 0 R] >> /ParentTreeNextKey 3 >>",
		Helvetica,
		"<< /Type /Page /Parent 2 0 R /Contents 6 0 R /StructParents 0 /Annots [13 0 R 14 0 R 15 0 R 16 0 R 17 0 R] /PieceInfo << /X << /Private (hemmelig-oppslag) >> >> >>", // 5
		Stream("", "/P << /MCID 0 >> BDC\n"+Address(lines...)+Text(25, 110, "Vedtak om skyss")+"EMC\n"),
		"<< /Type /Page /Parent 2 0 R /Contents 8 0 R /StructParents 1 /Annots [20 0 R 23 0 R] >>", // 7
		Stream("", "/P << /MCID 0 >> BDC\n"+Text(25, 110, "Side to")+"EMC\n"),
		"<< /Type /StructElem /S /Document /P 3 0 R /K [10 0 R 11 0 R 12 0 R 21 0 R] >>", // 9
		"<< /Type /StructElem /S /P /P 9 0 R /Pg 5 0 R /K 0 >>",
		"<< /Type /StructElem /S /P /P 9 0 R /Pg 7 0 R /K 0 >>",
		"<< /Type /StructElem /S /Form /P 9 0 R /Pg 5 0 R /K << /Type /OBJR /Obj 13 0 R >> >>", // 12
		"<< /Type /Annot /Subtype /Widget /FT /Tx /T (hemmelig-skjema) /V (Feltverdi 42) /F 4 /Rect [72 400 222 420] /StructParent 2 /AP << /N 24 0 R >> /AA << /K << /S /JavaScript /JS (hemmelig-skript) >> >> >>",
		note("/Subtype /Text /T (hemmelig-forfatter) /Contents (hemmelig-kommentar) /Popup 17 0 R"),
		note("/Subtype /Highlight /QuadPoints [72 520 300 520 72 500 300 500] /C [1 1 0] /Contents (hemmelig-utheving)"),
		note("/Subtype /FileAttachment /Contents (hemmelig-kommentar) /FS << /Type /Filespec /F (hemmelig-fil-paa-side) /EF << /F 25 0 R >> >>"),
		"<< /Type /Annot /Subtype /Popup /Rect [0 0 50 50] /Parent 14 0 R >>",
		"<< /Type /Filespec /F (hemmelig-vedlegg) /EF << /F 25 0 R >> >>",
		Stream("/Type /Metadata /Subtype /XML", `<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator><rdf:Seq><rdf:li>hemmelig-xmp</rdf:li></rdf:Seq></dc:creator></x:xmpmeta>`),
		"<< /Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [72 300 172 320] /StructParent 3 /A << /S /GoTo /D (andre) /Next << /S /JavaScript /JS (hemmelig-skript) >> >> >>", // 20
		"<< /Type /StructElem /S /Link /P 9 0 R /Pg 7 0 R /K << /Type /OBJR /Obj 20 0 R >> >>",
		"<< /Type /Outlines /First 26 0 R /Last 26 0 R /Count 1 >>",
		"<< /Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [72 200 172 220] /A << /S /Launch /F (hemmelig-program) >> >>",
		appearance("Feltverdi 42"), // 24
		Stream("/Type /EmbeddedFile", "hemmelig-vedlegg"),
		"<< /Title (Andre side) /Parent 22 0 R /Dest [7 0 R /Fit] >>",
		"<< /Title (Vedtak om skyss) /Author (hemmelig-forfatter) /Company (hemmelig-forfatter) >>",
	}
	return bytes.Replace(Build(objects...), []byte("/Root 1 0 R"), fmt.Appendf(nil, "/Root 1 0 R /Info %d 0 R", len(objects)), 1)
}

// Signed returns Laden with a digital signature, as far as its structure goes.
func Signed(lines ...string) []byte {
	return []byte(strings.Replace(string(Laden(lines...)), "/DA (hemmelig-skjema)", "/SigFlags 3          ", 1))
}
