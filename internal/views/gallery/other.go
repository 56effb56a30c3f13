package gallery

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
	"utsending/internal/views/site"
)

// deliveryExhibits are the administrator's page.
func deliveryExhibits() []exhibit {
	delivery := func(change func(*admin.DeliveryPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.DeliveryPage{Page: f.page(administrator(), f.text("delivery.title")), Integrations: []admin.IntegrationRow{integration(1, func(*admin.IntegrationRow) {})}}
			p.Section, p.Reviewed.At = views.SectionDelivery, galleryNow.AddDate(0, -1, 0)
			change(&p)
			return admin.Delivery(p)
		}
	}
	restored := func(p *admin.DeliveryPage) {
		p.Paused, p.Restored = true, []admin.RestoredAccount{{Account: sampleAccount(0), N: 12}, {Account: sampleAccount(0), Planned: true, N: 3}, {Account: sampleAccount(1), N: 1}}
	}
	return []exhibit{
		{path: "delivery/running", says: "all is well", show: delivery(func(*admin.DeliveryPage) {})},
		{path: "delivery/off", says: "this process does not deliver", show: delivery(func(p *admin.DeliveryPage) { p.Off = true })},
		{path: "delivery/paused", says: "paused by a person", show: delivery(func(p *admin.DeliveryPage) { p.Paused, p.PausedBy = true, "Nora Dahl" })},
		{path: "delivery/restored", says: "paused by the program after a restore, with accounts to decide for", show: delivery(restored)},
		{path: "delivery/undecided", says: "saved without a choice", show: delivery(func(p *admin.DeliveryPage) {
			restored(p)
			p.Problems = dispatch.Problems{{Field: "valg-helse", Key: "problem.decision.empty"}}
		})},
		{path: "delivery/duties", says: "access must be reviewed, and a generation in use ends soon", show: delivery(func(p *admin.DeliveryPage) {
			p.Reviewed.At, p.Accounts = time.Time{}, []dispatch.Account{accountOverV1()}
		})},
		{path: "delivery/empty", says: "no integration yet", show: delivery(func(p *admin.DeliveryPage) { p.Integrations = nil })},
		{path: "delivery/integrations", says: "integrations in every state", show: delivery(func(p *admin.DeliveryPage) {
			p.Integrations = integrations()
			p.Asked = []dispatch.IntegrationID{p.Integrations[5].ID}
		})},
	}
}

func integration(n int, change func(*admin.IntegrationRow)) admin.IntegrationRow {
	r := admin.IntegrationRow{Environment: "test", Integration: dispatch.Integration{
		ID: dispatch.IntegrationID(sampleID(200 + n)), Name: "SMS-tjenesten " + strconv.Itoa(n), Kind: dispatch.IntegrationSMS, LastSuccessAt: ago(time.Minute),
	}, Sets: []dispatch.CredentialSet{{ID: "1", State: dispatch.CredentialActive, WorkedAt: ago(time.Minute)}}}
	change(&r)
	return r
}

func integrations() []admin.IntegrationRow {
	refused := func(r *admin.IntegrationRow) {
		r.RefusedAt, r.Refusal, r.NextProbeAt, r.Due, r.Overdue = ago(3*time.Hour), because("reason.unauthorized"), galleryNow.Add(4*time.Minute), 1071, 3
	}
	return []admin.IntegrationRow{
		integration(1, func(*admin.IntegrationRow) {}),
		integration(2, func(r *admin.IntegrationRow) {
			r.Environment, r.LastSuccessAt, r.Sets[0].WorkedAt, r.Kind = "unknown", time.Time{}, time.Time{}, dispatch.IntegrationShipmentV1
		}),
		integration(3, refused),
		integration(4, func(r *admin.IntegrationRow) {
			r.Environment, r.Kind = "production", dispatch.IntegrationShipmentV2
			r.Refusals = []admin.Refusal{
				{Account: sampleAccount(0), Reason: because("reason.forbidden")},
				{Account: sampleAccount(1), Reason: dispatch.Reason{Key: "reason.forbidden", At: ago(time.Hour)}},
			}
		}),
		integration(5, func(r *admin.IntegrationRow) { r.StoppedAt, r.StoppedBy = ago(25*time.Hour), "Nora Dahl" }),
		integration(6, func(r *admin.IntegrationRow) { refused(r); r.StoppedAt, r.Uncertain = ago(time.Minute), 3 }),
		integration(7, func(r *admin.IntegrationRow) { r.Sets = allSets()[1:] }),
	}
}

