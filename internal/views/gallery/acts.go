package gallery

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// actExhibits are pages that ask before an administrator's act, and acts that await approval.
func actExhibits() []exhibit {
	page := func(name, says string, act dispatch.AdminAct, change func(frame, *admin.ConfirmPage)) exhibit {
		return exhibit{path: "act/" + name, says: says, show: func(f frame) templ.Component {
			p := admin.ConfirmPage{Page: f.onSetup(views.SectionIntegrations, f.text("act.title."+string(act))), Act: act, Back: "/", Action: "/"}
			p.Narrow = true
			change(f, &p)
			return admin.Confirm(p)
		}}
	}
	used := admin.Because("act.integration.used", "N", 2, "Names", "Oppvekst, Helse og mestring")
	production := func(p *admin.ConfirmPage) { p.Name, p.Environment = "SMS for kommunen", dispatch.EnvironmentProduction }
	return []exhibit{
		page("pause", "all delivery is about to stop", dispatch.ActPause, func(_ frame, p *admin.ConfirmPage) {
			p.Section = views.SectionDelivery
			p.Effects = []admin.Effect{admin.Because("act.pause.waits", "N", 1071), admin.Because("act.pause.new"), admin.Because("act.stop.taken"), admin.Because("act.pause.until")}
		}),
		page("pause-idle", "nothing is ready to be sent", dispatch.ActPause, func(_ frame, p *admin.ConfirmPage) {
			p.Section = views.SectionDelivery
			p.Effects = []admin.Effect{admin.Because("act.pause.none"), admin.Because("act.pause.new"), admin.Because("act.stop.taken"), admin.Because("act.pause.until")}
		}),
		page("stop", "an integration of production", dispatch.ActStop, func(_ frame, p *admin.ConfirmPage) {
			production(p)
			p.Effects = []admin.Effect{admin.Because("act.stop.waits", "N", 12), used, admin.Because("act.stop.taken"), admin.Because("act.stop.two_open")}
		}),
		page("stop-test", "one of a test environment, without a reason", dispatch.ActStop, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Environment = "SMS i test", dispatch.EnvironmentTest
			p.Effects = []admin.Effect{admin.Because("act.stop.waits", "N", 1), admin.Because("act.integration.unused"), admin.Because("act.stop.one_opens")}
			p.Problems = wrong(dispatch.FieldReason, "problem.act.empty")
		}),
		page("open", "another administrator has to approve it", dispatch.ActOpen, func(_ frame, p *admin.ConfirmPage) {
			production(p)
			p.Second = true
			p.Effects = []admin.Effect{admin.Because("act.open.goes", "N", 12), used, admin.Because("act.open.uncertain", "N", 3)}
		}),
		page("open-idle", "nothing waits for it", dispatch.ActOpen, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Environment = "SMS i test", dispatch.EnvironmentTest
			p.Effects = []admin.Effect{admin.Because("act.open.none"), admin.Because("act.integration.unused")}
		}),
		page("open-test", "of a test environment, by one", dispatch.ActOpen, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Environment = "SMS i test", dispatch.EnvironmentTest
			p.Effects = []admin.Effect{admin.Because("act.open.goes", "N", 1), admin.Because("act.open.tries", "N", 1), admin.Because("act.open.tries", "N", 2), admin.Because("act.integration.unused"), admin.Because("act.open.uncertain.none")}
		}),
		page("open-waits", "it is asked for already", dispatch.ActOpen, func(_ frame, p *admin.ConfirmPage) {
			production(p)
			p.Second, p.Barred, p.Waits, p.Effects = true, true, true, []admin.Effect{admin.Because("act.open.goes", "N", 1)}
			p.Problems = wrong(dispatch.FieldEffect, "problem.act.waits")
		}),
		page("delete", "an unused integration", dispatch.ActDelete, func(_ frame, p *admin.ConfirmPage) {
			production(p)
			p.Second = true
			p.Effects = []admin.Effect{admin.Because("act.delete.credentials"), admin.Because("act.integration.unused"), admin.Because("act.delete.log")}
		}),
		page("delete-alone", "nobody else is known who could approve it", dispatch.ActDelete, func(_ frame, p *admin.ConfirmPage) {
			production(p)
			p.Second, p.Alone = true, true
			p.Effects = []admin.Effect{admin.Because("act.delete.credentials"), admin.Because("act.integration.unused"), admin.Because("act.delete.log")}
		}),
		page("delete-used", "one in use cannot be deleted", dispatch.ActDelete, func(_ frame, p *admin.ConfirmPage) {
			production(p)
			p.Barred, p.Effects = true, []admin.Effect{admin.Because("act.delete.credentials"), used}
			p.Problems = wrong(dispatch.FieldEffect, "problem.integration.in_use")
		}),
		page("certificate", "the service's certificate is about to go", dispatch.ActRemoveCertificate, func(_ frame, p *admin.ConfirmPage) {
			p.Effects = []admin.Effect{admin.Because("act.certificate.files"), used}
		}),
		page("wipe", "credentials are about to be deleted", dispatch.ActWipe, func(f frame, p *admin.ConfirmPage) {
			p.Name, p.Effects = wiped(f), []admin.Effect{admin.Because("act.wipe.unused"), admin.Because("act.wipe.gone"), admin.Because("act.wipe.others"), admin.Because("act.wipe.untried"), admin.Because("act.wipe.denied"), admin.Because("act.wipe.failed")}
		}),
		page("wipe-refused", "credentials that the service refused", dispatch.ActWipe, func(f frame, p *admin.ConfirmPage) {
			p.Name, p.Effects = wiped(f), []admin.Effect{admin.Because("act.wipe.refused"), admin.Because("act.wipe.gone"), admin.Because("act.wipe.others")}
		}),
		page("wipe-used", "credentials in use cannot be deleted while there are others", dispatch.ActWipe, func(f frame, p *admin.ConfirmPage) {
			p.Name, p.Barred, p.Instead = wiped(f), true, admin.Link{Path: "/", Label: "alarms.integration"}
			p.Problems = wrong(dispatch.FieldEffect, "problem.credentials.in_use")
		}),
		page("wipe-only", "the only credentials that can be used", dispatch.ActWipe, func(f frame, p *admin.ConfirmPage) {
			p.Name, p.Barred, p.Instead = wiped(f), true, admin.Link{Path: "/", Label: "credentials.enter"}
			p.Problems = wrong(dispatch.FieldEffect, "problem.credentials.only")
		}),
		page("disable", "an account", dispatch.ActDisable, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Section = "Oppvekst og utdanning", views.SectionAccounts
			p.Effects = []admin.Effect{admin.Because("act.disable.waits", "N", 3), admin.Because("act.disable.reads")}
		}),
		page("disable-idle", "an account with nothing queued", dispatch.ActDisable, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Section = "Oppvekst og utdanning", views.SectionAccounts
			p.Effects = []admin.Effect{admin.Because("act.disable.none"), admin.Because("act.disable.reads")}
		}),
		page("right", "who loses it", dispatch.ActRemoveRight, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Section = "saksbehandlere-oppvekst", views.SectionRights
			p.Effects = []admin.Effect{admin.Because("act.right.account", "Role", "saksbehandler", "Account", "Oppvekst"),
				admin.Because("act.right.people", "N", 2, "Names", "Amir Hosseini, Kari Nordmann"), admin.Because("act.right.logged_out")}
		}),
		page("right-last", "the last administrator", dispatch.ActRemoveRight, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Section = "administrator", views.SectionRights
			p.Barred, p.Instead = true, admin.Link{Path: "/", Label: "rights.new"}
			p.Problems = wrong(dispatch.FieldEffect, "problem.role.last")
		}),
		page("right-everywhere", "an administrator's, which nobody had", dispatch.ActRemoveRight, func(_ frame, p *admin.ConfirmPage) {
			p.Name, p.Section = "administrator", views.SectionRights
			p.Effects = []admin.Effect{admin.Because("act.right.everywhere", "Role", "administrator"), admin.Because("act.right.nobody"), admin.Because("act.right.logged_out")}
		}),
		page("retention", "kept for a shorter time", dispatch.ActRetention, func(f frame, p *admin.ConfirmPage) {
			p.Second, p.Section = true, views.SectionRetention
			p.Effects = []admin.Effect{admin.Because("act.retention.change.second", "What", f.text("retention.content"), "Before", "90", "After", "30", "Count", views.Number(1071)), admin.Because("act.retention.never_back")}
		}),
		requests("some", "as another administrator, with what became of others", administrator(), nil, sampleRequests()...),
		requests("stale", "none of them can be approved any more", administrator(), nil, staleRequests()...),
		requests("own", "as who asked", dispatch.User{ID: "annen", Name: "Tor Haugen", System: []dispatch.Role{dispatch.RoleSystemAdmin}}, nil, sampleRequests()...),
		requests("none", "nothing waits", administrator(), nil),
		requests("late", "somebody was faster", administrator(), wrong("sak-"+sampleID(301), "problem.act.changed"), sampleRequests()...),
		requests("asked", "who asked tries to approve", administrator(), wrong("sak-"+sampleID(300), "problem.act.own"), sampleRequests()...),
	}
}

