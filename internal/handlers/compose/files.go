package compose

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store"
	"utsending/internal/views/compose"
)

// PictureRoute is the address of a page's picture, below that of its file.
const PictureRoute = "/sider/:side"

const (
	drawnTogether = 12 // pages: starting the child takes longer than drawing them
	keptPictures  = 16 << 20
	picturesAge   = 10 * time.Minute
)

// pictureKey names pages that are drawn together for one person. A colleague who takes a draft over gets new pictures, which is
// logged as a read.
type pictureKey struct {
	account  dispatch.AccountID
	user     dispatch.UserID
	document dispatch.DocumentID
	part     int
	first    int // page
	wide     bool
}

// pictureSet is the pictures of these pages.
type pictureSet struct {
	mu     sync.Mutex // held while drawing
	drawn  time.Time
	pages  [][]byte
	logged bool // the read was logged
}

// pictures caches recent pictures in memory only.
type pictures struct {
	mu    sync.Mutex
	kept  map[pictureKey]*pictureSet
	order []pictureKey // oldest first
}

func newPictures() *pictures { return &pictures{kept: map[pictureKey]*pictureSet{}} }

// set finds or makes the entry of these pages.
func (p *pictures) set(key pictureKey, now time.Time) *pictureSet {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(now)
	if s := p.kept[key]; s != nil {
		return s
	}
	s := &pictureSet{drawn: now}
	p.kept[key], p.order = s, append(p.order, key)
	return s
}

// keepFirst caches the first page, which was drawn when the file was checked.
func (p *pictures) keepFirst(v frame.Visit, d dispatch.DocumentID, picture []byte, now time.Time) {
	if picture == nil {
		return
	}
	set := p.set(pictureKey{v.Account.ID, v.User.ID, d, 0, 1, false}, now)
	set.mu.Lock()
	defer set.mu.Unlock()
	set.pages = [][]byte{picture}
}

// drawnWith tells which pages are drawn together. The first page, which most people look at, is drawn alone, and so are large
// pictures.
func drawnWith(page int, wide bool) pdf.Drawing {
	switch {
	case wide:
		return pdf.Drawing{First: page, Count: 1, Width: pdf.WidePicture}
	case page == 1:
		return pdf.Drawing{First: 1, Count: 1}
	}
	return pdf.Drawing{First: (page-2)/drawnTogether*drawnTogether + 2, Count: drawnTogether}
}

// forget evicts expired entries, and the oldest ones above the limit.
func (p *pictures) forget(now time.Time) {
	size := 0
	for _, s := range p.kept {
		size += s.size()
	}
	for len(p.order) > 0 && (size > keptPictures || now.Sub(p.kept[p.order[0]].drawn) > picturesAge) {
		size -= p.kept[p.order[0]].size()
		delete(p.kept, p.order[0])
		p.order = p.order[1:]
	}
}

// size is the size in bytes; 0 while pages are drawn.
func (s *pictureSet) size() (n int) {
	if !s.mu.TryLock() {
		return 0
	}
	defer s.mu.Unlock()
	for _, page := range s.pages {
		n += len(page)
	}
	return n
}

// picture answers with the picture of a page. A browser may cache it, but must revalidate it, so that the right is checked each
// time.
func (s *files) picture(c echo.Context, v frame.Visit, d frame.Download) error {
	page := position(c.Param("side"))
	switch {
	case page < 1 || page > d.Pages:
		return store.ErrNotFound
	}
	wide := c.QueryParam("stor") != ""
	tag := fmt.Sprintf(`"%s-%d-%d-%t"`, d.ID, d.Slice, page, wide)
	h := c.Response().Header()
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", tag)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if strings.Contains(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	content, err := s.drawn(c, v, d, page, wide)
	switch {
	case errors.Is(err, pdf.ErrUnavailable):
		s.Log.Error("a page was not drawn", "error", err.Error())
		fallthrough
	case err == nil && content == nil:
		h.Del("ETag")
		return c.Blob(http.StatusOK, "image/svg+xml", compose.NoPicture(frame.Context(c)))
	case err != nil:
		h.Del("ETag")
		return err
	}
	return c.Blob(http.StatusOK, "image/png", content)
}

// drawn is the picture of a page; nil if it cannot be drawn. Pages drawn together count as one read of content, logged when the
// first of them is given out.
func (s *files) drawn(c echo.Context, v frame.Visit, d frame.Download, page int, wide bool) ([]byte, error) {
	drawing := drawnWith(page, wide)
	first := drawing.First
	set := s.pictures.set(pictureKey{v.Account.ID, v.User.ID, d.ID, d.Slice, first, wide}, s.Now())
	set.mu.Lock()
	defer set.mu.Unlock()
	if !set.logged {
		if err := s.RecordRead(c, v, d); err != nil {
			return nil, err
		}
		set.logged = true
	}
	if set.pages == nil {
		pages, err := s.draw(frame.Context(c), v, d.Document, drawing)
		if err != nil {
			return nil, err
		}
		set.pages = pages
	}
	if page-first >= len(set.pages) {
		return nil, nil
	}
	return set.pages[page-first], nil
}

func (s *files) draw(ctx context.Context, v frame.Visit, d dispatch.Document, drawing pdf.Drawing) ([][]byte, error) {
	if s.PDF == nil {
		return nil, fmt.Errorf("nothing draws pages here: %w", pdf.ErrUnavailable)
	}
	content := s.Store.Content(ctx, v.Account.ID, d)
	defer content.Close()
	pages := [][]byte{}
	err := s.PDF.For(string(v.Account.ID), string(v.User.ID)).Pictures(ctx, content, d.Size, drawing, func(png []byte) error {
		pages = append(pages, png)
		return nil
	})
	return pages, err
}

// givePDF answers with a PDF of a draft and logs the read.
func (s *files) givePDF(c echo.Context, v frame.Visit, d frame.Download) error {
	d.Kind, d.Disposition = dispatch.MimePDF, mime.FormatMediaType("attachment", map[string]string{"filename": d.FileName})
	return s.GiveFile(c, v, d)
}
