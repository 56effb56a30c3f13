package compose

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// NewShipment makes a draft, from a template or to a receiving system if one was chosen, and redirects to it.
func (s *Pages) NewShipment(c echo.Context, v frame.Visit) error {
	f := compose.NewShipmentForm(v.Account)
	use, err := s.beginFrom(c, v, &f)
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

// draftInstead is the visitor's draft, of the same kind, that is to be sent in place of an item; empty: there is none. Who asks for another
// is led to it: two would be sent by mistake.
func (s *Pages) draftInstead(c echo.Context, v frame.Visit, it dispatch.Item) (dispatch.ItemID, error) {
	d, err := items.In(s.Store).DraftInstead(frame.Context(c), v.Account.ID, it.ID, v.User.ID)
	if d.Kind != it.Kind {
		return "", err
	}
	return d.ID, err
}

// CopyShipment makes a draft from a sent shipment and redirects to it; a colleague's takes a reason. The draft's page tells what
// went wrong with the original.
func (s *Pages) CopyShipment(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.ShipmentPages.ContentOf(v, it.Item), func(reason string) error { return s.copyShipment(c, v, it, reason) }, "nokkel", "papir")
}

func (s *Pages) copyShipment(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, reason string) error {
	of := it.ID
	if !it.MayCopy() {
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", string(of)), "flash.too_late", 0)
	}
	replaces := it.EndedBadly() || it.SigningFailed()
	paper := c.FormValue("papir") == "true"
	if replaces && !paper {
		d, err := s.draftInstead(c, v, it.Item)
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
	id, err := items.In(s.Store).CopyShipment(frame.Context(c), v.Account.ID, frame.Because(c, v.User, reason), copied)
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, frame.DraftPath(v, id))
}

// EditDraft shows the form of a shipment's draft.
func (s *Pages) EditDraft(c echo.Context, v frame.Visit) error {
	d, f, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if d.Item.AwaitsApproval {
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "kontroll"))
	}
	p, err := s.wholeDraft(c, v, d, f, nil)
	if err != nil {
		return err
	}
	if p.AllReplaced { // the page of the list says so
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "flere"))
	}
	if p.Problems, err = s.faults(c, v, d, f, p.Failed); err != nil {
		return err
	}
	if p.Instead, err = items.In(s.Store).AlreadyReplaced(frame.Context(c), v.Account.ID, d.Item.ID); err != nil {
		return err
	}
	if p.Last, err = items.In(s.Store).LastApproval(frame.Context(c), v.Account.ID, d.Item.ID); err != nil {
		return err
	}
	status := http.StatusOK
	if c.QueryParam(fieldChecked) != "" {
		_, p.Problems = s.checkDraft(c, v, d, f)
		if p.Many == 0 {
			p.Problems = append(p.Problems, f.Unfilled(nil)...)
		}
		if len(p.Problems) > 0 {
			status = http.StatusUnprocessableEntity
		}
	}
	return frame.Show(c, status, compose.ShipmentNew(p))
}

// fieldChecked is the parameter of a draft's address that shows all problems.
const fieldChecked = "kontrollert"

// checkedPath is the address of a draft with all problems shown, so that the browser's Back finds it.
func checkedPath(v frame.Visit, id dispatch.ItemID) string {
	return frame.DraftPath(v, id) + "?" + fieldChecked + "=ja"
}

func (s *Pages) draftPage(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, ps dispatch.Problems) compose.ShipmentFormPage {
	p := compose.ShipmentFormPage{Page: s.Page(c, v, "shipment.new.title"), ID: d.Item.ID, Version: d.Version, PageID: uuid.NewString(), Form: f, Documents: d.Documents, Template: d.Template, TemplateName: d.TemplateName,
		Handed: compose.Handed{By: d.HandedBy, At: d.HandedAt}}
	p.Section, p.Problems = views.SectionNewShipment, ps
	p.Contact = contactOf(v, dispatch.KindShipment)
	p.Autosave = views.Autosave{Path: frame.DraftPath(v, d.Item.ID, "stand"), Version: d.Version, SavedAt: d.SavedAt, Now: s.Now()}
	if s.PDF != nil {
		p.Ahead, p.Waits = s.PDF.For(string(v.Account.ID), string(v.User.ID)).Ahead()
	}
	return p
}

