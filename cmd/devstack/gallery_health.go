package main

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// healthExhibits are the pages about how things are, and those that anybody may read.
func healthExhibits() []exhibit {
	return append(append(adminHealthExhibits(), statusExhibits()...), articleExhibits()...)
}

func adminHealthExhibits() []exhibit {
	health := func(change func(frame, *views.HealthPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := views.HealthPage{Page: f.page(administrator(), f.text("health.title")), Processes: 2, Storage: views.Sizes{All: 48_200_000_000, Files: 47_100_000_000, Log: 310_400_000}}
			p.Section = views.SectionHealth
			change(f, &p)
			return views.Health(p)
		}
	}
	checks := func(hold bool) []views.HealthCheck {
		return []views.HealthCheck{{Name: "health.pdf", Means: "health.pdf.no", Holds: hold}, {Name: "health.filtered", Means: "health.filtered.no", Holds: hold},
			{Name: "health.landlocked", Means: "health.landlocked.no", Holds: hold}, {Name: "health.apart", Means: "health.apart.no", Holds: hold},
			{Name: "health.keys", Means: "health.keys.no", Holds: hold}}
	}
	return []exhibit{
		{path: "health/all", says: "every state of a token, queues short and long", show: health(func(f frame, p *views.HealthPage) {
			p.Checks = checks(true)
			for i, token := range []dispatch.TokenState{{Held: true, Until: galleryNow.Add(7 * time.Minute)}, {Held: true}, {}} {
				p.Integrations = append(p.Integrations, views.HealthRow{IntegrationRow: integration(i+1, func(r *views.IntegrationRow) { r.Kind = dispatch.IntegrationSMS }), Token: token})
			}
			p.Integrations[2].Oldest = ago(50 * time.Minute)
			p.Integrations = append(p.Integrations, views.HealthRow{IntegrationRow: integration(4, func(r *views.IntegrationRow) { r.Kind = dispatch.IntegrationShipmentV1 })})
		})},
		{path: "health/aside", says: "background work of every queue that keeps failing", show: health(func(f frame, p *views.HealthPage) {
			p.Checks = checks(true)
			causes := []dispatch.AsideCause{"sql_22021", dispatch.AsideSealed, dispatch.AsidePart, dispatch.AsideOther}
			for i, q := range dispatch.Queues() {
				p.Aside = append(p.Aside, dispatch.SetAside{Queue: q, Key: sampleID(i), Name: "Oppvekst", Tries: 3 + i, Cause: causes[i%len(causes)], First: ago(50 * time.Hour), Last: ago(time.Hour)})
			}
		})},
		{path: "health/bare", says: "no integration, and a machine that cannot confine", show: health(func(_ frame, p *views.HealthPage) { p.Checks = checks(false) })},
	}
}

func statusExhibits() []exhibit {
	status := func(change func(frame, *views.StatusPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := views.StatusPage{Page: f.page(caseworker(), f.text("status.title"))}
			change(f, &p)
			return views.Status(p)
		}
	}
	return []exhibit{
		{path: "status/all", says: "every state of a channel", show: status(func(f frame, p *views.StatusPage) {
			states := []func(*views.IntegrationRow){
				func(r *views.IntegrationRow) { r.LastSuccessAt = galleryNow },
				func(r *views.IntegrationRow) { r.LastSuccessAt = time.Time{} },
				func(r *views.IntegrationRow) { r.RefusedAt = ago(time.Hour) },
				func(r *views.IntegrationRow) { r.StoppedAt = ago(time.Hour) },
			}
			for i, change := range states {
				p.Channels = append(p.Channels, views.ChannelStatus{Account: sampleAccount(i % 2), Kind: dispatch.KindSMS, Row: integration(i+1, change)})
			}
			p.Channels = append(p.Channels, views.ChannelStatus{Account: sampleAccount(0), Kind: dispatch.KindShipment, Row: integration(5, states[0]), Oldest: ago(25 * time.Minute)})
		})},
		{path: "status/paused", says: "all is paused, and nothing is connected", show: status(func(_ frame, p *views.StatusPage) { p.Paused = true })},
	}
}

func articleExhibits() []exhibit {
	all := views.Contacts{Support: "it-hjelp@fjordvik.example", Privacy: "personvernombud@fjordvik.example",
		PrivacyURL: "https://fjordvik.example/personvern", AccessibilityURL: "https://uustatus.example/fjordvik"}
	article := func(who dispatch.User, title string, write func(context.Context, views.Page, views.Contacts) views.ArticlePage, whom views.Contacts) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := f.page(who, f.text(title))
			p.Narrow = true
			return views.Article(write(i18n.With(context.Background(), f.words), p, whom))
		}
	}
	return []exhibit{
		{path: "about/help", says: "whom to ask is configured", show: article(caseworker(), "help.title", views.Help, all)},
		{path: "about/privacy", says: "all is configured", show: article(caseworker(), "privacy.title", views.Privacy, all)},
		{path: "about/accessibility", says: "all is configured", show: article(nobody(), "accessibility.title", views.Accessibility, all)},
		{path: "about/nothing", says: "nothing is configured", show: article(nobody(), "accessibility.title", views.Accessibility, views.Contacts{})},
	}
}
