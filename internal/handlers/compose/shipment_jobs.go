package compose

import (
	"errors"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// Edit shows the list of a draft, and how its files are divided.
func (s *ShipmentJobs) Edit(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if l.job.AwaitsApproval {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	}
	return s.lists.showShipments(c, v, l, l.splitForm(), received{}, nil)
}

// Save saves how recipients get the files, divides a file if asked to, and redirects to the review.
func (s *ShipmentJobs) Save(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if l.job.List.Read == 0 {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	f := compose.SplitForm{Choice: c.FormValue(compose.FieldSplit), File: c.FormValue(compose.FieldSplitFile), Pages: strings.TrimSpace(c.FormValue(compose.FieldSplitPages)),
		Mark: strings.Join(strings.Fields(c.FormValue(compose.FieldSplitMark)), " "), Column: c.FormValue(compose.FieldFileColumn), Giro: c.FormValue(compose.FieldGiroColumn)}
	onward := c.FormValue("neste") == compose.NextDraft
	if onward && len(l.Documents) == 0 && l.job.Division.Document == "" && f.Choice != compose.SplitFiles { // there is nothing to divide yet
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID))
	}
	own := l.ownFiles()
	var p *dispatch.Problem
	switch {
	case f.Own() && f.Giro != "" && !slices.Contains(l.job.Columns, f.Giro):
		p = &dispatch.Problem{Field: compose.FieldGiroColumn, Key: "problem.split.column", Args: dispatch.Args{"Name": f.Giro}}
	case f.Choice == compose.SplitKept && l.job.Division.Kept:
	case f.Choice == compose.SplitFiles:
		p, err = s.ownFiles.useOwnFiles(c, v, l, f.Column)
	case f.Choice == compose.SplitParts, f.Choice == compose.SplitMark, f.Choice == compose.SplitAddress:
		p, err = s.slices.divide(c, v, l, f)
	case l.job.Division.Document != "":
		err = items.In(s.Store).Slices.Divide(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), dispatch.Division{}, func(items.AddSlice) error { return nil })
	}
	if !f.Own() {
		f.Giro = ""
	}
	if err == nil && p == nil {
		err = items.In(s.Store).Slices.ChooseGiro(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), f.Giro)
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if p != nil {
		return s.lists.showShipments(c, v, l, f, received{}, dispatch.Problems{*p})
	}
	switch {
	case f.Choice == compose.SplitFiles && !(onward && own):
		return frame.SeeOther(c, filesPath(v, l))
	case onward:
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID))
	}
	return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
}

// Repeat makes a new draft to the recipients whom a job of shipments did not reach.
func (s *ShipmentJobs) Repeat(c echo.Context, v frame.Visit) error {
	j, err := items.In(s.Store).Jobs.ByID(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	if err == nil && j.State == dispatch.JobDraft { // not even the existence of a colleague's draft is revealed
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.JobContent(v, j), func(reason string) error { return s.repeatShipments(c, v, reason) }, "nokkel")
}

func (s *ShipmentJobs) repeatShipments(c echo.Context, v frame.Visit, reason string) error {
	id, err := items.In(s.Store).Repeats.ShipmentsAgain(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")), frame.Because(c, v.User, reason), frame.FormKey(c.FormValue("nokkel")))
	switch {
	case errors.Is(err, items.ErrEmpty):
		return s.FlashTo(c, frame.JobPath(v, dispatch.JobID(c.Param("id"))), "flash.job_nobody", 0)
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", string(id)), "flash.already_sent", 0)
	case err != nil && id != "":
		if j, missing := items.In(s.Store).ShipmentJobs.ByID(frame.Context(c), v.Account.ID, id, v.User.ID); missing == nil {
			return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.job_already_sent", 0)
		}
		return err
	case err != nil:
		return err
	}
	return frame.SeeOther(c, frame.DraftPath(v, id, "flere"))
}