// wholeDraft is the page of a draft with the service's suggestions, and what became of the shipment that it is a copy of.
func (s *Pages) wholeDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, ps dispatch.Problems) (compose.ShipmentFormPage, error) {
	p := s.draftPage(c, v, d, f, ps)
	p.Types = s.shipmentTypes(c, v)
	original, err := s.original(c, v, d)
	if err != nil {
		return p, err
	}
	p.Failed, p.FilesGone = ifFailed(original), original.ID != "" && len(original.Documents)+len(d.Documents) == 0
	return p, s.weigh(c, v, &p)
}

// weigh adds the number of recipients and the budget to the page of a draft.
func (s *Pages) weigh(c echo.Context, v frame.Visit, p *compose.ShipmentFormPage) (err error) {
	j, err := s.listOf(c, v, p.ID)
	if err != nil {
		return err
	}
	p.Valid, p.Faulty, p.Replaced, p.AllReplaced = j.List.Valid, j.List.Faulty(), j.Replaced, j.AllReplaced
	if p.Faulty > 0 && !p.Form.DigitalOnly {
		if p.Unchecked, err = items.In(s.Store).Undigital(frame.Context(c), v.Account.ID, j.ID); err != nil {
			return err
		}
		p.Faulty -= p.Unchecked
	}
	if p.Many = j.List.Read; j.Division.Absent() {
		p.Own = j.Division
	}
	if p.Valid > 0 {
		numbered, err := items.In(s.Store).Numbered(frame.Context(c), v.Account.ID, j.ID)
		if err != nil {
			return err
		}
		p.Numberless = p.Valid - numbered
	}
	p.Budget, err = items.In(s.Store).Budget(frame.Context(c), v.Account)
	return err
}

// showDraft shows a draft with its problems.
func (s *Pages) showDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, ps dispatch.Problems) error {
	p, err := s.wholeDraft(c, v, d, f, ps)
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusUnprocessableEntity, compose.ShipmentNew(p))
}

// saveTyped saves the posted form in the draft, and returns the draft in its new version.
func (s *Pages) saveTyped(c echo.Context, v frame.Visit, d dispatch.Draft, values url.Values) (dispatch.Draft, dispatch.DraftFields, error) {
	f := s.typedForm(d, values)
	compose.ActOnLinks(&f, values.Get("neste"))
	if d.Version = views.TypedVersion(values.Get("versjon")); d.Version == 0 {
		return d, f, echo.ErrBadRequest
	}
	d.By.Page = values.Get(views.FieldPage)
	d.By.Number, _ = strconv.Atoi(values.Get(views.FieldPageSave)) // 0: without a script
	var err error
	if values.Get("neste") == compose.MakeReference {
		err = s.referForm(c, v, &d, f)
	} else {
		err = s.keepForm(c, v, &d, f)
	}
	if errors.Is(err, store.ErrStale) {
		c.Set(typedKey, f)
	}
	return d, f, err
}

// typedKey is the context key of a form that was refused because another tab had saved a newer version.
const typedKey = "typed"

// showBoth shows the posted form beside the version saved from another tab. Saving again keeps the posted one.
func (s *Pages) showBoth(c echo.Context, v frame.Visit, typed dispatch.DraftFields) error {
	d, there, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	p, err := s.wholeDraft(c, v, d, typed, nil)
	if err != nil {
		return err
	}
	p.Title, p.Other = i18n.T(frame.Context(c), "error.stale.title"), compose.OtherOf(typed, there, frame.DraftPath(v, d.Item.ID))
	return frame.Show(c, http.StatusConflict, compose.ShipmentNew(p))
}

// typedForm parses the posted form.
func (s *Pages) typedForm(d dispatch.Draft, values url.Values) dispatch.DraftFields {
	f := readShipmentForm(values, d.Documents)
	keepDivided(d.Fields, &f)
	typeOwn(values, &f)
	f.FillPlaces(d.Fields, s.places())
	return f
}

// SaveStand saves a draft as it is typed, and shows its progress.
func (s *Pages) SaveStand(c echo.Context, v frame.Visit) error {
	d, f, err := s.savePosted(c, v)
	if err != nil {
		return err
	}
	p := s.draftPage(c, v, d, f, nil)
	if err := s.weigh(c, v, &p); err != nil {
		return err
	}
	if p.Many == 0 { // the review of a list finds other problems too
		if err := s.stillWrong(c, v, d, f, &p); err != nil {
			return err
		}
	}
	return frame.Show(c, http.StatusOK, compose.ShipmentStand(p))
}

