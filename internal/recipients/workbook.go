package recipients

import (
	"archive/zip"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// Limits of a workbook, so that a small file cannot fill the memory or keep a processor busy (zip bombs).
const (
	maxUnpacked  = 256 << 20 // bytes of one part
	maxRatio     = 250       // times a part may grow
	ratioFree    = 1 << 20   // bytes that may come out before the ratio counts
	maxDirectory = 1 << 20   // bytes of the list of parts
	maxTexts     = 8 << 20   // bytes of shared texts, which must be kept
	maxTextCount = 1 << 20
)

// workbook is an .xlsx file. Rows are read from its sheet as a stream; only shared texts and the formats of cells are
// kept. It is read by ourselves: the library keeps the file and its texts in memory or unpacked on disk, and does not
// tell numbers from texts.
type workbook struct {
	parts  map[string]*zip.File
	texts  texts
	styles styles
}

// texts are the shared texts of a workbook, one behind the other.
type texts struct {
	all  []byte
	ends []uint32
}

func (t *texts) at(i int) (string, bool) {
	if i < 0 || i >= len(t.ends) {
		return "", false
	}
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return string(t.all[from:t.ends[i]]), true
}

func openWorkbook(r io.ReaderAt, size int64) (*List, error) {
	if err := checkDirectory(r, size); err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(owner{r}, size)
	if err != nil {
		return nil, brokenUnless(err)
	}
	b := &workbook{parts: map[string]*zip.File{}}
	for _, f := range archive.File {
		b.parts[strings.TrimPrefix(f.Name, "/")] = f
	}
	book := b.find()
	if book == "" {
		return nil, refuse("problem.list.kind", nil)
	}
	sheet, name, err := b.load(book)
	if err != nil {
		return nil, brokenUnless(err)
	}
	l := &List{Kind: KindWorkbook, Sheet: name}
	l.open = func() (source, error) {
		p, err := b.part(sheet)
		if err != nil {
			return nil, brokenUnless(err)
		}
		return &sheetSource{book: b, part: p}, nil
	}
	return l, nil
}

// checkDirectory refuses an archive whose list of parts alone would fill the memory. A workbook with the wide form of
// the list is refused too: it is for archives of four gigabytes.
func checkDirectory(r io.ReaderAt, size int64) error {
	const record, comment = 22, 1 << 16
	tail := make([]byte, min(size, record+comment))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	at := strings.LastIndex(string(tail), "PK\x05\x06")
	if at < 0 || len(tail)-at < record {
		return refuse("problem.list.broken", nil)
	}
	length, offset := binary.LittleEndian.Uint32(tail[at+12:]), binary.LittleEndian.Uint32(tail[at+16:])
	end := size - int64(len(tail)) + int64(at)
	if length > maxDirectory || end-int64(offset) > maxDirectory {
		return refuse("problem.list.unpacked", nil)
	}
	return nil
}

// brokenUnless passes on what the reader below or the limits said, and calls all else a broken workbook.
func brokenUnless(err error) error {
	var refused *Refused
	var reading *readError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &reading):
		return reading.err
	}
	return refuse("problem.list.broken", nil)
}

// readError is an error of the reader that holds the list, which is not the list's fault.
type readError struct{ err error }

// Error implements error.
func (e *readError) Error() string { return e.err.Error() }

// owner marks the errors of the reader that holds the list.
type owner struct{ r io.ReaderAt }

// ReadAt implements io.ReaderAt.
func (o owner) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 { // what the archive says of itself is wrong
		return 0, io.ErrUnexpectedEOF
	}
	n, err := o.r.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = &readError{err}
	}
	return n, err
}

// find returns the part that lists the sheets.
func (b *workbook) find() string {
	for _, name := range []string{"xl/workbook.xml", "xl/workbook2.xml"} {
		if b.parts[name] != nil {
			return name
		}
	}
	return ""
}

