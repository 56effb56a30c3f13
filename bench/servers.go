package main

import (
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// filesJob is the directory for uploaded files.
type filesJob struct{ Dir string }

// uploaded is the pattern of their names.
const uploaded = "upload-*"

// writeFiles writes each uploaded file to disk and answers after an fsync: the least that a server must do. The client removes the
// file.
func writeFiles(job filesJob) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := writeFile(job.Dir, r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

func writeFile(dir string, r *http.Request) error {
	form, err := r.MultipartReader()
	if err != nil {
		return err
	}
	part, err := form.NextPart()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, uploaded)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, part)
	err = errors.Join(err, f.Sync(), f.Close())
	if _, end := form.NextPart(); err == nil && end != io.EOF {
		err = errors.New("there is more than one file")
	}
	return err
}

// swallow reads a body and answers like the shipment service.
func swallow(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil || n != r.ContentLength {
		http.Error(w, "body is not whole", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"id":"`+uuid.NewString()+`"}`) // a client that does not get it fails
}

// pageFromMemory answers everything with one page.
func pageFromMemory(job pageJob) http.Handler {
	e := echo.New()
	body := []byte(job.Body)
	e.GET("/", func(c echo.Context) error { return c.HTMLBlob(http.StatusOK, body) })
	return e
}
