package compose

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/recipients"
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
func (s *listIntake) takeList(c echo.Context, v frame.Visit, in intake) error {
	reader, err := s.uploads.openUpload(c, maxList)
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
			if err := items.In(s.Store).Lists.Refuse(frame.Context(c), v.Account.ID, r.job); err != nil {
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
func (s *listIntake) takeListPart(c echo.Context, v frame.Visit, part *multipart.Part, r *received, in intake) (*dispatch.Problem, error) {
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

func (s *listIntake) takeRows(c echo.Context, v frame.Visit, part *multipart.Part, r *received, to intake) (*dispatch.Problem, error) {
	content := bufio.NewReaderSize(part, 4096)
	if begin, err := content.Peek(4096); err == io.EOF && len(bytes.TrimSpace(begin)) == 0 {
		r.empty = r.empty || part.FileName() != ""
		return nil, nil
	}
	field := part.FormName()
	if r.job != "" {
		_, err := io.Copy(io.Discard, content)
		return &dispatch.Problem{Field: field, Key: "problem.job.two_lists"}, err
	}
	kept := &keeper{}
	id, err := to.job(r.key)
	if no := noRoom(err, field); len(no) > 0 {
		if field == views.FieldList {
			_, err := io.Copy(kept, content)
			r.pasted = kept.b.String()
			return &no[0], err
		}
		return &no[0], nil
	}
	if r.job = id; err != nil {
		return nil, err
	}
	var in io.Reader = content
	if field == views.FieldList {
		in = io.TeeReader(content, kept)
	}
	err = items.In(s.Store).Lists.With(frame.Context(c), v.Account.ID, id, in, func(list io.ReaderAt, size int64) error {
		return to.fill(c, v, id, listAs{in: list, size: size})
	})
	r.pasted = kept.b.String()
	var refused *recipients.Refused
	if errors.As(err, &refused) {
		p := refused.Problem
		p.Field = field
		return &p, nil
	}
	return nil, err
}

// rowsFixed leads to the rows, and tells what became of how many.
func (s *listIntake) rowsFixed(c echo.Context, path string, n rowsChanged) error {
	if n.fixed = max(n.fixed, 0); n.out+n.in == 0 && n.fixed > 0 {
		return s.FlashTo(c, path, "flash.rows_fixed", n.fixed)
	}
	var parts []string
	for _, part := range []struct {
		key string
		n   int
	}{{"rows.fixed", n.fixed}, {"rows.left_out", n.out}, {"rows.taken_in", n.in}} {
		if part.n > 0 {
			parts = append(parts, i18n.T(frame.Context(c), part.key, "Count", views.Number(part.n)))
		}
	}
	if len(parts) == 0 {
		return s.FlashTo(c, path, "flash.rows_fixed_none", 0)
	}
	s.Session.SetFlashName(frame.Context(c), strings.Join(parts, ", "))
	return s.FlashTo(c, path, "flash.rows_changed", 0)
}

// exportFaults writes the export of a list's faulty rows to the event log.
func (s *listIntake) exportFaults(c echo.Context, v frame.Visit, id dispatch.JobID) error {
	return s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "job.export_faults", Object: string(id), Origin: frame.Origin(c)})
}

// fillAgain reads a stored list with these choices, and returns the problem with them, if any.
func (s *listIntake) fillAgain(c echo.Context, v frame.Visit, id dispatch.JobID, fill fillList) (*dispatch.Problem, error) {
	if _, err := c.FormParams(); err != nil {
		return nil, frame.BadForm(err)
	}
	choice := listChoice(c)
	err := items.In(s.Store).Lists.ReadAgain(frame.Context(c), v.Account.ID, id, func(in io.ReaderAt, size int64) error {
		return fill(c, v, id, listAs{in, size, choice, true})
	})
	var refused *recipients.Refused
	if errors.As(err, &refused) {
		p := refused.Problem
		p.Field = views.FieldReading
		return &p, nil
	}
	return nil, err
}

// listChoice is a person's choices about a list. If the sheet is another one, its columns are detected anew.
func listChoice(c echo.Context) dispatch.ListChoice {
	number := func(name string) int {
		n, err := strconv.Atoi(c.FormValue(name))
		if err != nil {
			return 0
		}
		return min(max(n, -1), 1<<20)
	}
	choice := dispatch.ListChoice{Sheet: c.FormValue(views.FieldSheet), Hidden: c.FormValue(views.FieldHidden) == "true"}
	if choice.Sheet == c.FormValue(views.FieldSheetWas) {
		choice.Header, choice.NationalID = number(views.FieldHeader), number(views.FieldIDColumn)
		choice.Phone, choice.Spare = number(views.FieldPhoneColumn), number(views.FieldSpareColumn)
	}
	return choice
}

// rowsChanged counts the rows that a form corrected, left out, and took in again.
type rowsChanged struct{ fixed, out, in int }

// add counts a changed row that was, and is now, left out or not.
func (n *rowsChanged) add(was, is bool) {
	switch {
	case is:
		n.out++
	case was:
		n.in++
	default:
		n.fixed++
	}
}

func (k *keeper) Write(p []byte) (int, error) {
	k.b.Write(p[:max(0, min(len(p), maxEcho-k.b.Len()))])
	return len(p), nil
}
