package follow

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// FieldArchiveDay is the day of a package.
const FieldArchiveDay = "dag"

// PackItem sends the archive package of one item: the user's own, or a colleague's with a reason.
func (s *Archive) PackItem(at frame.ItemPages, find func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := find(c, v)
		if err == nil && it.State == dispatch.StateDraft {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		return s.WithReason(c, v, at.ContentOf(v, it), func(reason string) error {
			return s.pack(c, v, string(it.ID), "", reason, func(one func(dispatch.Item) error) error { return one(it) })
		})
	}
}

// Show shows the form of a day's package.
func (s *Archive) Show(c echo.Context, v frame.Visit) error {
	return s.showArchive(c, v, http.StatusOK, nil)
}

func (s *Archive) showArchive(c echo.Context, v frame.Visit, status int, ps dispatch.Problems) error {
	p := follow.ArchivePage{Page: s.Page(c, v, "archive.title"), Day: c.FormValue(FieldArchiveDay), Reason: c.FormValue(dispatch.FieldReason),
		Others: v.User.May(dispatch.RightOpenOthers, v.Account.ID)}
	p.Section, p.Narrow, p.Problems = views.SectionItems, true, ps
	return frame.Show(c, status, follow.Archive(p))
}

// PackDay sends the archive package of a day: the user's own items, and with a reason those of colleagues whose content the user
// may open.
func (s *Archive) PackDay(c echo.Context, v frame.Visit) error {
	day, ok := dispatch.ParseDay(c.FormValue(FieldArchiveDay))
	if !ok {
		return s.showArchive(c, v, http.StatusUnprocessableEntity, dispatch.Problems{*dispatch.DayProblem(FieldArchiveDay, c.FormValue(FieldArchiveDay))})
	}
	reason := ""
	if typed := frame.TypedReason(c, dispatch.FieldReason); typed != "" {
		var problem *dispatch.Problem
		if reason, problem = dispatch.ParseReason(typed); problem != nil {
			return s.showArchive(c, v, http.StatusUnprocessableEntity, dispatch.Problems{*problem})
		}
	}
	name := day.Format(time.DateOnly)
	return s.pack(c, v, name, name, reason, func(one func(dispatch.Item) error) error { return s.sentOn(c, v, day, one) })
}

// sentOn calls one for each item of a day, page by page.
func (s *Archive) sentOn(c echo.Context, v frame.Visit, day time.Time, one func(dispatch.Item) error) error {
	q := lists.ListQuery{Viewer: v.User.ID, Filter: dispatch.ListFilter{From: day, To: day.AddDate(0, 0, 1), Outcome: dispatch.OutcomeSent}, Page: store.Page{Limit: frame.PageSize}}
	for {
		rows, older, _, err := lists.In(s.Store).Items.List(frame.Context(c), v.Account.ID, q)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := one(r.Item); err != nil {
				return err
			}
		}
		if !older || len(rows) == 0 {
			return nil
		}
		q.Page.Before = placeOf(rows[len(rows)-1])
	}
}

// pack streams a package. An error aborts it: without its manifest, a package is recognised as incomplete.
func (s *Archive) pack(c echo.Context, v frame.Visit, name, day, reason string, each func(func(dispatch.Item) error) error) error {
	frame.LongDownload(c)
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "application/zip")
	h.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": "utsending-" + name + ".zip"}))
	c.Response().WriteHeader(http.StatusOK)
	p := &packer{zip: zip.NewWriter(c.Response()), at: s.Now(), manifest: manifest{Format: packageFormat, Account: v.Account.Name, MadeAt: s.Now(), MadeBy: v.User.Name, Day: day, Items: []packedItem{}}}
	err := each(func(it dispatch.Item) error { return s.packItem(c, v, p, it, reason) })
	if err == nil {
		err = p.close()
	}
	if err != nil {
		s.BreakOff(c, err)
	}
	return nil
}

// packItem writes an item that the user may open. Others are left out, including those of protected people hidden from the user.
func (s *Archive) packItem(c echo.Context, v frame.Visit, p *packer, it dispatch.Item, reason string) error {
	ctx := frame.Context(c)
	reach, err := s.Reach(c, v, it.CreatedBy)
	if err != nil || reach == dispatch.ReachNone || reach == dispatch.ReachReason && reason == "" {
		return err
	}
	sight, err := items.In(s.Store).Protected.SightOf(ctx, v.Account.ID, it.ID, v.User.ID)
	if err != nil || sight.Hidden {
		return err
	}
	if sight.Protected {
		if err := items.In(s.Store).Protected.NoteLook(ctx, v.Account.ID, it.ID, frame.Actor(c, v.User)); err != nil {
			return err
		}
	}
	if err := items.In(s.Store).Archives.NotePackage(ctx, v.Account.ID, it, frame.Because(c, v.User, reason)); err != nil {
		return err
	}
	if it.Kind == dispatch.KindShipment {
		return s.packShipment(c, v, p, it.ID)
	}
	return s.packSMS(c, v, p, it.ID)
}

