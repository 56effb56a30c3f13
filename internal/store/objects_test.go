package store_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/objects"
	"utsending/internal/objects/objectstest"
	"utsending/internal/seal"
	"utsending/internal/store"
)

// outside counts the chunks that lie in object storage, and those that lie in the database.
func (r rig) outside(t *testing.T) (out, in int) {
	t.Helper()
	return read[int](t, r, `SELECT count(object) FROM document_chunks WHERE data = ''`), read[int](t, r, `SELECT count(*) FROM document_chunks WHERE object IS NULL AND data <> ''`)
}

// objects lists what the bucket has of files.
func (r rig) objects(t *testing.T) (keys []string) {
	t.Helper()
	err := r.s.Objects.Bucket.List(t.Context(), "document/", func(o objects.Object) error {
		keys = append(keys, o.Key)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func (r rig) wantContent(t *testing.T, d dispatch.Document, want []byte) {
	t.Helper()
	in := r.s.Content(t.Context(), r.Account.ID, d)
	defer in.Close()
	if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v; want %d", len(got), err, len(want))
	}
}

func (r rig) move(t *testing.T, write bool, want int) {
	t.Helper()
	r.s.Objects.Write = write
	if n, err := r.s.MoveChunks(t.Context(), func(int) {}); err != nil || n != want {
		t.Fatalf("moved %d, %v; want %d", n, err, want)
	}
}

func (r rig) collect(t *testing.T, kept time.Duration, want int) {
	t.Helper()
	if n, err := r.s.CollectObjects(t.Context(), -time.Hour, kept); err != nil || n != want {
		t.Errorf("removed %d, %v; want %d", n, err, want)
	}
}

// TestFilesOutside: files in object storage are read as others, moved both ways, sealed anew, and removed only when no row
// names them.
func TestFilesOutside(t *testing.T) {
	t.Parallel()
	key, err := seal.New()
	if err != nil {
		t.Fatal(err)
	}
	r := keyedRig(t, key)
	r.s.Objects = store.Objects{Bucket: objectstest.Bucket(t)}
	before, after := random(2*piece+7), random(piece+1)
	shipment := r.shipment(t)
	upload := func(name string, content []byte) dispatch.Document {
		t.Helper()
		d, err := r.upload(t, shipment, name, bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := upload("vedtak.pdf", before)
	r.s.Objects.Write = true
	second := upload("vedlegg.pdf", after)
	if out, in := r.outside(t); out != 2 || in != 3 {
		t.Fatalf("%d chunks outside, %d inside; want 2, 3", out, in)
	}
	sealed, err := r.s.Objects.Bucket.Get(t.Context(), r.objects(t)[0])
	if err != nil || bytes.Contains(sealed, after[:64]) {
		t.Errorf("an object is not sealed, or %v", err)
	}
	both := func(t *testing.T) {
		t.Helper()
		r.wantContent(t, first, before)
		r.wantContent(t, second, after)
	}
	both(t)

	t.Run("another account's file is not found", func(t *testing.T) {
		if _, err := io.ReadAll(r.s.Content(t.Context(), r.other(t).Account.ID, second)); err == nil {
			t.Error("read")
		}
	})
	t.Run("moved out, and once only", func(t *testing.T) {
		r.move(t, true, 3)
		r.move(t, true, 0)
		if out, in := r.outside(t); out != 5 || in != 0 {
			t.Errorf("%d chunks outside, %d inside; want 5, 0", out, in)
		}
		both(t)
	})
	whole := t // stores live as long as the test
	t.Run("sealed anew", func(t *testing.T) {
		used := next(t, next(t, key, seal.Rotate, seal.RotationAdded), seal.Rotate, seal.RotationUsed)
		files := r.s.Objects
		r.s = keyed(whole, r.url, used)
		if left, err := r.s.SealedBefore(t.Context()); err != nil || left < 5 {
			t.Errorf("%d values of older keys, %v; want the 5 chunks among them", left, err)
		}
		r.s.Objects = files
		if _, left, err := r.s.Reseal(t.Context()); err != nil || left != 0 {
			t.Errorf("left %d, %v", left, err)
		}
		r.s = keyed(whole, r.url, next(t, used, seal.Drop, seal.RotationNone))
		r.s.Objects = files
		both(t)
		if n := len(r.objects(t)); n != 10 {
			t.Errorf("%d objects, want the old and the new ones", n)
		}
	})
	t.Run("strays are kept for a while, then removed", func(t *testing.T) {
		r.collect(t, time.Hour, 0)
		r.collect(t, time.Hour, 0)
		if n := read[int](t, r, `SELECT count(*) FROM stray_objects`); n != 5 {
			t.Errorf("%d strays are noticed, want 5", n)
		}
		r.exec(t, `UPDATE stray_objects SET noticed_at = now() - interval '61 minutes'`)
		r.collect(t, time.Hour, 5)
		if n := len(r.objects(t)); n != 5 {
			t.Errorf("%d objects are left, want 5", n)
		}
		both(t)
	})
	t.Run("a restored row gets its object back", func(t *testing.T) {
		r.exec(t, `INSERT INTO stray_objects (object, noticed_at) SELECT object, now() - interval '2 hours' FROM document_chunks`)
		r.collect(t, time.Hour, 0)
		both(t)
	})
	t.Run("young objects are left alone", func(t *testing.T) {
		if err := r.s.Objects.Bucket.Put(t.Context(), "document/x/0-young", []byte("x")); err != nil {
			t.Fatal(err)
		}
		if n, err := r.s.CollectObjects(t.Context(), store.YoungObject, 0); err != nil || n != 0 {
			t.Errorf("removed %d, %v", n, err)
		}
	})
	t.Run("a copy of the database removes nothing", func(t *testing.T) {
		if err := r.s.Objects.Bucket.Put(t.Context(), "owner", []byte("another")); err != nil {
			t.Fatal(err)
		}
		if _, err := r.s.CollectObjects(t.Context(), -time.Hour, -time.Hour); !errors.Is(err, store.ErrOtherOwner) {
			t.Errorf("got %v", err)
		}
		if err := r.s.AdoptObjects(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'files.adopted'`); n != 1 {
			t.Errorf("the event log has %d lines of adopting", n)
		}
		r.collect(t, -time.Hour, 1) // the young one
	})
	t.Run("moved back", func(t *testing.T) {
		r.move(t, false, 5)
		if out, in := r.outside(t); out != 0 || in != 5 {
			t.Errorf("%d chunks outside, %d inside; want 0, 5", out, in)
		}
		both(t)
		r.collect(t, -time.Hour, 5)
	})
}

// TestFilesOutsideAway: while object storage is away nothing is taken as stored or read as empty.
func TestFilesOutsideAway(t *testing.T) {
	t.Parallel()
	s, stop := objectstest.Settings(t)
	bucket, err := objects.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.s.Objects = store.Objects{Bucket: bucket, Write: true}
	shipment, content := r.shipment(t), random(piece+5)
	d, err := r.upload(t, shipment, "vedtak.pdf", bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("an object is lost", func(t *testing.T) {
		lost := r.objects(t)[0]
		kept, err := bucket.Get(t.Context(), lost)
		if err != nil {
			t.Fatal(err)
		}
		if err := bucket.Remove(t.Context(), lost); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r.s.Content(t.Context(), r.Account.ID, d)); !errors.Is(err, objects.ErrMissing) {
			t.Errorf("got %v", err)
		}
		if err := bucket.Put(t.Context(), lost, kept); err != nil {
			t.Fatal(err)
		}
		r.wantContent(t, d, content)
	})
	t.Run("nothing is configured any more", func(t *testing.T) {
		r.s.Objects = store.Objects{}
		defer func() { r.s.Objects = store.Objects{Bucket: bucket, Write: true} }()
		if _, err := io.ReadAll(r.s.Content(t.Context(), r.Account.ID, d)); !errors.Is(err, store.ErrNoBucket) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the storage does not answer", func(t *testing.T) {
		if os.Getenv("UTSENDING_TEST_S3") != "" {
			t.Skip("a real server stays")
		}
		stop()
		if _, err := r.upload(t, shipment, "to.pdf", bytes.NewReader(content)); !store.Unreachable(err) {
			t.Errorf("an upload got %v", err)
		}
		if _, err := io.ReadAll(r.s.Content(t.Context(), r.Account.ID, d)); !store.Unreachable(err) {
			t.Errorf("reading got %v", err)
		}
	})
}
