package compose

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

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

// original is the shipment that a draft was copied from; zero if there is none. It may be a colleague's if the draft was handed over.
func (s *drafts) original(c echo.Context, v frame.Visit, d dispatch.Draft) (dispatch.ShipmentItem, error) {
	if d.CopyOf == "" {
		return dispatch.ShipmentItem{}, nil
	}
	it, err := items.In(s.Store).Shipments.ByID(frame.Context(c), v.Account.ID, d.CopyOf)
	if errors.Is(err, store.ErrNotFound) { // it was not copied, or the original is purged
		return dispatch.ShipmentItem{}, nil
	}
	return it, err
}

// ifFailed is a draft's original if it came to nothing or was not signed, else zero.
func ifFailed(original dispatch.ShipmentItem) dispatch.ShipmentItem {
	if !original.EndedBadly() && !original.SigningStatus.Row().Failed() {
		return dispatch.ShipmentItem{}
	}
	return original
}

// shipmentDraft returns the draft named by the address and its form.
func (s *drafts) shipmentDraft(c echo.Context, v frame.Visit) (dispatch.Draft, dispatch.DraftFields, error) {
	d, err := items.In(s.Store).Drafts.ByID(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	return d, d.Fields, err
}

// draftGone redirects from a draft that has been sent to the item it became.
func (s *drafts) draftGone(c echo.Context, v frame.Visit, err error) error {
	if errors.Is(err, items.ErrWaiting) {
		return s.FlashTo(c, frame.DraftPath(v, dispatch.ItemID(c.Param("id")), "kontroll"), "flash.waiting", 0)
	}
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", c.Param("id")), "flash.already_sent", 0)
	}
	if errors.Is(err, store.ErrNotFound) {
		return s.becameJob(c, v, err)
	}
	if typed, ok := c.Get(typedKey).(dispatch.DraftFields); ok && errors.Is(err, store.ErrStale) && frame.Fragment(c) == "" {
		return s.showBoth(c, v, typed)
	}
	return err
}

// keepForm stores a form in its draft, and updates the draft's version.
func (s *drafts) keepForm(c echo.Context, v frame.Visit, d *dispatch.Draft, f dispatch.DraftFields) error {
	d.Fields = f
	if err := items.In(s.Store).Drafts.Save(frame.Context(c), v.Account.ID, d, frame.Actor(c, v.User)); err != nil {
		return err
	}
	d.SavedAt = s.Now()
	return nil
}

// referForm is keepForm, with a generated reference if none is typed.
func (s *drafts) referForm(c echo.Context, v frame.Visit, d *dispatch.Draft, f dispatch.DraftFields) error {
	d.Fields = f
	if err := items.In(s.Store).Drafts.SaveWithReference(frame.Context(c), v.Account, d, frame.Actor(c, v.User)); err != nil {
		return err
	}
	return nil
}

// showDraft shows a draft with its problems.
func (s *drafts) showDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, ps dispatch.Problems) error {
	p, err := s.wholeDraft(c, v, d, f, ps)
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusUnprocessableEntity, compose.ShipmentNew(p))
}

func (s *drafts) draftPage(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, ps dispatch.Problems) compose.ShipmentFormPage {
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
func (s *drafts) wholeDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields, ps dispatch.Problems) (compose.ShipmentFormPage, error) {
	p := s.draftPage(c, v, d, f, ps)
	p.Types = s.shipmentTypes(c, v)
	original, err := s.original(c, v, d)
	if err != nil {
		return p, err
	}
	p.Failed, p.FilesGone = ifFailed(original), original.ID != "" && len(original.Documents)+len(d.Documents) == 0
	return p, s.weigh(c, v, &p)
}

