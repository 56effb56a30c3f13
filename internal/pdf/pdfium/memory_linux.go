package pdfium

import (
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// memory is an instance's memory. Address space is reserved once and committed as the instance grows: nothing is
// copied, and the process's limit on data applies.
type memory struct {
	room []byte
	used int
}

// allocate reserves address space of an instance's maximum size.
func allocate(_, most uint64) experimental.LinearMemory {
	room, err := unix.Mmap(-1, 0, int(most), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return &memory{}
	}
	return &memory{room: room}
}

// Reallocate implements experimental.LinearMemory. nil refuses to grow.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.room)) {
		return nil
	}
	if end := int(size); end > m.used {
		if unix.Mprotect(m.room[m.used:end], unix.PROT_READ|unix.PROT_WRITE) != nil {
			return nil
		}
		m.used = end
	}
	return m.room[:size:size]
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() {
	if m.room != nil {
		_ = unix.Munmap(m.room)
	}
	m.room = nil
}
