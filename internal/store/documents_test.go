package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// piece is the size of a file's content in one row.
const piece = 1 << 20

// shipment makes a draft of a shipment.
func (r rig) shipment(t *testing.T) dispatch.ItemID {
	t.Helper()
	id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// upload uploads a file to a draft. Its inspection reads it to the end.
func (r rig) upload(t *testing.T, item dispatch.ItemID, name string, content io.Reader) (dispatch.Document, error) {
	t.Helper()
	return items.In(r.s).Documents.Add(t.Context(), items.Upload{
		Account: r.Account.ID, Item: item, User: r.Actor.User, FileName: name, Content: content,
		Inspect: func(_ context.Context, open func() io.Reader, size int64) (dispatch.Document, error) {
			n, err := io.Copy(io.Discard, open())
			if err == nil && n != size {
				err = fmt.Errorf("got %d bytes to look into, want %d", n, size)
			}
			return dispatch.Document{MimeType: "text/plain"}, err
		},
	})
}

func (r rig) content(t *testing.T, d dispatch.Document) ([]byte, error) {
	t.Helper()
	in := r.s.Content(t.Context(), r.Account.ID, d)
	defer in.Close()
	return io.ReadAll(in)
}

func random(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(size)}).Read(b) // never fails
	return b
}

func TestContentIsWhatWasUploaded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	for _, size := range []int{1, piece - 1, piece, piece + 1, 2 * piece, 5*piece + 17} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			want := random(size)
			d, err := r.upload(t, item, fmt.Sprint(size), bytes.NewReader(want))
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.content(t, d)
			if err != nil || !bytes.Equal(got, want) || d.Size != int64(size) {
				t.Errorf("got %d bytes, %v; want the %d that were uploaded", len(got), err, size)
			}
			if _, err := r.content(t, dispatch.Document{ID: d.ID, Size: d.Size, SHA256: d.SHA256[1:] + "0"}); err == nil {
				t.Error("another hash is not noticed")
			}
		})
	}
}

// TestContentThatIsBroken: partial content, or another file's, is never sent as the whole.
func TestContentThatIsBroken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	other, err := r.upload(t, item, "other", bytes.NewReader(random(4*piece)))
	if err != nil {
		t.Fatal(err)
	}
	for name, statement := range map[string]string{
		"the first piece is missing":       `DELETE FROM document_chunks WHERE document_id = $1 AND position = 0`,
		"a piece in its midst is missing":  `DELETE FROM document_chunks WHERE document_id = $1 AND position = 2`,
		"the last piece is missing":        `DELETE FROM document_chunks WHERE document_id = $1 AND position = 3`,
		"all pieces are missing":           `DELETE FROM document_chunks WHERE document_id = $1`,
		"two pieces have changed places":   `UPDATE document_chunks c SET data = o.data FROM document_chunks o WHERE c.document_id = $1 AND o.document_id = $1 AND c.position + o.position = 1`,
		"a byte of a piece is another one": `UPDATE document_chunks SET data = set_byte(data, 500, get_byte(data, 500) # 1) WHERE document_id = $1 AND position = 1`,
		"a piece is another file's":        `UPDATE document_chunks c SET data = o.data FROM document_chunks o WHERE c.document_id = $1 AND o.document_id = '` + string(other.ID) + `' AND c.position = 1 AND o.position = 1`,
		"the last piece is cut":            `UPDATE document_chunks SET data = substr(data, 1, 100) WHERE document_id = $1 AND position = 3`,
	} {
		t.Run(name, func(t *testing.T) {
			d, err := r.upload(t, item, name, bytes.NewReader(random(4*piece)))
			if err != nil {
				t.Fatal(err)
			}
			r.exec(t, statement, d.ID)
			if got, err := r.content(t, d); err == nil {
				t.Errorf("got %d bytes as if they were the file", len(got))
			}
		})
	}
}

func TestUploadThatBreaksOff(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	broken := errors.New("the page was closed")
	for name, content := range map[string]io.Reader{
		"at once":             iotest.ErrReader(broken),
		"after a few pieces":  io.MultiReader(bytes.NewReader(random(3*piece+5)), iotest.ErrReader(broken)),
		"in its very last":    io.MultiReader(bytes.NewReader(random(piece)), iotest.ErrReader(broken)),
		"as a form that ends": io.MultiReader(bytes.NewReader(random(100)), iotest.ErrReader(io.ErrUnexpectedEOF)),
	} {
		t.Run(name, func(t *testing.T) {
			if d, err := r.upload(t, item, name, content); err == nil {
				t.Errorf("got a document of %d bytes", d.Size)
			}
			if n := read[int](t, r, `SELECT count(*) FROM documents`) + read[int](t, r, `SELECT count(*) FROM document_chunks`); n != 0 {
				t.Errorf("got %d rows left behind", n)
			}
		})
	}
}

