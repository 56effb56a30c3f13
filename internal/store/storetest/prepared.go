package storetest

import (
	"bytes"
	"fmt"
	"sync/atomic"
)

// prepared are the prepared statements that a session's clients share, as PgBouncer does it: the server knows them by names of
// ours, and the next client that prepares the same text gets the same statement with its plan.
type prepared struct {
	names map[string]string // in the server, by text and types of parameters
	made  int
	off   atomic.Bool // a client has prepared or deallocated statements by SQL: none is shared until it ends
}

// preparing is what one client has prepared.
type preparing struct {
	prepared *prepared
	names    map[string]string // in the server, by the client's names
	unsure   []string          // shared texts that the server may still refuse
	refused  atomic.Bool       // the server has refused something
}

// settle forgets what the server has refused. It is called when nothing is under way.
func (p *preparing) settle() {
	if p.refused.Swap(false) {
		for _, text := range p.unsure {
			delete(p.prepared.names, text)
		}
	}
	p.unsure = nil
}

// translate rewrites a client's message for the server: names of prepared statements become ours. With share, a statement that the
// session has already is used again.
func (p *preparing) translate(kind byte, body []byte, share bool) []byte {
	switch kind {
	case 'P': // parse: the statement's name, its text and types
		name, text, _ := bytes.Cut(body, []byte{0})
		return p.parse(string(name), string(text), share && !p.prepared.off.Load())
	case 'B': // bind: the portal's name, the statement's, parameters
		portal, rest, _ := bytes.Cut(body, []byte{0})
		name, parameters, _ := bytes.Cut(rest, []byte{0})
		if ours, ok := p.names[string(name)]; ok {
			return frame(kind, bytes.Join([][]byte{portal, []byte(ours), parameters}, []byte{0}))
		}
	case 'D': // describe: S and a statement's name, or P and a portal's
		if ours, ok := p.names[statement(body)]; ok && body[0] == 'S' {
			return frame(kind, []byte("S"+ours+"\x00"))
		}
	case 'C': // close: likewise
		if _, ok := p.names[statement(body)]; ok && body[0] == 'S' {
			delete(p.names, statement(body))
			return frame(kind, []byte("Snone\x00")) // the server confirms it, and closes nothing
		}
	}
	return frame(kind, body)
}

// statement is the name in a describe or close message.
func statement(body []byte) string { return string(bytes.TrimRight(body[1:], "\x00")) }

// parse prepares a statement. For one that the server has, it gets an empty one to confirm.
func (p *preparing) parse(name, text string, share bool) []byte {
	if ours, ok := p.prepared.names[text]; ok && share {
		p.names[name] = ours
		return frame('P', make([]byte, 4)) // no name, no text, no types
	}
	p.prepared.made++
	ours := fmt.Sprint("shared", p.prepared.made)
	p.names[name] = ours
	if share {
		p.prepared.names[text] = ours
		p.unsure = append(p.unsure, text)
	}
	return frame('P', []byte(ours+"\x00"+text))
}
