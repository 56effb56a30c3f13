// Command inspectpdf looks into one uploaded file for web, which starts it and gives it the file: a program of its own, so
// that web neither links the parser nor waits for it at its start.
package main

import (
	"os"

	"utsending/internal/pdf"
	"utsending/internal/pdf/look"
	"utsending/internal/pdf/shut"
)

func main() {
	if command, ok := pdf.Drawing(os.Args); ok {
		os.Exit(pdf.DrawChild(os.Stdin, os.Stdout, command, shut.Files))
	}
	os.Exit(pdf.Child(os.Stdin, os.Stdout, look.Into, look.Part, look.Split, shut.Files))
}
