package look

import (
	"math"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

const (
	// contentTime, with what pages add, mostContentTime and contentBytes end the going through of pages; those that are left
	// count as unread. The processor time of the child is longer: what is unread is better than no answer.
	contentTime     = 3 * time.Second
	mostContentTime = 6 * time.Second
	contentBytes    = 400 << 20
	maxForms        = 12 // inside each other
	maxStates       = 500
	maxGlyphs       = 50_000
	// pictured is the part of a page that a picture covers at least for the page to be a scanned one.
	pictured = 0.4
)

// budget is what going through the content of all pages may cost.
type budget struct {
	ends  time.Time
	bytes int
}

func (b *budget) spent() bool { return b.bytes < 0 || time.Now().After(b.ends) }

// painter goes through the content of a page.
type painter struct {
	w      *walker
	budget *budget

	page page
	all  bool // the words are wanted too, not only whether there are any

	state  graphics
	stack  []graphics
	line   matrix // text line matrix
	text   matrix
	glyphs []glyph

	shown    int // characters of text
	unknown  int // of them, those that nobody can read
	pictures float64
	gaveUp   bool
}

// graphics is what q keeps and Q brings back.
type graphics struct {
	ctm                     matrix
	font                    *font
	size, char, word, scale float64
	leading, rise           float64
}

// glyph is a character where it stands, in millimetres from the upper left corner.
type glyph struct {
	text          string
	x, y, w, size float64 // y is the baseline
}

func newPainter(w *walker, b *budget, p page) *painter {
	return &painter{w: w, budget: b, page: p, state: graphics{ctm: p.view(), scale: 1}}
}

// paint goes through the page's own content.
func (p *painter) paint() {
	var all []byte
	for _, o := range p.w.contents(p.page.node) {
		text, ok := p.w.stream(o)
		if ok {
			all = append(append(all, text...), '\n')
		}
		if p.budget.bytes -= len(text); p.budget.spent() {
			p.gaveUp = true
			return
		}
	}
	p.run(all, p.page.resources, 0)
}

// enough tells whether no more has to be known of the page.
func (p *painter) enough() bool { return p.gaveUp || !p.all && p.shown > p.unknown }

// run goes through one stream.
func (p *painter) run(content []byte, resources types.Dict, depth int) {
	l := lexer{in: content}
	var operands []token
	for n := 1; !p.enough(); n++ {
		t, ok := l.next(0)
		if !ok {
			return
		}
		if n%4096 == 0 && p.budget.spent() {
			p.gaveUp = true
			return
		}
		if t.kind != tokenOperator {
			if operands = append(operands, t); len(operands) > 100 {
				operands = operands[1:]
			}
			continue
		}
		switch t.text {
		case "ID":
			l.skipImage()
		case "Do":
			p.do(operands, resources, depth)
		case "Tf":
			p.setFont(operands, resources)
		default:
			p.operate(t.text, operands)
		}
		operands = operands[:0]
	}
}

func (p *painter) operate(operator string, o []token) {
	n := numbers(o)
	switch operator {
	case "q":
		if len(p.stack) < maxStates {
			p.stack = append(p.stack, p.state)
		}
	case "Q":
		if last := len(p.stack) - 1; last >= 0 {
			p.state, p.stack = p.stack[last], p.stack[:last]
		}
	case "cm":
		p.state.ctm = asMatrix(n).times(p.state.ctm)
	case "BT":
		p.line, p.text = identity, identity
	case "Tc":
		p.state.char = n[0]
	case "Tw":
		p.state.word = n[0]
	case "Tz":
		p.state.scale = n[0] / 100
	case "TL":
		p.state.leading = n[0]
	case "Ts":
		p.state.rise = n[0]
	case "Tm":
		p.line = asMatrix(n)
		p.text = p.line
	case "Td":
		p.move(n[0], n[1])
	case "TD":
		p.state.leading = -n[1]
		p.move(n[0], n[1])
	case "T*":
		p.move(0, -p.state.leading)
	case "Tj":
		p.show(o)
	case "'":
		p.move(0, -p.state.leading)
		p.show(o)
	case "\"":
		p.state.word, p.state.char = n[0], n[1]
		p.move(0, -p.state.leading)
		p.show(o)
	case "TJ":
		if len(o) > 0 {
			p.show(o[len(o)-1].list)
		}
	case "EI":
	}
}

// numbers are the operands' values, with zeroes for what is missing.
func numbers(o []token) [6]float64 {
	var n [6]float64
	for i := range min(len(o), 6) {
		n[i] = o[i].number
	}
	return n
}

func asMatrix(n [6]float64) matrix { return matrix(n) }

func (p *painter) move(x, y float64) {
	p.line = matrix{1, 0, 0, 1, x, y}.times(p.line)
	p.text = p.line
}

func (p *painter) setFont(o []token, resources types.Dict) {
	if len(o) < 2 {
		return
	}
	p.state.size = o[len(o)-1].number
	p.state.font = nil
	if ref := p.w.resource(resources, "Font", o[len(o)-2].text); ref != nil {
		key := ref.String()
		f, known := p.w.fonts[key]
		if !known {
			f = p.w.font(ref)
			p.w.fonts[key] = f
		}
		p.state.font = f
	}
}

// show sets strings and moves on by numbers.
func (p *painter) show(list []token) {
	for _, t := range list {
		switch t.kind {
		case tokenNumber:
			p.advance(-t.number / 1000 * p.state.size * p.state.scale)
		case tokenString:
			p.set(t.text)
		}
	}
}

func (p *painter) advance(x float64) { p.text = matrix{1, 0, 0, 1, x, 0}.times(p.text) }

func (p *painter) set(s string) {
	f := p.state.font
	if f == nil {
		p.shown, p.unknown = p.shown+len(s), p.unknown+len(s)
		return
	}
	for _, c := range f.codes(s) {
		text := f.letters[c]
		if p.shown++; text == "" {
			p.unknown++
		}
		width := f.widthOf(c) * p.state.size
		if p.all && text != "" && len(p.glyphs) < maxGlyphs {
			p.place(text, width*p.state.scale)
		}
		step := width + p.state.char
		if c == ' ' && !f.wide {
			step += p.state.word
		}
		p.advance(step * p.state.scale)
	}
}

func (p *painter) place(text string, width float64) {
	m := p.text.times(p.state.ctm)
	x, y := m.apply(0, p.state.rise)
	toX, _ := m.apply(width, p.state.rise)
	upX, upY := m.apply(0, p.state.rise+p.state.size)
	g := glyph{text: text, x: min(x, toX), y: y, w: math.Abs(toX - x), size: math.Hypot(upX-x, upY-y)}
	for _, n := range []float64{g.x, g.y, g.w, g.size} {
		if math.IsNaN(n) || math.Abs(n) > 2000 {
			return // not on any page
		}
	}
	p.glyphs = append(p.glyphs, g)
}

// do paints a picture or a form.
func (p *painter) do(o []token, resources types.Dict, depth int) {
	if len(o) == 0 || depth > maxForms {
		return
	}
	ref := p.w.resource(resources, "XObject", o[len(o)-1].text)
	if ref == nil {
		return
	}
	sd, ok := p.w.streamDict(ref)
	if !ok {
		return
	}
	switch p.w.name(sd.Dict, "Subtype") {
	case "Image":
		whole := p.page.width * p.page.height * math.Pow(mmPerPoint*p.page.unit, 2)
		p.pictures += p.state.ctm.area() / whole
	case "Form":
		p.form(ref, sd, resources, depth)
	}
}

func (p *painter) form(ref types.Object, sd types.StreamDict, resources types.Dict, depth int) {
	text, ok := p.w.stream(ref)
	if p.budget.bytes -= len(text) + 1000; !ok || p.budget.spent() {
		p.gaveUp = p.gaveUp || p.budget.spent()
		return
	}
	if own, err := p.w.dict(sd.Dict, "Resources"); err == nil && own != nil {
		resources = own
	}
	state, stack, line, textMatrix := p.state, p.stack, p.line, p.text
	if m, err := p.w.array(sd.Dict, "Matrix"); err == nil && len(m) == 6 {
		var own matrix
		for i := range m {
			own[i], _ = p.w.finite(m[i])
		}
		p.state.ctm = own.times(p.state.ctm)
	}
	p.stack = nil
	p.run(text, resources, depth+1)
	p.state, p.stack, p.line, p.text = state, stack, line, textMatrix
}
