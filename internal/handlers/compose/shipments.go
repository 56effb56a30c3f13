package compose

import (
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// askForDraft shows a saved draft of a shipment with the register's answer about its recipient.
func (s *Shipments) askForDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields) error {
	r := dispatch.ShipmentRecipient{Number: f.Number}
	_, wrong := r.Address()
	number := dispatch.JobRow{Shipment: &r}.LookupNumber()
	if wrong == nil && number == "" {
		wrong = &dispatch.Problem{Field: dispatch.FieldRecipientNumber, Key: "problem.reach.number"}
	}
	k, ps, err := s.contacts.askContact(c, v, dispatch.KindShipment, dispatch.FieldRecipientNumber, number, wrong)
	if err != nil {
		return err
	}
	p, err := s.drafts.wholeDraft(c, v, d, f, ps)
	if err != nil {
		return err
	}
	p.Contact, p.LooksUp = k, k.Asked
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentNew(p))
}

// AskContact shows the review of a shipment with the register's answer about its recipient.
func (s *Shipments) AskContact(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	content, ps := s.drafts.parseDraft(v, d, f)
	number := dispatch.LookupNumber(content.Recipient.Digital.NationalID)
	if number == "" {
		number = dispatch.LookupNumber(content.Recipient.Digital.OrganizationNumber)
	}
	many, err := s.drafts.toMany(c, v, d.Item.ID)
	if err != nil {
		return err
	}
	if number == "" || many > 0 || len(ps)+len(f.Unfilled(nil)) > 0 {
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "kontroll"))
	}
	k, ps, err := s.contacts.askContact(c, v, dispatch.KindShipment, dispatch.FieldNumbers, number, nil)
	if err != nil {
		return err
	}
	return s.showReviewWith(c, v, d, content, k, ps)
}

// New makes a draft, from a template or to a receiving system if one was chosen, and redirects to it.
func (s *Shipments) New(c echo.Context, v frame.Visit) error {
	f := compose.NewShipmentForm(v.Account)
	use, err := s.shipmentTemplates.beginFrom(c, v, &f)
	if err != nil {
		return err
	}
	filled := fillReceiver(c, &f)
	id, err := s.createDraft(c, v, f, use)
	if err != nil {
		return err
	}
	switch {
	case filled:
		return s.FlashTo(c, frame.DraftPath(v, id), "flash.receiver_used", 0)
	case c.FormValue("flere") == "true": // from the list of jobs: it begins with its list
		return frame.SeeOther(c, frame.DraftPath(v, id, "flere"))
	}
	return frame.SeeOther(c, frame.DraftPath(v, id))
}

// Edit shows the form of a shipment's draft.
func (s *Shipments) Edit(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if d.Item.AwaitsApproval {
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "kontroll"))
	}
	p, err := s.drafts.wholeDraft(c, v, d, f, nil)
	if err != nil {
		return err
	}
	if p.AllReplaced { // the page of the list says so
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "flere"))
	}
	if p.Problems, err = s.drafts.faults(c, v, d, f, p.Failed); err != nil {
		return err
	}
	if p.Instead, err = items.In(s.Store).Origins.AlreadyReplaced(frame.Context(c), v.Account.ID, d.Item.ID); err != nil {
		return err
	}
	if p.Last, err = items.In(s.Store).Approvals.Last(frame.Context(c), v.Account.ID, d.Item.ID); err != nil {
		return err
	}
	status := http.StatusOK
	if c.QueryParam(fieldChecked) != "" {
		_, p.Problems = s.drafts.checkDraft(c, v, d, f)
		if p.Many == 0 {
			p.Problems = append(p.Problems, f.Unfilled(nil)...)
		}
		if len(p.Problems) > 0 {
			status = http.StatusUnprocessableEntity
		}
	}
	return frame.Show(c, status, compose.ShipmentNew(p))
}

// Save saves the draft, and redirects to the review if that was asked for and there is no problem.
func (s *Shipments) Save(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.savePosted(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	many, err := s.drafts.toMany(c, v, d.Item.ID)
	if err != nil {
		return err
	}
	if asksContact(c) && many == 0 {
		return s.askForDraft(c, v, d, f)
	}
	next := c.FormValue("neste")
	if c.FormValue(dispatch.FieldNextWorkday) != "" {
		next = "kontroll"
	}
	switch {
	case strings.HasPrefix(next, dispatch.FieldLink):
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldLinks)
	case next == compose.MakeReference:
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID)+"#"+dispatch.FieldReference)
	case next == "mottakersystem":
		return frame.SeeOther(c, compose.ReceiversPath(v.Account, d.Item.ID, f))
	case next == "overlat":
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "overlat"))
	case next == "mal":
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "mal"))
	case next == "kontroll" && many > 0:
		return s.shipmentJobs.toListReview(c, v)
	case next == "flere":
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "flere"))
	case next != "kontroll":
		return s.FlashTo(c, frame.DraftPath(v, d.Item.ID), "flash.draft_saved", 0)
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "kontroll"))
}