// stillWrong adds the fields of the saved draft that still have problems. The browser removes the messages at all other fields.
func (s *Pages) stillWrong(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, p *compose.ShipmentFormPage) error {
	original, err := s.original(c, v, d)
	if err != nil {
		return err
	}
	if p.Problems, err = s.faults(c, v, d, f, ifFailed(original)); err != nil {
		return err
	}
	_, ps := s.parseDraft(v, d, f)
	ps = append(append(ps, f.Unfilled(nil)...), p.Problems...)
	p.Checked, p.Wrong = true, []string{dispatch.FieldType} // only the service knows its types
	for _, problem := range ps {
		p.Wrong = append(p.Wrong, problem.Field)
	}
	return nil
}

// keepDivided keeps choices about a divided file that belongs to an earlier job: the form does not show them.
func keepDivided(was dispatch.DraftFields, f *dispatch.DraftFields) {
	for id, chosen := range was.Documents {
		if _, there := f.Documents[id]; !there {
			f.Documents[id] = chosen
		}
	}
}

// typeOwn reads the choices about each recipient's own file or slice, which is not among the draft's files.
func typeOwn(values url.Values, f *dispatch.DraftFields) {
	id := values.Get(compose.FieldOwnPart)
	if uuid.Validate(id) != nil {
		return
	}
	typed := readShipmentForm(values, []dispatch.Document{{ID: dispatch.DocumentID(id)}}).Documents[dispatch.DocumentID(id)]
	typed.Extra = f.Documents[dispatch.DocumentID(id)].Extra // the form has no field for it
	f.Documents[dispatch.DocumentID(id)] = typed
}

// SaveDraft saves the draft, and redirects to the review if that was asked for and there is no problem.
func (s *Pages) SaveDraft(c echo.Context, v frame.Visit) error {
	d, f, err := s.savePosted(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	many, err := s.toMany(c, v, d.Item.ID)
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
		return s.toListReview(c, v)
	case next == "flere":
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "flere"))
	case next != "kontroll":
		return s.FlashTo(c, frame.DraftPath(v, d.Item.ID), "flash.draft_saved", 0)
	}
	return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "kontroll"))
}

// savePosted saves an ordinary form of the draft.
func (s *Pages) savePosted(c echo.Context, v frame.Visit) (dispatch.Draft, dispatch.DraftFields, error) {
	values, err := c.FormParams()
	if err != nil {
		return dispatch.Draft{}, dispatch.DraftFields{}, frame.BadForm(err)
	}
	d, f, err := s.shipmentDraft(c, v)
	if err != nil {
		return d, f, err
	}
	return s.saveTyped(c, v, d, values)
}

// DiscardDraft discards a draft of a shipment.
func (s *Pages) DiscardDraft(c echo.Context, v frame.Visit) error {
	if _, _, err := s.shipmentDraft(c, v); err != nil {
		return s.draftGone(c, v, err)
	}
	err := items.In(s.Store).DiscardDraft(frame.Context(c), v.Account.ID, dispatch.KindShipment, dispatch.ItemID(c.Param("id")), frame.Actor(c, v.User))
	if err != nil {
		return s.draftGone(c, v, err)
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "utkast"), "flash.discarded", 0)
}

// ReviewDraft shows the draft in sentences; a draft with problems redirects to its form.
func (s *Pages) ReviewDraft(c echo.Context, v frame.Visit) error {
	d, f, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	switch many, err := s.toMany(c, v, d.Item.ID); {
	case err != nil:
		return err
	case many > 0:
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "flere", "kontroll"))
	}
	content, ps := s.checkDraft(c, v, d, f)
	if len(ps)+len(f.Unfilled(nil)) > 0 && !d.Item.AwaitsApproval {
		return frame.SeeOther(c, checkedPath(v, d.Item.ID))
	}
	return s.showDraftReview(c, v, d, content, nil)
}

func (s *Pages) showDraftReview(c echo.Context, v frame.Visit, d dispatch.Draft, content dispatch.Shipment, ps dispatch.Problems) error {
	return s.showDraftReviewWith(c, v, d, content, contactOf(v, dispatch.KindShipment), ps)
}

