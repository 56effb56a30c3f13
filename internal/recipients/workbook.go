package recipients

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	textunicode "golang.org/x/text/encoding/unicode"

	"utsending/internal/dispatch"
)

// Limits of a workbook: a small file must not exhaust memory or processor (zip bomb).
const (
	maxUnpacked  = 256 << 20 // bytes of a part, unpacked
	maxRatio     = 250       // largest compression ratio of a part
	ratioFree    = 1 << 20   // unpacked bytes below which the ratio does not count
	maxDirectory = 1 << 20   // bytes of the archive's directory
	maxTexts     = 8 << 20   // bytes of shared strings, which are kept in memory
	maxTextCount = 1 << 20
)

// workbook is an .xlsx file. Rows are streamed from a sheet; only shared strings and cell formats are kept. It is
// parsed by ourselves: the library keeps the file and its strings in memory or unpacked on disk, and does not
// distinguish numbers from texts.
type workbook struct {
	parts  map[string]*zip.File
	texts  texts
	styles styles
	merged map[string]merges // by sheet
}

// texts are the shared strings of a workbook, concatenated.
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

// openWorkbook returns a list for every visible sheet, the active one first.
func openWorkbook(r io.ReaderAt, size int64, choice dispatch.ListChoice) ([]*List, error) {
	if err := checkDirectory(r, size); err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(fileReader{r}, size)
	if err != nil {
		return nil, brokenUnless(err)
	}
	b := &workbook{parts: map[string]*zip.File{}, merged: map[string]merges{}}
	for _, f := range archive.File {
		b.parts[partName(f.Name)] = f
	}
	book, err := b.find()
	if err != nil {
		return nil, brokenUnless(err)
	}
	if book == "" {
		return nil, refuse("problem.list.kind", nil)
	}
	sheets, err := b.load(book)
	if err != nil {
		return nil, brokenUnless(err)
	}
	var lists []*List
	for _, sheet := range sheets {
		l := &List{Kind: KindWorkbook, Sheet: sheet.name, place: sheet.place}
		l.open = func() (source, error) { return b.source(sheet.part, choice.Hidden) }
		lists = append(lists, l)
	}
	return preferred(lists, choice.Sheet), nil
}

// preferred puts the sheet that a person has chosen first.
func preferred(lists []*List, name string) []*List {
	if i := slices.IndexFunc(lists, func(l *List) bool { return l.Sheet == name }); name != "" && i > 0 {
		lists = slices.Concat(lists[i:i+1], lists[:i], lists[i+1:])
	}
	return lists
}

// source starts reading a sheet.
func (b *workbook) source(sheet string, all bool) (source, error) {
	merged, ok := b.merged[sheet]
	if !ok {
		var err error
		if merged, err = b.readMerges(sheet); err != nil {
			return nil, brokenUnless(err)
		}
		b.merged[sheet] = merged
	}
	p, err := b.part(sheet)
	if err != nil {
		return nil, brokenUnless(err)
	}
	return &sheetSource{book: b, part: p, all: all, merges: merges{merged.to, map[int]carried{}}, lost: map[int]bool{}}, nil
}

// partName normalizes a part's name: ASCII case does not count (ECMA-376-2, 6.2.2.3), and some programs write
// backslashes.
func partName(name string) string {
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	return strings.ToLower(strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/"))
}

// checkDirectory refuses an archive whose directory alone would exhaust memory. ZIP64 is refused too: it is for
// archives above 4 GB.
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

// brokenUnless keeps errors of reading and of limits, and makes all others a broken workbook.
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

// readError is an error of reading the file, which is not the list's fault.
type readError struct{ err error }

// Error implements error.
func (e *readError) Error() string { return e.err.Error() }

// fileReader marks errors of reading the file.
type fileReader struct{ r io.ReaderAt }

// ReadAt implements io.ReaderAt.
func (o fileReader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 { // the archive's own offsets are wrong
		return 0, io.ErrUnexpectedEOF
	}
	n, err := o.r.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = &readError{err}
	}
	return n, err
}

// find returns the part that lists the sheets: the package names it, else it has its usual name.
func (b *workbook) find() (string, error) {
	named, err := b.relations("")
	if err != nil {
		return "", err
	}
	candidates := []string{"xl/workbook.xml", "xl/workbook2.xml"}
	for _, r := range named {
		if r.kind == "officedocument" {
			candidates = append([]string{r.target}, candidates...)
		}
	}
	for _, name := range candidates {
		if b.parts[name] != nil && !strings.HasSuffix(name, ".bin") && strings.HasPrefix(path.Base(name), "workbook") || b.parts[name] != nil && b.lists(name) {
			return name, nil
		}
	}
	return "", nil
}

// lists tells whether a part lists sheets: documents and presentations have the same packages.
func (b *workbook) lists(name string) bool {
	found, err := b.holds(name, "<sheets")
	if !found && err == nil {
		found, err = b.holds(name, ":sheets")
	}
	return found && err == nil
}

// maxSheets is how many sheets are searched for a list.
const maxSheets = 50

