package compose

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// Upload takes files into a draft. With script, one file per request is answered with its row; without, all files come
// with the whole form, which is saved too.
func (s *Documents) Upload(c echo.Context, v frame.Visit) error {
	d, _, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	reader, err := s.uploads.openUpload(c, maxUpload)
	if err != nil {
		return err
	}
	values, ps, err := s.uploads.takeEach(c, reader, func(part *multipart.Part) (*dispatch.Problem, error) { return s.takeFile(c, v, d.Item.ID, part) })
	if err != nil {
		return err
	}
	if frame.Fragment(c) != "" {
		return s.showUploaded(c, v, ps)
	}
	return s.showAfterUpload(c, v, values, ps)
}

// maxRefused is how many files of one upload may be refused before the rest is not looked at: an upload has room for millions of files.
const maxRefused = 2 * dispatch.MaxDocuments

// takeFile stores one file; it returns a problem, or nil.
func (s *Documents) takeFile(c echo.Context, v frame.Visit, id dispatch.ItemID, part *multipart.Part) (*dispatch.Problem, error) {
	name, renamed := frame.FileName(part.FileName())
	if p := dispatch.ValidateFileName("fil", name); p != nil {
		return p, nil
	}
	var firstPage []byte
	d, err := items.In(s.Store).Documents.Add(frame.Context(c), items.Upload{
		Account: v.Account.ID, Item: id, User: v.User.ID, FileName: name, Renamed: renamed, Content: part, Inspect: s.uploads.inspect(v, name, &firstPage),
	})
	switch {
	case errors.Is(err, items.ErrName):
		return &dispatch.Problem{Field: "fil", Key: "problem.file.duplicate", Args: dispatch.Args{"Name": name}}, nil
	case errors.Is(err, items.ErrFull):
		return &dispatch.Problem{Field: "fil", Key: "problem.file.many", Args: dispatch.Args{"Name": name, "Most": dispatch.MaxDocuments}}, nil
	case err == nil:
		c.Set(uploadedKey, d.ID)
		s.pictures.keepFirst(v, d.ID, firstPage, s.Now())
		return nil, nil
	}
	return s.uploads.notTaken(c, v, name, err)
}

// uploadedKey is the context key of the id of the uploaded file.
const uploadedKey = "uploaded"

// showUploaded answers an upload with the file's row, or with its problem.
func (s *Documents) showUploaded(c echo.Context, v frame.Visit, ps dispatch.Problems) error {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	id, _ := c.Get(uploadedKey).(dispatch.DocumentID)
	index := slices.IndexFunc(d.Documents, func(d dispatch.Document) bool { return d.ID == id })
	if len(ps) > 0 || index < 0 {
		if len(ps) == 0 {
			ps = dispatch.Problems{{Field: "fil", Key: "problem.upload.none"}}
		}
		return frame.Show(c, http.StatusUnprocessableEntity, compose.UploadProblem(ps))
	}
	return frame.Show(c, http.StatusOK, compose.DocumentItem(s.drafts.draftPage(c, v, d, f, nil), d.Documents[index], index))
}

// showAfterUpload saves the fields posted with the files, and shows the form again.
func (s *Documents) showAfterUpload(c echo.Context, v frame.Visit, values url.Values, ps dispatch.Problems) error {
	d, _, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	d, f, err := s.drafts.saveTyped(c, v, d, values)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if c.Get(uploadedKey) == nil && len(ps) == 0 {
		ps = append(ps, dispatch.Problem{Field: "fil", Key: "problem.upload.none"})
	}
	if len(ps) > 0 {
		return s.drafts.showDraft(c, v, d, f, ps)
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#dokumenter")
}

// Move saves the form and moves a file up or down.
func (s *Documents) Move(by1 int) func(echo.Context, frame.Visit) error {
	return s.changeDocument(func(c echo.Context, v frame.Visit, id dispatch.ItemID, d dispatch.DocumentID) error {
		return items.In(s.Store).Documents.Move(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), d, by1)
	})
}

// Remove saves the form and removes a file.
func (s *Documents) Remove() func(echo.Context, frame.Visit) error {
	return s.changeDocument(func(c echo.Context, v frame.Visit, id dispatch.ItemID, d dispatch.DocumentID) error {
		return items.In(s.Store).Documents.Remove(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), d)
	})
}

func (s *Documents) changeDocument(change func(echo.Context, frame.Visit, dispatch.ItemID, dispatch.DocumentID) error) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		if uuid.Validate(c.Param("dokument")) != nil {
			return store.ErrNotFound
		}
		d, _, err := s.drafts.savePosted(c, v)
		if err != nil {
			return s.drafts.draftGone(c, v, err)
		}
		if err := change(c, v, d.Item.ID, dispatch.DocumentID(c.Param("dokument"))); err != nil {
			return s.drafts.draftGone(c, v, err)
		}
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#dokumenter")
	}
}

// Order saves an order that script has already shown.
func (s *Documents) Order(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	if _, _, err := s.drafts.shipmentDraft(c, v); err != nil {
		return err
	}
	var wanted []dispatch.DocumentID
	for _, id := range values["dokument"] {
		wanted = append(wanted, dispatch.DocumentID(id))
	}
	if err := items.In(s.Store).Documents.Order(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), frame.Actor(c, v.User), wanted); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
