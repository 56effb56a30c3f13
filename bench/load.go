package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// page is the page of a load. Much smaller answers are errors.
type page struct {
	address, cookie string
	size            int
}

// load requests a page repeatedly with several clients, each on one open connection, and returns pages per second. Its HTTP client
// is minimal, so that it takes little of the processor from either side.
func load(ctx context.Context, p page, clients int, duration time.Duration) (float64, error) {
	u, err := url.Parse(p.address)
	if err != nil {
		return 0, err
	}
	request := []byte("GET " + u.Path + " HTTP/1.1\r\nHost: " + u.Host + "\r\nAccept: text/html\r\nCookie: " + p.cookie + "\r\n\r\n")
	group, ctx := errgroup.WithContext(ctx)
	var pages atomic.Int64
	began := time.Now()
	for range clients {
		group.Go(func() error {
			n, err := ask(ctx, u.Host, request, p.size, began.Add(duration))
			pages.Add(int64(n))
			return err
		})
	}
	err = group.Wait()
	return float64(pages.Load()) / time.Since(began).Seconds(), err
}

// ask is one client; it returns the number of pages until end.
func ask(ctx context.Context, host string, request []byte, size int, end time.Time) (int, error) {
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(end.Add(10 * time.Second)); err != nil {
		return 0, err
	}
	r := bufio.NewReaderSize(conn, 64<<10)
	for n := 0; ; n++ {
		if !time.Now().Before(end) || ctx.Err() != nil {
			return n, ctx.Err()
		}
		if _, err := conn.Write(request); err != nil {
			return n, err
		}
		got, err := skipAnswer(r)
		if err == nil && got < size*9/10 {
			err = fmt.Errorf("page has %d bytes instead of %d", got, size)
		}
		if err != nil {
			return n, err
		}
	}
}

var (
	statusOK      = []byte("HTTP/1.1 200 ")
	contentLength = []byte("Content-Length: ")
	chunked       = []byte("Transfer-Encoding: chunked")
)

// skipAnswer reads an answer to its end and returns the size of its body.
func skipAnswer(r *bufio.Reader) (int, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(line, statusOK) {
		return 0, fmt.Errorf("answer is %q", line)
	}
	length := -1
	for {
		line, err := r.ReadSlice('\n')
		switch {
		case err != nil:
			return 0, err
		case len(line) <= 2 && length < 0:
			return skipChunks(r)
		case len(line) <= 2:
			return r.Discard(length)
		case bytes.HasPrefix(line, contentLength):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(contentLength):]))); err != nil {
				return 0, err
			}
		case bytes.HasPrefix(line, chunked):
			length = -1
		}
	}
}

var errChunk = errors.New("answer is neither in pieces nor of a known length")

// skipChunks reads a body that comes in pieces.
func skipChunks(r *bufio.Reader) (int, error) {
	for total := 0; ; {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		n, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return total, errChunk
		}
		if _, err := r.Discard(int(n) + 2); err != nil || n == 0 {
			return total, err
		}
		total += int(n)
	}
}
