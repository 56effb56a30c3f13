package simulator

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
)

// upload is a submission read to its last byte. The documents themselves are not stored.
type upload struct {
	fields    Metadata
	metadata  []byte
	documents []Document
	rejected  string // the rule for which it is rejected after acceptance, or empty
	Fault     Fault
}

// Intake is how one generation reads a submission.
type Intake struct {
	Rules  []Check // for the metadata
	Decode func(metadata []byte) (Metadata, error)
	Strict bool // the types and names of parts are checked, not only the file names

	Content []Check // of the documents, besides those of every generation
	AnyName bool    // the only document's file name is not in the metadata
}

// form is a multipart body being read.
type form struct {
	parts *multipart.Reader
	body  *watched
}

// watched records the read error, to tell a lost connection from malformed content.
type watched struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// ReadUpload reads a submission: metadata first, then each document in order, without storing them.
func (x *Exchange) ReadUpload(in Intake) (upload, bool) {
	f, ok := x.openForm(in)
	if !ok {
		return upload{}, false
	}
	u, t := upload{}, x.Sim.terms()
	if !x.readMetadata(f, in, &u) || !x.checkRules(in.Rules, &u, t) {
		return upload{}, false
	}
	x.SetRecipient(u.fields.Title)
	u.Fault = x.Decide(u.fields.Title, x.Sim.wordsIn(u.fields.Title).send)
	if u.Fault == CutInBody || u.Fault == EarlyError {
		x.early = true
		x.Play(u.Fault, nil)
		return upload{}, false
	}
	ok = x.readDocuments(f, in, &u)
	t.documents = u.documents
	ok = ok && x.checkRules(append(contentRules(), in.Content...), &u, t)
	if !ok {
		x.Note(func(c *Call) { c.Fault = "" }) // it was chosen, but not injected
	}
	return u, ok
}

// openForm checks the headers.
//
// Assumption: the deployed service takes a body of unknown length, which its own client sends; the delivery rules
// rely on a known one, so it is a violation there too.
func (x *Exchange) openForm(in Intake) (*form, bool) {
	x.NoteKeys()
	if x.Request.ContentLength < 0 {
		x.Violate("no Content-Length")
		if in.Strict {
			x.FailWith(http.StatusLengthRequired, "no Content-Length")
			return nil, false
		}
	}
	kind, params, err := mime.ParseMediaType(x.Request.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, x.Invalid("Content-Type is not multipart/form-data with a boundary")
	}
	body := &watched{r: x.Request.Body}
	return &form{parts: multipart.NewReader(body, params["boundary"]), body: body}, true
}

// checkRules refuses a submission, or records the rejection that follows acceptance.
func (x *Exchange) checkRules(rules []Check, u *upload, t Terms) bool {
	if text := breach(rules, false, &u.fields, t); text != "" {
		return x.Invalid(text)
	}
	if text := breach(rules, true, &u.fields, t); text != "" && u.rejected == "" {
		x.Violate(text)
		u.rejected = text
	}
	return true
}

func (x *Exchange) readMetadata(f *form, in Intake, u *upload) bool {
	p, err := f.parts.NextRawPart()
	if err == io.EOF {
		return x.Invalid("there is no part forsendelse")
	}
	if err != nil {
		return x.torn(f)
	}
	if text := in.checkMetadata(readHead(p)); text != "" {
		return x.Invalid(text)
	}
	u.metadata, err = io.ReadAll(io.LimitReader(p, maxBody+1))
	if err != nil {
		return x.torn(f)
	}
	if len(u.metadata) > maxBody {
		return x.Invalid("metadata over 1 MiB")
	}
	u.fields, err = in.Decode(u.metadata)
	if err != nil {
		return x.Invalid("metadata: " + err.Error())
	}
	return true
}

func (x *Exchange) readDocuments(f *form, in Intake, u *upload) bool {
	for _, want := range u.fields.Files {
		p, err := f.parts.NextRawPart()
		if err == io.EOF {
			return x.Invalid("there are fewer parts than dokumenter")
		}
		if err != nil {
			return x.torn(f)
		}
		head := readHead(p)
		if in.AnyName {
			want.Name = head.fileName
		}
		if text := in.checkDocument(head, want); text != "" {
			return x.Invalid(text)
		}
		d, err := x.readDocument(p, want, u.fields.Encrypted)
		if isWrong(err) {
			return x.Invalid(err.Error())
		}
		if err != nil {
			return x.torn(f)
		}
		u.documents = append(u.documents, d)
	}
	return x.readEnd(f)
}

// readDocument hashes a file as it arrives, and decrypts it if it must be encrypted.
func (x *Exchange) readDocument(p io.Reader, want File, encrypted bool) (Document, error) {
	d := Document{FileName: want.Name, MimeType: want.MimeType}
	arrived, clear := &digest{hash: sha256.New()}, &digest{hash: sha256.New()}
	file := io.TeeReader(p, arrived)
	if encrypted {
		opened, err := x.Sim.recipient().open(file)
		if err == nil {
			_, err = io.Copy(clear, opened)
		}
		if err != nil {
			return d, err
		}
		d.ClearSize, d.ClearSHA256 = clear.size, clear.sum()
	}
	_, err := io.Copy(io.Discard, file)
	d.Size, d.SHA256 = arrived.size, arrived.sum()
	return d, err
}

// isWrong tells a faulty file from a lost connection.
func isWrong(err error) bool {
	return errors.Is(err, errEnvelope) || errors.Is(err, errRecipient) || errors.Is(err, errDecrypt)
}

// digest is the size and hash of a file.
type digest struct {
	hash hash.Hash
	size int64
}

// Write implements io.Writer.
func (d *digest) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	return d.hash.Write(p)
}

func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// readEnd requires the closing boundary, and a body as long as Content-Length.
func (x *Exchange) readEnd(f *form) bool {
	_, err := f.parts.NextRawPart()
	if err == nil {
		return x.Invalid("there are more parts than dokumenter")
	}
	if err != io.EOF {
		return x.torn(f)
	}
	if _, err := io.Copy(io.Discard, f.body); err != nil {
		return x.torn(f)
	}
	return true
}

// torn ends an exchange whose body could not be read: the connection is lost, or it is not multipart.
func (x *Exchange) torn(f *form) bool {
	if f.body.err != nil {
		x.cut()
		return false
	}
	return x.Invalid("body is not whole multipart/form-data")
}