// SaveStand saves a draft as it is typed, and shows its progress.
func (s *Shipments) SaveStand(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.savePosted(c, v)
	if err != nil {
		return err
	}
	p := s.drafts.draftPage(c, v, d, f, nil)
	if err := s.drafts.weigh(c, v, &p); err != nil {
		return err
	}
	if p.Many == 0 { // the review of a list finds other problems too
		if err := s.stillWrong(c, v, d, f, &p); err != nil {
			return err
		}
	}
	return frame.Show(c, http.StatusOK, compose.ShipmentStand(p))
}

// Review shows the draft in sentences; a draft with problems redirects to its form.
func (s *Shipments) Review(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	switch many, err := s.drafts.toMany(c, v, d.Item.ID); {
	case err != nil:
		return err
	case many > 0:
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "flere", "kontroll"))
	}
	content, ps := s.drafts.checkDraft(c, v, d, f)
	if len(ps)+len(f.Unfilled(nil)) > 0 && !d.Item.AwaitsApproval {
		return frame.SeeOther(c, checkedPath(v, d.Item.ID))
	}
	return s.showReview(c, v, d, content, nil)
}

// Send queues the draft in the version that was reviewed. If it has changed since, it shows the review again.
func (s *Shipments) Send(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	version := frame.ReadVersion(c)
	if version == 0 {
		return echo.ErrBadRequest
	}
	switch many, err := s.drafts.toMany(c, v, d.Item.ID); {
	case err != nil:
		return err
	case many > 0:
		return s.review.notSent(c, frame.DraftPath(v, d.Item.ID, "flere", "kontroll"))
	}
	content, ps := s.drafts.checkDraft(c, v, d, f)
	if len(ps)+len(f.Unfilled(nil)) > 0 {
		return s.review.notSent(c, checkedPath(v, d.Item.ID))
	}
	if ps := unconfirmed(c, content); len(ps) > 0 {
		return s.showReview(c, v, d, content, ps)
	}
	by := frame.Sender(c, v)
	by.Anyway = c.FormValue(views.FieldAnyway) == "true"
	if asksApproval(c) {
		err = items.In(s.Store).Approvals.AskShipment(frame.Context(c), v.Account, d.Item.ID, by, version, content)
	} else {
		err = items.In(s.Store).Drafts.Queue(frame.Context(c), v.Account, d.Item.ID, by, version, content)
	}
	switch {
	case errors.Is(err, items.ErrBudget):
		return s.showReview(c, v, d, content, overBudget(err, v.Account))
	case errors.Is(err, items.ErrApproval):
		return s.showReview(c, v, d, content, unapproved)
	case errors.Is(err, items.ErrSecond):
		return s.showReview(c, v, d, content, second)
	case errors.Is(err, items.ErrProtected):
		ps, err := s.review.protectedRecipient(c, v, dispatch.Search{NationalID: content.Recipient.Digital.NationalID})
		if err != nil {
			return err
		}
		return s.showReview(c, v, d, content, ps)
	case errors.Is(err, items.ErrMany): // it has come since
		return s.review.notSent(c, frame.DraftPath(v, d.Item.ID, "flere", "kontroll"))
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	}
	if asksApproval(c) {
		return s.FlashTo(c, frame.DraftPath(v, d.Item.ID, "kontroll"), "flash.asked", 0)
	}
	s.Wake()
	return s.ToSent(c, v, views.AccountPath(v.Account, "forsendelser", string(d.Item.ID)), "flash.shipment_queued", dispatch.Timing{SendAt: content.SendAt, Urgent: true})
}

// Discard discards a draft of a shipment.
func (s *Shipments) Discard(c echo.Context, v frame.Visit) error {
	if _, _, err := s.drafts.shipmentDraft(c, v); err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	err := items.In(s.Store).Drafts.Discard(frame.Context(c), v.Account.ID, dispatch.KindShipment, dispatch.ItemID(c.Param("id")), frame.Actor(c, v.User))
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "utkast"), "flash.discarded", 0)
}

// Copy makes a draft from a sent shipment and redirects to it; a colleague's takes a reason. The draft's page tells what
// went wrong with the original.
func (s *Shipments) Copy(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.ShipmentPages.ContentOf(v, it.Item), func(reason string) error { return s.copyShipment(c, v, it, reason) }, "nokkel", "papir")
}

