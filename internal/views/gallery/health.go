package gallery

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
	"utsending/internal/views/admin"
	"utsending/internal/views/site"
)

// healthExhibits are the status page, and public pages.
func healthExhibits() []exhibit {
	return append(append(adminHealthExhibits(), statusExhibits()...), articleExhibits()...)
}

func adminHealthExhibits() []exhibit {
	health := func(change func(frame, *admin.HealthPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.HealthPage{Page: f.page(administrator(), f.text("health.title")), Processes: 2, Storage: admin.Sizes{All: 48_200_000_000, Files: 47_100_000_000, Log: 310_400_000}}
			p.Section = views.SectionHealth
			change(f, &p)
			return admin.Health(p)
		}
	}
	checks := func(hold bool) []admin.HealthCheck {
		return []admin.HealthCheck{{Name: "health.pdf", Means: "health.pdf.no", Holds: hold}, {Name: "health.filtered", Means: "health.filtered.no", Holds: hold},
			{Name: "health.landlocked", Means: "health.landlocked.no", Holds: hold}, {Name: "health.apart", Means: "health.apart.no", Holds: hold},
			{Name: "health.keys", Means: "health.keys.no", Holds: hold}}
	}
	return []exhibit{
		{path: "health/all", says: "every state of a token, queues short and long", show: health(func(f frame, p *admin.HealthPage) {
			p.Checks = checks(true)
			for i, token := range []dispatch.TokenState{{Held: true, Until: galleryNow.Add(7 * time.Minute)}, {Held: true}, {}} {
				p.Integrations = append(p.Integrations, admin.HealthRow{IntegrationRow: integration(i+1, func(r *admin.IntegrationRow) { r.Kind = dispatch.IntegrationSMS }), Token: token})
			}
			p.Integrations[2].Due, p.Integrations[2].Oldest = 3, ago(50*time.Minute)
			p.Integrations = append(p.Integrations, admin.HealthRow{IntegrationRow: integration(4, func(r *admin.IntegrationRow) { r.Kind = dispatch.IntegrationShipmentV1 })})
		})},
		{path: "health/aside", says: "background work of every queue that keeps failing", show: health(func(f frame, p *admin.HealthPage) {
			p.Checks = checks(true)
			causes := []dispatch.AsideCause{"sql_22021", dispatch.AsideSealed, dispatch.AsideSlice, dispatch.AsideOther}
			for i, q := range dispatch.Queues() {
				p.Aside = append(p.Aside, dispatch.SetAside{Queue: q, Key: sampleID(i), Name: "Oppvekst", Tries: 3 + i, Cause: causes[i%len(causes)], First: ago(50 * time.Hour), Last: ago(time.Hour)})
			}
		})},
		{path: "health/bare", says: "no integration, and a machine that cannot confine", show: health(func(_ frame, p *admin.HealthPage) { p.Checks = checks(false) })},
	}
}

func statusExhibits() []exhibit {
	status := func(change func(frame, *admin.StatusPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.StatusPage{Page: f.page(caseworker(), f.text("status.title"))}
			change(f, &p)
			return admin.Status(p)
		}
	}
	channels := func(_ frame, p *admin.StatusPage) {
		states := []func(*admin.IntegrationRow){
			func(r *admin.IntegrationRow) { r.LastSuccessAt = galleryNow },
			func(r *admin.IntegrationRow) { r.LastSuccessAt, r.Sets[0].WorkedAt = time.Time{}, time.Time{} },
			func(r *admin.IntegrationRow) { r.RefusedAt = ago(time.Hour) },
			func(r *admin.IntegrationRow) { r.StoppedAt = ago(time.Hour) },
			func(r *admin.IntegrationRow) { r.Sets = nil },
			func(r *admin.IntegrationRow) { r.ClearedAt, r.Due = galleryNow, 2 },
			func(r *admin.IntegrationRow) {
				r.Sets = []dispatch.CredentialSet{{ID: "ny", State: dispatch.CredentialActive, CreatedAt: galleryNow}}
			},
			func(r *admin.IntegrationRow) { r.Sets[0].DeniedAt = ago(time.Hour) },
			func(r *admin.IntegrationRow) {
				r.Sets[0].WorkedAt, r.Sets[0].TriedAt, r.Sets[0].TriedFailed = time.Time{}, ago(time.Minute), dispatch.TrialToken
			},
			func(r *admin.IntegrationRow) {
				r.Sets[0].DeniedAt = ago(time.Hour)
				r.Sets = append(r.Sets, dispatch.CredentialSet{ID: "reserve", State: dispatch.CredentialRetiring, CreatedAt: ago(48 * time.Hour)})
			},
		}
		for i, change := range states {
			p.Channels = append(p.Channels, admin.ChannelStatus{Account: sampleAccount(i % 2), Kind: dispatch.KindSMS, Row: integration(i+1, change)})
		}
		p.Channels = append(p.Channels, admin.ChannelStatus{Account: sampleAccount(0), Kind: dispatch.KindShipment, Row: integration(9, func(r *admin.IntegrationRow) { r.LastSuccessAt, r.Oldest = galleryNow, ago(25*time.Minute) })})
	}
	return []exhibit{
		{path: "status/all", says: "every state of a channel", show: status(channels)},
		{path: "status/queued", says: "every state of a channel while all is paused", show: status(func(f frame, p *admin.StatusPage) {
			channels(f, p)
			p.Paused = true
		})},
		{path: "status/no-account", says: "an administrator who sends from no account", show: status(func(_ frame, p *admin.StatusPage) { p.User = administrator() })},
		{path: "status/paused", says: "all is paused, and nothing is connected", show: status(func(_ frame, p *admin.StatusPage) { p.Paused = true })},
	}
}

