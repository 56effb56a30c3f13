package main_test

import (
	"bytes"
	"context"
	"image/png"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestPagePictures: the server draws the pages of a draft for its owner, without JavaScript, and for nobody else.
func TestPagePictures(t *testing.T) {
	t.Parallel()
	s := newShipmentStack(t)
	kari := s.caller(t, "kari")
	draft := kari.draft()
	kari.uploadAndSee(draft, pdftest.Make(14), "14 sider")
	_, page := kari.get(draft)
	_, rest, found := strings.Cut(page, draft+"/dokumenter/")
	if !found || strings.Count(page, "/sider/") != 14 {
		t.Fatal("the form does not show the pages of the file")
	}
	file := draft + "/dokumenter/" + rest[:36]
	if !strings.Contains(page, `href="`+file+`" download>`) { // otherwise the browser asks about unsaved changes
		t.Error("the file is no download")
	}
	for address, want := range map[string]int{"/sider/1": 200, "/sider/14": 200, "/sider/0": 404, "/sider/15": 404, "/sider/x": 404} {
		status, content, h := kari.picture(file + address)
		if status != want {
			t.Errorf("%s: got %d, want %d", address, status, want)
		}
		if want != http.StatusOK {
			continue
		}
		picture, err := png.Decode(bytes.NewReader(content))
		if err != nil || picture.Bounds().Dx() != pdf.PictureWidth {
			t.Errorf("%s: %v", address, err)
		}
		if got := h.Get("Cache-Control"); got != "private, no-cache" || h.Get("Content-Type") != "image/png" {
			t.Errorf("%s: %q, %q", address, got, h.Get("Content-Type"))
		}
	}
	if status, _ := s.caller(t, "ingrid").get(file + "/sider/1"); status != http.StatusNotFound {
		t.Errorf("somebody else got %d, want 404", status)
	}
}

// TestPicturesOfScans: scanned pages are drawn, and a page that cannot be drawn is replaced by a text.
func TestPicturesOfScans(t *testing.T) {
	t.Parallel()
	s := newShipmentStack(t)
	kari := s.caller(t, "kari")
	draft := kari.draft()
	kari.uploadAndSee(draft, pdftest.Scan(2), "2 sider")
	_, page := kari.get(draft)
	_, rest, _ := strings.Cut(page, draft+"/dokumenter/")
	_, content, _ := kari.picture(draft + "/dokumenter/" + rest[:36] + "/sider/2")
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := picture.At(160, 200).RGBA(); r>>8 != 128 || g>>8 != 128 || b>>8 != 128 {
		t.Errorf("the page is %d %d %d, want grey", r>>8, g>>8, b>>8)
	}
	unseen := s.store3Pages(t, dispatch.ItemID(path.Base(draft)))
	status, content, h := kari.picture(draft + "/dokumenter/" + string(unseen) + "/sider/3")
	if status != http.StatusOK || h.Get("Content-Type") != "image/svg+xml" || !strings.Contains(string(content), "Siden kan ikke vises") {
		t.Errorf("a page that cannot be drawn: %d, %q, %s", status, h.Get("Content-Type"), content)
	}
}

// store3Pages stores a file that is not a PDF, as if it were one of three pages.
func (s *stack) store3Pages(t *testing.T, id dispatch.ItemID) dispatch.DocumentID {
	t.Helper()
	u := items.Upload{Account: s.oppvekst.ID, Item: id, FileName: "uleselig.pdf", Content: strings.NewReader("Dette er ingen PDF."),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 3}, nil
		}}
	var d dispatch.Document
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT created_by FROM items WHERE id = $1`, id).Scan(&u.User)
	if err == nil {
		d, err = items.In(s.store).Documents.Add(t.Context(), u)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// picture fetches the picture of a page.
func (c *caller) picture(address string) (status int, content []byte, h http.Header) {
	c.t.Helper()
	answer := c.do(http.MethodGet, c.address+address, nil)
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, content, answer.Header
}

// TestPlacesOfFindings: the form marks each finding on a picture of its page and describes the place in words. The picture is
// drawn on request.
func TestPlacesOfFindings(t *testing.T) {
	t.Parallel()
	s := newShipmentStack(t)
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
