package compose

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
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

// approvalsPath is the list of pending approvals.
func approvalsPath(v frame.Visit) string { return views.AccountPath(v.Account, "godkjenning") }

// List shows pending approvals.
func (s *Approvals) List(c echo.Context, v frame.Visit) error {
	list, err := items.In(s.Store).Approvals.Waiting(frame.Context(c), v.Account.ID)
	if err != nil {
		return err
	}
	p := compose.ApprovalsPage{Page: s.Page(c, v, "approval.title"), Approvals: list}
	p.Section = views.SectionApprovals
	return frame.Show(c, http.StatusOK, compose.Approvals(p))
}

// toDecide is the approval named by the address, if the visitor may decide about it. The visitor's own requests are not found.
func (s *Approvals) toDecide(c echo.Context, v frame.Visit) (dispatch.Approval, error) {
	a, err := items.In(s.Store).Approvals.ByID(frame.Context(c), v.Account.ID, dispatch.ApprovalID(c.Param("id")))
	switch {
	case err != nil:
		return a, err
	case a.AskedBy == v.User.ID:
		return a, store.ErrNotFound
	case !a.MayDecide(v.User):
		return a, store.ErrChanged
	}
	return a, s.seeProposal(c, v, a)
}

// seeProposal makes sure that the visitor may see who the recipients are.
func (s *Approvals) seeProposal(c echo.Context, v frame.Visit, a dispatch.Approval) error {
	if a.Job == "" {
		return s.See(c, v, a.Item)
	}
	hidden, _, err := items.In(s.Store).Protected.HiddenRows(frame.Context(c), dispatch.Job{ID: a.Job}, v.User.ID, 1)
	if err == nil && len(hidden) > 0 {
		err = store.ErrNotFound
	}
	return err
}

// decided redirects from a decided or withdrawn approval to the list of pending ones.
func (s *Approvals) decided(c echo.Context, v frame.Visit, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, approvalsPath(v), "flash.approval_decided", 0)
	}
	return err
}

// proposal is the content to be approved, as the approver sees it, and the effect of the decision.
type proposal struct {
	dispatch.Approval
	seen    string            // version of what is shown: changes with the content
	stops   dispatch.Problems // why it cannot be approved now
	approve func(store.Actor) error
	show    func(compose.Approving, dispatch.Problems) error
	stopper bool // the approver may stop it once it is approved
}

// proposal reads what would be sent if it were approved now.
func (s *Approvals) proposal(c echo.Context, v frame.Visit) (proposal, error) {
	a, err := s.toDecide(c, v)
	if err != nil {
		return proposal{}, err
	}
	pr, err := s.proposed(c, v, a)
	pr.stopper = v.User.May(dispatch.RightFollowUp, v.Account.ID)
	return pr, err
}

func (s *Approvals) proposed(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	switch {
	case a.Template != "":
		return s.proposedTemplate(c, v, a)
	case a.Kind == dispatch.KindSMS && a.Job == "":
		return s.proposedSMS(c, v, a)
	case a.Kind == dispatch.KindSMS:
		return s.proposedJob(c, v, a)
	case a.Job == "":
		return s.proposedShipment(c, v, a)
	}
	return s.proposedShipments(c, v, a)
}

func (s *Approvals) proposedSMS(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	it, err := items.In(s.Store).SMS.ByID(frame.Context(c), v.Account.ID, a.Item)
	if err != nil {
		return proposal{}, err
	}
	return proposal{Approval: a, seen: it.Revision, stops: v.Account.ValidateSMS(it.SMS).With(late(it.Timing, s.Now())),
		approve: func(by store.Actor) error {
			return items.In(s.Store).Approvals.ApproveSMS(frame.Context(c), v.Account, a.ID, by)
		},
		show: func(ap compose.Approving, ps dispatch.Problems) error {
			p, err := s.sms.reviewPage(c, v, it, ps)
			if err != nil {
				return err
			}
			p.Approving = ap
			asProposal(c, &p.Page, a)
			if p.Today, err = s.review.smsToday(c, v, it); err != nil {
				return err
			}
			return frame.Show(c, frame.FormStatus(ps), compose.SMSReview(p))
		}}, nil
}

