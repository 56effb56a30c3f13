package compose

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// listDraft is one's own shipment's draft with the job that gives it its recipients.
type listDraft struct {
	dispatch.Draft
	form views.ShipmentForm
	job  dispatch.Job // zero: there is no list yet
}

func (s *Pages) listDraft(c echo.Context, v frame.Visit) (l listDraft, err error) {
	return s.listDraftOf(c, v, dispatch.ItemID(c.Param("id")), v.User.ID)
}

// listDraftOf is listDraft of somebody, by its id.
func (s *Pages) listDraftOf(c echo.Context, v frame.Visit, id dispatch.ItemID, user dispatch.UserID) (l listDraft, err error) {
	if l.Draft, err = items.In(s.Store).ShipmentDraft(frame.Context(c), v.Account.ID, id, user); err != nil {
		return l, err
	}
	l.form = l.Fields
	l.job, err = items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, l.Item.ID, user)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return l, err
}

// becameJob leads from a draft that has gone to the job that it became. To everybody else it is not found.
func (s *Pages) becameJob(c echo.Context, v frame.Visit, gone error) error {
	j, err := items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case err != nil || j.State == dispatch.JobDraft:
		return gone
	}
	return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.job_already_sent", 0)
}

// toMany is how many the draft's list has; 0: it is a shipment to one.
func (s *Pages) toMany(c echo.Context, v frame.Visit, id dispatch.ItemID) (int, error) {
	j, err := s.listOf(c, v, id)
	return j.List.Read, err
}

// listOf is the job that gives one's own draft its recipients; zero: it is a shipment to one.
func (s *Pages) listOf(c echo.Context, v frame.Visit, id dispatch.ItemID) (dispatch.Job, error) {
	j, err := items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, id, v.User.ID)
	if errors.Is(err, store.ErrNotFound) {
		return dispatch.Job{}, nil
	}
	return j, err
}

// parts is the draft's files as one recipient gets them: part in the place of the divided file, under the id that the form
// knows it by.
func (l listDraft) parts(part *dispatch.Document) []dispatch.Document {
	documents := slices.Clone(l.Documents)
	of := l.job.Division.Document
	if part == nil && l.ownFiles() {
		none := l.job.Division.AnyPart(dispatch.AnyPages)
		part = &none
	}
	if of == "" || part == nil {
		return documents
	}
	own := *part
	own.ID = of
	if i := slices.IndexFunc(documents, func(d dispatch.Document) bool { return d.ID == of }); i >= 0 {
		documents[i] = own
		return documents
	}
	return append([]dispatch.Document{own}, documents...)
}

// parseShipment is the shipment as one recipient gets it, with everything that stops it.
func (s *Pages) parseShipment(v frame.Visit, l listDraft, r dispatch.JobRow, part *dispatch.Document) (dispatch.Shipment, dispatch.Problems) {
	d := l.Draft
	d.Documents = l.parts(part)
	form, missing := l.form.Fill(l.job.Columns, r.Fields)
	content, ps := s.parseDraft(v, d, l.job.Division.RowForm(form, l.job.Columns, r.Fields).WithRecipient(*r.Shipment))
	if missing != "" && len(l.form.Unfilled(l.job.Columns)) == 0 {
		ps = append(dispatch.Problems{{Key: "problem.placeholder.empty", Args: dispatch.Args{"Name": missing}}}, ps...)
	}
	return content, ps
}