// wiped names the credentials that an act is about to delete.
func wiped(f frame) string {
	return f.text("act.wipe.which", "Name", "SMS for kommunen", "Set", admin.SetBy(i18n.With(context.Background(), f.words), sampleSet(1, dispatch.CredentialRetiring), galleryNow))
}

func requests(name, says string, who dispatch.User, ps dispatch.Problems, rows ...dispatch.ActRequest) exhibit {
	return exhibit{path: "act-requests/" + name, says: says, show: func(f frame) templ.Component {
		lines := make([]admin.RequestLine, len(rows))
		for i, r := range rows {
			lines[i] = requestLine(f, r)
		}
		p := admin.ActRequestsPage{Page: f.page(who, f.text("act_requests.title")), Rows: lines}
		p.Section, p.Problems, p.ActRequests, p.Alone = views.SectionActRequests, ps, 2, who.ID == "annen"
		return admin.ActRequests(p)
	}}
}

// requestLine is a request with what a pending one does; Seen tells why a stale one cannot be approved.
func requestLine(f frame, r dispatch.ActRequest) admin.RequestLine {
	l := admin.RequestLine{ActRequest: r, Barred: r.Seen}
	content := []any{"What", f.text("retention.content"), "Before", "90", "After", "30"}
	switch {
	case !r.Waiting(galleryNow):
	case l.Barred == "act_requests.stale.retention":
		l.Effects = []admin.Effect{admin.Because("act_requests.retention.now", append(content, "Now", "120")...)}
	case l.Barred != "":
	case r.Act == dispatch.ActRetention:
		l.Effects = []admin.Effect{admin.Because("act.retention.change.second", append(content, "Count", views.Number(1071))...), admin.Because("act.retention.never_back")}
	case r.Act == dispatch.ActOpen:
		l.Effects = []admin.Effect{admin.Because("act.open.goes", "N", 12), admin.Because("act.integration.unused"), admin.Because("act.open.uncertain", "N", 3)}
	default:
		l.Effects = []admin.Effect{admin.Because("act.delete.credentials"), admin.Because("act.integration.unused"), admin.Because("act.delete.log")}
	}
	return l
}

