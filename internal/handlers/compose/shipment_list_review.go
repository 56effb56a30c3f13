package compose

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// Review shows a shipment to many in sentences before it is sent.
func (s *ShipmentJobs) Review(c echo.Context, v frame.Visit) error {
	return s.withShipments(c, v, func(l listDraft, content dispatch.Shipment) error {
		return s.showReview(c, v, l, content, nil)
	})
}

// withShipments checks a draft and its list, and calls do if both are valid. Otherwise it redirects to the problems.
func (s *ShipmentJobs) withShipments(c echo.Context, v frame.Visit, do func(listDraft, dispatch.Shipment) error) error {
	l, err := s.lists.listDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if l.job.List.Read == 0 {
		return s.review.leadBack(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	if p := l.divisionProblem(); p != nil {
		return s.lists.showShipments(c, v, l, l.splitForm(), received{}, dispatch.Problems{*p})
	}
	switch l, err = s.lists.matchFiles(c, v, l); {
	case errors.Is(err, store.ErrStale):
		return s.review.leadBack(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	}
	content, ps, err := s.lists.pattern(c, v, l)
	if err != nil {
		return err
	}
	switch l, err = s.lists.checkRows(c, v, l, ps); {
	case errors.Is(err, store.ErrStale): // it was changed meanwhile, or looked over in another tab
		return s.review.leadBack(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	}
	if len(ps) > 0 && !l.job.AwaitsApproval {
		if n := l.job.List.Faulty(); n > 0 { // the summary counts all that is to be corrected
			ps = append(ps, dispatch.Problem{Field: compose.FaultyRows, Key: "problem.shipments.rows", Args: dispatch.Args{"N": n}})
		}
		return s.drafts.showDraft(c, v, l.Draft, l.form, ps)
	}
	if n := l.job.List.Faulty(); n > 0 {
		rows, err := items.In(s.Store).Rows.Problems(frame.Context(c), v.Account.ID, l.job.ID)
		if err != nil {
			return err
		}
		if compose.RowsWithoutFile(rows) > 0 {
			return s.FlashTo(c, filesPath(v, l), "flash.shipments_faulty", n)
		}
		return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere", "feil"), "flash.shipments_faulty", n)
	}
	if l.job.List.Valid == 0 {
		if c.Request().Method == http.MethodPost {
			return s.nobodyLeft(c, v, l)
		}
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "feil"))
	}
	return do(l, content)
}

// nobodyLeft answers who wanted to send a draft that can be sent to nobody.
func (s *ShipmentJobs) nobodyLeft(c echo.Context, v frame.Visit, l listDraft) error {
	return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere"), "flash.nobody_left", 0)
}

// changed shows why a draft that has changed since its review was not sent.
func (s *ShipmentJobs) changed(c echo.Context, v frame.Visit, l listDraft, content dispatch.Shipment) error {
	if l.job.NobodyLeft() {
		return s.nobodyLeft(c, v, l)
	}
	return s.showReview(c, v, l, content, changed(l.job))
}

// toListReview leads from the form of a draft to what is wrong with it or with its rows, or else to its list, where it is chosen how
// each gets the files.
func (s *ShipmentJobs) toListReview(c echo.Context, v frame.Visit) error {
	l, common, err := s.lists.shipmentRows(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	unfiled := len(l.Documents) == 0 && l.splitForm().Choice == compose.SplitFiles // they are uploaded beside the list
	if wrong := len(common) > 0 && !unfiled; wrong || l.job.List.Faulty() > 0 {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	}
	return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere"), "flash.list_first", 0)
}

// shownShipments is the number of recipients on a page of the review.
const shownShipments = 25

func (s *ShipmentJobs) showReview(c echo.Context, v frame.Visit, l listDraft, content dispatch.Shipment, ps dispatch.Problems) error {
	p, err := s.reviewPage(c, v, l, content, ps, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	if err != nil {
		return err
	}
	if p.Approving, err = s.review.jobApproving(c, v, l.job.ID, content.Sending(p.Cost(), l.Template.ID).ToList(l.job.ID)); err != nil {
		return err
	}
	p.Title = reviewTitle(c, p.Approving, p.Title)
	if p.Contacts, err = s.contacts.contactForecast(c, v, l.job); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentListReview(p))
}

// reviewPage is the page of a shipment to many in sentences, for its sender or an approver. at is its address.
func (s *ShipmentJobs) reviewPage(c echo.Context, v frame.Visit, l listDraft, content dispatch.Shipment, ps dispatch.Problems, at string) (compose.ShipmentListReviewPage, error) {
	p := compose.ShipmentListReviewPage{Page: s.Page(c, v, "shipment.review.title"), ID: l.Item.ID, Job: l.job, Shipment: content, Seen: l.revision()}
	p.Section, p.Narrow, p.Problems = views.SectionNewShipment, true, ps
	err := s.shipmentLines(c, v, l, &p, at)
	if err != nil {
		return p, err
	}
	if p.Other, err = items.In(s.Store).Origins.AlreadyReplaced(frame.Context(c), v.Account.ID, l.Item.ID); err != nil {
		return p, err
	}
	if p.Unreached, err = unreached(c, s.Frame, v, &p.Job); err != nil {
		return p, err
	}
	numbered, err := items.In(s.Store).Rows.Numbered(frame.Context(c), v.Account.ID, l.job.ID)
	if err != nil {
		return p, err
	}
	p.Numbered, p.Numberless = numbered > 0, l.job.List.Valid-numbered
	p.ReferenceEach = l.form.ReferenceEach
	if l.form.BothTitles() {
		p.TitleBokmal, p.TitleNynorsk, p.Otherwise = l.form.Title, l.form.TitleNynorsk, l.form.Form
	}
	if p.Forms, err = s.titleForms(c, v, l); err != nil {
		return p, err
	}
	if p.Unseen, p.ToUnseen, err = s.lists.unseenSlices(c, v, l); err != nil {
		return p, err
	}
	if l.job.Division.Slices > 0 {
		if p.Sizes, err = items.In(s.Store).Slices.Sizes(frame.Context(c), v.Account.ID, l.job.ID); err != nil {
			return p, err
		}
	}
	if p.Held, err = s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindShipment); err != nil {
		return p, err
	}
	if p.Budget, err = items.In(s.Store).Budgets.Of(frame.Context(c), v.Account); err != nil {
		return p, err
	}
	if p.Today, err = s.review.listToday(c, v, l.job); err != nil {
		return p, err
	}
	p.Before, err = items.In(s.Store).ShipmentJobs.SameToday(frame.Context(c), l.job, items.Shipment{Content: content})
	return p, err
}

// shipmentLines adds one page of recipients to the review, with their slices.
func (s *ShipmentJobs) shipmentLines(c echo.Context, v frame.Visit, l listDraft, p *compose.ShipmentListReviewPage, at string) error {
	after := position(c.QueryParam("etter"))
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll, after, shownShipments)
	if err != nil || len(rows) == 0 {
		return err
	}
	parts := map[int]*dispatch.Document{}
	before := 0
	if l.job.Division.Slices > 0 {
		if before, err = items.In(s.Store).Rows.Before(frame.Context(c), v.Account.ID, l.job.ID, rows[0].Position); err != nil {
			return err
		}
		if parts, err = items.In(s.Store).Slices.List(frame.Context(c), v.Account.ID, l.job.ID, before+1, before+len(rows)); err != nil {
			return err
		}
	}
	positions := make([]int, len(rows))
	for i, r := range rows {
		positions[i] = r.Position
	}
	looks, err := items.In(s.Store).Slices.Looks(frame.Context(c), v.Account.ID, l.job.ID, positions)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if r.Problem.Key != "" {
			continue // left out
		}
		part := parts[before+i+1]
		content, _ := s.lists.parseShipment(v, l, r, part) // it is known to be valid
		p.Lines = append(p.Lines, compose.ShipmentLine{Row: r, Shipment: content, Slice: part, Look: looks[r.Position].Key, Seen: looks[r.Position].Seen})
	}
	if more {
		p.More = at + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position)
	}
	if after > 0 {
		p.First = at
	}
	return nil
}