func (s *Pages) showDraftReviewWith(c echo.Context, v frame.Visit, d dispatch.Draft, content dispatch.Shipment, k compose.Contact, ps dispatch.Problems) error {
	p, err := s.shipmentReviewPage(c, v, d, content)
	if err != nil {
		return err
	}
	p.Contact, p.LooksUp = k, k.Asked
	if p.Approving, err = s.itemApproving(c, v, d.Item.ID, content.Sending(v.Account.Prices.OfOne(content), d.Template.ID)); err != nil {
		return err
	}
	p.Title = reviewTitle(c, p.Approving, p.Title)
	if p.Today, err = s.shipmentToday(c, v, d.Item.ID, content); err != nil {
		return err
	}
	p.Problems = ps
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentReview(p))
}

// shipmentReviewPage is the page of a draft in sentences, for its sender or an approver.
func (s *Pages) shipmentReviewPage(c echo.Context, v frame.Visit, d dispatch.Draft, content dispatch.Shipment) (compose.ShipmentReviewPage, error) {
	held, err := s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindShipment)
	p := compose.ShipmentReviewPage{Page: s.Page(c, v, "shipment.review.title"), ID: d.Item.ID, Version: d.Version, Shipment: content, Held: held}
	p.Section, p.Narrow = views.SectionNewShipment, true
	if err != nil {
		return p, err
	}
	if p.Other, err = items.In(s.Store).AlreadyReplaced(frame.Context(c), v.Account.ID, d.Item.ID); err != nil {
		return p, err
	}
	p.Budget, err = items.In(s.Store).Budget(frame.Context(c), v.Account)
	return p, err
}

// SendShipment queues the draft in the version that was reviewed. If it has changed since, it shows the review again.
func (s *Pages) SendShipment(c echo.Context, v frame.Visit) error {
	d, f, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	version := frame.ReadVersion(c)
	if version == 0 {
		return echo.ErrBadRequest
	}
	switch many, err := s.toMany(c, v, d.Item.ID); {
	case err != nil:
		return err
	case many > 0:
		return s.notSent(c, frame.DraftPath(v, d.Item.ID, "flere", "kontroll"))
	}
	content, ps := s.checkDraft(c, v, d, f)
	if len(ps)+len(f.Unfilled(nil)) > 0 {
		return s.notSent(c, checkedPath(v, d.Item.ID))
	}
	if ps := unconfirmed(c, content); len(ps) > 0 {
		return s.showDraftReview(c, v, d, content, ps)
	}
	by := frame.Sender(c, v)
	by.Anyway = c.FormValue(views.FieldAnyway) == "true"
	if asksApproval(c) {
		err = items.In(s.Store).AskShipment(frame.Context(c), v.Account, d.Item.ID, by, version, content)
	} else {
		err = items.In(s.Store).QueueShipment(frame.Context(c), v.Account, d.Item.ID, by, version, content)
	}
	switch {
	case errors.Is(err, items.ErrBudget):
		return s.showDraftReview(c, v, d, content, overBudget(err, v.Account))
	case errors.Is(err, items.ErrApproval):
		return s.showDraftReview(c, v, d, content, unapproved)
	case errors.Is(err, items.ErrSecond):
		return s.showDraftReview(c, v, d, content, second)
	case errors.Is(err, items.ErrProtected):
		ps, err := s.protectedRecipient(c, v, dispatch.Search{NationalID: content.Recipient.Digital.NationalID})
		if err != nil {
			return err
		}
		return s.showDraftReview(c, v, d, content, ps)
	case errors.Is(err, items.ErrMany): // it has come since
		return s.notSent(c, frame.DraftPath(v, d.Item.ID, "flere", "kontroll"))
	case err != nil:
		return s.draftGone(c, v, err)
	}
	if asksApproval(c) {
		return s.FlashTo(c, frame.DraftPath(v, d.Item.ID, "kontroll"), "flash.asked", 0)
	}
	s.Wake()
	return s.ToSent(c, v, views.AccountPath(v.Account, "forsendelser", string(d.Item.ID)), "flash.shipment_queued", dispatch.Timing{SendAt: content.SendAt, Urgent: true})
}