func articleExhibits() []exhibit {
	all := views.Contacts{Support: "it-hjelp@fjordvik.example", Privacy: "personvernombud@fjordvik.example",
		PrivacyURL: "https://fjordvik.example/personvern", AccessibilityURL: "https://uustatus.example/fjordvik"}
	tour := func(who dispatch.User) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := f.page(who, f.text("tour.title"))
			if accounts := who.Accounts(); len(accounts) > 0 {
				p.Account = sampleAccount(0)
			}
			return site.Article(site.Tour(i18n.With(context.Background(), f.words), p))
		}
	}
	privacy := func(ctx context.Context, p views.Page, whom views.Contacts) site.ArticlePage {
		if whom == (views.Contacts{}) {
			p.Municipality = ""
		}
		return site.Privacy(ctx, p, whom, dispatch.DefaultRetention())
	}
	article := func(who dispatch.User, title string, write func(context.Context, views.Page, views.Contacts) site.ArticlePage, whom views.Contacts) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := f.page(who, f.text(title))
			p.Narrow = true
			return site.Article(write(i18n.With(context.Background(), f.words), p, whom))
		}
	}
	return []exhibit{
		{path: "about/help", says: "whom to ask is configured", show: article(caseworker(), "help.title", site.Help, all)},
		{path: "about/help-bare", says: "whom to ask is not configured", show: article(caseworker(), "help.title", site.Help, views.Contacts{})},
		{path: "about/help-administrator", says: "an administrator, where whom to ask is not configured", show: article(administrator(), "help.title", site.Help, views.Contacts{})},
		{path: "about/help-account", says: "who manages an account", show: article(accountAdmin(), "help.title", site.Help, all)},
		{path: "about/help-auditor", says: "who audits one account", show: article(auditor(), "help.title", site.Help, all)},
		{path: "about/help-auditor-of-two", says: "who audits two accounts", show: article(auditorOfTwo(), "help.title", site.Help, all)},
		{path: "about/news", says: "what has changed, in users' words", show: article(caseworker(), "news.title", site.News, all)},
		{path: "about/tour-caseworker", says: "the first day of a caseworker who leads the team", show: tour(caseworker())},
		{path: "about/tour-administrator", says: "the first day of an administrator", show: tour(administrator())},
		{path: "about/tour-approver", says: "the first day of somebody who only approves", show: tour(dispatch.User{ID: "ola", Name: "Ola Berg", Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleApprover}}})},
		{path: "about/tour-none", says: "somebody without roles", show: tour(dispatch.User{ID: "tor", Name: "Tor Vik"})},
		{path: "about/help-none", says: "help for somebody without roles", show: article(dispatch.User{ID: "tor", Name: "Tor Vik"}, "help.title", site.Help, all)},
		{path: "about/tour-others", says: "the first day of an auditor who manages the account", show: tour(manager())},
		{path: "about/privacy", says: "all is configured", show: article(caseworker(), "privacy.title", privacy, all)},
		{path: "about/privacy-bare", says: "nothing is configured", show: article(nobody(), "privacy.title", privacy, views.Contacts{})},
		{path: "about/accessibility", says: "all is configured", show: article(nobody(), "accessibility.title", site.Accessibility, all)},
		{path: "about/nothing", says: "nothing is configured", show: article(nobody(), "accessibility.title", site.Accessibility, views.Contacts{})},
	}
}
