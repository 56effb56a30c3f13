// Package clamd scans a file for viruses while it is streamed, by clamd's protocol.
package clamd

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

const (
	// chunk is the size of the chunks sent to the scanner.
	chunk = 64 << 10
	// patience is the timeout of each step, and of the answer.
	patience = time.Minute
	// maxAnswer is the maximum length of an answer, in bytes.
	maxAnswer = 4 << 10
)

// ErrInfected says that the scanner found a virus.
var ErrInfected = errors.New("the virus scanner found something in the file")

// ErrUnavailable says that the scanner did not scan the file: nothing is known about it.
var ErrUnavailable = errors.New("the virus scanner did not look through the file")

// Scanner is a scanner's address.
type Scanner struct{ network, address string }

// Parse reads "tcp://host:port" or "unix:///path".
func Parse(text string) (Scanner, error) {
	network, address, ok := strings.Cut(text, "://")
	switch {
	case ok && network == "tcp":
		if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
			break
		}
		return Scanner{network, address}, nil
	case ok && network == "unix" && strings.HasPrefix(address, "/"):
		return Scanner{network, address}, nil
	}
	return Scanner{}, fmt.Errorf("%q is neither tcp://host:port nor unix:///path", text)
}

// Ping tells whether the scanner answers.
func (s Scanner) Ping(ctx context.Context) error {
	answer, err := s.talk(ctx, "PING", func(net.Conn) error { return nil })
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("%w: it answers %q to a ping", ErrUnavailable, answer)
	}
	return err
}

// Scan sends a file to the scanner. It returns nil if nothing was found, ErrInfected, or ErrUnavailable: a file that
// was not scanned is not clean. An error of the file's own reader is returned as it is.
func (s Scanner) Scan(ctx context.Context, file io.Reader) error {
	var unread error
	answer, err := s.talk(ctx, "INSTREAM", func(c net.Conn) error {
		var sent error
		if unread, sent = stream(c, file); unread != nil {
			_ = c.Close() // it waits for the rest
		}
		return sent
	})
	switch {
	case unread != nil:
		return unread
	case strings.HasSuffix(answer, " FOUND"):
		return ErrInfected // the virus's name may come from the file, so it is not repeated
	case err != nil:
		return err
	case answer != "stream: OK":
		return fmt.Errorf("%w: it answers with an error", ErrUnavailable)
	}
	return nil
}

// stream sends a file in chunks, each after its length; an empty one ends it.
func stream(c net.Conn, file io.Reader) (unread, unsent error) {
	buffer := make([]byte, 4+chunk)
	for {
		n, err := io.ReadFull(file, buffer[4:])
		if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err, nil
		}
		binary.BigEndian.PutUint32(buffer, uint32(n))
		_ = c.SetDeadline(time.Now().Add(patience)) // a closed connection shows at the write
		if _, failed := c.Write(buffer[:4+n]); failed != nil || n == 0 {
			return nil, failed
		}
		if err != nil { // that was the last chunk
			binary.BigEndian.PutUint32(buffer, 0)
			_, failed := c.Write(buffer[:4])
			return nil, failed
		}
	}
}

// talk sends the scanner a command with its data, and returns the answer. A scanner that stops reading may have
// answered before: too large, or found.
func (s Scanner) talk(ctx context.Context, command string, follow func(net.Conn) error) (string, error) {
	c, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, s.network, s.address)
	if err != nil {
		return "", fmt.Errorf("%w: connect: %w", ErrUnavailable, err)
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	_ = c.SetDeadline(time.Now().Add(patience)) // a closed connection shows at the write
	if _, err = c.Write([]byte("z" + command + "\x00")); err == nil {
		err = follow(c)
	}
	answer, failed := bufio.NewReader(io.LimitReader(c, maxAnswer)).ReadString(0)
	if err = errors.Join(err, failed); err != nil {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return strings.TrimSuffix(answer, "\x00"), err
}
