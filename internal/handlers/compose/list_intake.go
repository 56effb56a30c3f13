package compose

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
)

// maxList is the maximum size of an uploaded list of recipients.
const maxList = 20 << 20

// maxEcho is how much of a pasted list is shown again when it is refused.
const maxEcho = 64 << 10

// received is the result of a form with a list.
type received struct {
	key    string
	draft  dispatch.JobID
	job    dispatch.JobID // empty: no list came
	pasted string
	empty  bool // a file was chosen that has nothing in it
}

// fillList reads a list into the rows of a draft, with a person's choices.
type fillList func(echo.Context, frame.Visit, dispatch.JobID, listAs) error

// listAs is an uploaded list with the choices for reading it.
type listAs struct {
	in     io.ReaderAt
	size   int64
	choice dispatch.ListChoice
	again  bool // an earlier upload is read again
}

// intake describes the handling of an uploaded list: its job, its reader and the page shown afterwards.
type intake struct {
	job     func(key string) (dispatch.JobID, error)
	fill    fillList
	refused func(received, dispatch.Problems) error
	done    func(dispatch.JobID) error
}

// takeList streams the parts of a multipart form. One of them is the list.
func (s *Pages) takeList(c echo.Context, v frame.Visit, in intake) error {
	reader, err := s.openUpload(c, maxList)
	if err != nil {
		return err
	}
	r := received{key: uuid.NewString()}
	var ps dispatch.Problems
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return frame.BadForm(err)
		}
		p, err := s.takeListPart(c, v, part, &r, in)
		switch {
		case errors.Is(err, store.ErrChanged):
			return s.FlashTo(c, frame.JobPath(v, r.job), "flash.job_already_sent", 0)
		case err != nil:
			return uploadError(err)
		case p != nil:
			ps = append(ps, *p)
		}
	}
	if r.job == "" && len(ps) == 0 {
		ps = append(ps, r.missing())
	}
	if len(ps) > 0 {
		if r.job != "" {
			if err := items.In(s.Store).RefuseList(frame.Context(c), v.Account.ID, r.job); err != nil {
				return err
			}
		}
		return in.refused(r, ps)
	}
	return in.done(r.job)
}

// missing is the problem of a form without a list.
func (r received) missing() dispatch.Problem {
	if r.empty {
		return dispatch.Problem{Field: views.FieldFile, Key: "problem.job.empty_file"}
	}
	return dispatch.Problem{Field: views.FieldList, Key: "problem.job.no_list"}
}

// takeListPart reads one part of the form. A problem, not an error, is the user's to correct.
func (s *Pages) takeListPart(c echo.Context, v frame.Visit, part *multipart.Part, r *received, in intake) (*dispatch.Problem, error) {
	switch part.FormName() {
	case "nokkel":
		key, err := io.ReadAll(io.LimitReader(part, 64))
		r.key = frame.FormKey(string(key))
		return nil, err
	case views.FieldList, views.FieldFile:
		return s.takeRows(c, v, part, r, in)
	}
	_, err := io.Copy(io.Discard, part)
	return nil, err
}

// keeper is a writer that keeps the first bytes.
type keeper struct{ b bytes.Buffer }