// asProposal turns the page of a review into one for an approver.
func asProposal(c echo.Context, p *views.Page, a dispatch.Approval) {
	p.Section, p.Title = views.SectionApprovals, whatWaits(c, a)
}

func (s *Approvals) proposedJob(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	j, err := items.In(s.Store).Jobs.ByID(frame.Context(c), v.Account.ID, a.Job)
	if err != nil {
		return proposal{}, err
	}
	return proposal{Approval: a, seen: j.Revision, stops: append(replacedStops(j), late(j.Timing, s.Now())...),
		approve: func(by store.Actor) error {
			return items.In(s.Store).Approvals.ApproveJob(frame.Context(c), v.Account, a.ID, by)
		},
		show: func(ap compose.Approving, ps dispatch.Problems) error {
			p, err := s.smsJobs.reviewPage(c, v, j, ps)
			if err != nil {
				return err
			}
			p.Approving = ap
			asProposal(c, &p.Page, a)
			after := -1
			if n, err := strconv.Atoi(c.QueryParam("etter")); err == nil && n > 0 {
				after, p.First = n, ownPath(v, a.ID)
			}
			var next int
			if p.Previews, next, err = s.smsJobs.previews(c, v, j, after, shownShipments); err != nil {
				return err
			}
			if next > 0 {
				p.More = ownPath(v, a.ID) + "?etter=" + strconv.Itoa(next)
			}
			return frame.Show(c, frame.FormStatus(ps), compose.JobReview(p))
		}}, nil
}

// answered is what an approver reads when something was sent in place of the same items after the sender asked; changed is for
// the sender.
var answered = dispatch.Problems{{Field: "neste", Key: "problem.approval.answered"}}

// replacedStops returns answered if a list has rows whose recipients were sent the same meanwhile.
func replacedStops(j dispatch.Job) dispatch.Problems {
	if j.Replaced == 0 {
		return nil
	}
	return slices.Clone(answered)
}

func ownPath(v frame.Visit, id dispatch.ApprovalID) string {
	return views.AccountPath(v.Account, "godkjenning", string(id))
}

func (s *Approvals) proposedShipment(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	d, err := items.In(s.Store).Drafts.ByID(frame.Context(c), v.Account.ID, a.Item, a.AskedBy)
	if err != nil {
		return proposal{}, err
	}
	content, stops := s.drafts.parseDraft(v, d, d.Fields)
	stops = append(stops, d.Fields.Unfilled(nil)...)
	seen, err := shipmentPrint(content)
	return proposal{Approval: a, seen: seen, stops: stops,
		approve: func(by store.Actor) error {
			return items.In(s.Store).Approvals.ApproveShipment(frame.Context(c), v.Account, a.ID, by, content)
		},
		show: func(ap compose.Approving, ps dispatch.Problems) error {
			p, err := s.shipments.reviewPage(c, v, d, content)
			if err != nil {
				return err
			}
			p.Approving, p.Problems = ap, ps
			asProposal(c, &p.Page, a)
			if p.Today, err = s.review.shipmentToday(c, v, d.Item.ID, content); err != nil {
				return err
			}
			return frame.Show(c, frame.FormStatus(ps), compose.ShipmentReview(p))
		}}, err
}