// pattern is what all shipments have in common, with what stops it whoever gets it. The longest slice stands for all.
func (s *Pages) pattern(c echo.Context, v frame.Visit, l listDraft) (dispatch.Shipment, dispatch.Problems, error) {
	var part *dispatch.Document
	if l.job.Division.Slices > 0 {
		longest, err := items.In(s.Store).LongestSlice(frame.Context(c), v.Account.ID, l.job.ID)
		if err != nil {
			return dispatch.Shipment{}, nil, err
		}
		longest.Reading, longest.FileName = nil, l.dividedName(longest.FileName)
		if l.ownFiles() {
			sum := longest.SHA256
			longest = l.job.Division.AnyPart(longest.Pages)
			longest.SHA256 = sum
		}
		part = &longest
	}
	d := l.Draft
	d.Documents = l.parts(part)
	content, ps := s.parseDraft(v, d, l.job.Division.RowForm(l.form, nil, nil).WithRecipient(dispatch.ShipmentRecipient{}))
	ps = append(ps, s.otherTitle(v, d, l.form)...)
	long := func(p dispatch.Problem) bool { // what is filled in decides
		return len(l.form.Placeholders()) > 0 && ((p.Field == dispatch.FieldTitle || p.Field == dispatch.FieldTitleNynorsk) && p.Key == "problem.title.long" || p.Field == dispatch.FieldReference)
	}
	ps = append(slices.DeleteFunc(ps, long), l.unfilled()...)
	return content, slices.DeleteFunc(ps, func(p dispatch.Problem) bool {
		return compose.ShipmentLabel(p.Field) != "" || p.Field == dispatch.FieldConfidential
	}), nil
}

// otherTitle is what is wrong with the title that some of a list get, beside the one that the draft has chosen.
func (s *Pages) otherTitle(v frame.Visit, d dispatch.Draft, f views.ShipmentForm) (wrong dispatch.Problems) {
	if !f.BothTitles() {
		return nil
	}
	other := dispatch.FieldTitleNynorsk
	if f.Form == dispatch.FormNynorsk {
		f.Form, other = dispatch.FormBokmal, dispatch.FieldTitle
	} else {
		f.Form = dispatch.FormNynorsk
	}
	_, ps := s.parseDraft(v, d, f)
	for _, p := range ps {
		if p.Field == other {
			wrong = append(wrong, p)
		}
	}
	return wrong
}

// titleForms is how many of a list get the title in each written form.
func (s *Pages) titleForms(c echo.Context, v frame.Visit, l listDraft) (n dispatch.FormCounts, err error) {
	if !l.form.BothTitles() {
		return n, nil
	}
	titles := dispatch.SecondText{Nynorsk: l.form.TitleNynorsk, Otherwise: l.form.Form}
	for r, err := range items.In(s.Store).EachJobRow(frame.Context(c), v.Account.ID, l.job.ID, items.RowsValid) {
		if err != nil {
			return n, err
		}
		n.Add(titles, dispatch.FormOf(l.job.Columns, r.Fields))
	}
	return n, nil
}

// unfilled are the placeholders that no column of the list fills.
func (l listDraft) unfilled() dispatch.Problems {
	if len(l.job.Columns) == 0 {
		return nil // there is no list yet, or one from before columns were kept
	}
	return l.form.Unfilled(l.job.Columns)
}

func (l listDraft) dividedName(otherwise string) string {
	for _, d := range l.Documents {
		if d.ID == l.job.Division.Document {
			return d.FileName
		}
	}
	return otherwise
}

// heldAgainst names what the rows are held against: the draft as it is, and the account's rules.
func (l listDraft) heldAgainst(v frame.Visit) string {
	h := fnv.New64a()
	fmt.Fprint(h, v.Account.Generation(), v.Account.Rules())
	for _, d := range l.Documents {
		fmt.Fprint(h, d.ID)
	}
	return fmt.Sprintf("%d/%x", l.Version, h.Sum64())
}

// lookOverShipments holds every row against the shipment, unless that is done, and returns the draft as it is then.
func (s *Pages) lookOverShipments(c echo.Context, v frame.Visit, l listDraft, common dispatch.Problems) (listDraft, error) {
	as := l.heldAgainst(v)
	if l.job.ChecksVersion == as || l.job.AwaitsApproval {
		return l, nil
	}
	found, err := s.checkShipments(c, v, l, common)
	if found.As = as; err == nil {
		err = items.In(s.Store).KeepChecks(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), l.job.Revision, found)
	}
	if err != nil {
		return l, err
	}
	return s.listDraft(c, v)
}

// checkedAtOnce is how many rows of a list are read at a time to be checked.
const checkedAtOnce = 500

