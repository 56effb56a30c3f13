package simulator

import (
	"mime"
	"mime/multipart"
	"strings"
)

// partHead is the parsed header of a part.
type partHead struct {
	ok             bool
	name, fileName string
	extended       bool // the file name is in the format of RFC 5987, which RFC 7578 forbids
	contentType    string
}

// readHead does not use Part.FileName, which would hide folders.
func readHead(p *multipart.Part) partHead {
	disposition := p.Header.Get("Content-Disposition")
	kind, params, err := mime.ParseMediaType(disposition)
	return partHead{
		ok:   err == nil && kind == "form-data",
		name: params["name"], fileName: params["filename"],
		extended:    strings.Contains(strings.ToLower(disposition), "filename*"),
		contentType: p.Header.Get("Content-Type"),
	}
}

func (in Intake) checkMetadata(p partHead) string {
	mild := p.contentType == "" || isText(p.contentType, "text/plain")
	switch {
	case !p.ok || p.name != "forsendelse":
		return "the first part is not named forsendelse"
	case isText(p.contentType, "application/json"), mild && !in.Strict:
		return ""
	}
	return "the part forsendelse is not application/json"
}

// checkDocument compares a part with the expected document.
func (in Intake) checkDocument(p partHead, want File) string {
	kind, _, _ := mime.ParseMediaType(p.contentType)
	switch {
	case !p.ok:
		return "a part is not form-data"
	case in.AnyName && p.fileName == "":
		return "a document has no file name"
	case p.fileName != want.Name:
		return "the file name of a part is not the filnavn whose turn it is"
	case in.Strict && p.extended:
		return "the file name of a part is in the form of RFC 5987"
	case in.Strict && p.name != want.Name:
		return "the name of a part is not its filnavn"
	case in.Strict && kind != "application/octet-stream":
		return "a document is not application/octet-stream"
	}
	return ""
}