// load reads strings, formats and relations, and returns the visible sheets, the active one first.
func (b *workbook) load(book string) (sheets []sheetEntry, err error) {
	all, active, err := b.sheets(book)
	if err != nil {
		return nil, err
	}
	targets, err := b.relations(book)
	if err != nil {
		return nil, err
	}
	styles, texts := path.Join(path.Dir(book), "styles.xml"), path.Join(path.Dir(book), "sharedstrings.xml")
	for _, r := range targets {
		switch r.kind {
		case "styles":
			styles = r.target
		case "sharedstrings":
			texts = r.target
		}
	}
	for i, s := range all {
		r, ok := targets[s.id]
		if !ok && len(targets) == 0 { // a package without relationships
			r = related{"worksheet", path.Join(path.Dir(book), "worksheets", "sheet"+strconv.Itoa(i+1)+".xml")}
		}
		if s.part = r.target; s.hidden || b.parts[s.part] == nil || r.kind != "worksheet" || len(sheets) == maxSheets {
			continue
		}
		if s.place = i; i == active {
			sheets = append([]sheetEntry{s}, sheets...)
		} else {
			sheets = append(sheets, s)
		}
	}
	if len(sheets) == 0 {
		return nil, refuse("problem.list.empty", nil)
	}
	old := b.styles.from1904
	if b.styles, err = b.readStyles(styles); err != nil {
		return nil, err
	}
	b.styles.from1904 = old
	return sheets, b.readTexts(texts)
}

// sheetEntry is a sheet in the workbook's list.
type sheetEntry struct {
	name, id string
	hidden   bool
	part     string
	place    int
}

// sheets returns the sheets, and the index of the active one.
func (b *workbook) sheets(book string) (all []sheetEntry, active int, err error) {
	views := 0
	err = b.each(book, func(_ *part, token xml.Token) error {
		e, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "workbookPr":
			b.styles.from1904 = yes(e, "date1904")
		case e.Name.Local == "workbookView":
			if views++; views == 1 { // further views are other windows of the same workbook
				active, _ = strconv.Atoi(attribute(e, "activeTab")) // 0 if absent: the first sheet
			}
		case e.Name.Local == "sheet":
			all = append(all, sheetEntry{name: attribute(e, "name"), id: relation(e), hidden: attribute(e, "state") != "" && attribute(e, "state") != "visible"})
		}
		return nil
	})
	return all, active, err
}

// relation returns the attribute r:id; a sheet also has an id without a namespace.
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

// related is the target of a relationship, with its type in lower case.
type related struct{ kind, target string }

// relations reads the relationships of a part, by id; of the package, if the name is empty.
func (b *workbook) relations(of string) (map[string]related, error) {
	all := map[string]related{}
	rels := path.Join(path.Dir(of), "_rels", path.Base(of)+".rels")
	if of == "" {
		rels = "_rels/.rels"
	}
	if b.parts[rels] == nil {
		return all, nil
	}
	err := b.each(rels, func(_ *part, token xml.Token) error {
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "Relationship" {
			target := strings.ReplaceAll(attribute(e, "Target"), `\`, "/")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(path.Dir(of), target)
			}
			all[attribute(e, "Id")] = related{strings.ToLower(path.Base(attribute(e, "Type"))), partName(target)}
		}
		return nil
	})
	return all, err
}

// readTexts reads the shared strings. Rich text runs are joined; phonetic runs are dropped.
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

// each calls do with the tokens of a part, which must exist.
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

// part is the XML of a part of the workbook, as raw tokens: the decoder keeps no stack of open elements.
type part struct {
	xml    *xml.Decoder
	budget *budget
}

func (b *workbook) part(name string) (*part, error) {
	r, err := b.reader(name)
	if err != nil {
		return nil, err
	}
	limit := &budget{r: r}
	decoder := xml.NewDecoder(limit)
	decoder.CharsetReader = declared
	return &part{decoder, limit}, nil
}

// reader unpacks a part within the limits.
func (b *workbook) reader(name string) (io.Reader, error) {
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
	return decoded(&ratioLimit{r: unpacked, packed: int64(f.CompressedSize64)}), nil
}

// decoded converts a part in UTF-16, which packages may have (ECMA-376-2), to UTF-8.
func decoded(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	switch start, _ := in.Peek(2); string(start) { // an error recurs at the next read
	case "\xff\xfe", "\xfe\xff":
		return textunicode.UTF16(textunicode.LittleEndian, textunicode.ExpectBOM).NewDecoder().Reader(in)
	}
	return in
}

// declared accepts the encoding that a part declares if it is UTF-8 by now or always was.
func declared(encoding string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(encoding) {
	case "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "utf8":
		return r, nil
	}
	return nil, errors.New("an encoding that workbooks do not have")
}

func (p *part) token() (xml.Token, error) {
	p.budget.left = maxRow
	token, err := p.xml.RawToken()
	if errors.Is(err, errBudget) {
		return nil, refuse("problem.list.unpacked", nil)
	}
	return token, err
}

// ratioLimit enforces the limits on the bytes really unpacked, whatever the directory declares.
type ratioLimit struct {
	r           io.Reader
	packed, out int64
}

// Read implements io.Reader.
func (g *ratioLimit) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	g.out += int64(n)
	if g.out > maxUnpacked || g.out > ratioFree && g.out > maxRatio*max(g.packed, 1) {
		return 0, refuse("problem.list.unpacked", nil)
	}
	return n, err
}
