package compose

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// divisionProblem tells why slices do not fit the rows; nil if each row has one, or everybody gets the same files.
func (l listDraft) divisionProblem() *dispatch.Problem {
	of := l.job.Division
	switch {
	case of.Document == "":
		return nil
	case of.MissingColumn(l.job.Columns) != "":
		field := compose.FieldGiroColumn
		if of.MissingColumn(l.job.Columns) == of.Column {
			field = compose.FieldFileColumn
		}
		return &dispatch.Problem{Field: field, Key: "problem.split.column", Args: dispatch.Args{"Name": of.MissingColumn(l.job.Columns)}}
	case l.ownFiles():
		return nil
	case !of.Kept && !slices.ContainsFunc(l.Documents, func(d dispatch.Document) bool { return d.ID == of.Document }):
		return &dispatch.Problem{Field: compose.FieldSplit, Key: "problem.split.gone"}
	case of.By.Matched() && of.Slices == 0:
		return &dispatch.Problem{Field: compose.FieldSplit, Key: "problem.split.again"}
	case !of.By.Matched() && of.Slices != l.job.List.Read:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.count", Args: dispatch.Args{"N": l.job.List.Read, "Parts": of.Slices}}
	}
	return nil
}

// divide divides a file as the form says, unless that is done already; it returns a problem, or nil.
func (s *Slices) divide(c echo.Context, v frame.Visit, l listDraft, f compose.SplitForm) (*dispatch.Problem, error) {
	i := slices.IndexFunc(l.Documents, func(d dispatch.Document) bool { return string(d.ID) == f.File && d.PDF() && d.Pages > 0 })
	if i < 0 {
		return &dispatch.Problem{Field: compose.FieldSplitFile, Key: "problem.split.file"}, nil
	}
	file := l.Documents[i]
	of := dispatch.Division{Document: file.ID, By: dispatch.DivideByPages, Giro: l.job.Division.Giro}
	switch f.Choice {
	case compose.SplitAddress:
		if of.By = dispatch.DivideByAddress; l.matched(of) {
			return nil, nil
		}
		return s.divideFile(c, v, l, file, of)
	case compose.SplitMark:
		of.By, of.Mark = dispatch.DivideByMark, f.Mark
		of.Slices = l.job.List.Read
		switch {
		case f.Mark == "":
			return &dispatch.Problem{Field: compose.FieldSplitMark, Key: "problem.split.mark"}, nil
		case utf8.RuneCountInString(f.Mark) > dispatch.MarkMax:
			return &dispatch.Problem{Field: compose.FieldSplitMark, Key: "problem.split.mark_long", Args: dispatch.Args{"Most": dispatch.MarkMax}}, nil
		case l.job.Division == of:
			return nil, nil
		}
		return s.divideFile(c, v, l, file, of)
	}
	each, err := strconv.Atoi(f.Pages)
	of.Pages = each
	switch {
	case err != nil || each < 1:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.pages"}, nil
	case file.Pages%each != 0:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.uneven", Args: dispatch.Args{"N": file.Pages, "Each": each, "Left": file.Pages % each}}, nil
	case file.Pages/each != l.job.List.Read:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.count", Args: dispatch.Args{"N": l.job.List.Read, "Parts": file.Pages / each}}, nil
	}
	if of.Slices = file.Pages / each; l.job.Division == of {
		return nil, nil
	}
	return s.divideFile(c, v, l, file, of)
}

// matched tells whether the file is divided like this already and every slice belongs to a row, so that another try cannot do
// better.
func (l listDraft) matched(of dispatch.Division) bool {
	d := l.job.Division
	return d.Document == of.Document && d.By == of.By && d.Slices > 0 && len(l.job.Unassigned) == 0
}

// errNotDivided carries the problem of a file out of the transaction, which is rolled back.
type errNotDivided struct{ problem pdf.Problem }

// Error implements error.
func (e errNotDivided) Error() string { return "file not divided: " + string(e.problem) }

// errCount: the number of slices differs from the number of rows.
type errCount struct{ slices int }

// Error implements error.
func (e errCount) Error() string { return "file divided into " + strconv.Itoa(e.slices) + " slices" }

func (s *Slices) divideFile(c echo.Context, v frame.Visit, l listDraft, file dispatch.Document, of dispatch.Division) (*dispatch.Problem, error) {
	frame.LongDownload(c)
	revision := ""
	if of.By.Matched() {
		revision = l.job.Revision
	}
	err := items.In(s.Store).Slices.Match(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), of, revision, func(add items.AddSlice) (items.Divided, error) {
		d := division{add: add, file: file, of: of, rows: l.job.List.Read}
		if of.By.Matched() {
			var err error
			if d.matcher, err = s.sliceMatcher(c, v, l.job.ID); err != nil {
				return items.Divided{}, err
			}
		}
		return s.splitPDF(frame.Context(c), v, &d)
	})
	var not errNotDivided
	var count errCount
	switch {
	case errors.As(err, &not):
		return &dispatch.Problem{Field: compose.FieldSplitFile, Key: notDivided(of, not.problem), Args: dispatch.Args{"Name": file.FileName, "Said": of.Mark}}, nil
	case errors.As(err, &count):
		return &dispatch.Problem{Field: compose.FieldSplitMark, Key: "problem.split.count", Args: dispatch.Args{"N": l.job.List.Read, "Parts": count.slices}}, nil
	case errors.Is(err, store.ErrStale):
		return &dispatch.Problem{Field: compose.FieldSplit, Key: "problem.split.again"}, nil
	case errors.Is(err, pdf.ErrUnavailable):
		s.Log.Error("a PDF was not divided", "error", err.Error())
		return &dispatch.Problem{Field: compose.FieldSplitFile, Key: "problem.split.unavailable"}, nil
	}
	return nil, err
}