// checkShipments holds every row against the shipment but those that are left out. The rows that it returns are those that came to
// something else than before, or whose part has to be looked at.
func (s *Pages) checkShipments(c echo.Context, v frame.Visit, l listDraft, common dispatch.Problems) (found items.Checks, err error) {
	check := rowCheck{s: s, v: v, l: l, common: common}
	if l.ownFiles() {
		if check.files, err = s.fileMatcher(c, v, l); err != nil {
			return found, err
		}
	}
	found.Giro = map[int][]int{}
	for after, n, more := -1, 0, true; more; {
		var rows []dispatch.JobRow
		if rows, more, err = items.In(s.Store).JobRows(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll, after, checkedAtOnce); err != nil || len(rows) == 0 {
			return found, err
		}
		parts, err := items.In(s.Store).Slices(frame.Context(c), v.Account.ID, l.job.ID, n+1, n+len(rows))
		if err != nil {
			return found, err
		}
		for i, was := range rows {
			if was.Problem.Key == dispatch.ProblemLeftOut {
				continue
			}
			is, giro := check.row(was, n+i+1, parts[n+i+1])
			if len(is.Doubts) > 0 || !is.SameFindings(was) {
				found.Rows = append(found.Rows, is)
			}
			if len(giro) > 0 {
				found.Giro[n+i+1] = giro
			}
		}
		after, n = rows[len(rows)-1].Position, n+len(rows)
	}
	return found, nil
}

// rowCheck holds rows against the shipment that they are to get.
type rowCheck struct {
	s      *Pages
	v      frame.Visit
	l      listDraft
	common dispatch.Problems     // that all have
	files  *dispatch.FileMatcher // nil: rows have no files of their own
	list   dispatch.ShipmentList
}

// row checks the row at a place of the list with its part of the file that is divided, or its own file, and returns the giro pages of
// that.
func (k *rowCheck) row(r dispatch.JobRow, place int, part *dispatch.Document) (dispatch.JobRow, []int) {
	if r.Misread() {
		return r, nil
	}
	content, ps := k.s.parseShipment(k.v, k.l, r, part)
	r.Problem, r.Warnings = dispatch.Problem{}, append(r.ReadWarnings(), shipmentWarnings(content)...)
	own := k.l.own(content)
	if r.Doubts = own.Doubts(k.v.Account.Rules(), content.Recipient.Postal); len(r.Doubts) > 0 {
		r.SliceHash = own.SHA256
	}
	first := k.list.Duplicate(r.Position, *r.Shipment)
	switch ps = without(ps, k.common); {
	case k.files != nil && part == nil:
		r.Problem = k.files.Problem(place)
	case len(ps) > 0:
		r.Problem = ps[0]
	case first > 0:
		r.Problem = dispatch.Problem{Field: dispatch.FieldRecipientNumber, Key: dispatch.ProblemDuplicate, Args: dispatch.Args{"N": first}}
	case k.l.job.Division.By.Matched() && part == nil:
		r.Problem.Key = dispatch.ProblemNoSlice
	}
	r.Column = r.Problem.Field
	return r, own.GiroPages
}

// without leaves out problems that all shipments have.
func without(ps, common dispatch.Problems) dispatch.Problems {
	return slices.DeleteFunc(slices.Clone(ps), func(p dispatch.Problem) bool {
		return slices.ContainsFunc(common, func(o dispatch.Problem) bool { return o.Field == p.Field && o.Key == p.Key })
	})
}

// shipmentWarnings are what a person should look at in one shipment: a number that looks wrong.
func shipmentWarnings(content dispatch.Shipment) (list []dispatch.RowWarning) {
	if !content.Recipient.Digital.CheckDigitsFit() {
		list = append(list, dispatch.RowWarning{Key: "hint.shipment.check"})
	}
	return list
}

// own is the recipient's part among the files of one shipment; zero: all get the same.
func (l listDraft) own(content dispatch.Shipment) dispatch.Document {
	for _, d := range content.Documents {
		if d.ID == l.job.Division.Document {
			return d
		}
	}
	return dispatch.Document{}
}

// EditShipments shows where a draft gets its list.
func (s *Pages) EditShipments(c echo.Context, v frame.Visit) error {
	l, err := s.listDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if l.job.AwaitsApproval {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	}
	return s.showShipments(c, v, l, l.splitForm(), received{}, nil)
}