func (s *Approvals) proposedShipments(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	l, err := s.lists.listDraftOf(c, v, a.Item, a.AskedBy)
	if err != nil {
		return proposal{}, err
	}
	content, stops, err := s.lists.pattern(c, v, l)
	if err != nil {
		return proposal{}, err
	}
	stops = append(stops, replacedStops(l.job)...)
	if l.job.ChecksVersion != l.checksVersion(v) { // rows may have become faulty, which the approver cannot correct
		stops = append(stops, dispatch.Problem{Field: "neste", Key: "problem.approval.rules"})
	}
	seen, err := shipmentPrint(content)
	return proposal{Approval: a, seen: l.revision() + "." + seen, stops: stops,
		approve: func(by store.Actor) error {
			shipment := items.Shipment{Content: content, Fields: l.Fields, ChecksVersion: l.job.ChecksVersion}
			return items.In(s.Store).Approvals.ApproveShipments(frame.Context(c), v.Account, a.ID, by, shipment)
		},
		show: func(ap compose.Approving, ps dispatch.Problems) error {
			p, err := s.shipmentJobs.reviewPage(c, v, l, content, ps, ownPath(v, a.ID))
			if err != nil {
				return err
			}
			p.Approving = ap
			asProposal(c, &p.Page, a)
			return frame.Show(c, frame.FormStatus(ps), compose.ShipmentListReview(p))
		}}, err
}

// shipmentPrint is a fingerprint of a shipment: the sealed content, and its files with the choices about them.
func shipmentPrint(content dispatch.Shipment) (string, error) {
	plain, err := store.MarshalShipment(content)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(plain)
	for _, d := range content.Documents {
		fmt.Fprintf(h, "\x00%s %s %s %v %t %t %q", d.ID, d.SHA256, d.FileName, d.GiroPages, d.ExcludeFromPrint, d.Sensitive, d.Type)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// Show shows an approver exactly what will be sent. That counts as reading a colleague's content, and is logged, except for
// templates, which name nobody.
func (s *Approvals) Show(c echo.Context, v frame.Visit) error {
	pr, err := s.proposal(c, v)
	if err != nil {
		return s.decided(c, v, err)
	}
	if c.Request().Method != http.MethodHead && pr.Template == "" {
		err := s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "approval.read", Object: objectOf(pr.Approval), Origin: frame.Origin(c)})
		if err != nil {
			return err
		}
	}
	return s.showProposal(pr, nil, "")
}

// objectOf is the id in the event log: of the job or the item.
func objectOf(a dispatch.Approval) string {
	if a.Job != "" {
		return string(a.Job)
	}
	return string(a.Item)
}

func (s *Approvals) showProposal(pr proposal, ps dispatch.Problems, note string) error {
	return pr.show(compose.Approving{Last: pr.Approval, Deciding: true, Stops: pr.stops, Seen: pr.seen, Note: note, OnlyApproves: !pr.stopper}, ps)
}

// Approve approves the version that the approver was shown, and sends it.
func (s *Approvals) Approve(c echo.Context, v frame.Visit) error {
	pr, err := s.proposal(c, v)
	switch {
	case err != nil:
		return s.decided(c, v, err)
	case len(pr.stops) > 0:
		return s.showProposal(pr, slices.Clone(pr.stops), "")
	case c.FormValue(views.FieldSeen) != pr.seen:
		return s.showProposal(pr, dispatch.Problems{{Field: "neste", Key: "problem.approval.unseen"}}, "")
	}
	switch err := pr.approve(frame.Sender(c, v)); {
	case errors.Is(err, items.ErrQuota):
		return s.showProposal(pr, dispatch.Problems{{Field: "kvote", Key: "problem.quota"}}, "")
	case errors.Is(err, items.ErrBudget):
		return s.showProposal(pr, overBudget(err, v.Account), "")
	case errors.Is(err, items.ErrSecond):
		return s.showProposal(pr, dispatch.Problems{{Field: "neste", Key: "problem.approval.replaced"}}, "")
	case errors.Is(err, items.ErrReplaced):
		return s.showProposal(pr, answered, "")
	case errors.Is(err, items.ErrRepeated):
		return s.showProposal(pr, dispatch.Problems{{Field: "neste", Key: "problem.approval.repeated"}}, "")
	case errors.Is(err, store.ErrTaken):
		return s.showProposal(pr, dispatch.Problems{{Field: "forslag", Key: "problem.template.taken"}}, "")
	case errors.Is(err, store.ErrStale), errors.Is(err, items.ErrFaulty), errors.Is(err, items.ErrEmpty), errors.Is(err, items.ErrUnseen):
		return s.showProposal(pr, dispatch.Problems{{Field: "neste", Key: "problem.approval.changed"}}, "")
	case err != nil:
		return s.decided(c, v, err)
	}
	if pr.Template != "" {
		return s.FlashTo(c, approvalsPath(v), "flash.template_approved", 0)
	}
	s.Wake()
	return s.FlashTo(c, approvedPath(v, pr.Approval), "flash.approved", 0)
}

