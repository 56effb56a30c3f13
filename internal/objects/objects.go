// Package objects stores sealed pieces of files in S3-compatible object storage.
package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Settings are the address of a bucket and the keys to it. Prefix begins the keys of all objects, so that several installations may share a bucket.
type Settings struct {
	Endpoint  string // https://host[:port], without a path
	Region    string
	Bucket    string
	Prefix    string
	AccessKey string
	SecretKey string
}

// Bucket holds objects. It is safe for concurrent use.
type Bucket struct {
	client       *minio.Client
	name, prefix string
}

// ErrMissing says that there is no object with the key.
var ErrMissing = errors.New("object is missing")

// Unavailable is the error of storage that does not answer, or refuses us.
type Unavailable struct{ err error }

func (u Unavailable) Error() string { return "object storage: " + u.err.Error() }

func (u Unavailable) Unwrap() error { return u.err }

// Open checks the settings. It does not connect.
func Open(s Settings) (*Bucket, error) {
	u, err := url.Parse(s.Endpoint)
	switch {
	case err != nil || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("the address must be https://host, without a path")
	case u.Scheme == "http" && u.Hostname() != "localhost" && !strings.HasPrefix(u.Hostname(), "127."):
		return nil, errors.New("the address must be https")
	case s.Bucket == "" || s.AccessKey == "" || s.SecretKey == "":
		return nil, errors.New("bucket, access key and secret key are needed")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(s.AccessKey, s.SecretKey, ""), Secure: u.Scheme == "https", Region: s.Region,
		BucketLookup: minio.BucketLookupPath, MaxRetries: 3,
	})
	if err != nil {
		return nil, err
	}
	return &Bucket{client: client, name: s.Bucket, prefix: s.Prefix}, nil
}

// Put stores an object. A checksum travels with it, so that the storage refuses data damaged in transit.
func (b *Bucket) Put(ctx context.Context, key string, data []byte) error {
	_, err := b.client.PutObject(ctx, b.name, b.prefix+key, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{
		ContentType: "application/octet-stream", SendContentMd5: true, DisableMultipart: true,
	})
	return failed(err)
}

// Get returns an object's content, or ErrMissing.
func (b *Bucket) Get(ctx context.Context, key string) ([]byte, error) {
	object, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, failed(err)
	}
	defer object.Close()
	data, err := io.ReadAll(object)
	return data, failed(err)
}

// Object is an entry of List.
type Object struct {
	Key  string
	Made time.Time
}

// List calls each for all objects whose keys begin with prefix, in the order of the keys, until it returns an error.
func (b *Bucket) List(ctx context.Context, prefix string, each func(Object) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the list if each ends it
	for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true}) {
		if o.Err != nil {
			return failed(o.Err)
		}
		if err := each(Object{Key: strings.TrimPrefix(o.Key, b.prefix), Made: o.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Remove removes an object. One that is gone already is no error.
func (b *Bucket) Remove(ctx context.Context, key string) error {
	return failed(b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{}))
}

// failed turns the library's errors into ours.
func failed(err error) error {
	switch answer := minio.ToErrorResponse(err); {
	case err == nil:
		return nil
	case answer.Code == minio.NoSuchKey:
		return ErrMissing
	case errors.Is(err, context.Canceled):
		return err
	case answer.StatusCode != 0 && answer.StatusCode != http.StatusOK:
		return Unavailable{fmt.Errorf("%d %s", answer.StatusCode, answer.Code)} // its message may name keys
	}
	return Unavailable{err}
}