// errorExhibits are the pages of all errors, as handlers render them.
func errorExhibits() []exhibit {
	failure := func(who dispatch.User, account bool, title, why string, change func(frame, *views.ErrorPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := views.ErrorPage{Page: f.page(who, f.text(title)), Why: f.text(why), ErrorID: sampleID(9), Action: "/", Label: f.text("app.to_front")}
			if account {
				p.Account = sampleAccount(0)
			}
			p.Narrow = true
			change(f, &p)
			return views.Failure(p)
		}
	}
	as := func(frame, *views.ErrorPage) {}
	again := func(f frame, p *views.ErrorPage) { p.Action, p.Label = "/logg-inn", f.text("login.again") }
	signIn := func(f frame, p *views.ErrorPage) {
		p.Action, p.Label, p.ErrorID = "/logg-inn", f.text("app.sign_in"), ""
	}
	inNewTab := func(label string) func(frame, *views.ErrorPage) {
		return func(f frame, p *views.ErrorPage) { p.Action, p.Label, p.NewTab = "/logg-inn", f.text(label), true }
	}
	outside := func(f frame, p *views.ErrorPage) {
		p.Action, p.Label, p.ErrorID, p.SignsOut = "", "", "", true
		p.Why = f.text("accounts.none.who", "Name", "Tor Haugen") + " " + p.Why
		p.Ask = f.text("accounts.none.ask", "Contact", "it-hjelp@fjordvik.example")
	}
	stranger := dispatch.User{ID: "tor", Name: "Tor Haugen"}
	var exhibits []exhibit
	for _, status := range []string{"400", "403", "404", "405", "408", "409", "413", "422", "429", "500", "503"} {
		exhibits = append(exhibits, exhibit{path: "error/" + status, says: "within an account",
			show: failure(caseworker(), true, "error."+status+".title", "error."+status+".why", as)})
	}
	for _, pile := range []dispatch.Pile{dispatch.PileSMS, dispatch.PileShipments, dispatch.PileLists, dispatch.PileTemplate, dispatch.PileVersions, dispatch.PileExports} {
		exhibits = append(exhibits, exhibit{path: "error/full-" + string(pile), says: "no room for one more of what people leave lying", show: failure(caseworker(), true, "full.title", "error.422.why", func(f frame, p *views.ErrorPage) {
			p.Why, p.ErrorID = f.text("full."+string(pile), "Most", pile.Most()), ""
		})})
	}
	return append(exhibits,
		exhibit{path: "error/other-site", says: "a form that another site has sent", show: failure(caseworker(), true, "error.other_site.title", "error.other_site.why", as)},
		exhibit{path: "error/unreadable", says: "a form with characters that nobody types", show: failure(caseworker(), true, "error.unreadable.title", "error.unreadable.why", as)},
		exhibit{path: "error/long-line", says: "a form whose field of one line is far too long", show: failure(caseworker(), true, "error.long_line.title", "error.long_line.why", as)},
		exhibit{path: "error/stale", says: "a draft that was changed in another tab", show: failure(caseworker(), true, "error.stale.title", "error.stale.why", inNewTab("error.stale.open"))},
		exhibit{path: "error/nobody", says: "an error for somebody who is not logged in", show: failure(nobody(), false, "error.500.title", "error.500.why", as)},
		exhibit{path: "login/out", says: "logged out", show: failure(nobody(), false, "out.title", "out.why", signIn)},
		exhibit{path: "login/not-in", says: "never been here", show: failure(nobody(), false, "out.not_in", "out.not_in.why", signIn)},
		exhibit{path: "login/out-unsaved", says: "logged out in mid-form", show: failure(nobody(), false, "out.title", "out.unsaved", inNewTab("idle.sign_in"))},
		exhibit{path: "login/failed", says: "forged, replayed or too old", show: failure(nobody(), false, "login.failed.title", "login.failed.why", again)},
		exhibit{path: "login/cancelled", says: "broken off at the provider", show: failure(nobody(), false, "login.failed.title", "login.cancelled.why", again)},
		exhibit{path: "login/down", says: "the provider does not answer", show: failure(nobody(), false, "login.down.title", "login.down.why", again)},
		exhibit{path: "login/level", says: "by too weak means", show: failure(nobody(), false, "login.level.title", "login.level.why", again)},
		exhibit{path: "login/unproved", says: "again, but the provider does not say when", show: failure(nobody(), false, "login.failed.title", "login.unproved.why", as)},
		exhibit{path: "login/other", says: "again, as somebody else", show: failure(nobody(), false, "login.other.title", "login.other.why", as)},
		exhibit{path: "login/fresh", says: "a form that needs a fresh login", show: failure(caseworker(), true, "login.fresh.title", "login.fresh.why",
			func(f frame, p *views.ErrorPage) {
				p.Action, p.Label, p.ErrorID = "/logg-inn/igjen", f.text("login.fresh"), ""
			})},
		exhibit{path: "login/no-rights", says: "logged in, without an account", show: failure(stranger, false, "accounts.none", "accounts.none.why", outside)},
		exhibit{path: "login/no-claim", says: "logged in, without the rights claim", show: failure(stranger, false, "accounts.none", "accounts.none.missing", outside)},
		exhibit{path: "login/overflow", says: "logged in, with too many groups", show: failure(stranger, false, "accounts.none", "accounts.none.overflow", outside)},
	)
}