// approvedPath is the page of what was approved: there it is seen on its way, and stopped by who may.
func approvedPath(v frame.Visit, a dispatch.Approval) string {
	switch {
	case a.Job != "":
		return views.AccountPath(v.Account, "jobber", string(a.Job))
	case a.Kind == dispatch.KindShipment:
		return views.AccountPath(v.Account, "forsendelser", string(a.Item))
	}
	return views.AccountPath(v.Account, "sms", string(a.Item))
}

// Return returns a draft to its sender, with a note.
func (s *Approvals) Return(c echo.Context, v frame.Visit) error {
	pr, err := s.proposal(c, v)
	if err != nil {
		return s.decided(c, v, err)
	}
	note, problem := dispatch.ParseApprovalNote(c.FormValue(dispatch.FieldApprovalNote))
	if problem != nil {
		return s.showProposal(pr, dispatch.Problems{*problem}, note)
	}
	if err := items.In(s.Store).Approvals.Return(frame.Context(c), v.Account.ID, pr.ID, note, frame.Actor(c, v.User)); err != nil {
		return s.decided(c, v, err)
	}
	return s.FlashTo(c, approvalsPath(v), "flash.returned", 0)
}

// proposedFile is a PDF of the proposal, for an approver.
func (s *Approvals) proposedFile(c echo.Context, v frame.Visit) (frame.Download, error) {
	a, err := s.toDecide(c, v)
	if err != nil || a.Item == "" {
		return frame.Download{}, store.ErrNotFound
	}
	documents, err := s.Store.Documents(frame.Context(c), v.Account.ID, a.Item)
	if err != nil {
		return frame.Download{}, err
	}
	i := slices.IndexFunc(documents, func(d dispatch.Document) bool { return string(d.ID) == c.Param("dokument") && d.PDF() })
	if i < 0 {
		return frame.Download{}, store.ErrNotFound
	}
	return s.proposedRead(a, documents[i]), nil
}

// proposedPart is one recipient's slice, for an approver.
func (s *Approvals) proposedPart(c echo.Context, v frame.Visit) (frame.Download, error) {
	a, err := s.toDecide(c, v)
	if err != nil || a.Job == "" {
		return frame.Download{}, store.ErrNotFound
	}
	d, err := items.In(s.Store).Slices.ByID(frame.Context(c), v.Account.ID, a.Job, position(c.Param("del")))
	return s.proposedRead(a, d), err
}

func (s *Approvals) proposedRead(a dispatch.Approval, d dispatch.Document) frame.Download {
	return frame.Download{Document: d, Object: objectOf(a), Reason: s.Languages.Default.Text("approval.read_reason")}
}

// ProposedFile gives an approver a file of the proposal.
func (s *Approvals) ProposedFile(c echo.Context, v frame.Visit) error {
	d, err := s.proposedFile(c, v)
	if err != nil {
		return err
	}
	return s.files.givePDF(c, v, d)
}

// ProposedPart gives an approver one recipient's slice.
func (s *Approvals) ProposedPart(c echo.Context, v frame.Visit) error {
	d, err := s.proposedPart(c, v)
	if err != nil {
		return err
	}
	return s.files.givePDF(c, v, d)
}

// ProposedPicture gives an approver the picture of a page.
func (s *Approvals) ProposedPicture(c echo.Context, v frame.Visit) error {
	d, err := s.proposedFile(c, v)
	if err != nil {
		return err
	}
	return s.files.picture(c, v, d)
}