// load reads what must be known before rows can be read, and finds the first sheet that is shown.
func (b *workbook) load(book string) (sheet, name string, err error) {
	sheets, old, err := b.sheets(book)
	if err != nil {
		return "", "", err
	}
	targets, err := b.targets(book)
	if err != nil {
		return "", "", err
	}
	for _, s := range sheets {
		if part := targets[s.id]; !s.hidden && b.parts[part] != nil {
			sheet, name = part, s.name
			break
		}
	}
	if sheet == "" {
		return "", "", refuse("problem.list.empty", nil)
	}
	if b.styles, err = b.readStyles(path.Join(path.Dir(book), "styles.xml")); err != nil {
		return "", "", err
	}
	b.styles.from1904 = old
	return sheet, name, b.readTexts(path.Join(path.Dir(book), "sharedStrings.xml"))
}

type sheetEntry struct {
	name, id string
	hidden   bool
}

func (b *workbook) sheets(book string) (all []sheetEntry, from1904 bool, err error) {
	err = b.each(book, func(_ *part, token xml.Token) error {
		e, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "workbookPr":
			from1904 = attribute(e, "date1904") == "1" || attribute(e, "date1904") == "true"
		case e.Name.Local == "sheet":
			all = append(all, sheetEntry{attribute(e, "name"), relation(e), attribute(e, "state") != "" && attribute(e, "state") != "visible"})
		}
		return nil
	})
	return all, from1904, err
}

// relation returns r:id; a sheet has an id of its own besides.
func relation(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

func (b *workbook) targets(book string) (map[string]string, error) {
	targets := map[string]string{}
	rels := path.Join(path.Dir(book), "_rels", path.Base(book)+".rels")
	err := b.each(rels, func(_ *part, token xml.Token) error {
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "Relationship" {
			target := attribute(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(path.Dir(book), target)
			}
			targets[attribute(e, "Id")] = strings.TrimPrefix(target, "/")
		}
		return nil
	})
	return targets, err
}

// readTexts reads the shared texts. Runs of a text are put together; how it is pronounced is left out.
func (b *workbook) readTexts(name string) error {
	if b.parts[name] == nil {
		return nil
	}
	inText, spoken := false, 0
	return b.each(name, func(_ *part, token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "t"
			spoken += one(e.Name.Local == "rPh")
		case xml.EndElement:
			inText = false
			spoken -= one(e.Name.Local == "rPh")
			if e.Name.Local == "si" {
				b.texts.ends = append(b.texts.ends, uint32(len(b.texts.all)))
			}
		case xml.CharData:
			if inText && spoken == 0 {
				b.texts.all = append(b.texts.all, e...)
			}
		}
		if len(b.texts.all) > maxTexts || len(b.texts.ends) > maxTextCount {
			return refuse("problem.list.unpacked", nil)
		}
		return nil
	})
}

// each hands over the tokens of a part that must be there.
func (b *workbook) each(name string, do func(*part, xml.Token) error) error {
	p, err := b.part(name)
	if err != nil {
		return err
	}
	for {
		token, err := p.token()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(p, token)
		}
		if err != nil {
			return err
		}
	}
}

// part is the XML of one part of a workbook, token by token. Tokens are raw: nothing is kept of what is open.
type part struct {
	xml    *xml.Decoder
	budget *budget
}

func (b *workbook) part(name string) (*part, error) {
	f := b.parts[name]
	if f == nil {
		return nil, errors.New("a part is missing")
	}
	if f.UncompressedSize64 > maxUnpacked {
		return nil, refuse("problem.list.unpacked", nil)
	}
	unpacked, err := f.Open()
	if err != nil {
		return nil, err
	}
	limit := &budget{r: &growth{r: unpacked, packed: int64(f.CompressedSize64)}}
	return &part{xml.NewDecoder(limit), limit}, nil
}

func (p *part) token() (xml.Token, error) {
	p.budget.left = maxRow
	token, err := p.xml.RawToken()
	if errors.Is(err, errBudget) {
		return nil, refuse("problem.list.unpacked", nil)
	}
	return token, err
}

// growth counts what comes out of the archive, whatever its list of parts says.
type growth struct {
	r           io.Reader
	packed, out int64
}

// Read implements io.Reader.
func (g *growth) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	g.out += int64(n)
	if g.out > maxUnpacked || g.out > ratioFree && g.out > maxRatio*max(g.packed, 1) {
		return 0, refuse("problem.list.unpacked", nil)
	}
	return n, err
}
