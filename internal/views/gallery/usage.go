package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// usageExhibits are the usage of the accounts.
func usageExhibits() []exhibit {
	page := func(rows func() []admin.UsageLine) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.UsagePage{Page: f.onSetup(views.SectionAccounts, f.text("usage.title")), Rows: rows()}
			return admin.Usage(p)
		}
	}
	with := func(method dispatch.AuthMethod, until time.Time) func(*admin.IntegrationLine) {
		return func(l *admin.IntegrationLine) {
			l.Sets = []dispatch.CredentialSet{{ID: "1", State: dispatch.CredentialActive, Method: method, ExpiresAt: until}}
		}
	}
	return []exhibit{
		{path: "usage/none", says: "no account yet", show: page(func() []admin.UsageLine { return nil })},
		{path: "usage/some", says: "accounts with everything and nothing turned on", show: page(func() []admin.UsageLine {
			every := admin.UsageLine{AccountLine: accountLine(0, with(dispatch.AuthKey, galleryNow.AddDate(1, 0, 0)), with(dispatch.AuthBasic, time.Time{})),
				LastSMS: admin.UsedLast{At: ago(24 * time.Hour)}, LastShipment: admin.UsedLast{At: ago(300 * time.Hour), Over: "Fiks SvarUt (gammel)"}}
			every.Approval = dispatch.ApprovalRule{Recipients: 1, Templates: true}
			every.Daytime, every.SMSLimit, every.Budget = dispatch.Daytime{From: 480, To: 960}, 500, dispatch.Budget{Limit: 100}
			every.Prices.SMS, every.WatchWords, every.UnreadAfter = dispatch.PriceOf(45), "rus", time.Hour
			every.References.Pattern, every.Archive.CaseStatus = "{år}", "J"
			rules := dispatch.DefaultPrintRules()
			every.PrintRules = &rules
			rows := []admin.UsageLine{every, {AccountLine: accountLine(1, bare, nil)}}
			rows[1].LastSMS.Whole = true
			rows[1].Account = dispatch.Account{Name: "Kultur", Slug: "kultur"}
			for i, m := range []dispatch.AuthMethod{dispatch.AuthBasic, dispatch.AuthClientSecret, dispatch.AuthKey, dispatch.AuthToken} {
				rows = append(rows, admin.UsageLine{AccountLine: accountLine(i%2, with(m, time.Time{}), nil)})
			}
			return rows
		})},
	}
}
