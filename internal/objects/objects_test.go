package objects_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"utsending/internal/objects"
	"utsending/internal/objects/objectstest"
)

func TestBucket(t *testing.T) {
	t.Parallel()
	b := objectstest.Bucket(t)
	big := bytes.Repeat([]byte("piece"), 1<<18)
	for key, data := range map[string][]byte{"document/a/0-x": big, "document/a/1-y": []byte("end"), "owner": []byte("one")} {
		if err := b.Put(t.Context(), key, data); err != nil {
			t.Fatal(err)
		}
		if got, err := b.Get(t.Context(), key); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: got %d bytes, %v", key, len(got), err)
		}
	}
	if _, err := b.Get(t.Context(), "document/a/2-z"); !errors.Is(err, objects.ErrMissing) {
		t.Errorf("what is not there: got %v", err)
	}
	list := func() (keys []string) {
		t.Helper()
		err := b.List(t.Context(), "document/", func(o objects.Object) error {
			if o.Made.IsZero() {
				t.Errorf("%s has no time", o.Key)
			}
			keys = append(keys, o.Key)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	if got := list(); !slices.Equal(got, []string{"document/a/0-x", "document/a/1-y"}) {
		t.Errorf("the list is %q", got)
	}
	for range 2 { // the second time it is gone
		if err := b.Remove(t.Context(), "document/a/0-x"); err != nil {
			t.Fatal(err)
		}
	}
	if got := list(); !slices.Equal(got, []string{"document/a/1-y"}) {
		t.Errorf("the list is %q", got)
	}
	stop := errors.New("enough")
	if err := b.List(t.Context(), "document/", func(objects.Object) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("ended by us: got %v", err)
	}
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(s *objects.Settings, stop func()){
		"does not answer": func(_ *objects.Settings, stop func()) { stop() },
		"wrong secret":    func(s *objects.Settings, _ func()) { s.SecretKey = "another" },
		"no such bucket":  func(s *objects.Settings, _ func()) { s.Bucket = "there-is-none" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, stop := objectstest.Settings(t)
			switch real := os.Getenv("UTSENDING_TEST_S3") != ""; {
			case real && name == "does not answer":
				t.Skip("a real S3 server is not stopped here; the one in memory is")
			case !real && name == "wrong secret":
				t.Skip("the S3 server in memory does not check secrets; make s3 runs it with one that does")
			}
			spoil(&s, stop)
			b, err := objects.Open(s)
			if err != nil {
				t.Fatal(err)
			}
			var unavailable objects.Unavailable
			if err := b.Put(t.Context(), "document/a/0-x", []byte("piece")); !errors.As(err, &unavailable) {
				t.Errorf("put: got %v", err)
			}
			if _, err := b.Get(t.Context(), "document/a/0-x"); !errors.As(err, &unavailable) {
				t.Errorf("get: got %v", err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := objects.Settings{Endpoint: "https://s3.example.no", Bucket: "filer", AccessKey: "a", SecretKey: "b"}
	if _, err := objects.Open(good); err != nil {
		t.Errorf("what is right: %v", err)
	}
	for name, spoil := range map[string]func(*objects.Settings){
		"no address":      func(s *objects.Settings) { s.Endpoint = "" },
		"no host":         func(s *objects.Settings) { s.Endpoint = "s3.example.no" },
		"a path":          func(s *objects.Settings) { s.Endpoint = "https://s3.example.no/filer" },
		"unencrypted":     func(s *objects.Settings) { s.Endpoint = "http://s3.example.no" },
		"another scheme":  func(s *objects.Settings) { s.Endpoint = "ftp://s3.example.no" },
		"no bucket":       func(s *objects.Settings) { s.Bucket = "" },
		"no access key":   func(s *objects.Settings) { s.AccessKey = "" },
		"no secret key":   func(s *objects.Settings) { s.SecretKey = "" },
		"a bad bucket":    func(s *objects.Settings) { s.Endpoint = "https://" },
		"no own loopback": func(s *objects.Settings) { s.Endpoint = "http://127evil.example.no" },
	} {
		s := good
		spoil(&s)
		if _, err := objects.Open(s); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
