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

// TestPagePictures: the server draws the pages of a draft for its owner, without JavaScript, and for nobody else.
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

// TestPlacesOfFindings: the form marks each finding on a picture of its page and describes the place in words. The picture is
// drawn on request.
func TestPlacesOfFindings(t *testing.T) {
	t.Parallel()
	s := newLetterStack(t)
	kari := s.caller(t, "kari")
	draft := kari.draft()
	edge := pdftest.File{Pages: []pdftest.Page{{}, {Content: pdftest.Box(2, 200, 5, 20)}}}
	kari.uploadAndSee(draft, edge.Bytes(), "2 sider")
	_, page := kari.get(draft)
	_, rest, found := strings.Cut(page, draft+"/dokumenter/")
	if !found {
		t.Fatal("the form does not show the file")
	}
	picture := draft + "/dokumenter/" + rest[:36] + "/sider/2"
	for _, want := range []string{"Vis stedet på side 2: langs venstre kant", `<img src="` + picture + `" alt="Bilde av side 2"`,
		`<svg viewBox="0 0 210.0 297.0"`, `<rect x="0.0" y="0.0" width="10.0" height="297.0">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the form does not hold %s", want)
		}
	}
	if status, _ := kari.get(picture); status != http.StatusOK {
		t.Errorf("the picture: %d", status)
	}
}
