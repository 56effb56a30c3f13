package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/table"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// Ask shows the form of a report on the uses of a person's number.
func (s *Citizen) Ask(c echo.Context, v frame.Visit) error {
	return frame.Show(c, http.StatusOK, admin.Citizen(s.citizenPage(c, v)))
}

func (s *Citizen) citizenPage(c echo.Context, v frame.Visit) admin.CitizenPage {
	p := admin.CitizenPage{Page: s.Page(c, v, "citizen.title"), Number: c.FormValue(dispatch.FieldSearch), Purpose: c.FormValue(dispatch.FieldPurpose)}
	p.Section, p.AllReports = views.SectionCitizen, v.User.Audits().All
	return p
}

// Report answers the form with the report, as a page or a file: the number is never in an address.
func (s *Citizen) Report(c echo.Context, v frame.Visit) error {
	p := s.citizenPage(c, v)
	wanted, problem := dispatch.ParseReportNumber(p.Number)
	if problem != nil {
		p.Problems = append(p.Problems, *problem)
	}
	purpose, problem := dispatch.ParsePurpose(frame.TypedReason(c, dispatch.FieldPurpose))
	if problem != nil {
		p.Problems = append(p.Problems, *problem)
	}
	if len(p.Problems) > 0 {
		return frame.Show(c, http.StatusUnprocessableEntity, admin.Citizen(p))
	}
	accounts, err := s.system.auditedAccounts(c, v)
	if err != nil {
		return err
	}
	var ids []dispatch.AccountID
	for _, a := range accounts {
		ids = append(ids, a.ID)
		p.Accounts = append(p.Accounts, a.Name)
	}
	format := "html"
	if c.FormValue(admin.FieldAsFile) != "" {
		format = "csv"
	}
	a := store.Audit{Actor: v.User.ID, Account: v.User.Audits().Own(), Action: "citizen.report", Details: map[string]any{"purpose": purpose, "format": format}, Origin: frame.Origin(c)}
	found, refused, err := items.In(s.Store).Citizens.Report(frame.Context(c), ids, v.User.Audits().All, wanted, a)
	if err != nil {
		return err
	}
	if refused != nil {
		p.Problems = append(p.Problems, *refused)
		return frame.Show(c, http.StatusTooManyRequests, admin.Citizen(p))
	}
	p.Report = citizenReport(found)
	p.Report.Shown, p.Report.Organization, p.Report.Mistyped, p.Purpose = wanted.Masked(), wanted.Number != "", wanted.Mistyped(), purpose
	if format == "csv" {
		return s.citizenCSV(c, p)
	}
	return frame.Show(c, http.StatusOK, admin.Citizen(p))
}

func citizenReport(found items.CitizenReport) *admin.CitizenReport {
	r := &admin.CitizenReport{More: found.More, Hidden: found.Hidden}
	for _, it := range found.Items {
		row := admin.CitizenItem{Account: dispatch.Account{ID: it.Account, Name: it.AccountName, Slug: it.AccountSlug}, Title: it.Title}
		row.Item = dispatch.Item{ID: it.ID, AccountID: it.Account, Kind: it.Kind, State: it.State, Status: it.Status, CreatedAt: it.CreatedAt, Creator: it.Creator}
		if it.AcceptedAt != nil {
			row.AcceptedAt = *it.AcceptedAt
		}
		if it.StatusAt != nil {
			row.StatusAt = *it.StatusAt
		}
		r.Items = append(r.Items, row)
	}
	for _, l := range found.Lookups {
		r.Lookups = append(r.Lookups, logLine(l))
	}
	for _, l := range found.Searches {
		r.Searches = append(r.Searches, logLine(l))
	}
	for _, l := range found.Views {
		r.Views = append(r.Views, logLine(l))
	}
	return r
}

// citizenCSV sends the report as a file.
func (s *Citizen) citizenCSV(c echo.Context, p admin.CitizenPage) error {
	frame.Attach(c, frame.KindCSV, "innsyn.csv")
	out, err := table.NewCSV(c.Response())
	if err != nil {
		return err
	}
	for _, row := range admin.CitizenTable(frame.Context(c), p) {
		if err := out.Row(row...); err != nil {
			return err
		}
	}
	return out.Close()
}
