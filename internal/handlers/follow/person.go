package follow

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/lists"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// personOf returns the masked recipient of the item or search named by the address, and the page to return to. ErrNotFound without
// a number.
type personOf func(echo.Context, frame.Visit) (masked, back string, err error)

// OfSMS is the recipient of an SMS.
func (s *Person) OfSMS(c echo.Context, v frame.Visit) (masked, back string, err error) {
	it, err := s.SMS(c, v)
	if err == nil && (it.State == dispatch.StateDraft || it.Recipient == (dispatch.SMSRecipient{})) {
		err = store.ErrNotFound
	}
	return it.Recipient.Masked(), views.AccountPath(v.Account, "sms", string(it.ID)), err
}

// OfShipment is the recipient of a shipment.
func (s *Person) OfShipment(c echo.Context, v frame.Visit) (masked, back string, err error) {
	it, err := s.Shipment(c, v)
	if err == nil && it.Recipient.Digital.Empty() {
		err = store.ErrNotFound
	}
	masked = it.Recipient.Digital.OrganizationNumber.Grouped()
	if id := it.Recipient.Digital.NationalID; id != "" {
		masked = id.Masked()
	}
	return masked, views.AccountPath(v.Account, "forsendelser", string(it.ID)), err
}

// OfSearch is the recipient whose number the user searched for.
func (s *Person) OfSearch(c echo.Context, v frame.Visit) (masked, back string, err error) {
	found, err := lists.In(s.Store).Searches.ByID(frame.Context(c), v.Account.ID, v.User.ID, c.Param("sok"))
	if err == nil && !found.Person {
		err = store.ErrNotFound
	}
	return found.Shown, views.AccountPath(v.Account, "sok", c.Param("sok")), err
}

// Ask asks for the purpose of viewing everything sent to one recipient.
func (s *Person) Ask(of personOf) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error { return s.askPerson(c, v, of, http.StatusOK, nil) }
}

func (s *Person) askPerson(c echo.Context, v frame.Visit, of personOf, status int, ps dispatch.Problems) error {
	masked, back, err := of(c, v)
	if err != nil {
		return err
	}
	p := follow.AskPersonPage{Page: s.Page(c, v, "person.title"), Number: masked, Back: back, Action: c.Request().URL.Path, Purpose: c.FormValue(dispatch.FieldPurpose)}
	p.Section, p.Narrow, p.Problems = views.SectionItems, true, ps
	return frame.Show(c, status, follow.AskPerson(p))
}

// Begin logs the view with its purpose, and redirects to it.
func (s *Person) Begin(of personOf) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		masked, _, err := of(c, v)
		if err != nil {
			return err
		}
		purpose, problem := dispatch.ParsePurpose(frame.TypedReason(c, dispatch.FieldPurpose))
		if problem != nil {
			return s.askPerson(c, v, of, http.StatusUnprocessableEntity, dispatch.Problems{*problem})
		}
		by := frame.Actor(c, v.User)
		if mayGoOn(v) {
			by.Reason = purpose
		}
		var id string
		if search := c.Param("sok"); search != "" {
			id, problem, err = lists.In(s.Store).Searches.SavePersonFound(frame.Context(c), v.Account.ID, search, purpose, by)
		} else {
			id, problem, err = lists.In(s.Store).Searches.SavePerson(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), masked, purpose, by)
		}
		switch {
		case err != nil:
			return err
		case problem != nil:
			problem.Field = dispatch.FieldPurpose
			return s.askPerson(c, v, of, http.StatusTooManyRequests, dispatch.Problems{*problem})
		}
		return frame.SeeOther(c, views.AccountPath(v.Account, "mottaker", id))
	}
}

// Show shows everything sent to one recipient, to the user who stated the purpose.
func (s *Person) Show(c echo.Context, v frame.Visit) error {
	search, err := lists.In(s.Store).Searches.ByID(frame.Context(c), v.Account.ID, v.User.ID, c.Param("sok"))
	if err == nil && search.Purpose == "" {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := follow.PersonPage{Page: s.Page(c, v, "person.title"), Number: search.Shown, Purpose: search.Purpose}
	p.Section = views.SectionItems
	rows, older, newer, err := lists.In(s.Store).Items.List(frame.Context(c), v.Account.ID, lists.ListQuery{Viewer: v.User.ID, Search: &search, Page: window(c)})
	if err != nil {
		return err
	}
	sums, err := lists.In(s.Store).Searches.Person(frame.Context(c), v.Account.ID, v.User.ID, search)
	if err != nil {
		return err
	}
	for _, sum := range sums {
		p.Sums = append(p.Sums, follow.PersonSum(sum))
	}
	p.Items = rows
	base := views.AccountPath(v.Account, "mottaker", c.Param("sok"))
	if n := len(rows); n > 0 && newer {
		p.Newer = base + "?nyere=" + cursorText(placeOf(rows[0]))
	}
	if n := len(rows); n > 0 && older {
		p.Older = base + "?eldre=" + cursorText(placeOf(rows[n-1]))
	}
	return frame.Show(c, http.StatusOK, follow.ToPerson(p))
}
