package compose

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/clamd"
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
)

const (
	// maxUpload bounds one upload. Assumption: digital only has no limit in the specification; 2 GB is ours.
	maxUpload = 2_000_000_000
	// uploadPace is how long we wait for uploadLeast bytes more: an upload may take long, but it may not stall, nor hold memory and a
	// connection for hours at a byte a second.
	uploadPace  = time.Minute
	uploadLeast = 64 << 10
	// maxUploadTime bounds a whole upload.
	maxUploadTime = 2 * time.Hour
	// uploadBuffer is the size of a read: the multipart reader asks for 4 kB, a system call each.
	uploadBuffer = 64 << 10
)

// openUpload extends the request's deadlines and limits its size.
func (s *uploads) openUpload(c echo.Context, most int64) (*multipart.Reader, error) {
	r := c.Request()
	control := http.NewResponseController(c.Response())
	_ = control.SetWriteDeadline(time.Now().Add(maxUploadTime)) // otherwise the server's own deadline applies
	limited := http.MaxBytesReader(c.Response(), &pacedBody{ReadCloser: r.Body, control: control}, most)
	r.Body = &bufferedBody{bufio.NewReaderSize(limited, uploadBuffer), limited}
	reader, err := r.MultipartReader()
	if err != nil {
		return nil, echo.ErrBadRequest
	}
	return reader, nil
}

// pacedBody bounds how long we wait for a body. The time between two reads is ours and does not count.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	waited  time.Duration // since the last uploadLeast bytes
	got     int
}

func (b *pacedBody) Read(p []byte) (int, error) {
	began := time.Now()
	_ = b.control.SetReadDeadline(began.Add(uploadPace - b.waited)) // otherwise the server's own deadline applies
	n, err := b.ReadCloser.Read(p)
	b.waited, b.got = b.waited+time.Since(began), b.got+n
	if b.got >= uploadLeast {
		b.waited, b.got = 0, 0
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = frame.ErrSlow // not to be taken for a database that is away
	}
	return n, err
}

// bufferedBody is a body that is read in large pieces.
type bufferedBody struct {
	*bufio.Reader
	io.Closer
}

// takeEach passes each file to take while it is streamed, and collects the other fields behind the gate. A problem of one file does
// not stop the others.
func (s *uploads) takeEach(c echo.Context, reader *multipart.Reader, take func(*multipart.Part) (*dispatch.Problem, error)) (url.Values, dispatch.Problems, error) {
	values, ps, err := readParts(reader, take)
	if err == nil {
		err = s.Judge(c, frame.Normalize(values))
	}
	return values, ps, err
}

// readParts reads the parts of an upload. The fields, with their names, have the room of an ordinary form.
func readParts(reader *multipart.Reader, take func(*multipart.Part) (*dispatch.Problem, error)) (url.Values, dispatch.Problems, error) {
	values := url.Values{}
	var ps dispatch.Problems
	room := int64(frame.MaxForm)
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return values, ps, nil
		}
		if err != nil {
			return values, ps, frame.BadForm(err)
		}
		if part.FileName() == "" {
			value, err := io.ReadAll(io.LimitReader(part, room+1))
			if room -= int64(len(part.FormName()) + len(value) + 1); err != nil || room < 0 {
				return values, ps, frame.BadForm(err)
			}
			values.Add(part.FormName(), string(value))
			continue
		}
		problem, err := take(part)
		if err != nil {
			return values, ps, err
		}
		if problem != nil {
			if ps = append(ps, *problem); len(ps) > maxRefused {
				return values, ps, echo.ErrBadRequest
			}
		}
	}
}

// notTaken is why a file was refused: the virus scanner's verdict, or an error.
func (s *uploads) notTaken(c echo.Context, v frame.Visit, name string, err error) (*dispatch.Problem, error) {
	switch {
	case errors.Is(err, clamd.ErrInfected):
		s.Log.Warn("an upload was refused by the virus scanner", "account", string(v.Account.ID), "request_id", frame.RequestID(c))
		return &dispatch.Problem{Field: "fil", Key: "problem.file.infected", Args: dispatch.Args{"Name": name}}, nil
	case errors.Is(err, clamd.ErrUnavailable):
		s.Log.Error("an upload was refused since the virus scanner did not look through it", "error", err.Error(), "request_id", frame.RequestID(c))
		return &dispatch.Problem{Field: "fil", Key: "problem.file.unscanned", Args: dispatch.Args{"Name": name}}, nil
	}
	return nil, uploadError(err)
}

// uploadError separates a broken connection, which is nobody's fault, from our own errors.
func uploadError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, http.ErrBodyReadAfterClose), errors.Is(err, multipart.ErrMessageTooLarge):
		return echo.ErrBadRequest
	}
	return err
}

// inspection inspects a stored file.
type inspection = func(ctx context.Context, open func() io.Reader, size int64) (dispatch.Document, error)

// inspect inspects a stored file: a PDF in the confined child, others by their name only. It leaves the picture of the first page
// in firstPage.
func (s *uploads) inspect(v frame.Visit, name string, firstPage *[]byte) inspection {
	return func(ctx context.Context, open func() io.Reader, size int64) (dispatch.Document, error) {
		if s.Scan != nil {
			if err := s.Scan(ctx, open()); err != nil {
				return dispatch.Document{}, err
			}
		}
		report, err := s.PDF.For(string(v.Account.ID), string(v.User.ID)).Inspect(ctx, open(), size)
		if errors.Is(err, pdf.ErrUnavailable) {
			s.Log.Error("a PDF was not checked", "error", err.Error())
			return dispatch.Document{MimeType: dispatch.MimePDF, Found: dispatch.DocumentUnchecked}, nil
		}
		d := dispatch.Document{MimeType: dispatch.MimePDF, Pages: report.Pages, Found: dispatch.DocumentProblem(report.Problem), Reading: report.Reading}
		if report.Problem == pdf.ProblemNotPDF || report.Problem == pdf.ProblemEmpty && size == 0 {
			d.MimeType = typeOf(name)
		}
		*firstPage = report.First
		return d, err
	}
}

// typeOf is the type of a file that is not a PDF, by the extension of its name.
func typeOf(name string) string {
	kind, _, err := mime.ParseMediaType(mime.TypeByExtension(strings.ToLower(path.Ext(name))))
	if err != nil || kind == dispatch.MimePDF {
		return "application/octet-stream"
	}
	return kind
}
