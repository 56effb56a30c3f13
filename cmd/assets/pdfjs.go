package main

import (
	"crypto/sha256"
	"encoding/base32"
	"os"
	"path/filepath"
)

const (
	pdfFolder = "node_modules/pdfjs-dist"
	// jpxDecoder is fetched by the reader of PDFs itself, under this name in the folder that it is told.
	jpxDecoder = "openjpeg_nowasm_fallback.js"
)

// addPDFReader adds pdf.js as it comes: its page side, its worker, and the decoder of JPEG 2000 pictures that needs no
// WebAssembly, which our policy forbids. It is the build for older browsers: the other one wants newer ones than we do.
func (o *output) addPDFReader(root string) error {
	folder := filepath.Join(root, filepath.FromSlash(pdfFolder))
	for name, path := range map[string]string{"pdf.js": "legacy/build/pdf.min.mjs", "pdf.worker.js": "legacy/build/pdf.worker.min.mjs"} {
		content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
		if err != nil {
			return err
		}
		o.add(name, content)
	}
	decoder, err := os.ReadFile(filepath.Join(folder, "wasm", jpxDecoder))
	if err != nil {
		return err
	}
	o.addHashed(jpxDecoder, "openjpeg-"+hash(decoder)+"/"+jpxDecoder, decoder)
	return nil
}

// hash is what tells a content from others in the name of its file.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return base32.StdEncoding.EncodeToString(sum[:])[:8]
}