// ProposedPartPicture gives an approver the picture of a page of one recipient's slice.
func (s *Approvals) ProposedPartPicture(c echo.Context, v frame.Visit) error {
	d, err := s.proposedPart(c, v)
	if err != nil {
		return err
	}
	return s.files.picture(c, v, d)
}

// WithdrawSMS withdraws the visitor's request for approval: the SMS is a draft again.
func (s *Approvals) WithdrawSMS(c echo.Context, v frame.Visit) error {
	id := dispatch.ItemID(c.Param("id"))
	last, err := items.In(s.Store).Approvals.Last(frame.Context(c), v.Account.ID, id)
	if err != nil {
		return err
	}
	return s.withdraw(c, v, last, views.AccountPath(v.Account, "sms", string(id)), "flash.withdrawn")
}

// WithdrawShipment is WithdrawSMS of a shipment, to one or to many.
func (s *Approvals) WithdrawShipment(c echo.Context, v frame.Visit) error {
	id := dispatch.ItemID(c.Param("id"))
	last, err := items.In(s.Store).Approvals.Last(frame.Context(c), v.Account.ID, id)
	switch {
	case err != nil:
		return err
	case last.ID == "":
		return s.drafts.draftGone(c, v, store.ErrNotFound)
	}
	return s.withdraw(c, v, last, frame.DraftPath(v, id, "kontroll"), "flash.withdrawn")
}

// WithdrawJob is WithdrawSMS of a job.
func (s *Approvals) WithdrawJob(c echo.Context, v frame.Visit) error {
	id := dispatch.JobID(c.Param("id"))
	last, err := items.In(s.Store).Approvals.LastOfJob(frame.Context(c), v.Account.ID, id)
	if err != nil {
		return err
	}
	return s.withdraw(c, v, last, frame.JobPath(v, id), "flash.withdrawn")
}

func (s *Approvals) withdraw(c echo.Context, v frame.Visit, last dispatch.Approval, back, done string) error {
	switch err := items.In(s.Store).Approvals.Withdraw(frame.Context(c), v.Account.ID, last.ID, frame.Actor(c, v.User)); {
	case errors.Is(err, store.ErrChanged):
		return s.FlashTo(c, back, "flash.too_late", 0)
	case err != nil:
		return err
	}
	return s.FlashTo(c, back, done, 0)
}

// WithdrawTemplate withdraws the visitor's request to approve a version of a template.
func (s *Approvals) WithdrawTemplate(c echo.Context, v frame.Visit) error {
	id := templateID(c)
	last, err := items.In(s.Store).Approvals.LastOfTemplate(frame.Context(c), v.Account.ID, id)
	if err != nil {
		return err
	}
	return s.withdraw(c, v, last, compose.TemplatePath(v.Account, id), "flash.template_withdrawn")
}

// proposedTemplate is a new or changed template that waits, beside the version in use.
func (s *Approvals) proposedTemplate(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, a.Template)
	if err != nil {
		return proposal{}, err
	}
	versions, err := items.In(s.Store).Templates.Versions(frame.Context(c), v.Account.ID, a.Template)
	if err != nil {
		return proposal{}, err
	}
	p := compose.TemplateProposalPage{Template: t}
	if p.Proposed, err = versionOf(versions, t.Newest); err != nil {
		return proposal{}, err
	}
	return proposal{Approval: a, seen: a.Seen,
		approve: func(by store.Actor) error {
			return items.In(s.Store).Approvals.ApproveTemplate(frame.Context(c), v.Account.ID, a.ID, by)
		},
		show: func(ap compose.Approving, ps dispatch.Problems) error {
			p.Page, p.Approving = s.Page(c, v, "approval.title"), ap
			p.Problems = ps
			asProposal(c, &p.Page, a)
			return frame.Show(c, frame.FormStatus(ps), compose.TemplateProposal(p))
		}}, nil
}