// splitForm is how the files go to the recipients, and before that is chosen, what the list's headings seem to say of it.
func (l listDraft) splitForm() compose.SplitForm {
	f := compose.SplitFormOf(l.job.Division)
	if l.job.Division.Document == "" {
		f.Giro, f.Column = dispatch.GiroColumn(l.job.Columns), dispatch.FileColumn(l.job.Columns)
		if f.Column != "" {
			f.Choice = compose.SplitFiles
		}
	}
	return f
}

func (s *Pages) showShipments(c echo.Context, v frame.Visit, l listDraft, f compose.SplitForm, r received, ps dispatch.Problems) error {
	p := compose.ShipmentJobPage{Page: s.Page(c, v, "shipments.title"), ID: l.Item.ID, Job: l.job, Documents: l.Documents, Form: f, Pasted: r.pasted}
	p.Section, p.Narrow, p.Problems = views.SectionDrafts, true, ps
	if l.job.List.Read > 0 {
		var err error
		if p.Contacts, err = s.contactForecast(c, v, l.job); err != nil {
			return err
		}
	}
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentJob(p))
}

// SaveShipments divides a file among the recipients, or lets all get the same, and leads to the review.
func (s *Pages) SaveShipments(c echo.Context, v frame.Visit) error {
	l, err := s.listDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if l.job.List.Read == 0 {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	f := compose.SplitForm{Choice: c.FormValue(compose.FieldSplit), File: c.FormValue(compose.FieldSplitFile), Pages: strings.TrimSpace(c.FormValue(compose.FieldSplitPages)),
		Mark: strings.Join(strings.Fields(c.FormValue(compose.FieldSplitMark)), " "), Column: c.FormValue(compose.FieldFileColumn), Giro: c.FormValue(compose.FieldGiroColumn)}
	var p *dispatch.Problem
	switch {
	case f.Own() && f.Giro != "" && !slices.Contains(l.job.Columns, f.Giro):
		p = &dispatch.Problem{Field: compose.FieldGiroColumn, Key: "problem.split.column", Args: dispatch.Args{"Name": f.Giro}}
	case f.Choice == compose.SplitKept && l.job.Division.Kept:
	case f.Choice == compose.SplitFiles:
		p, err = s.useOwnFiles(c, v, l, f.Column)
	case f.Choice == compose.SplitParts, f.Choice == compose.SplitMark, f.Choice == compose.SplitAddress:
		p, err = s.divide(c, v, l, f)
	case l.job.Division.Document != "":
		err = items.In(s.Store).DivideShipment(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), dispatch.Division{}, func(items.AddSlice) error { return nil })
	}
	if !f.Own() {
		f.Giro = ""
	}
	if err == nil && p == nil {
		err = items.In(s.Store).ChooseGiro(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), f.Giro)
	}
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if p != nil {
		return s.showShipments(c, v, l, f, received{}, dispatch.Problems{*p})
	}
	if f.Choice == compose.SplitFiles {
		return frame.SeeOther(c, filesPath(v, l))
	}
	return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
}

// ReviewShipments shows a shipment to many in sentences before it is sent.
func (s *Pages) ReviewShipments(c echo.Context, v frame.Visit) error {
	return s.withShipments(c, v, func(l listDraft, content dispatch.Shipment) error {
		return s.showShipmentReview(c, v, l, content, nil)
	})
}

// withShipments looks a draft and its list over, and goes on when both can be sent. Else it leads to what is to be put right.
func (s *Pages) withShipments(c echo.Context, v frame.Visit, do func(listDraft, dispatch.Shipment) error) error {
	l, err := s.listDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if l.job.List.Read == 0 {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	if p := l.divisionProblem(); p != nil {
		return s.showShipments(c, v, l, l.splitForm(), received{}, dispatch.Problems{*p})
	}
	switch l, err = s.matchFiles(c, v, l); {
	case errors.Is(err, store.ErrStale):
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	case err != nil:
		return s.draftGone(c, v, err)
	}
	content, ps, err := s.pattern(c, v, l)
	if err != nil {
		return err
	}
	if len(ps) > 0 && !l.job.AwaitsApproval {
		return s.showDraft(c, v, l.Draft, l.form, ps)
	}
	switch l, err = s.lookOverShipments(c, v, l, ps); {
	case errors.Is(err, store.ErrStale): // it was changed meanwhile, or looked over in another tab
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	case err != nil:
		return s.draftGone(c, v, err)
	}
	if n := l.job.List.Faulty(); n > 0 {
		rows, err := items.In(s.Store).RowProblems(frame.Context(c), v.Account.ID, l.job.ID)
		if err != nil {
			return err
		}
		if compose.RowsWithoutFile(rows) > 0 {
			return s.FlashTo(c, filesPath(v, l), "flash.shipments_faulty", n)
		}
		return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere", "feil"), "flash.shipments_faulty", n)
	}
	if l.job.List.Valid == 0 {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "feil"))
	}
	return do(l, content)
}