// savePosted saves an ordinary form of the draft.
func (s *drafts) savePosted(c echo.Context, v frame.Visit) (dispatch.Draft, dispatch.DraftFields, error) {
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

// saveTyped saves the posted form in the draft, and returns the draft in its new version.
func (s *drafts) saveTyped(c echo.Context, v frame.Visit, d dispatch.Draft, values url.Values) (dispatch.Draft, dispatch.DraftFields, error) {
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

// typedForm parses the posted form.
func (s *drafts) typedForm(d dispatch.Draft, values url.Values) dispatch.DraftFields {
	f := readShipmentForm(values, d.Documents)
	keepDivided(d.Fields, &f)
	typeOwn(values, &f)
	f.FillPlaces(d.Fields, s.places())
	return f
}

// showBoth shows the posted form beside the version saved from another tab. Saving again keeps the posted one.
func (s *drafts) showBoth(c echo.Context, v frame.Visit, typed dispatch.DraftFields) error {
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

// weigh adds the number of recipients and the budget to the page of a draft.
func (s *drafts) weigh(c echo.Context, v frame.Visit, p *compose.ShipmentFormPage) (err error) {
	j, err := s.listOf(c, v, p.ID)
	if err != nil {
		return err
	}
	p.Valid, p.Faulty, p.Replaced, p.AllReplaced = j.List.Valid, j.List.Faulty(), j.Replaced, j.AllReplaced
	if p.Faulty > 0 && !p.Form.DigitalOnly {
		if p.Unchecked, err = items.In(s.Store).Rows.Undigital(frame.Context(c), v.Account.ID, j.ID); err != nil {
			return err
		}
		p.Faulty -= p.Unchecked
	}
	if p.Many = j.List.Read; j.Division.Absent() {
		p.Own = j.Division
	}
	if p.Valid > 0 {
		numbered, err := items.In(s.Store).Rows.Numbered(frame.Context(c), v.Account.ID, j.ID)
		if err != nil {
			return err
		}
		p.Numberless = p.Valid - numbered
	}
	p.Budget, err = items.In(s.Store).Budgets.Of(frame.Context(c), v.Account)
	return err
}

// shipmentTypes are the types known to the account's service; none if it does not tell.
func (s *drafts) shipmentTypes(c echo.Context, v frame.Visit) []string {
	if !v.Account.HasShipments() {
		return nil
	}
	return s.Upstream.Types(frame.Context(c), v.Account)
}

// unlisted refuses a shipment type that the account's service does not list, if it accepts only listed ones.
func (s *drafts) unlisted(c echo.Context, v frame.Visit, content dispatch.Shipment) dispatch.Problems {
	if content.Type == "" || !v.Account.Generation().Row().TypesListed {
		return nil
	}
	return content.ValidateType(v.Account.Generation(), s.shipmentTypes(c, v))
}

// becameJob redirects from a sent draft to the job that it became, for its sender only: for others it is not found.
func (s *drafts) becameJob(c echo.Context, v frame.Visit, gone error) error {
	j, err := items.In(s.Store).ShipmentJobs.ByID(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case err != nil || j.State == dispatch.JobDraft:
		return gone
	}
	return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.job_already_sent", 0)
}

// listOf is the job that holds the list of the visitor's own draft; zero: there is none.
func (s *drafts) listOf(c echo.Context, v frame.Visit, id dispatch.ItemID) (dispatch.Job, error) {
	j, err := items.In(s.Store).ShipmentJobs.ByID(frame.Context(c), v.Account.ID, id, v.User.ID)
	if errors.Is(err, store.ErrNotFound) {
		return dispatch.Job{}, nil
	}
	return j, err
}

// toMany is the number of rows of a draft's list; 0: it goes to one.
func (s *drafts) toMany(c echo.Context, v frame.Visit, id dispatch.ItemID) (int, error) {
	j, err := s.listOf(c, v, id)
	return j.List.Read, err
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

// keepDivided keeps choices about a divided file that belongs to an earlier job: the form does not show them.
func keepDivided(was dispatch.DraftFields, f *dispatch.DraftFields) {
	for id, chosen := range was.Documents {
		if _, there := f.Documents[id]; !there {
			f.Documents[id] = chosen
		}
	}
}

// typedKey is the context key of a form that was refused because another tab had saved a newer version.
const typedKey = "typed"
