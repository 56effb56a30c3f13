package clamd_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"

	"utsending/internal/clamd"
)

// eicar is the file that every scanner finds on purpose, in two halves so that none finds it here.
const eicar = `X5O!P%@AP[4\PZX54(P^)7CC)7}$` + `EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`

// scanner is a stand-in that speaks the protocol as its manual has it.
func scanner(t *testing.T, most int) clamd.Scanner {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c, most)
		}
	}()
	s, err := clamd.Parse("tcp://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func serve(c net.Conn, most int) {
	defer c.Close()
	in := bufio.NewReader(c)
	command, err := in.ReadString(0)
	if err != nil {
		return
	}
	answer := "UNKNOWN COMMAND"
	switch command {
	case "zPING\x00":
		answer = "PONG"
	case "zINSTREAM\x00":
		answer = look(in, most)
	}
	if answer != "" {
		_, _ = c.Write([]byte(answer + "\x00"))
	}
}

// look reads a stream to its end; one that breaks off gets no answer.
func look(in io.Reader, most int) string {
	var file bytes.Buffer
	for {
		var size uint32
		if binary.Read(in, binary.BigEndian, &size) != nil {
			return ""
		}
		if size == 0 {
			break
		}
		if file.Len()+int(size) > most {
			return "INSTREAM size limit exceeded. ERROR"
		}
		if _, err := io.CopyN(&file, in, int64(size)); err != nil {
			return ""
		}
	}
	if strings.Contains(file.String(), eicar) {
		return "stream: Eicar-Test-Signature FOUND"
	}
	return "stream: OK"
}

func TestScan(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("0123456789abcdef", 20_000)
	unreadable := errors.New("the upload broke off")
	for name, c := range map[string]struct {
		file io.Reader
		want error
	}{
		"an empty file":                         {strings.NewReader(""), nil},
		"a small file":                          {strings.NewReader("%PDF-1.7"), nil},
		"a file of exactly one piece":           {strings.NewReader(large[:64<<10]), nil},
		"a file of many pieces":                 {iotest.HalfReader(strings.NewReader(large)), nil},
		"a virus":                               {strings.NewReader(eicar), clamd.ErrInfected},
		"a virus at the end":                    {strings.NewReader(large + eicar), clamd.ErrInfected},
		"a virus over the edge of two pieces":   {strings.NewReader(large[:64<<10-10] + eicar), clamd.ErrInfected},
		"more than the scanner takes":           {strings.NewReader(large + large), clamd.ErrUnavailable},
		"a file that cannot be read to its end": {io.MultiReader(strings.NewReader(large), iotest.ErrReader(unreadable)), unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := scanner(t, 400_000).Scan(t.Context(), c.file); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestScannerThatIsNotThere(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := clamd.Parse("tcp://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := s.Scan(t.Context(), strings.NewReader("x")); !errors.Is(err, clamd.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, clamd.ErrUnavailable) {
		t.Errorf("ping: got %v", err)
	}
	if err := scanner(t, 1).Ping(t.Context()); err != nil {
		t.Errorf("ping of one that is there: %v", err)
	}
}

// TestScanEndsWithItsCaller: somebody who leaves keeps no scanner waiting.
func TestScanEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	file, end := io.Pipe()
	go func() { ended <- scanner(t, 1<<20).Scan(ctx, file) }()
	if _, err := end.Write(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	stop()
	_ = end.Close()
	if err := <-ended; !errors.Is(err, clamd.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"tcp://clamav:3310": true, "unix:///run/clamav/clamd.ctl": true, "": false, "clamav:3310": false, "tcp://clamav": false,
		"unix://relative": false, "http://clamav:3310": false, "tcp://clamav:": false,
	} {
		if _, err := clamd.Parse(text); (err == nil) != ok {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
