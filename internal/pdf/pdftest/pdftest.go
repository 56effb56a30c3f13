// Package pdftest builds PDFs for tests: ordinary ones, and ones that attack a parser.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/api"

	"utsending/internal/pdf/parser"
)

// A4 is the media box of an upright page, as an entry for Pages.
const A4 = "/MediaBox [0 0 595.276 841.89]"

// Make returns a PDF of A4 pages with a line of text each.
func Make(pages int) []byte {
	entries := make([]string, pages)
	for i := range entries {
		entries[i] = A4
	}
	return Pages(entries...)
}

// Pages returns a PDF with a page for each argument, which is the page's further entries, such as size and rotation.
func Pages(entries ...string) []byte {
	kids := make([]string, len(entries))
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}
	for i, entry := range entries {
		page := len(objects) + 1
		kids[i] = fmt.Sprintf("%d 0 R", page)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F 3 0 R >> >> %s >>", page+1, entry),
			Stream("", fmt.Sprintf("BT /F 12 Tf 72 700 Td (Side %d av %d) Tj ET", i+1, len(entries))))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(entries), strings.Join(kids, " "))
	return Build(objects...)
}

// Build returns a PDF of these objects, numbered from 1. The first is the catalogue.
func Build(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}

// Stream returns a stream object with these entries besides its length.
func Stream(entries, content string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(content), entries, content)
}

// Encrypted returns a PDF of three pages encrypted with AES-256. With an empty user password the file opens for
// everybody, restricted; the owner password must then not be empty.
func Encrypted(userPassword, ownerPassword string) []byte {
	if ownerPassword == "" {
		ownerPassword = userPassword
	}
	c := parser.Configuration()
	c.UserPW, c.OwnerPW, c.EncryptUsingAES, c.EncryptKeyLength = userPassword, ownerPassword, true, 256
	var b bytes.Buffer
	if err := api.Encrypt(bytes.NewReader(Make(3)), &b, c); err != nil {
		panic(err) // only by a mistake in this package, or with two empty passwords
	}
	return b.Bytes()
}

// EncryptedAttachment returns a page that everybody can read, with an attachment that needs a password: the crypt
// filter of streams and strings is Identity, that of embedded files is not.
func EncryptedAttachment() []byte {
	const secret = "<0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef>"
	f := File{
		Catalog: fmt.Sprintf("/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.txt) /EF << /F %d 0 R >> >>] >> >>", FirstObject),
		Pages:   []Page{{Content: Text(25, 110, "Vedtak")}},
		Objects: []string{Stream("/Type /EmbeddedFile", strings.Repeat("0123456789abcdef", 3))},
	}
	encryption := "/Encrypt << /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /O " + secret + " /U " + secret +
		" /CF << /StdCF << /Type /CryptFilter /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> /StmF /Identity /StrF /Identity /EFF /StdCF >> /ID [" + secret + secret + "] /Root"
	return bytes.Replace(f.Bytes(), []byte("/Root"), []byte(encryption), 1)
}