// ownExhibits are a user's own pages.
func ownExhibits() []exhibit {
	accountsOf := func(who dispatch.User) func(frame) templ.Component {
		return func(f frame) templ.Component {
			return site.Accounts(site.AccountsPage{Page: f.page(who, f.text("accounts.title"))})
		}
	}
	exhibits := []exhibit{
		{path: "dictionary/all", says: "every status, explained", show: func(f frame) templ.Component {
			return site.Dictionary(site.DictionaryPage{Page: f.page(caseworker(), f.text("dictionary.title"))})
		}},
		{path: "accounts/some", says: "one's accounts, with several roles on one", show: accountsOf(caseworker())},
		{path: "accounts/all-roles", says: "a person with every role", show: accountsOf(dispatch.User{ID: "alf", Name: "Alf", System: []dispatch.Role{dispatch.RoleSystemAdmin},
			Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleAccountAdmin}, {Account: sampleAccount(1), Role: dispatch.RoleAuditor}}})},
		{path: "accounts/none", says: "an administrator without an account", show: accountsOf(administrator())},
	}
	exhibits = append(exhibits, signInExhibits()...)
	for _, scheme := range []string{"auto", "light", "dark"} {
		exhibits = append(exhibits, exhibit{path: "display/" + scheme, says: "colours", show: func(f frame) templ.Component {
			p := site.DisplayPage{Page: f.page(caseworker(), f.text("display.title")), Default: "nb", Language: "nn"}
			p.Scheme = scheme
			return site.Display(p)
		}})
	}
	return exhibits
}

// signInExhibits are the user's logins, and the warning before a session ends.
func signInExhibits() []exhibit {
	browsers := []dispatch.Browser{dispatch.BrowserEdge, dispatch.BrowserFirefox, dispatch.BrowserChrome, dispatch.BrowserSafari, dispatch.BrowserOther}
	page := func(all bool, n int) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := views.SignInsPage{Page: f.page(caseworker(), f.text("sign_in.title"))}
			p.SignIns = []dispatch.SignIn{{Origin: "192.0.2.7", Browser: dispatch.BrowserEdge, StartedAt: ago(12 * time.Minute), SeenAt: galleryNow, Current: true}}
			if !all {
				return views.SignIns(p)
			}
			p.Flash = &views.Flash{Key: "flash.ended_others", N: n, Color: "success"}
			for i, how := range []dispatch.Ending{dispatch.EndingNone, dispatch.EndingLogout, dispatch.EndingProvider, dispatch.EndingIdle, dispatch.EndingExpired,
				dispatch.EndingRights, dispatch.EndingElsewhere, dispatch.EndingAgain} {
				began := ago(time.Duration(i+1) * 30 * time.Hour)
				in := dispatch.SignIn{Origin: "192.0.2.8", Browser: browsers[i%len(browsers)], StartedAt: began, SeenAt: began.Add(time.Duration((i-1)*(i-1)*4) * time.Minute), Ending: how}
				if how != dispatch.EndingNone {
					in.EndedAt = in.SeenAt
				}
				p.SignIns = append(p.SignIns, in)
			}
			return views.SignIns(p)
		}
	}
	warning := func(last bool) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := f.page(caseworker(), f.text("sign_in.title"))
			p.Ends, p.EndsForGood = galleryNow.Add(8*time.Minute), last
			return views.SignIns(views.SignInsPage{Page: p})
		}
	}
	part := func(f frame) templ.Component {
		p := f.page(caseworker(), "")
		p.Ends = galleryNow.Add(30 * time.Minute)
		return views.IdleWarning(p)
	}
	return []exhibit{
		{path: "sign-ins/all", says: "every way in which a login ends", show: page(true, 1)},
		{path: "sign-ins/several", says: "several others were ended", show: page(true, 3)},
		{path: "sign-ins/one", says: "nobody else is logged in", show: page(false, 0)},
		{path: "sign-ins/warning", says: "the session ends soon: a warning in the corner", show: warning(false)},
		{path: "sign-ins/last", says: "the session ends soon, however much it is used", show: warning(true)},
		{path: "sign-ins/prolonged", says: "the warning, hidden again", part: true, show: part},
	}
}
