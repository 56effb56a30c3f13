package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"utsending/internal/clients/shipmentapi"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/dispatch"
)

const (
	submitMemory = "submit-memory"
	// submitLimit is what a submission may take over idle, in MiB.
	submitLimit = 24
)

// submitJob is what a child needs to hand one stored file over.
type submitJob struct {
	Database, KeyFile, Sink string
	Account                 dispatch.AccountID
	Document                dispatch.Document
	Certificate             []byte // to encrypt for; empty: in clear
}

// postJob is what a child needs to post as many bytes from memory.
type postJob struct {
	Sink string
	Size int64
}

// spent is what a child took.
type spent struct{ Seconds, MiB float64 }

// measureSubmit hands one stored file over, each time in a process of its own that does only that.
func measureSubmit(ctx context.Context, s *stage) ([]figure, error) {
	stored, err := s.storedFile(ctx)
	if err != nil {
		return nil, err
	}
	sink, err := startServer(ctx, "sink", struct{}{})
	if err != nil {
		return nil, err
	}
	defer sink.stop()
	job := submitJob{Database: s.database, KeyFile: s.keyFile, Sink: sink.address, Account: s.sample.account.ID, Document: stored}
	name := fmt.Sprintf("submit-%d", s.o.size/1e6)
	var mebibytes []float64
	p, err := inTurn(name, s.o.runs,
		func() (float64, error) {
			took, err := runChild[spent](ctx, "submit", job)
			mebibytes = append(mebibytes, took.MiB)
			return float64(s.o.size) / 1e6 / took.Seconds, err
		},
		func() (float64, error) {
			took, err := runChild[spent](ctx, "post", postJob{sink.address, s.o.size})
			return float64(s.o.size) / 1e6 / took.Seconds, err
		})
	if err != nil {
		return nil, err
	}
	return []figure{
		p.figure(name, "MB/s", atLeast(0.1)),
		against(submitLimit, mebibytes).figure(submitMemory, "MiB", atMost(1)),
	}, nil
}

// storedFile takes the file in, for all runs.
func (s *stage) storedFile(ctx context.Context) (dispatch.Document, error) {
	id, err := s.draftWithFile(ctx, "x.bin", s.content)
	if err != nil {
		return dispatch.Document{}, err
	}
	documents, err := s.store.Documents(ctx, s.sample.account.ID, id)
	if err != nil {
		return dispatch.Document{}, err
	}
	return documents[0], s.settle(ctx)
}

// submit is the child that hands a stored file over.
func submit(ctx context.Context, job submitJob) (spent, error) {
	db, err := openStore(job.Database, job.KeyFile)
	if err != nil {
		return spent{}, err
	}
	defer db.Close()
	if err := db.Ping(ctx); err != nil {
		return spent{}, err
	}
	encryption, err := job.encryption()
	if err != nil {
		return spent{}, err
	}
	client := v1.New(shipmentapi.Options{BaseURL: job.Sink, User: clientID, Password: clientSecret, Encryption: encryption})
	content := shipment("Vedtak om skoleskyss", "Ola Nordmann")
	content.Documents, content.Encrypted = []dispatch.Document{job.Document}, encryption.Envelope != nil
	return spend(func() error {
		_, err := client.Send(ctx, shipmentapi.Target{}, content, func(ctx context.Context, d dispatch.Document) (io.ReadCloser, error) {
			return db.Content(ctx, job.Account, d), nil
		}, nil)
		return err
	})
}

// postFromMemory is the child that does the least that sends as many bytes.
func postFromMemory(ctx context.Context, job postJob) (spent, error) {
	file, client := newContent(job.Size), newClient()
	return spend(func() error {
		return post(ctx, client, job.Sink, form{file.reader(), "application/octet-stream", job.Size})
	})
}

// spend measures the time of f, and the highest memory of this process over what it holds before f.
func spend(f func() error) (spent, error) {
	idle, _, err := memory("self")
	if err != nil {
		return spent{}, err
	}
	began := time.Now()
	if err := f(); err != nil {
		return spent{}, err
	}
	took := time.Since(began)
	_, most, err := memory("self")
	return spent{took.Seconds(), most - idle}, err
}
