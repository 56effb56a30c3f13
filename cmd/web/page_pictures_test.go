package main_test

import (
	"bytes"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/pdf/pdftest"
)

// TestPagePictures: the server draws pages for who has no script, and only for whom the draft is.
func TestPagePictures(t *testing.T) {
	t.Parallel()
	s := newLetterStack(t)
	kari := s.caller(t, "kari")
	draft := kari.draft()
	kari.uploadAndSee(draft, pdftest.Make(14), "14 sider")
	_, page := kari.get(draft)
	_, rest, found := strings.Cut(page, draft+"/dokumenter/")
	if !found || !strings.Contains(page, "/sider/12\"") || strings.Contains(page, "/sider/13\"") {
		t.Fatal("the page does not show the first twelve pages of the file")
	}
	file := draft + "/dokumenter/" + rest[:36]
	for address, want := range map[string]int{"/sider/1": 200, "/sider/14": 200, "/sider/0": 404, "/sider/15": 404, "/sider/x": 404} {
		answer := kari.do(http.MethodGet, s.address+file+address, nil)
		content, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != want {
			t.Errorf("%s: got %d, %v, want %d", address, answer.StatusCode, err, want)
		}
		if want != http.StatusOK {
			continue
		}
		picture, err := png.Decode(bytes.NewReader(content))
		if err != nil || picture.Bounds().Dx() != 320 {
			t.Errorf("%s: %v", address, err)
		}
		if got := answer.Header.Get("Cache-Control"); got != "private, no-cache" || answer.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%s: %q, %q", address, got, answer.Header.Get("Content-Type"))
		}
	}
	if status, _ := s.caller(t, "ingrid").get(file + "/sider/1"); status != http.StatusNotFound {
		t.Errorf("somebody else got %d, want 404", status)
	}
}
