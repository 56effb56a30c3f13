package compose

import (
	"errors"
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

// listDraft is the visitor's own draft of a shipment with the job that holds its list.
type listDraft struct {
	dispatch.Draft
	form dispatch.DraftFields
	job  dispatch.Job // zero: there is no list yet
}

func (s *shipmentJobDrafts) listDraft(c echo.Context, v frame.Visit) (l listDraft, err error) {
	return s.listDraftOf(c, v, dispatch.ItemID(c.Param("id")), v.User.ID)
}

// listDraftOf is listDraft for any user's draft.
func (s *shipmentJobDrafts) listDraftOf(c echo.Context, v frame.Visit, id dispatch.ItemID, user dispatch.UserID) (l listDraft, err error) {
	if l.Draft, err = items.In(s.Store).Drafts.ByID(frame.Context(c), v.Account.ID, id, user); err != nil {
		return l, err
	}
	l.form = l.Fields
	l.job, err = items.In(s.Store).ShipmentJobs.ByID(frame.Context(c), v.Account.ID, l.Item.ID, user)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return l, err
}

// revision changes whenever the draft or its list changes.
func (l listDraft) revision() string { return strconv.Itoa(l.Version) + "." + l.job.Revision }

// ownFiles tells whether each row has a file of its own.
func (l listDraft) ownFiles() bool { return l.job.Division.By == dispatch.DivideByFiles }

func filesPath(v frame.Visit, l listDraft) string {
	return frame.DraftPath(v, l.Item.ID, "flere", "filer")
}

func (l listDraft) dividedName(otherwise string) string {
	for _, d := range l.Documents {
		if d.ID == l.job.Division.Document {
			return d.FileName
		}
	}
	return otherwise
}

// fillPlace fills in the place of a row's postal code. was is the row's previous address.
func (s *shipmentJobDrafts) fillPlace(r dispatch.JobRow, was dispatch.PostalAddress) dispatch.JobRow {
	r.Shipment.Postal.City = dispatch.PlaceOf(r.Shipment.Postal, was, s.places())
	return r
}

// fileMatcher matches files with the rows that name them.
func (s *shipmentJobDrafts) fileMatcher(c echo.Context, v frame.Visit, l listDraft) (*dispatch.FileMatcher, error) {
	m := dispatch.NewFileMatcher(slices.Index(l.job.Columns, l.job.Division.Column))
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll) {
		if err != nil {
			return nil, err
		}
		m.Add(r)
	}
	return m, nil
}

// matchFiles gives each file to its row after a change of the list or the files, and returns the updated draft.
func (s *shipmentJobDrafts) matchFiles(c echo.Context, v frame.Visit, l listDraft) (listDraft, error) {
	if !l.ownFiles() || l.job.ChecksVersion != "" || l.job.AwaitsApproval {
		return l, nil
	}
	m, err := s.fileMatcher(c, v, l)
	if err != nil {
		return l, err
	}
	files, err := items.In(s.Store).OwnFiles.List(frame.Context(c), v.Account.ID, l.job.ID)
	if err != nil {
		return l, err
	}
	places, changed := map[dispatch.DocumentID]int{}, false
	for _, f := range files {
		place := m.Place(f.Key)
		if changed = changed || place != f.Slice; place > 0 {
			places[f.ID] = place
		}
	}
	if !changed && len(places) == l.job.Division.Slices {
		return l, nil
	}
	if err := items.In(s.Store).OwnFiles.Assign(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), l.job.Revision, places); err != nil {
		return l, err
	}
	return s.listDraft(c, v)
}

func (s *shipmentJobDrafts) showShipments(c echo.Context, v frame.Visit, l listDraft, f compose.SplitForm, r received, ps dispatch.Problems) error {
	p := compose.ShipmentJobPage{Page: s.Page(c, v, "shipments.title"), ID: l.Item.ID, Job: l.job, Documents: l.Documents, Form: f, Pasted: r.pasted, Titled: views.Filled(l.form.OwnTitle())}
	p.Section, p.Narrow, p.Problems = views.SectionNewShipment, true, ps
	if l.job.List.Read > 0 {
		var err error
		if p.Unreached, err = unreached(c, s.Frame, v, &p.Job); err != nil {
			return err
		}
		if p.Contacts, err = s.contacts.contactForecast(c, v, l.job); err != nil {
			return err
		}
	}
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentJob(p))
}

// unseenSlices counts the slices that the user must still look at, with the address of the first on the review.
func (s *shipmentJobDrafts) unseenSlices(c echo.Context, v frame.Visit, l listDraft) (int, string, error) {
	at := frame.DraftPath(v, l.Item.ID, "flere", "kontroll")
	n, first, err := items.In(s.Store).Slices.Unseen(frame.Context(c), v.Account.ID, l.job.ID)
	if n == 0 {
		return n, at, err
	}
	return n, at + "?etter=" + strconv.Itoa(first-1) + "#rad-" + strconv.Itoa(first), err
}

// splitForm is how recipients get the files. Before that is chosen, it is guessed from the list's headings.
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