// TestContentOfAnotherAccount: a document is found through its own account only.
func TestContentOfAnotherAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	d, err := r.upload(t, r.shipment(t), "vedtak.pdf", bytes.NewReader(random(100)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.other(t).content(t, d); err == nil {
		t.Errorf("got %d bytes of another account's file", len(got))
	}
}

// TestFilesOfAShipmentAreBounded: uploads in progress count too, else concurrent ones would exceed the limit.
func TestFilesOfAShipmentAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	r.exec(t, `
		INSERT INTO documents (id, item_id, account_id, position, file_name, complete)
		SELECT gen_random_uuid(), $1, $2, n, n || '.pdf', n % 2 = 0 FROM generate_series(1, $3::integer) n`, item, r.Account.ID, dispatch.MaxDocuments-1)
	if _, err := r.upload(t, item, "the last.txt", bytes.NewReader(random(5))); err != nil {
		t.Error(err)
	}
	if _, err := r.upload(t, item, "one more.txt", bytes.NewReader(random(5))); !errors.Is(err, items.ErrFull) {
		t.Errorf("got %v", err)
	}
}

// TestPurgesUploadsThatBrokeOff: an upload is purged within the hour if its process died, or its end was lost by a
// frozen database. An upload in progress stays, however long it takes.
func TestPurgesUploadsThatBrokeOff(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	for name, alive := range map[string]string{"dead.pdf": "40 minutes", "slow.pdf": "5 minutes"} {
		r.exec(t, `
			INSERT INTO documents (id, item_id, account_id, position, file_name, created_at, alive_at)
			VALUES (gen_random_uuid(), $1, $2, 1, $3, now() - interval '50 minutes', now() - $4::interval)`, item, r.Account.ID, name, alive)
	}
	r.exec(t, `INSERT INTO document_chunks (document_id, position, data) SELECT id, 0, 'x' FROM documents`)
	dead, alive := r.JobDraft(t, r.s, listOf(1), items.JobText{}), r.JobDraft(t, r.s, listOf(1), items.JobText{})
	r.exec(t, `INSERT INTO list_chunks (job_id, position, data, created_at) SELECT $1, n, 'x', now() - interval '40 minutes' FROM generate_series(0, 2) n`, dead)
	r.exec(t, `INSERT INTO list_chunks (job_id, position, data, created_at) SELECT $1, n, 'x', now() - n * interval '40 minutes' FROM generate_series(0, 2) n`, alive)
	if err := errors.Join(items.In(r.s).Documents.Purge(t.Context()), items.In(r.s).Lists.Purge(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got := read[string](t, r, `SELECT string_agg(file_name, ' ') FROM documents JOIN document_chunks ON document_id = id`); got != "slow.pdf" {
		t.Errorf("left of the files: %s", got)
	}
	if got := read[string](t, r, `SELECT string_agg(DISTINCT job_id::text, ' ') FROM list_chunks`); got != string(alive) {
		t.Errorf("left of the lists: %s, want %s", got, alive)
	}
}

// TestFileNamesOfBefore: a name that was stored in another Unicode normalization form matches the name that the service returns.
func TestFileNamesOfBefore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := r.shipment(t)
	d, err := r.upload(t, item, "Vedtak om bl\u00e5b\u00e6r p\u00e5 \u00c5.pdf", strings.NewReader("innhold"))
	if err != nil {
		t.Fatal(err)
	}
	r.exec(t, `UPDATE documents SET file_name = normalize(file_name, NFD)`)
	got, err := r.s.Documents(t.Context(), r.Account.ID, item)
	if err != nil || len(got) != 1 || got[0].FileName != d.FileName || !dispatch.SameFileName(got[0].FileName, "vedtak om bl\u00e5b\u00e6r p\u00e5 \u00e5.PDF") {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := r.upload(t, item, d.FileName, strings.NewReader("innhold")); err == nil {
		t.Error("it is taken again under the same name")
	}
}