// notDivided is the catalogue key of why a file could not be divided.
func notDivided(of dispatch.Division, p pdf.Problem) string {
	if p == pdf.ProblemNoBeginning && of.By == dispatch.DivideByMark {
		return "problem.split.no_mark"
	}
	return "problem.split." + string(p)
}

// sliceMatcher matches slices with all rows of a list, including left out ones.
func (s *Slices) sliceMatcher(c echo.Context, v frame.Visit, job dispatch.JobID) (*dispatch.SliceMatcher, error) {
	m, place := dispatch.NewSliceMatcher(v.Account.Rules()), 0
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, job, items.RowsAll) {
		if err != nil {
			return nil, err
		}
		if place++; r.Shipment != nil {
			m.Add(place, r.Shipment.Postal, r.Problem.Key == dispatch.ProblemLeftOut)
		}
	}
	return m, nil
}

// division is the state while a file is divided.
type division struct {
	add     items.AddSlice
	file    dispatch.Document
	of      dispatch.Division
	rows    int
	matcher *dispatch.SliceMatcher // nil: slices follow the list

	slices, pages int // so far
	got           items.Divided
	first         map[int]dispatch.UnassignedSlice // by row
}

// take stores one slice for its row, or counts its pages as unassigned.
func (d *division) take(content io.Reader, found pdf.Report) error {
	document := dispatch.Document{FileName: d.file.FileName, MimeType: dispatch.MimePDF, Pages: found.Pages, Reading: found.Reading}
	at := dispatch.UnassignedSlice{First: d.pages + 1, Last: d.pages + found.Pages}
	d.slices, d.pages = d.slices+1, d.pages+found.Pages
	if d.pages > d.file.Pages {
		return errNotDivided{pdf.ProblemBroken} // the child reports a broken file
	}
	if d.matcher == nil {
		return d.add(content, document)
	}
	document.Slice, at.Reason = d.matcher.Find(found.Reading)
	if before, taken := d.first[document.Slice]; taken && at.Reason == "" {
		at.Reason = dispatch.SliceAgain
		if !slices.Contains(d.got.Dropped, document.Slice) {
			before.Reason = dispatch.SliceAgain
			d.got.Dropped, d.got.Unassigned = append(d.got.Dropped, document.Slice), append(d.got.Unassigned, before)
		}
	}
	if at.Reason != "" {
		d.got.Unassigned = append(d.got.Unassigned, at)
		_, err := io.Copy(io.Discard, content)
		return err
	}
	d.first[document.Slice] = at
	return d.add(content, document)
}

// splitPDF divides a file in the confined child, and returns the result.
func (s *Slices) splitPDF(ctx context.Context, v frame.Visit, d *division) (items.Divided, error) {
	content := s.Store.Content(ctx, v.Account.ID, d.file)
	defer content.Close()
	d.first = map[int]dispatch.UnassignedSlice{}
	cut := dispatch.Cut{Pages: d.of.Pages, Mark: d.of.Mark, Rules: v.Account.Rules()}
	problem, err := s.PDF.For(string(v.Account.ID), string(v.User.ID)).Split(ctx, content, d.file.Size, cut, func(slice io.Reader, _ int64, found pdf.Report) error {
		return d.take(slice, found)
	})
	switch {
	case err == nil && problem != "":
		err = errNotDivided{problem}
	case err == nil && d.pages != d.file.Pages:
		err = errNotDivided{pdf.ProblemBroken}
	case err == nil && d.matcher == nil && d.slices != d.rows:
		err = errCount{d.slices}
	}
	slices.SortFunc(d.got.Unassigned, func(a, b dispatch.UnassignedSlice) int { return a.First - b.First })
	return d.got, err
}

// SeeSlices records that the user has looked at slices that may be another recipient's, and redirects to the next ones.
func (s *Slices) SeeSlices(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	l, err := s.lists.listDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if l.job.ID == "" {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	if err := items.In(s.Store).Slices.See(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), values[compose.FieldLooked]); err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	_, next, err := s.lists.unseenSlices(c, v, l)
	if err != nil {
		return err
	}
	return frame.SeeOther(c, next)
}

// File returns one slice. That is a read of content, and is logged.
func (s *Slices) File(c echo.Context, v frame.Visit) error {
	d, err := s.draftSlice(c, v)
	if err != nil {
		return err
	}
	return s.files.givePDF(c, v, frame.Download{Document: d})
}

// draftSlice is one slice of the visitor's own draft.
func (s *Slices) draftSlice(c echo.Context, v frame.Visit) (dispatch.Document, error) {
	l, err := s.lists.listDraft(c, v)
	if errors.Is(err, store.ErrChanged) || err == nil && l.job.ID == "" {
		err = store.ErrNotFound
	}
	if err != nil {
		return dispatch.Document{}, err
	}
	return items.In(s.Store).Slices.ByID(frame.Context(c), v.Account.ID, l.job.ID, position(c.Param("del")))
}

// Picture gives the picture of a page of one slice.
func (s *Slices) Picture(c echo.Context, v frame.Visit) error {
	d, err := s.draftSlice(c, v)
	if err != nil {
		return err
	}
	return s.files.picture(c, v, frame.Download{Document: d})
}
