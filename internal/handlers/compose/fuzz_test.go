package compose

import (
	"bytes"
	"io"
	"mime/multipart"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
)

// FuzzUpload: whatever comes as an upload, its fields take no more room than a form, its files come whole and in order, and neither
// millions of names nor millions of files are kept.
func FuzzUpload(f *testing.F) {
	var sound bytes.Buffer
	w := multipart.NewWriter(&sound)
	_ = w.SetBoundary("b")
	_ = w.WriteField("navn", "Kari")
	for _, name := range []string{"brev.pdf", "a\"b.pdf"} {
		part, err := w.CreateFormFile("fil", name)
		if err == nil {
			_, err = io.WriteString(part, "%PDF-1.7\r\n--b")
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	_ = w.Close()
	f.Add(sound.Bytes())
	for _, seed := range []string{
		"", "--b--", "--b\r\n\r\n\r\n--b--\r\n", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b", "--b\nContent-Disposition: form-data; name=a; filename*=utf-8''%2e%2e%2fx\n\nx\n--b--",
		"--b\r\nContent-Disposition: form-data; name=\"fil\"; filename=\"../\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=41\r\n--b--\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Add(bytes.Repeat([]byte("--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x\"\r\n\r\n\r\n"), 300))
	f.Add(bytes.Repeat([]byte("--b\r\nContent-Disposition: form-data; name=\""+string(bytes.Repeat([]byte("n"), 2000))+"\"\r\n\r\n\r\n"), 200))
	f.Fuzz(func(t *testing.T, body []byte) {
		size := 0
		values, ps, err := readParts(multipart.NewReader(bytes.NewReader(body), "b"), func(part *multipart.Part) (*dispatch.Problem, error) {
			content, err := io.ReadAll(part)
			size += len(content)
			if name, _ := frame.FileName(part.FileName()); dispatch.ValidateFileName("fil", name) != nil || len(content) == 0 {
				return &dispatch.Problem{Field: "fil", Key: "problem.file.empty"}, uploadError(err)
			}
			return nil, uploadError(err)
		})
		kept := 0
		for name, list := range values {
			for _, value := range list {
				kept += len(name) + len(value) + 1
			}
		}
		if kept > frame.MaxForm || size > len(body) || len(ps) > maxRefused+1 {
			t.Fatalf("%d bytes of fields, %d of files, %d problems, %v", kept, size, len(ps), err)
		}
	})
}
