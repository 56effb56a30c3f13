// Command inspectpdf inspects one uploaded file for web, which starts it and gives it the file. It is a program of
// its own so that web neither links the engine nor waits for it at its start.
package main

import (
	"os"

	"utsending/internal/pdf"
	"utsending/internal/pdf/look"
	"utsending/internal/pdf/shut"
)

func main() {
	os.Exit(pdf.Child(os.Args[1:], os.Stdin, os.Stdout, look.Work(), shut.Files))
}
