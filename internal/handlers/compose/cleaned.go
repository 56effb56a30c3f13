package compose

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/clamd"
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// Clean replaces a PDF of a draft with a copy without its active content.
func (s *Documents) Clean(c echo.Context, v frame.Visit) error {
	if uuid.Validate(c.Param("dokument")) != nil {
		return store.ErrNotFound
	}
	d, f, err := s.drafts.savePosted(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	i := slices.IndexFunc(d.Documents, func(d dispatch.Document) bool { return string(d.ID) == c.Param("dokument") })
	if i < 0 { // another request was faster
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldDocuments)
	}
	of := d.Documents[i]
	made, problem, err := s.cleaned(c, v, d, of)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldDocuments)
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	case problem != "":
		return s.drafts.showDraft(c, v, d, f, dispatch.Problems{{Field: dispatch.FieldDocument + string(of.ID), Key: "problem.clean." + problem, Args: dispatch.Args{"Name": of.FileName}}})
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldDocument+string(made))
}

// cleaned makes the copy and returns its id, or the problem that prevents it.
func (s *Documents) cleaned(c echo.Context, v frame.Visit, d dispatch.Draft, of dispatch.Document) (made dispatch.DocumentID, problem string, err error) {
	if of.Fixed() != "" || len(of.Removable()) == 0 {
		return "", string(pdf.ProblemUnchanged), nil
	}
	if s.PDF == nil {
		return "", "unavailable", nil
	}
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(maxCleanTime)) // otherwise the server's own deadline applies
	ctx := frame.Context(c)
	content := s.Store.Content(ctx, v.Account.ID, of)
	defer content.Close()
	found, err := s.PDF.For(string(v.Account.ID), string(v.User.ID)).Clean(ctx, content, of.Size, func(copied io.Reader, done dispatch.Cleaning) error {
		var firstPage []byte
		copy, err := items.In(s.Store).Documents.Clean(ctx, items.Upload{
			Account: v.Account.ID, Item: d.Item.ID, User: v.User.ID, FileName: of.FileName, Content: copied, Inspect: s.inspectCopy(v, of, &firstPage),
		}, frame.Actor(c, v.User), of.ID, done)
		if err == nil {
			made = copy.ID
			s.pictures.keepFirst(v, made, firstPage, s.Now())
		}
		return err
	})
	switch {
	case errors.Is(err, items.ErrDivided):
		return "", "divided", nil
	case errors.Is(err, errCopy):
		return "", string(pdf.ProblemBroken), nil
	case errors.Is(err, pdf.ErrUnavailable), errors.Is(err, clamd.ErrInfected), errors.Is(err, clamd.ErrUnavailable):
		s.Log.Error("a PDF was not cleaned", "error", err.Error(), "request_id", frame.RequestID(c))
		return "", "unavailable", nil
	}
	return made, string(found), err
}

// maxCleanTime bounds a cleaning, including its wait in the queue and the check of the copy.
const maxCleanTime = 15 * time.Minute

// errCopy: the copy differs from the original, or could not be checked.
var errCopy = errors.New("the copy is no letter of as many pages")

// inspectCopy checks the copy like an upload. It must be a readable PDF with as many pages as the original.
func (s *Documents) inspectCopy(v frame.Visit, of dispatch.Document, firstPage *[]byte) inspection {
	look := s.uploads.inspect(v, of.FileName, firstPage)
	return func(ctx context.Context, open func() io.Reader, size int64) (dispatch.Document, error) {
		d, err := look(ctx, open, size)
		if err == nil && (!d.PDF() || d.Found != dispatch.DocumentFine || d.Reading == nil || d.Pages != of.Pages) {
			err = errCopy
		}
		return d, err
	}
}

// Restore replaces a cleaned copy with the file as it was uploaded.
func (s *Documents) Restore(c echo.Context, v frame.Visit) error {
	if uuid.Validate(c.Param("dokument")) != nil {
		return store.ErrNotFound
	}
	d, f, err := s.drafts.savePosted(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	cleaned := dispatch.DocumentID(c.Param("dokument"))
	of, err := items.In(s.Store).Documents.Restore(frame.Context(c), v.Account.ID, d.Item.ID, frame.Actor(c, v.User), cleaned)
	switch {
	case errors.Is(err, items.ErrDivided):
		return s.drafts.showDraft(c, v, d, f, dispatch.Problems{{Field: dispatch.FieldDocument + string(cleaned), Key: "problem.clean.divided"}})
	case errors.Is(err, store.ErrNotFound): // another click was first
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldDocuments)
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldDocument+string(of))
}

// unconfirmed returns a problem for each file that may look different after cleaning and that the user has not confirmed.
func unconfirmed(c echo.Context, content dispatch.Shipment) (ps dispatch.Problems) {
	values, err := c.FormParams()
	for _, d := range content.Documents {
		if d.Altered() && (err != nil || !slices.Contains(values[compose.FieldCleaned], string(d.ID))) {
			ps = append(ps, dispatch.Problem{Field: compose.FieldCleaned, Key: "problem.clean.unseen", Args: dispatch.Args{"Name": d.FileName}})
		}
	}
	return ps
}