// shownShipments is how many recipients a review shows at a time.
const shownShipments = 25

func (s *Pages) showShipmentReview(c echo.Context, v frame.Visit, l listDraft, content dispatch.Shipment, ps dispatch.Problems) error {
	p, err := s.shipmentsReviewPage(c, v, l, content, ps, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
	if err != nil {
		return err
	}
	if p.Approving, err = s.jobApproving(c, v, l.job.ID, content.Sending(p.Cost(), l.Template.ID).ToList(l.job.ID)); err != nil {
		return err
	}
	if p.Contacts, err = s.contactForecast(c, v, l.job); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentListReview(p))
}

// shipmentsReviewPage is the page of a shipment to many in sentences, whoever looks at it, at its address.
func (s *Pages) shipmentsReviewPage(c echo.Context, v frame.Visit, l listDraft, content dispatch.Shipment, ps dispatch.Problems, at string) (compose.ShipmentListReviewPage, error) {
	p := compose.ShipmentListReviewPage{Page: s.Page(c, v, "shipment.review.title"), ID: l.Item.ID, Job: l.job, Shipment: content, Seen: l.revision()}
	p.Section, p.Narrow, p.Problems = views.SectionDrafts, true, ps
	err := s.shipmentLines(c, v, l, &p, at)
	if err != nil {
		return p, err
	}
	p.ReferenceEach = l.form.ReferenceEach
	if l.form.BothTitles() {
		p.TitleBokmal, p.TitleNynorsk, p.Otherwise = l.form.Title, l.form.TitleNynorsk, l.form.Form
	}
	if p.Forms, err = s.titleForms(c, v, l); err != nil {
		return p, err
	}
	if p.Unseen, p.ToUnseen, err = s.unseenSlices(c, v, l); err != nil {
		return p, err
	}
	if l.job.Division.Slices > 0 {
		if p.Sizes, err = items.In(s.Store).SliceSizes(frame.Context(c), v.Account.ID, l.job.ID); err != nil {
			return p, err
		}
	}
	if p.Held, err = s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindShipment); err != nil {
		return p, err
	}
	if p.Budget, err = items.In(s.Store).Budget(frame.Context(c), v.Account); err != nil {
		return p, err
	}
	if p.Today, err = s.listToday(c, v, l.job); err != nil {
		return p, err
	}
	p.Before, err = items.In(s.Store).SameShipmentsToday(frame.Context(c), l.job, items.Shipment{Content: content})
	return p, err
}