// staleRequests are requests that cannot be approved, for each reason.
func staleRequests() []dispatch.ActRequest {
	opens, shortens := sampleRequests()[0], sampleRequests()[1]
	gone, inUse := opens, opens
	gone.Act, inUse.Act = dispatch.ActDelete, dispatch.ActDelete
	shortens.Seen, opens.Seen, gone.Seen, inUse.Seen = "act_requests.stale.retention", "act_requests.stale.open", "act_requests.stale.gone", "problem.integration.in_use"
	gone.ID, inUse.ID = dispatch.ActRequestID(sampleID(310)), dispatch.ActRequestID(sampleID(311))
	return []dispatch.ActRequest{shortens, opens, gone, inUse}
}

func sampleRequests() []dispatch.ActRequest {
	shorter := dispatch.DefaultRetention()
	shorter[dispatch.KeepContent] = 30
	one := func(n int, act dispatch.AdminAct, state dispatch.ActRequestState) dispatch.ActRequest {
		r := dispatch.ActRequest{ID: dispatch.ActRequestID(sampleID(300 + n)), Act: act, State: state, AskedBy: "annen", Asker: "Tor Haugen", AskedAt: ago(time.Hour), ExpiresAt: galleryNow.Add(71 * time.Hour),
			Name: "SMS for kommunen", Reason: "Feilen hos leverandøren er rettet"}
		if act == dispatch.ActRetention {
			r.Name, r.Before, r.After, r.Reason = "", dispatch.DefaultRetention(), shorter, "Vedtak i ledergruppen"
		}
		if state != dispatch.ActWaiting && state != dispatch.ActExpired {
			r.Decider, r.DecidedAt = "Nora Dahl", ago(10*time.Minute)
		}
		return r
	}
	expired := one(5, dispatch.ActOpen, dispatch.ActWaiting)
	expired.ExpiresAt = ago(time.Minute)
	return []dispatch.ActRequest{
		one(0, dispatch.ActOpen, dispatch.ActWaiting), one(1, dispatch.ActRetention, dispatch.ActWaiting),
		one(2, dispatch.ActDelete, dispatch.ActApproved), one(3, dispatch.ActRetention, dispatch.ActRefused), one(4, dispatch.ActOpen, dispatch.ActWithdrawn), expired,
	}
}
