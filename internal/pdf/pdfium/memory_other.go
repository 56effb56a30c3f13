//go:build !linux

package pdfium

import "github.com/tetratelabs/wazero/experimental"

// memory is an instance's memory, which is copied when it grows.
type memory struct{ held []byte }

func allocate(size, _ uint64) experimental.LinearMemory { return &memory{make([]byte, 0, size)} }

// Reallocate implements experimental.LinearMemory.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.held)) {
		m.held = append(make([]byte, 0, size), m.held...)
	}
	m.held = m.held[:size]
	return m.held
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() { m.held = nil }