// shipmentLines puts one window of the recipients on a review at that address, with their parts.
func (s *Pages) shipmentLines(c echo.Context, v frame.Visit, l listDraft, p *compose.ShipmentListReviewPage, at string) error {
	after := position(c.QueryParam("etter"))
	rows, more, err := items.In(s.Store).JobRows(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll, after, shownShipments)
	if err != nil || len(rows) == 0 {
		return err
	}
	parts := map[int]*dispatch.Document{}
	before := 0
	if l.job.Division.Slices > 0 {
		if before, err = items.In(s.Store).RowsBefore(frame.Context(c), v.Account.ID, l.job.ID, rows[0].Position); err != nil {
			return err
		}
		if parts, err = items.In(s.Store).Slices(frame.Context(c), v.Account.ID, l.job.ID, before+1, before+len(rows)); err != nil {
			return err
		}
	}
	positions := make([]int, len(rows))
	for i, r := range rows {
		positions[i] = r.Position
	}
	looks, err := items.In(s.Store).SliceLooks(frame.Context(c), v.Account.ID, l.job.ID, positions)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if r.Problem.Key != "" {
			continue // left out
		}
		part := parts[before+i+1]
		content, _ := s.parseShipment(v, l, r, part) // that it can be sent is known
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

// revision is another one after each change of the draft or of its list.
func (l listDraft) revision() string { return strconv.Itoa(l.Version) + "." + l.job.Revision }

// SendShipments sends the draft to its list. A second click, a reload or Back finds it sent and leads to it.
func (s *Pages) SendShipments(c echo.Context, v frame.Visit) error {
	return s.withShipments(c, v, func(l listDraft, content dispatch.Shipment) error {
		if c.FormValue(views.FieldSeen) != l.revision() {
			return s.showShipmentReview(c, v, l, content, unseen)
		}
		if ps := unlooked(c, content); len(ps) > 0 {
			return s.showShipmentReview(c, v, l, content, ps)
		}
		shipment := items.Shipment{Content: content, Fields: l.Fields, ChecksVersion: l.job.ChecksVersion}
		var err error
		flash, anyway := "flash.job_sent", c.FormValue(views.FieldAnyway) == "true"
		if asksApproval(c) {
			flash, err = "flash.asked", items.In(s.Store).AskShipments(frame.Context(c), v.Account, l.job.ID, frame.Actor(c, v.User), shipment, anyway)
		} else {
			err = items.In(s.Store).SendShipments(frame.Context(c), v.Account, l.job.ID, frame.Sender(c, v), shipment, anyway)
		}
		switch {
		case errors.Is(err, items.ErrBudget):
			return s.showShipmentReview(c, v, l, content, overBudget(err, v.Account))
		case errors.Is(err, items.ErrApproval):
			return s.showShipmentReview(c, v, l, content, unapproved)
		case errors.Is(err, items.ErrProtected):
			ps, err := s.protectedRows(c, v, l.job)
			if err != nil {
				return err
			}
			return s.showShipmentReview(c, v, l, content, ps)
		case errors.Is(err, items.ErrRepeated):
			return s.showShipmentReview(c, v, l, content, dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.job.repeated"}})
		case errors.Is(err, items.ErrUnseen):
			return s.showShipmentReview(c, v, l, content, dispatch.Problems{{Field: compose.FieldLooked, Key: "problem.part.unseen"}})
		case errors.Is(err, store.ErrStale), errors.Is(err, items.ErrFaulty), errors.Is(err, items.ErrEmpty):
			return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "kontroll"))
		case err != nil:
			return s.draftGone(c, v, err)
		}
		s.Wake()
		return s.ToSent(c, v, frame.JobPath(v, l.job.ID), flash, dispatch.Timing{SendAt: content.SendAt, Urgent: true})
	})
}

// DropShipments takes the list away: the draft is a shipment to one again.
func (s *Pages) DropShipments(c echo.Context, v frame.Visit) error {
	l, err := s.listDraft(c, v)
	if err == nil && l.job.ID != "" {
		err = items.In(s.Store).DropShipmentJob(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User))
	}
	if err != nil {
		return s.draftGone(c, v, err)
	}
	return s.FlashTo(c, frame.DraftPath(v, l.Item.ID), "flash.list_dropped", 0)
}

// RepeatShipments makes a new draft with those that a job of shipments did not reach.
func (s *Pages) RepeatShipments(c echo.Context, v frame.Visit) error {
	j, err := items.In(s.Store).Job(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	if err == nil && j.State == dispatch.JobDraft { // a colleague's is not even told of
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.JobContent(v, j), func(reason string) error { return s.repeatShipments(c, v, reason) }, "nokkel")
}

func (s *Pages) repeatShipments(c echo.Context, v frame.Visit, reason string) error {
	id, err := items.In(s.Store).ShipmentsAgain(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")), frame.Because(c, v.User, reason), frame.FormKey(c.FormValue("nokkel")))
	switch {
	case errors.Is(err, items.ErrEmpty):
		return s.FlashTo(c, frame.JobPath(v, dispatch.JobID(c.Param("id"))), "flash.job_nobody", 0)
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", string(id)), "flash.already_sent", 0)
	case err != nil && id != "":
		if j, missing := items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, id, v.User.ID); missing == nil {
			return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.job_already_sent", 0)
		}
		return err
	case err != nil:
		return err
	}
	return frame.SeeOther(c, frame.DraftPath(v, id, "flere"))
}
