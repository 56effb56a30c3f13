package compose

import (
	"errors"
	"io"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// ReadListAgain reads a draft's list with a person's choices: another sheet, other columns.
func (s *Pages) ReadListAgain(c echo.Context, v frame.Visit) error {
	j, err := s.jobDraft(c, v)
	if err != nil {
		return s.jobGone(c, v, err)
	}
	p, err := s.fillAgain(c, v, j.ID, s.fillJob)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.FlashTo(c, frame.JobPath(v, j.ID, "endre"), "flash.list_gone", 0)
	case err != nil:
		return s.jobGone(c, v, err)
	case p != nil:
		return s.showJobDraft(c, v, j, compose.JobFormOf(j), dispatch.Problems{*p})
	}
	return frame.SeeOther(c, frame.JobPath(v, j.ID, "endre"))
}

// ReadShipmentsAgain reads the list of a shipment's draft with a person's choices.
func (s *Pages) ReadShipmentsAgain(c echo.Context, v frame.Visit) error {
	l, err := s.listDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	p, err := s.fillAgain(c, v, l.job.ID, s.fillShipments)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere"), "flash.list_gone", 0)
	case err != nil:
		return s.draftGone(c, v, err)
	case p != nil:
		return s.showShipments(c, v, l, l.splitForm(), received{}, dispatch.Problems{*p})
	}
	return s.afterShipmentList(c, v)
}

// fillAgain reads a stored list with these choices, and returns the problem with them, if any.
func (s *Pages) fillAgain(c echo.Context, v frame.Visit, id dispatch.JobID, fill fillList) (*dispatch.Problem, error) {
	if _, err := c.FormParams(); err != nil {
		return nil, frame.BadForm(err)
	}
	choice := listChoice(c)
	err := items.In(s.Store).ReadListAgain(frame.Context(c), v.Account.ID, id, func(in io.ReaderAt, size int64) error {
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
