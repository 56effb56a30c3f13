package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// CitizenPage asks for a report on what has been done with a person's number, and shows it.
type CitizenPage struct {
	views.Page
	Number, Purpose string // as typed
	Accounts        []string
	Report          *CitizenReport // nil: nobody has asked yet
}

// CitizenReport is what has been done with a person's number.
type CitizenReport struct {
	Shown    string // the number, masked
	Items    []CitizenItem
	More     bool
	Lookups  []LogLine
	Searches []LogLine
	Views    []LogLine
}

// CitizenItem is something that was sent to the person.
type CitizenItem struct {
	dispatch.Item
	Account dispatch.Account
	Title   string
}

// FieldAsFile asks for the report as a file.
const FieldAsFile = "som"

// ItemPath leads to an item, where the user may see it.
func (p CitizenPage) itemPath(it CitizenItem) string {
	if !p.User.May(dispatch.RightSeeItems, it.Account.ID) {
		return ""
	}
	return views.ItemPath(it.Account, it.Item)
}

// name is what stands for an item: the title of a shipment, or that it is an SMS.
func (it CitizenItem) name(ctx context.Context) string {
	switch {
	case it.Kind == dispatch.KindSMS:
		return i18n.T(ctx, "nav.sms")
	case it.Title == "":
		return i18n.T(ctx, "list.untitled")
	}
	return it.Title
}

// CitizenTable is the report as rows of a file.
func CitizenTable(ctx context.Context, p CitizenPage) [][]string {
	rows := [][]string{{i18n.T(ctx, "audit.file.part"), i18n.T(ctx, "audit.when"), i18n.T(ctx, "app.account"), i18n.T(ctx, "audit.what"), i18n.T(ctx, "citizen.status"),
		i18n.T(ctx, "audit.who"), i18n.T(ctx, "audit.why"), i18n.T(ctx, "audit.object")}}
	for _, it := range p.Report.Items {
		rows = append(rows, []string{i18n.T(ctx, "citizen.items"), views.FileTime(it.CreatedAt), it.Account.Name, it.name(ctx), views.LookOf(ctx, it.Item, p.Now).Word, it.Creator, "", string(it.ID)})
	}
	for _, part := range []struct {
		kind  string
		lines []LogLine
	}{{i18n.T(ctx, "citizen.lookups"), p.Report.Lookups}, {i18n.T(ctx, "citizen.searches"), p.Report.Searches}, {i18n.T(ctx, "citizen.views"), p.Report.Views}} {
		for _, l := range part.lines {
			rows = append(rows, []string{part.kind, views.FileTime(l.At), l.Account.Name, actionText(ctx, l.Action), "", l.Actor, l.why(), l.Object})
		}
	}
	return rows
}