// Send sends the draft to its list. A repeated request finds it sent and redirects to it.
func (s *ShipmentJobs) Send(c echo.Context, v frame.Visit) error {
	return s.withShipments(c, v, func(l listDraft, content dispatch.Shipment) error {
		if c.FormValue(views.FieldSeen) != l.revision() {
			return s.changed(c, v, l, content)
		}
		if ps := unconfirmed(c, content); len(ps) > 0 {
			return s.showReview(c, v, l, content, ps)
		}
		shipment := items.Shipment{Content: content, Fields: l.Fields, ChecksVersion: l.job.ChecksVersion}
		var err error
		flash, anyway := "flash.job_sent", c.FormValue(views.FieldAnyway) == "true"
		if asksApproval(c) {
			flash, err = "flash.asked", items.In(s.Store).Approvals.AskShipments(frame.Context(c), v.Account, l.job.ID, frame.Actor(c, v.User), shipment, anyway)
		} else {
			err = items.In(s.Store).ShipmentJobs.Send(frame.Context(c), v.Account, l.job.ID, frame.Sender(c, v), shipment, anyway)
		}
		switch {
		case errors.Is(err, items.ErrBudget):
			return s.showReview(c, v, l, content, overBudget(err, v.Account))
		case errors.Is(err, items.ErrApproval):
			return s.showReview(c, v, l, content, unapproved)
		case errors.Is(err, items.ErrProtected):
			ps, err := s.review.protectedRows(c, v, l.job)
			if err != nil {
				return err
			}
			return s.showReview(c, v, l, content, ps)
		case errors.Is(err, items.ErrReplaced):
			if l.job, err = s.drafts.listOf(c, v, l.Item.ID); err != nil {
				return s.drafts.draftGone(c, v, err)
			}
			return s.changed(c, v, l, content)
		case errors.Is(err, items.ErrSecond):
			return s.showReview(c, v, l, content, second)
		case errors.Is(err, items.ErrRepeated):
			return s.showReview(c, v, l, content, dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.shipments.repeated"}})
		case errors.Is(err, items.ErrUnseen):
			return s.showReview(c, v, l, content, dispatch.Problems{{Field: compose.FieldLooked, Key: "problem.part.unseen"}})
		case errors.Is(err, store.ErrStale), errors.Is(err, items.ErrFaulty), errors.Is(err, items.ErrEmpty):
			return s.review.notSent(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
		case err != nil:
			return s.drafts.draftGone(c, v, err)
		}
		s.Wake()
		return s.ToSent(c, v, frame.JobPath(v, l.job.ID), flash, dispatch.Timing{SendAt: content.SendAt, Urgent: true})
	})
}

// titleForms counts how many rows get the title in which written form.
func (s *ShipmentJobs) titleForms(c echo.Context, v frame.Visit, l listDraft) (n dispatch.FormCounts, err error) {
	if !l.form.BothTitles() {
		return n, nil
	}
	titles := dispatch.SecondText{Nynorsk: l.form.TitleNynorsk, Otherwise: l.form.Form}
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, l.job.ID, items.RowsValid) {
		if err != nil {
			return n, err
		}
		n.Add(titles, dispatch.FormOf(l.job.Columns, r.Fields))
	}
	return n, nil
}
