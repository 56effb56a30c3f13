package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"utsending/internal/objects"
	"utsending/internal/store"
)

// fileStorage are the settings for storing the files of shipments. With a bucket and FILES=database, pieces in the bucket are
// still read.
type fileStorage struct {
	Files     string        `env:"FILES" envDefault:"database"`
	Endpoint  string        `env:"S3_ENDPOINT"`
	Region    string        `env:"S3_REGION"`
	Bucket    string        `env:"S3_BUCKET"`
	Prefix    string        `env:"S3_PREFIX"`
	AccessKey string        `env:"S3_ACCESS_KEY"`
	SecretKey string        `env:"S3_SECRET_KEY"`
	Kept      time.Duration `env:"S3_KEEP" envDefault:"720h"`
}

// objects opens the bucket, without connecting.
func (f fileStorage) objects() (store.Objects, error) {
	o := store.Objects{Write: f.Files == "s3"}
	switch {
	case f.Files != "s3" && f.Files != "database":
		return o, errors.New("configuration: FILES must be database or s3")
	case f.Kept < 0:
		return o, errors.New("configuration: S3_KEEP must not be below 0")
	case f.Endpoint == "" && o.Write:
		return o, errors.New("configuration: FILES is s3, and S3_ENDPOINT is not set")
	case f.Endpoint == "":
		return o, nil
	}
	bucket, err := objects.Open(objects.Settings{
		Endpoint: f.Endpoint, Region: f.Region, Bucket: f.Bucket, Prefix: f.Prefix, AccessKey: f.AccessKey, SecretKey: f.SecretKey,
	})
	if err != nil {
		return o, fmt.Errorf("configuration: S3: %w", err)
	}
	o.Bucket = bucket
	return o, nil
}

func (f fileStorage) validate() error {
	_, err := f.objects()
	return err
}

// moveFiles moves the pieces of all files to the storage that new ones are written to.
func moveFiles(ctx context.Context, out io.Writer) error {
	s, err := openWithFiles()
	if err != nil {
		return err
	}
	defer s.Close()
	n, err := s.MoveChunks(ctx, func(moved int) {
		if moved%1000 == 0 {
			_, _ = fmt.Fprintf(out, "%d chunks moved so far\n", moved)
		}
	})
	if err != nil {
		return fmt.Errorf("%d chunks moved, then: %s. What is moved stays readable; run it again", n, store.Describe(err))
	}
	to := "the database"
	if s.Objects.Write {
		to = "object storage"
	}
	_, err = fmt.Fprintf(out, "%d chunks moved to %s\n", n, to)
	return err
}

// adoptFiles makes the database the owner of the objects, after a restore.
func adoptFiles(ctx context.Context, out io.Writer) error {
	s, err := openWithFiles()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.AdoptObjects(ctx); err != nil {
		return errors.New(store.Describe(err))
	}
	_, err = fmt.Fprintln(out, "objects that this database does not name will be removed when S3_KEEP is over")
	return err
}

func openWithFiles() (*store.Store, error) {
	c, err := databases()
	if err != nil {
		return nil, err
	}
	o, err := c.Storage.objects()
	if err != nil {
		return nil, err
	}
	keys, err := operatorKeys()
	if err != nil {
		return nil, err
	}
	return store.Open(store.Options{URL: c.DatabaseURL, Keys: keys, Objects: o})
}

// files writes, reads and removes an object.
func (e *examination) files(ctx context.Context) {
	o, err := e.config.Storage.objects()
	if err != nil || o.Bucket == nil {
		e.skip("files", "they lie in the database; no object storage is configured")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	key := "doctor/" + uuid.NewString()
	err = o.Bucket.Put(ctx, key, []byte("try"))
	if err == nil {
		_, err = o.Bucket.Get(ctx, key)
	}
	if err == nil {
		err = o.Bucket.Remove(ctx, key)
	}
	if err != nil {
		e.fail("files", err.Error(), "Correct the S3 settings, or give this user the right to put, get, list and delete objects in the bucket")
		return
	}
	e.ok("files", "the bucket takes, gives and removes an object")
}
