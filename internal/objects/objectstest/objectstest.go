// Package objectstest gives tests a bucket: of the S3 server that UTSENDING_TEST_S3 names (`make s3` starts one), else
// of one in memory that checks no signatures.
package objectstest

import (
	"context"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"utsending/internal/objects"
)

// The keys of the servers.
const (
	AccessKey = "utsending"
	SecretKey = "synthetic-secret"
)

// Settings lead to a new bucket. stop ends the server in memory; a real one stays.
func Settings(t testing.TB) (s objects.Settings, stop func()) {
	t.Helper()
	s = objects.Settings{
		Endpoint: os.Getenv("UTSENDING_TEST_S3"), Region: "us-east-1", Bucket: "utsending-" + strings.ToLower(uuid.NewString()),
		Prefix: "test/", AccessKey: AccessKey, SecretKey: SecretKey,
	}
	stop = func() {}
	if s.Endpoint == "" {
		server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
		t.Cleanup(server.Close)
		s.Endpoint, stop = server.URL, server.Close
	}
	u, err := url.Parse(s.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(u.Host, &minio.Options{Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: s.Region})
	if err == nil {
		err = client.MakeBucket(context.Background(), s.Bucket, minio.MakeBucketOptions{Region: s.Region})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, stop
}

// Bucket is a new bucket.
func Bucket(t testing.TB) *objects.Bucket {
	t.Helper()
	s, _ := Settings(t)
	b, err := objects.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
