package compose

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// useOwnFiles gives each row the file that it names in a column; it returns a problem, or nil.
func (s *OwnFiles) useOwnFiles(c echo.Context, v frame.Visit, l listDraft, column string) (*dispatch.Problem, error) {
	if !slices.Contains(l.job.Columns, column) {
		return &dispatch.Problem{Field: compose.FieldFileColumn, Key: "problem.split.file_column"}, nil
	}
	return nil, items.In(s.Store).OwnFiles.Use(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), column)
}

// Show shows the file of each row, missing files, and files that no row uses.
func (s *OwnFiles) Show(c echo.Context, v frame.Visit) error { return s.showOwnFiles(c, v, nil) }

const (
	shownFiles   = 100 // rows on a page
	shownRefused = 20  // refused files of one upload that are listed
)

func (s *OwnFiles) showOwnFiles(c echo.Context, v frame.Visit, ps dispatch.Problems) error {
	l, _, err := s.lists.shipmentRows(c, v)
	switch {
	case errors.Is(err, store.ErrStale): // looked over in another tab, or files come in there
		return frame.SeeOther(c, filesPath(v, l))
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	case !l.ownFiles(), l.job.AwaitsApproval:
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	p := compose.OwnFilesPage{Page: s.Page(c, v, "own_files.title"), ID: l.Item.ID, Job: l.job, Most: dispatch.OwnFilesMax}
	p.Section, p.Narrow, p.Problems = views.SectionNewShipment, true, ps
	if p.Files, err = items.In(s.Store).OwnFiles.List(frame.Context(c), v.Account.ID, l.job.ID); err != nil {
		return err
	}
	if p.Rows, err = items.In(s.Store).Rows.Problems(frame.Context(c), v.Account.ID, l.job.ID); err != nil {
		return err
	}
	if err := s.fileLines(c, v, l, &p); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), compose.OwnFiles(p))
}

// fileLines adds one page of the rows to the page, with their files.
func (s *OwnFiles) fileLines(c echo.Context, v frame.Visit, l listDraft, p *compose.OwnFilesPage) error {
	after := position(c.QueryParam("etter"))
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll, after, shownFiles)
	if err != nil || len(rows) == 0 {
		return err
	}
	before, err := items.In(s.Store).Rows.Before(frame.Context(c), v.Account.ID, l.job.ID, rows[0].Position)
	if err != nil {
		return err
	}
	parts, err := items.In(s.Store).Slices.List(frame.Context(c), v.Account.ID, l.job.ID, before+1, before+len(rows))
	if err != nil {
		return err
	}
	for i, r := range rows {
		p.Lines = append(p.Lines, compose.FileLine{Row: r, File: parts[before+i+1]})
	}
	if more {
		p.More = filesPath(v, l) + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position)
	}
	if after > 0 {
		p.First = filesPath(v, l)
	}
	return nil
}