// packedMetadata is metadata.json of an item.
type packedMetadata struct {
	ID         dispatch.ItemID          `json:"id"`
	Kind       dispatch.Kind            `json:"kind"`
	UpstreamID string                   `json:"service_id,omitempty"`
	Status     string                   `json:"status"`
	CreatedAt  time.Time                `json:"created_at"`
	CreatedBy  string                   `json:"created_by"`
	Title      string                   `json:"title,omitempty"`
	Recipient  string                   `json:"recipient"` // numbers are masked
	Address    string                   `json:"address,omitempty"`
	Reference  string                   `json:"external_reference,omitempty"`
	Archived   *dispatch.Archived       `json:"archived,omitempty"`
	Case       *dispatch.CaseMetadata   `json:"noark_from_sending_system,omitempty"`
	Import     *dispatch.ImportMetadata `json:"noark_for_import,omitempty"`
}

// packedFacts returns the metadata that all items have, and the item's events.
func (s *Archive) packedFacts(ctx context.Context, it dispatch.Item) (packedMetadata, []dispatch.Event, error) {
	m := packedMetadata{ID: it.ID, Kind: it.Kind, UpstreamID: it.UpstreamID, CreatedAt: it.CreatedAt, CreatedBy: it.Creator, Status: views.LookOf(ctx, it, s.Now()).Word}
	a, err := items.In(s.Store).Archives.Archived(ctx, it.AccountID, it.ID)
	if a.Case != "" {
		m.Archived = &a
	}
	if err != nil {
		return m, nil, err
	}
	events, err := s.Store.Events(ctx, it.AccountID, it.ID)
	return m, events, err
}

func (s *Archive) packShipment(c echo.Context, v frame.Visit, p *packer, id dispatch.ItemID) error {
	ctx := frame.Context(c)
	it, err := items.In(s.Store).Shipments.ByID(ctx, v.Account.ID, id)
	if err != nil {
		return err
	}
	m, events, err := s.packedFacts(ctx, it.Item)
	if err != nil {
		return err
	}
	m.Title, m.Recipient, m.Address = it.Title, it.Recipient.Postal.Name, follow.AddressLine(it.Recipient.Postal)
	m.Reference, m.Case, m.Import = it.ExternalReference, it.Case, it.Import
	packed := packedItem{ID: id, Kind: it.Kind, Folder: folderOf(it.Item)}
	if it.Purged {
		packed.LeftOut = follow.LeftPurged(ctx)
	} else {
		for n, d := range it.Documents {
			content := s.Store.Content(ctx, v.Account.ID, d)
			err := p.addDocument(fmt.Sprintf("%sdokumenter/%02d-%s", packed.Folder, n+1, d.FileName), d, content)
			if err = errors.Join(err, content.Close()); err != nil {
				return err
			}
		}
	}
	page := follow.ShipmentPage{Page: views.Page{Account: v.Account, User: v.User, Now: s.Now()}, Item: it, Around: follow.Around{Events: events, Reach: dispatch.ReachOpen}, Bokmal: s.Languages.In("nb")}
	return p.addRecord(packed, m, follow.RecordOfShipment(ctx, page))
}

func (s *Archive) packSMS(c echo.Context, v frame.Visit, p *packer, id dispatch.ItemID) error {
	ctx := frame.Context(c)
	it, err := items.In(s.Store).SMS.ByID(ctx, v.Account.ID, id)
	if err != nil {
		return err
	}
	m, events, err := s.packedFacts(ctx, it.Item)
	if err != nil {
		return err
	}
	m.Recipient = it.Recipient.Masked()
	packed := packedItem{ID: id, Kind: it.Kind, Folder: folderOf(it.Item)}
	switch {
	case it.Purged():
		packed.LeftOut = follow.LeftPurged(ctx)
	case it.HideInReport:
		packed.LeftOut = follow.LeftHidden(ctx)
	default:
		if err := p.addText(packed.Folder+"melding.txt", it.Text+"\n"); err != nil {
			return err
		}
	}
	page := follow.SMSPage{Page: views.Page{Account: v.Account, User: v.User, Now: s.Now()}, Item: it, Around: follow.Around{Events: events, Reach: dispatch.ReachOpen}}
	return p.addRecord(packed, m, follow.RecordOfSMS(ctx, page))
}

// addRecord writes an item's files other than its content.
func (p *packer) addRecord(packed packedItem, m packedMetadata, r follow.Record) error {
	if err := p.addJSON(packed.Folder+"metadata.json", m); err != nil {
		return err
	}
	if err := p.addJSON(packed.Folder+"forlop.json", r.Lines); err != nil {
		return err
	}
	if err := p.addText(packed.Folder+"dokumentasjon.txt", r.Text); err != nil {
		return err
	}
	p.manifest.Items = append(p.manifest.Items, packed)
	return nil
}
