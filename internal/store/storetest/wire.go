package storetest

import (
	"encoding/binary"
	"io"
	"strings"
)

// messages finds the messages in what passes.
type messages struct {
	each func(kind byte, body []byte) // body is nil for long ones
	head []byte
	body []byte
	left int // of the body
}

// header is the length of what precedes a message's body: its kind, and its length without the kind.
const header = 5

// short is the longest body that is looked at.
const short = 64

func (m *messages) take(b []byte) {
	for len(b) > 0 {
		if len(m.head) < header {
			n := min(len(b), header-len(m.head))
			m.head, b = append(m.head, b[:n]...), b[n:]
			if len(m.head) < header {
				return
			}
			m.left, m.body = int(binary.BigEndian.Uint32(m.head[1:]))-4, m.body[:0]
		}
		n := min(len(b), m.left)
		if len(m.body)+m.left <= short {
			m.body = append(m.body, b[:n]...)
		}
		m.left, b = m.left-n, b[n:]
		if m.left == 0 {
			m.each(m.head[0], m.body)
			m.head = m.head[:0]
		}
	}
}

// frame makes a message.
func frame(kind byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4)), body...)
}

// readFrame reads a message.
func readFrame(r io.Reader) (kind byte, body []byte, err error) {
	head := make([]byte, header)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, nil, err
	}
	body = make([]byte, binary.BigEndian.Uint32(head[1:])-4)
	_, err = io.ReadFull(r, body)
	return head[0], body, err
}

// parameter is a value in a startup message.
func parameter(startup []byte, name string) string {
	words := strings.Split(string(startup[8:]), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		if words[i] == name {
			return words[i+1]
		}
	}
	return ""
}
