package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// CitizenPage is the report on the uses of a person's number, with its form.
type CitizenPage struct {
	views.Page
	Number, Purpose string // as typed
	Accounts        []string
	AllReports      bool           // earlier reports on several accounts are included whoever made them
	Report          *CitizenReport // nil: not asked for yet
}

// CitizenReport lists the uses of a person's number.
type CitizenReport struct {
	Shown        string // the masked number
	Organization bool   // it is an organization's
	Mistyped     bool   // its check digits do not fit
	Items        []CitizenItem
	More         bool
	Hidden       int // accounts that are left out, since the person is protected there and the user is not named
	Lookups      []LogLine
	Searches     []LogLine
	Views        []LogLine
}

// CitizenItem is an item that was sent to the person.
type CitizenItem struct {
	dispatch.Item
	Account dispatch.Account
	Title   string
}

// FieldAsFile asks for the report as a file.
const FieldAsFile = "som"

// itemPath is the address of an item, if the user may see it.
func (p CitizenPage) itemPath(it CitizenItem) string {
	if !p.User.May(dispatch.RightSeeItems, it.Account.ID) {
		return ""
	}
	return views.ItemPath(it.Account, it.Item)
}

// name is an item's name: the title of a shipment, or the word for an SMS.
func (it CitizenItem) name(ctx context.Context) string {
	switch {
	case it.Kind == dispatch.KindSMS:
		return i18n.T(ctx, "nav.sms")
	case it.Title == "":
		return i18n.T(ctx, "list.untitled")
	}
	return it.Title
}

// unsentKey is the catalogue key of why an item has no time of sending; empty: the service has accepted it.
func (it CitizenItem) unsentKey() string {
	switch {
	case !it.AcceptedAt.IsZero():
		return ""
	case it.State == dispatch.StateQueued || it.State == dispatch.StateSending:
		return "citizen.sent.not_yet"
	case it.State == dispatch.StateCancelled || it.State == dispatch.StateRejected || it.State == dispatch.StateFailed:
		return "citizen.sent.not"
	}
	return "citizen.sent.unconfirmed"
}

func (it CitizenItem) sentInFile(ctx context.Context) string {
	if key := it.unsentKey(); key != "" {
		return i18n.T(ctx, key)
	}
	return views.FileTime(it.AcceptedAt)
}

// accountName is the account that a line concerns. A report on several accounts belongs to none.
func (l LogLine) accountName(ctx context.Context) string {
	if l.Account.ID == "" {
		return i18n.T(ctx, "citizen.several")
	}
	return l.Account.Name
}

// CitizenTable is the report as a table for the file.
func CitizenTable(ctx context.Context, p CitizenPage) [][]string {
	rows := [][]string{{i18n.T(ctx, "audit.file.part"), i18n.T(ctx, "citizen.file.when"), i18n.T(ctx, "citizen.sent"), i18n.T(ctx, "app.account"), i18n.T(ctx, "audit.what"), i18n.T(ctx, "citizen.status"),
		i18n.T(ctx, "audit.who"), i18n.T(ctx, "audit.why"), i18n.T(ctx, "audit.object")}}
	if p.Report.Mistyped {
		rows = append(rows, []string{i18n.T(ctx, p.Report.mistypedKey())})
	}
	if p.Report.Hidden > 0 {
		rows = append(rows, []string{i18n.T(ctx, "citizen.hidden", "N", p.Report.Hidden)})
	}
	for _, it := range p.Report.Items {
		rows = append(rows, []string{i18n.T(ctx, p.Report.itemsKey()), views.FileTime(it.CreatedAt), it.sentInFile(ctx), it.Account.Name, it.name(ctx), views.LookOf(ctx, it.Item, p.Now).Word, it.Creator, "", string(it.ID)})
	}
	for _, part := range []struct {
		kind  string
		lines []LogLine
	}{{i18n.T(ctx, "citizen.lookups"), p.Report.Lookups}, {i18n.T(ctx, "citizen.searches"), p.Report.Searches}, {i18n.T(ctx, "citizen.views"), p.Report.Views}} {
		for _, l := range part.lines {
			rows = append(rows, []string{part.kind, views.FileTime(l.At), "", l.accountName(ctx), actionText(ctx, l.Action), "", l.Actor, l.why(ctx), l.Object})
		}
	}
	return rows
}

// mistypedKey is the catalogue key of the warning that check digits do not fit.
func (r *CitizenReport) mistypedKey() string {
	if r.Organization {
		return "citizen.mistyped.organization"
	}
	return "citizen.mistyped"
}

// itemsKey is the catalogue key of the list of items: an organization is no person.
func (r *CitizenReport) itemsKey() string {
	if r.Organization {
		return "citizen.items.organization"
	}
	return "citizen.items"
}

// sentTo is the heading of the list of items. It has their number if all are listed.
func (p CitizenPage) sentTo(ctx context.Context) string {
	title := i18n.T(ctx, p.Report.itemsKey())
	if p.Report.More {
		return title
	}
	return title + " (" + views.Number(len(p.Report.Items)) + ")"
}