func (s *Shipments) copyShipment(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, reason string) error {
	of := it.ID
	if !it.MayCopy() {
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", string(of)), "flash.too_late", 0)
	}
	replaces := it.EndedBadly() || it.SigningFailed()
	paper := c.FormValue("papir") == "true"
	if replaces && !paper {
		d, err := draftInstead(c, s.Frame, v, it.Item)
		if err != nil {
			return err
		}
		if d != "" {
			return frame.SeeOther(c, frame.DraftPath(v, d))
		}
	}
	copied := items.Copy{Of: of, Key: frame.FormKey(c.FormValue("nokkel")), Origin: instead(replaces), Paper: paper}
	if it.JobID != "" {
		copied.To = &it.Recipient
	}
	id, err := items.In(s.Store).Shipments.Copy(frame.Context(c), v.Account.ID, frame.Because(c, v.User, reason), copied)
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, frame.DraftPath(v, id))
}

// fieldChecked is the parameter of a draft's address that shows all problems.
const fieldChecked = "kontrollert"

// checkedPath is the address of a draft with all problems shown, so that the browser's Back finds it.
func checkedPath(v frame.Visit, id dispatch.ItemID) string {
	return frame.DraftPath(v, id) + "?" + fieldChecked + "=ja"
}

// stillWrong adds the fields of the saved draft that still have problems. The browser removes the messages at all other fields.
func (s *Shipments) stillWrong(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, p *compose.ShipmentFormPage) error {
	original, err := s.drafts.original(c, v, d)
	if err != nil {
		return err
	}
	if p.Problems, err = s.drafts.faults(c, v, d, f, ifFailed(original)); err != nil {
		return err
	}
	_, ps := s.drafts.parseDraft(v, d, f)
	ps = append(append(ps, f.Unfilled(nil)...), p.Problems...)
	p.Checked, p.Wrong = true, []string{dispatch.FieldType} // only the service knows its types
	for _, problem := range ps {
		p.Wrong = append(p.Wrong, problem.Field)
	}
	return nil
}

func (s *Shipments) showReview(c echo.Context, v frame.Visit, d dispatch.Draft, content dispatch.Shipment, ps dispatch.Problems) error {
	return s.showReviewWith(c, v, d, content, contactOf(v, dispatch.KindShipment), ps)
}

func (s *Shipments) showReviewWith(c echo.Context, v frame.Visit, d dispatch.Draft, content dispatch.Shipment, k compose.Contact, ps dispatch.Problems) error {
	p, err := s.reviewPage(c, v, d, content)
	if err != nil {
		return err
	}
	p.Contact, p.LooksUp = k, k.Asked
	if p.Approving, err = s.review.itemApproving(c, v, d.Item.ID, content.Sending(v.Account.Prices.OfOne(content), d.Template.ID)); err != nil {
		return err
	}
	p.Title = reviewTitle(c, p.Approving, p.Title)
	if p.Today, err = s.review.shipmentToday(c, v, d.Item.ID, content); err != nil {
		return err
	}
	p.Problems = ps
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentReview(p))
}

// reviewPage is the page of a draft in sentences, for its sender or an approver.
func (s *Shipments) reviewPage(c echo.Context, v frame.Visit, d dispatch.Draft, content dispatch.Shipment) (compose.ShipmentReviewPage, error) {
	held, err := s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindShipment)
	p := compose.ShipmentReviewPage{Page: s.Page(c, v, "shipment.review.title"), ID: d.Item.ID, Version: d.Version, Shipment: content, Held: held}
	p.Section, p.Narrow = views.SectionNewShipment, true
	if err != nil {
		return p, err
	}
	if p.Other, err = items.In(s.Store).Origins.AlreadyReplaced(frame.Context(c), v.Account.ID, d.Item.ID); err != nil {
		return p, err
	}
	p.Budget, err = items.In(s.Store).Budgets.Of(frame.Context(c), v.Account)
	return p, err
}

// createDraft creates a draft from a form, with the template that filled it, if any.
func (s *Shipments) createDraft(c echo.Context, v frame.Visit, f dispatch.DraftFields, use dispatch.TemplateUse) (dispatch.ItemID, error) {
	key := frame.FormKey(c.FormValue("nokkel"))
	if use.ID != "" { // a page has one key, and a button for each template
		key = uuid.NewSHA1(uuid.MustParse(key), []byte(use.ID)).String()
	}
	return items.In(s.Store).Drafts.Begin(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), key, f, use)
}
