package store

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// noticeSilence sets the TCP user timeout.
func noticeSilence(network, _ string, c syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var err error
	if failed := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silent.Milliseconds()))
	}); failed != nil {
		return failed
	}
	return err
}
