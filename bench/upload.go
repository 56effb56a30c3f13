package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"utsending/internal/dispatch"
)

const (
	uploadMemory = "upload-memory"
	// uploadsAtOnce is the number of parallel uploads whose memory is measured.
	uploadsAtOnce = 4
	// uploadLimit is the goal for the memory of one of them, in MiB.
	uploadLimit = 16
)

// measureUpload uploads one file: through web, sealed and hashed into the database; the reference is a server that writes it to a
// file.
func measureUpload(ctx context.Context, s *stage) ([]figure, error) {
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	bare, err := startServer(ctx, "files", filesJob{Dir: s.dir})
	if err != nil {
		return nil, err
	}
	defer bare.stop()
	sum := s.content.sum()
	name := fmt.Sprintf("upload-%d", s.o.size/1e6)
	if _, err := s.uploadOnce(ctx, v, sum); err != nil { // the database allocates its WAL segments once
		return nil, err
	}
	p, err := inTurn(name, s.o.runs,
		func() (float64, error) { return s.uploadOnce(ctx, v, sum) },
		func() (float64, error) { return s.uploadBare(ctx, bare.address) })
	if err != nil {
		return nil, err
	}
	s.note("%s includes session, rights, the check of the file's type, and the row in the answer. The file is no PDF, so no child looks into it.", name)
	return []figure{p.figure(name, "MB/s", atLeast(0.4))}, nil
}

// uploadOnce uploads the file into a new draft and returns MB/s. It compares the stored file with the original.
func (s *stage) uploadOnce(ctx context.Context, v *visitor, sum string) (float64, error) {
	id, err := v.draft(ctx)
	if err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := v.upload(ctx, id, s.content); err != nil {
		return 0, err
	}
	took := time.Since(began)
	return s.rate(took), errors.Join(s.checkStored(ctx, id, sum), v.discard(ctx, id))
}

func (s *stage) rate(took time.Duration) float64 { return float64(s.o.size) / 1e6 / took.Seconds() }

func (s *stage) checkStored(ctx context.Context, id dispatch.ItemID, sum string) error {
	stored, err := s.store.Documents(ctx, s.sample.account.ID, id)
	if err != nil {
		return err
	}
	if len(stored) != 1 || stored[0].Size != s.o.size || stored[0].SHA256 != sum {
		return errors.New("what is stored is not what was uploaded")
	}
	return nil
}

// uploadBare posts the same form to the reference server.
func (s *stage) uploadBare(ctx context.Context, address string) (float64, error) {
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := post(ctx, newClient(), address, s.content.form("x.bin")); err != nil {
		return 0, err
	}
	took := time.Since(began)
	return s.rate(took), s.removeUploaded()
}

// removeUploaded removes what the reference server has written, which must be one file of the right size.
func (s *stage) removeUploaded() error {
	files, err := filepath.Glob(filepath.Join(s.dir, uploaded))
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return fmt.Errorf("the bare server has written %d files", len(files))
	}
	info, err := os.Stat(files[0])
	if err == nil && info.Size() != s.o.size {
		err = errors.New("what the bare server has written is not what was uploaded")
	}
	return errors.Join(err, os.Remove(files[0]))
}

// post sends a form to the reference server, which answers 200 when it has received everything.
func post(ctx context.Context, client *http.Client, address string, f form) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, f.body)
	if err != nil {
		return err
	}
	req.ContentLength = f.size
	req.Header.Set("Content-Type", f.contentType)
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, answer.Status)
	}
	return nil
}

// measureUploadMemory uploads several files at once and measures the memory of a fresh process per file.
func measureUploadMemory(ctx context.Context, s *stage) ([]figure, error) {
	var values []float64
	for i := range s.o.runs {
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
		mebibytes, err := s.uploadTogether(ctx)
		if err != nil {
			return nil, err
		}
		values = append(values, mebibytes)
		progress("%s %d/%d: %.1f", uploadMemory, i+1, s.o.runs, mebibytes)
	}
	s.note("%s is the highest RSS of a fresh web process over its RSS a second after it was ready, divided by %d uploads at once; the reference is the limit.", uploadMemory, uploadsAtOnce)
	return []figure{against(uploadLimit, values).figure(uploadMemory, "MiB", atMost(1))}, nil
}

// uploadTogether returns the memory per upload.
func (s *stage) uploadTogether(ctx context.Context) (float64, error) {
	web, err := s.startWeb(ctx)
	if err != nil {
		return 0, err
	}
	defer web.stop()
	time.Sleep(time.Second)
	idle, _, err := web.memory()
	if err != nil {
		return 0, err
	}
	v, err := s.login(ctx)
	if err != nil {
		return 0, err
	}
	var drafts []dispatch.ItemID
	for range uploadsAtOnce {
		id, err := v.draft(ctx)
		if err != nil {
			return 0, err
		}
		drafts = append(drafts, id)
	}
	uploads, uploading := errgroup.WithContext(ctx)
	for _, id := range drafts {
		one := *v // a visitor is for one request at a time
		uploads.Go(func() error { return one.upload(uploading, id, s.content) })
	}
	if err := uploads.Wait(); err != nil {
		return 0, err
	}
	_, most, err := web.memory()
	for _, id := range drafts {
		err = errors.Join(err, v.discard(ctx, id))
	}
	return (most - idle) / uploadsAtOnce, err
}

// note adds a sentence below the figures.
func (s *stage) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}
