package compose

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// divisionProblem is what keeps the parts from being those of the recipients; nil when each row has one, or all get the
// same.
func (l listDraft) divisionProblem() *dispatch.Problem {
	of := l.job.Division
	switch {
	case of.Document == "":
		return nil
	case !of.Kept && !slices.ContainsFunc(l.Documents, func(d dispatch.Document) bool { return d.ID == of.Document }):
		return &dispatch.Problem{Field: compose.FieldSplit, Key: "problem.split.gone"}
	case of.Slices != l.job.List.Read:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.count", Args: dispatch.Args{"N": l.job.List.Read, "Parts": of.Slices}}
	}
	return nil
}

// divide divides a file as the form says, unless it is divided so; the answer is nil or what is wrong.
func (s *Pages) divide(c echo.Context, v frame.Visit, l listDraft, f compose.SplitForm) (*dispatch.Problem, error) {
	i := slices.IndexFunc(l.Documents, func(d dispatch.Document) bool { return string(d.ID) == f.File && d.PDF() && d.Pages > 0 })
	if i < 0 {
		return &dispatch.Problem{Field: compose.FieldSplitFile, Key: "problem.split.file"}, nil
	}
	file := l.Documents[i]
	each, err := strconv.Atoi(f.Pages)
	switch {
	case err != nil || each < 1:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.pages"}, nil
	case file.Pages%each != 0:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.uneven", Args: dispatch.Args{"N": file.Pages, "Each": each, "Left": file.Pages % each}}, nil
	case file.Pages/each != l.job.List.Read:
		return &dispatch.Problem{Field: compose.FieldSplitPages, Key: "problem.split.count", Args: dispatch.Args{"N": l.job.List.Read, "Parts": file.Pages / each}}, nil
	case l.job.Division == dispatch.Division{Document: file.ID, Pages: each, Slices: file.Pages / each}:
		return nil, nil
	}
	return s.divideFile(c, v, l.job.ID, file, each)
}

// errNotDivided carries what is wrong with a file out of its division, so that nothing of it stays.
type errNotDivided struct{ problem pdf.Problem }

// Error implements error.
func (e errNotDivided) Error() string { return "file not divided: " + string(e.problem) }

func (s *Pages) divideFile(c echo.Context, v frame.Visit, job dispatch.JobID, file dispatch.Document, each int) (*dispatch.Problem, error) {
	frame.LongDownload(c)
	of := dispatch.Division{Document: file.ID, Pages: each}
	err := items.In(s.Store).DivideShipment(frame.Context(c), v.Account.ID, job, frame.Actor(c, v.User), of, func(add items.AddSlice) error {
		return s.splitPDF(frame.Context(c), v, file, each, add)
	})
	var not errNotDivided
	switch {
	case errors.As(err, &not):
		return &dispatch.Problem{Field: compose.FieldSplitFile, Key: "problem.split." + string(not.problem), Args: dispatch.Args{"Name": file.FileName}}, nil
	case errors.Is(err, pdf.ErrUnavailable):
		s.Log.Error("a PDF was not divided", "error", err.Error())
		return &dispatch.Problem{Field: compose.FieldSplitFile, Key: "problem.split.unavailable"}, nil
	}
	return nil, err
}

// splitPDF has a file divided, and hands each part over with what was found in it.
func (s *Pages) splitPDF(ctx context.Context, v frame.Visit, file dispatch.Document, each int, add items.AddSlice) error {
	content := s.Store.Content(ctx, v.Account.ID, file)
	defer content.Close()
	problem, err := s.PDF.For(string(v.Account.ID), string(v.User.ID)).Split(ctx, content, file.Size, each, func(part io.Reader, _ int64, found pdf.Report) error {
		return add(part, dispatch.Document{FileName: file.FileName, MimeType: dispatch.MimePDF, Pages: found.Pages, Reading: found.Reading})
	})
	if err == nil && problem != "" {
		err = errNotDivided{problem}
	}
	return err
}

// SeeSlices remembers that a person has looked at parts that may not be their recipients', and leads to the next ones.
func (s *Pages) SeeSlices(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	l, err := s.listDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if l.job.ID == "" {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	if err := items.In(s.Store).SeeSlices(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), values[compose.FieldLooked]); err != nil {
		return s.draftGone(c, v, err)
	}
	_, next, err := s.unseenSlices(c, v, l)
	if err != nil {
		return err
	}
	return frame.SeeOther(c, next)
}

// unseenSlices counts the parts that a person has yet to look at, and gives the address of the first on the review; that of
// the review where there is none.
func (s *Pages) unseenSlices(c echo.Context, v frame.Visit, l listDraft) (int, string, error) {
	at := frame.DraftPath(v, l.Item.ID, "flere", "kontroll")
	n, first, err := items.In(s.Store).UnseenSlices(frame.Context(c), v.Account.ID, l.job.ID)
	if n == 0 {
		return n, at, err
	}
	return n, at + "?etter=" + strconv.Itoa(first-1) + "#rad-" + strconv.Itoa(first), err
}

// ShipmentSlice gives one part of a divided file to the script that draws its first page. It is a read of content, and is
// logged.
func (s *Pages) ShipmentSlice(c echo.Context, v frame.Visit) error {
	d, err := s.draftSlice(c, v)
	if err != nil {
		return err
	}
	return s.givePDF(c, v, d)
}
