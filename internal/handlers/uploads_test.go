package handlers_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/clamd"
	"utsending/internal/handlers"
	"utsending/internal/pdf"
)

// TestInfectedFilesAreNotKept: neither infected files nor unscanned ones stay in the draft, and the person is told
// which file it was.
func TestInfectedFilesAreNotKept(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
		o.PDF = pdf.New(pdf.Options{})
		o.Scan = func(_ context.Context, file io.Reader) error {
			content, err := io.ReadAll(file)
			switch {
			case bytes.Contains(content, []byte("virus")):
				err = clamd.ErrInfected
			case bytes.Contains(content, []byte("unseen")):
				err = errors.Join(clamd.ErrUnavailable, errors.New("connect"))
			}
			return err
		}
		return handlers.New(o)
	}})
	b := s.browser(t, caseworker)
	for content, want := range map[string]string{
		"a virus":  "Viruskontrollen stoppet «liste.csv»",
		"unseen":   "Viruskontrollen svarer ikke, så «liste.csv» er ikke lagret",
		"harmless": "",
	} {
		draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
		kind, body := listForm("fil", "fil:"+content)
		got := b.do(http.MethodPost, draft+"/dokumenter", kind, body, "Accept", "text/html; fragment=dokument")
		page := b.get(draft).page(t)
		kept := strings.Contains(page.Find("#dokumenter").Parent().Text(), "liste.csv")
		if want == "" {
			if got.StatusCode != http.StatusOK || !kept {
				t.Errorf("%q: got %d, kept %t", content, got.StatusCode, kept)
			}
			continue
		}
		if text := got.body; got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, want) || kept {
			t.Errorf("%q: got %d, kept %t, and not %q", content, got.StatusCode, kept, want)
		}
	}
}
