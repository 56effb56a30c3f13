package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"utsending/internal/pdf/pdftest"
)

func TestFailsWhenTheFileCannotBeRead(t *testing.T) {
	t.Parallel()
	file := pdftest.Make(1000)
	broken := errors.New("the disk is gone")
	i := New(child(t, partReal, Options{}))
	for _, c := range []struct {
		name string
		r    io.Reader
		want error
	}{
		{"ends within its first bytes", bytes.NewReader(file[:100]), io.ErrUnexpectedEOF},
		{"ends early", bytes.NewReader(file[:len(file)-1]), io.ErrUnexpectedEOF},
		{"has no bytes", strings.NewReader(""), io.ErrUnexpectedEOF},
		{"fails at once", iotest.ErrReader(broken), broken},
		{"fails later", io.MultiReader(bytes.NewReader(file[:5000]), iotest.ErrReader(broken)), broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := i.Inspect(t.Context(), c.r, int64(len(file))); !errors.Is(err, c.want) {
				t.Errorf("got %+v, %v, want %v", got, err, c.want)
			}
		})
	}
	t.Run("has a size that cannot be", func(t *testing.T) {
		t.Parallel()
		if _, err := i.Inspect(t.Context(), bytes.NewReader(file), -1); err == nil {
			t.Error("got no error")
		}
	})
}

func TestReadsNoMoreThanItMust(t *testing.T) {
	t.Parallel()
	header := "%PDF-1.7\n" + strings.Repeat("x", headLength)
	for _, c := range []struct {
		name string
		file string
		size int64
		want Problem
		read int
	}{
		{"of what is no PDF", strings.Repeat("x", 5000), 5000, ProblemNotPDF, headLength},
		{"of what is no PDF and too large", strings.Repeat("x", 5000), 2 << 30, ProblemNotPDF, headLength},
		{"of what is too large", header, 10_001, ProblemTooLarge, headLength},
		{"of what is empty", "what follows is not the file's", 0, ProblemEmpty, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := strings.NewReader(c.file)
			got, err := New(Options{MaxFile: 10_000}).Inspect(t.Context(), r, c.size)
			if err != nil || got.Problem != c.want {
				t.Errorf("got %+v, %v, want %s", got, err, c.want)
			}
			if read := len(c.file) - r.Len(); read != c.read {
				t.Errorf("read %d bytes, want %d", read, c.read)
			}
		})
	}
}

func TestReadsWhateverPiecesComeAndOnlyTheFile(t *testing.T) {
	t.Parallel()
	file := pdftest.Make(3)
	r := bytes.NewReader(append(file, "the next file"...))
	got, err := New(child(t, partReal, Options{})).Inspect(t.Context(), iotest.OneByteReader(r), int64(len(file)))
	if err != nil || got.Pages != 3 {
		t.Errorf("got %+v, %v, want three pages", got, err)
	}
	if rest, _ := io.ReadAll(r); string(rest) != "the next file" {
		t.Errorf("left %q", rest)
	}
}

// watched tells when its last byte has been read and who else is being read.
type watched struct {
	io.Reader
	left   int
	active *atomic.Int32
	most   *atomic.Int32
	last   func()
	begun  bool
}

// Read implements io.Reader. The first bytes are read before it is the file's turn, so they do not count.
func (w *watched) Read(b []byte) (int, error) {
	if !w.begun && len(b) != headLength {
		w.begun = true
		n := w.active.Add(1)
		for most := w.most.Load(); n > most && !w.most.CompareAndSwap(most, n); most = w.most.Load() {
		}
	}
	n, err := w.Reader.Read(b)
	if w.left -= n; w.left == 0 {
		w.active.Add(-1)
		w.last()
	}
	return n, err
}

func watching(file []byte, active, most *atomic.Int32, last func()) *watched {
	return &watched{Reader: bytes.NewReader(file), left: len(file), active: active, most: most, last: last}
}

func TestInspectsManyInTurn(t *testing.T) {
	t.Parallel()
	for _, parallel := range []int{1, 3} {
		t.Run(fmt.Sprint(parallel, " at a time"), func(t *testing.T) {
			t.Parallel()
			i := New(child(t, partReal, Options{Parallel: parallel}))
			var active, most atomic.Int32
			var wg sync.WaitGroup
			for n := range 8 {
				wg.Go(func() {
					file := pdftest.Make(n + 20)
					got, err := i.Inspect(t.Context(), watching(file, &active, &most, func() {}), int64(len(file)))
					if err != nil || got.Pages != n+20 {
						t.Errorf("got %+v, %v, want %d pages", got, err, n+20)
					}
				})
			}
			wg.Wait()
			if got := int(most.Load()); got > parallel {
				t.Errorf("%d at a time, want at most %d", got, parallel)
			}
		})
	}
}

func TestStopsWhenTheContextEnds(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{Timeout: soon, CPU: soon}))
	t.Run("before it begins", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := i.Inspect(ctx, iotest.ErrReader(errors.New("was read")), 10); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want canceled", err)
		}
	})
	t.Run("while it waits for its turn, and while the child thinks", func(t *testing.T) {
		first, cancelFirst := context.WithCancel(t.Context())
		second, cancelSecond := context.WithCancel(t.Context())
		var active, most atomic.Int32
		handedOver, ended := make(chan struct{}), make(chan error)
		go func() {
			file := pdftest.Looping()
			_, err := i.Inspect(first, watching(file, &active, &most, func() { close(handedOver) }), int64(len(file)))
			ended <- err
		}()
		<-handedOver
		waits := &notifying{Reader: bytes.NewReader(pdftest.Make(50)), read: cancelSecond}
		if _, err := i.Inspect(second, waits, 2000); !errors.Is(err, context.Canceled) {
			t.Errorf("waiting: got %v, want canceled", err)
		}
		cancelFirst()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("thinking: got %v, want canceled", err)
		}
	})
	t.Run("while the child does not take the file", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		file := bytes.NewReader(pdftest.Make(1000))
		size := file.Size()
		stuffed := New(child(t, partStuffed, Options{}))
		if _, err := stuffed.Inspect(ctx, &notifying{Reader: file, read: cancel, after: headLength}, size); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want canceled", err)
		}
	})
	t.Run("while the child does not begin", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		silent := New(child(t, partSilent, Options{}))
		file := pdftest.Make(10)
		if _, err := silent.Inspect(ctx, bytes.NewReader(file), int64(len(file))); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want deadline exceeded", err)
		}
	})
	usable(t, i)
}

// notifying calls read once more than so many bytes have been read.
type notifying struct {
	io.Reader
	read  func()
	after int
}

// Read implements io.Reader.
func (n *notifying) Read(b []byte) (int, error) {
	got, err := n.Reader.Read(b)
	if n.after -= got; n.after < 0 {
		n.read()
	}
	return got, err
}
