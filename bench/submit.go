package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	v2 "utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/dispatch"
)

const (
	submitMemory = "submit-memory"
	// submitLimit is the goal for the memory of a submission above that of an idle process, in MiB.
	submitLimit = 24
)

// submitJob submits one stored file.
type submitJob struct {
	Database, KeyFile, Sink string
	Account                 dispatch.AccountID
	Document                dispatch.Document
	Certificate             []byte // of the recipient, for encryption; empty: unencrypted
}

// postJob posts as many bytes from memory.
type postJob struct {
	Sink string
	Size int64
}

// spent is the time and memory of a child.
type spent struct{ Seconds, MiB float64 }

// measureSubmit submits one stored file, each time in a process of its own.
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

// storedFile stores the file for all runs.
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

// submit is the child that submits a stored file.
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
	tokens, err := clients.FixedToken("token")
	if err != nil {
		return spent{}, err
	}
	client := v2.New(shipmentapi.Options{BaseURL: job.Sink, Tokens: tokens, Encryption: encryption})
	content := shipment("Vedtak om skoleskyss", "Ola Nordmann")
	content.Documents, content.Encrypted = []dispatch.Document{job.Document}, encryption.Envelope != nil
	return spend(func() error {
		_, err := client.Send(ctx, shipmentapi.Target{AccountID: uuid.NewString()}, content, func(ctx context.Context, d dispatch.Document) (io.ReadCloser, error) {
			return db.Content(ctx, job.Account, d), nil
		}, nil)
		return err
	})
}

// postFromMemory is the child that posts the bytes from memory.
func postFromMemory(ctx context.Context, job postJob) (spent, error) {
	file, client := newContent(job.Size), newClient()
	return spend(func() error {
		return post(ctx, client, job.Sink, form{file.reader(), "application/octet-stream", job.Size})
	})
}

// spend measures the time of f, and its peak memory above the memory before it.
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