// Upload takes files for rows into a draft: one per request with script, several without. A file uploaded for one row
// replaces that row's file whatever its name.
func (s *OwnFiles) Upload(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err == nil && l.job.ID == "" {
		err = store.ErrNotFound
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	row := position(c.QueryParam(compose.FieldRow))
	if row > 0 {
		if l, err = s.lists.matchFiles(c, v, l); err != nil {
			return s.drafts.draftGone(c, v, err)
		}
	}
	reader, err := s.uploads.openUpload(c, maxUpload)
	if err != nil {
		return err
	}
	taken := 0
	_, ps, err := s.uploads.takeEach(c, reader, func(part *multipart.Part) (*dispatch.Problem, error) {
		if row > 0 && taken > 0 {
			return &dispatch.Problem{Field: "fil", Key: "problem.own_file.one"}, nil
		}
		p, err := s.takeOwnFile(c, v, l, part, row)
		if err == nil && p == nil {
			taken++
		}
		return p, err
	})
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if taken == 0 && len(ps) == 0 {
		ps = dispatch.Problems{{Field: "fil", Key: "problem.upload.none"}}
	}
	if n := len(ps) - shownRefused; n > 0 {
		ps = append(ps[:shownRefused:shownRefused], dispatch.Problem{Field: "fil", Key: "problem.own_file.more", Args: dispatch.Args{"N": n}})
	}
	switch {
	case frame.Fragment(c) != "":
		return s.showOwnUploaded(c, v, l, ps)
	case row > 0 && len(ps) > 0:
		return s.shipmentLists.showRow(c, v, row, ps)
	case row > 0:
		return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere", "feil")+"?"+compose.FieldRow+"="+strconv.Itoa(row), "flash.own_file_taken", 0)
	case len(ps) > 0:
		return s.showOwnFiles(c, v, ps)
	}
	return s.FlashTo(c, filesPath(v, l), "flash.own_files_taken", taken)
}

// takeOwnFile stores one file for a row; it returns a problem, or nil.
func (s *OwnFiles) takeOwnFile(c echo.Context, v frame.Visit, l listDraft, part *multipart.Part, row int) (*dispatch.Problem, error) {
	name, renamed := frame.FileName(part.FileName())
	if p := dispatch.ValidateFileName("fil", name); p != nil {
		return p, nil
	}
	if dispatch.FileKey(name) == "" {
		return &dispatch.Problem{Field: "fil", Key: "problem.file.name_empty"}, nil
	}
	var firstPage []byte
	d, err := items.In(s.Store).OwnFiles.Add(frame.Context(c), items.OwnUpload{Job: l.job.ID, Row: row, Upload: items.Upload{
		Account: v.Account.ID, User: v.User.ID, FileName: name, Renamed: renamed, Content: part, Inspect: s.uploads.inspect(v, name, &firstPage),
	}}, frame.Actor(c, v.User))
	problem := func(key string, args dispatch.Args) (*dispatch.Problem, error) {
		args["Name"] = name
		return &dispatch.Problem{Field: "fil", Key: key, Args: args}, nil
	}
	switch {
	case errors.Is(err, items.ErrName):
		return problem("problem.own_file.name", dispatch.Args{})
	case errors.Is(err, items.ErrFull):
		return problem("problem.own_file.many", dispatch.Args{"Most": dispatch.OwnFilesMax})
	case errors.Is(err, items.ErrRoom):
		return problem("problem.own_file.room", dispatch.Args{"Most": dispatch.OwnFilesSizeMax / 1_000_000_000})
	case errors.Is(err, store.ErrStale):
		return problem("problem.own_file.stale", dispatch.Args{})
	case err == nil:
		c.Set(uploadedKey, d)
		return nil, nil
	}
	return s.uploads.notTaken(c, v, name, err)
}

// showOwnUploaded answers the upload of one file with its line, or with its problem.
func (s *OwnFiles) showOwnUploaded(c echo.Context, v frame.Visit, l listDraft, ps dispatch.Problems) error {
	d, _ := c.Get(uploadedKey).(dispatch.Document)
	if len(ps) > 0 {
		return frame.Show(c, http.StatusUnprocessableEntity, compose.UploadProblem(ps))
	}
	p := compose.OwnFilesPage{Page: s.Page(c, v, "own_files.title"), ID: l.Item.ID, Job: l.job}
	return frame.Show(c, http.StatusOK, compose.OwnFileItem(p, d))
}

// Remove removes files of rows: the named ones, or all that no row uses.
func (s *OwnFiles) Remove(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	l, err := s.lists.listDraft(c, v)
	if err == nil && l.job.ID == "" {
		err = store.ErrNotFound
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	n := 0
	if values.Get(compose.FieldSurplus) != "" {
		n, err = items.In(s.Store).OwnFiles.RemoveSurplus(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), values.Get(views.FieldSeen))
	} else {
		n, err = items.In(s.Store).OwnFiles.Remove(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), documentIDs(values))
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	flash := "flash.own_files_removed"
	if n == 0 {
		flash = "flash.own_files_none"
	}
	return s.FlashTo(c, filesPath(v, l), flash, n)
}

func documentIDs(values url.Values) (ids []dispatch.DocumentID) {
	for _, id := range values[compose.FieldOwnFile] {
		ids = append(ids, dispatch.DocumentID(id))
	}
	return ids
}
