package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// today is what the recipient of a draft was sent earlier the same day, as far as the visitor may see it: the words of the
// visitor's own items, time and sender of others'.
func (s *review) today(c echo.Context, v frame.Visit, wanted dispatch.Search, draft dispatch.ItemID) (t compose.Today, err error) {
	list, refused, err := items.In(s.Store).Today.ToNumber(frame.Context(c), v.Account.ID, wanted, draft, frame.Actor(c, v.User))
	if t.Unknown = refused != nil; err != nil || t.Unknown {
		return t, err
	}
	for _, it := range list {
		sent := compose.SentToday{Kind: it.Kind, At: it.At, Waits: it.Waits, Doubt: it.Doubt}
		if v.User.May(dispatch.RightSeeItems, v.Account.ID) {
			sent.By = it.Creator
		}
		if sent.Own = it.CreatedBy == v.User.ID; sent.Own {
			sent.What, sent.Path = it.Title, views.AccountPath(v.Account, "forsendelser", string(it.ID))
			if it.Kind == dispatch.KindSMS {
				sent.Path = views.AccountPath(v.Account, "sms", string(it.ID))
				if sent.What, err = s.wordsOf(c, v, it.ID); err != nil {
					return t, err
				}
			}
		}
		t.Sent = append(t.Sent, sent)
	}
	return t, nil
}

// smsToday is today of an SMS.
func (s *review) smsToday(c echo.Context, v frame.Visit, it dispatch.SMSItem) (compose.Today, error) {
	return s.today(c, v, dispatch.Search{NationalID: it.Recipient.NationalID, Phone: it.Recipient.Phone}, it.ID)
}

// shipmentToday is today of a shipment.
func (s *review) shipmentToday(c echo.Context, v frame.Visit, draft dispatch.ItemID, content dispatch.Shipment) (compose.Today, error) {
	to := content.Recipient.Digital
	return s.today(c, v, dispatch.Search{NationalID: to.NationalID, Number: to.OrganizationNumber}, draft)
}

// wordsOf are the first words of the visitor's own SMS; empty if its content is hidden.
func (s *review) wordsOf(c echo.Context, v frame.Visit, id dispatch.ItemID) (string, error) {
	it, err := items.In(s.Store).SMS.ByID(frame.Context(c), v.Account.ID, id)
	if err != nil || it.HideInReport || it.Purged() {
		return "", err
	}
	return views.Excerpt(it.Text, 40), nil
}

// listToday counts recipients of a list who were sent something earlier the same day, as far as the visitor may know.
func (s *review) listToday(c echo.Context, v frame.Visit, j dispatch.Job) (t compose.ListToday, err error) {
	found, err := items.In(s.Store).Today.ToList(frame.Context(c), j, v.User.ID)
	if err != nil {
		return t, err
	}
	t.All, t.N, t.Sent, t.Doubt, t.Later, t.Own, t.Items, t.OwnOnly = j.List.Recipients(j.Mode), found.N, found.Sent, found.Doubt, found.Later, found.Own, found.Items, found.OwnOnly
	for _, r := range found.Rows {
		row := compose.TodayRow{Row: r.Row.Position, To: r.Row.Recipient.Masked(), Kind: r.Sent.Kind, At: r.Sent.At, Waits: r.Sent.Waits, Doubt: r.Sent.Doubt, Path: views.AccountPath(v.Account, "forsendelser", string(r.Sent.ID))}
		if r.Sent.Kind == dispatch.KindSMS {
			row.Path = views.AccountPath(v.Account, "sms", string(r.Sent.ID))
		}
		if r.Row.Shipment != nil {
			row.To = r.Row.Shipment.Postal.Name
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
