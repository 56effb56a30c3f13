package pdftest

import (
	"encoding/binary"
	"fmt"
)

const scanWidth, scanHeight = 210, 297

// Scan returns a PDF of A4 pages as a scanner makes them: each is a picture in JPEG 2000, here evenly grey.
func Scan(pages int) []byte { return scan(pages, greyJPX(scanWidth, scanHeight)) }

// BrokenScan returns a Scan of one page whose picture cannot be decoded.
func BrokenScan() []byte { return scan(1, []byte("no picture")) }

func scan(pages int, jpx []byte) []byte {
	picture := Stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode",
		scanWidth, scanHeight), string(jpx))
	file := File{Objects: []string{picture}}
	for range pages {
		file.Pages = append(file.Pages, Page{Content: WholePage, Objects: fmt.Sprintf("/P %d 0 R", FirstObject)})
	}
	return file.Bytes()
}

// greyJPX is a JPEG 2000 codestream of one component and one empty packet: every coefficient is zero, so every pixel
// is mid-grey.
func greyJPX(width, height uint32) []byte {
	b := []byte{0xff, 0x4f, 0xff, 0x51, 0, 41, 0, 0} // SOC; SIZ, without extensions
	for _, n := range []uint32{width, height, 0, 0, width, height, 0, 0} {
		b = binary.BigEndian.AppendUint32(b, n) // the picture, and one tile of the same size, from its corner
	}
	b = append(b, 0, 1, 7, 1, 1)                                   // one component of 8 bits, not subsampled
	b = append(b, 0xff, 0x52, 0, 12, 0, 0, 0, 1, 0, 0, 4, 4, 0, 1) // COD: one layer, no decomposition, blocks of 64 × 64, reversible
	b = append(b, 0xff, 0x5c, 0, 4, 0x40, 0x40)                    // QCD: no quantization, two guard bits
	b = append(b, 0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 15, 0, 1)      // SOT: the tile's only part, 15 bytes with these
	return append(b, 0xff, 0x93, 0, 0xff, 0xd9)                    // SOD; the tile's one packet, empty; EOC
}
