package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"testing"
	"unicode/utf8"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// FuzzMoment: any value is a time of this century, or kept as it was said, briefly; a time that we write reads back.
func FuzzMoment(f *testing.F) {
	for _, seed := range []string{
		`1571598274246`, `1571598274`, `"1571598274246"`, `"2019-10-20T21:04:34.246+02:00"`, `"2026-03-29T02:30:00"`, `"2026-10-25 02:30"`, `"20.10.2019 21:04"`, `"2026-11-26T12:00Z[Europe/Oslo]"`, `"2026-11-26T12:00[Asia/Tokyo]"`,
		`null`, `""`, `" "`, `{}`, `[1]`, `9223372036854775807`, `-1`, `1e12`, `true`, `"0001-01-01T00:00:00Z"`, `"99999-01-01T00:00:00Z"`, `"2026-11-26T24:00:00Z"`, `"\ufffe\u202e"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		var m Moment
		if err := json.Unmarshal(said, &m); err != nil {
			return
		}
		if !m.IsZero() && (m.Said != "" || !sensible(m.Time)) || m.IsZero() && utf8.RuneCountInString(m.Said) > 61 {
			t.Fatalf("%s is %s, %q", said, m.Time, m.Said)
		}
		if clients.Sentence(m.Said) != m.Said {
			t.Fatalf("%s is kept as %q", said, m.Said)
		}
		if m.IsZero() {
			return
		}
		var again Moment
		if err := json.Unmarshal([]byte(`"`+Timestamp(m.Time)+`"`), &again); err != nil || again.Unix() != m.Unix() {
			t.Fatalf("%s is %s, then %s: %v", said, m.Time, again.Time, err)
		}
	})
}

// FuzzParts: whatever a file is called and holds, the service reads two parts, in order, with their own names and bytes.
func FuzzParts(f *testing.F) {
	for _, name := range []string{"brev.pdf", `a"b\c.pdf`, "a\r\nX: y", "æ;b=c.pdf", "%22%0d%0a", "a\x00", "FORSENDELSE", " a ", "=?utf-8?q?a?="} {
		f.Add(name, []byte("%PDF"), []byte(`{"tittel":"x"}`))
	}
	f.Fuzz(func(t *testing.T, name string, content, metadata []byte) {
		if dispatch.ValidateFileName("f", name) != nil {
			return
		}
		form := NewForm(metadata, []dispatch.Document{{FileName: name, Size: int64(len(content))}}, func(context.Context, dispatch.Document) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}, nil)
		body := form.Body()
		sent, err := io.ReadAll(body.Open(t.Context()))
		if err != nil || int64(len(sent)) != body.Size {
			t.Fatalf("%d bytes of %d: %v", len(sent), body.Size, err)
		}
		_, p, err := mime.ParseMediaType(form.ContentType)
		if err != nil {
			t.Fatal(err)
		}
		parts := multipart.NewReader(bytes.NewReader(sent), p["boundary"])
		for _, want := range []struct {
			name string
			body []byte
		}{{"forsendelse", metadata}, {name, content}} {
			part, err := parts.NextRawPart()
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			got, err := io.ReadAll(part)
			if err != nil || part.FormName() != want.name || !bytes.Equal(got, want.body) || len(part.Header) != 2 {
				t.Fatalf("got %q with %q, %v; want %q with %q", part.FormName(), got, err, want.name, want.body)
			}
		}
		if _, err := parts.NextRawPart(); err != io.EOF {
			t.Fatalf("%q: more parts, %v", name, err)
		}
	})
}
