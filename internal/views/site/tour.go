package site

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Step is one thing to do on the first day, and where.
type Step struct{ Text, Link, LinkText string }

// stop is a step for those who may go there: on the account that the page is about, or in the system.
type stop struct {
	text, path, link string // catalogue keys, and an address
	right            dispatch.Right
	shipments        bool // only where the account sends shipments
	accounts         bool // only for users with an account
}

// The steps of each role. What everybody does comes with the first role that somebody has.
var (
	everyDay = []stop{
		{text: "tour.choose_account", path: "/kontoer", link: "accounts.title", accounts: true},
		{text: "tour.display", path: "/min-side/visning", link: "display.title"},
		{text: "tour.words", path: "/ordliste", link: "dictionary.title", right: dispatch.RightSeeItems},
	}
	asCaseworker = []stop{
		{text: "tour.sms", path: "sms/ny", link: "nav.new_sms", right: dispatch.RightSendSMS},
		{text: "tour.shipment", path: "forsendelser", link: "nav.shipments", right: dispatch.RightSendShipments, shipments: true},
		{text: "tour.pdf", path: "/hjelp#pdf", link: "help.pdf", right: dispatch.RightSendShipments, shipments: true},
		{text: "tour.follow", path: "oppfolging", link: "nav.follow_up", right: dispatch.RightFollowUp},
		{text: "tour.notices", path: "/min-side/varsler", link: "notices.title"},
	}
	asLead = []stop{
		{text: "tour.management", path: "ledelse", link: "lead.title", right: dispatch.RightLead},
		{text: "tour.share_out", path: "oppfolging", link: "nav.follow_up", right: dispatch.RightFollowUp},
		{text: "tour.templates", path: "maler", link: "nav.templates", right: dispatch.RightEditTemplates},
		{text: "tour.protected", path: "skjermede", link: "protected.title", right: dispatch.RightLead},
	}
	asAccountAdmin = []stop{
		{text: "tour.settings", path: "innstillinger", link: "nav.settings", right: dispatch.RightSettings},
		{text: "tour.templates", path: "maler", link: "nav.templates", right: dispatch.RightEditTemplates},
	}
	asApprover = []stop{
		{text: "tour.approve", path: "godkjenning", link: "approval.title", right: dispatch.RightApprove},
	}
	asAdmin = []stop{
		{text: "tour.integrations", path: "/admin/integrasjoner", link: "nav.integrations", right: dispatch.RightAdminister},
		{text: "tour.accounts", path: "/admin/kontoer", link: "nav.accounts", right: dispatch.RightAdminister},
		{text: "tour.rights", path: "/admin/rettigheter", link: "nav.rights", right: dispatch.RightAdminister},
		{text: "tour.appearance", path: "/admin/utseende", link: "appearance.title", right: dispatch.RightAdminister},
		{text: "tour.health", path: "/admin/tilstand", link: "health.title", right: dispatch.RightOperate},
	}
	asAuditor = []stop{
		{text: "tour.log", path: "/admin/logg", link: "audit.title"},
		{text: "tour.citizen", path: "/admin/innsyn", link: "citizen.title"},
		{text: "tour.review", path: "/admin/tilgangskontroll", link: "review.title", right: dispatch.RightAudit},
		{text: "tour.retention", path: "/admin/oppbevaring", link: "retention.title"},
	}
)

// Tour is the first day: what somebody with the user's roles does first, in order, on the page's account.
func Tour(ctx context.Context, p views.Page) ArticlePage {
	roles := p.User.RolesOn(p.Account.ID)
	has := func(r dispatch.Role) bool {
		for _, own := range append(roles, p.User.System...) {
			if own == r {
				return true
			}
		}
		return false
	}
	given := map[string]bool{}
	tour := ArticlePage{p, i18n.T(ctx, "tour.lead"), nil}
	if p.User.Idle() {
		tour.Lead = i18n.T(ctx, "tour.none")
	}
	add := func(id, heading string, stops []stop) {
		c := ArticleChapter{ID: id, Heading: i18n.T(ctx, heading)}
		for _, s := range stops {
			if step, ok := s.on(ctx, &p); ok && !given[s.text] {
				given[s.text] = true
				c.Steps = append(c.Steps, step)
			}
		}
		if len(c.Steps) > 0 {
			tour.Chapters = append(tour.Chapters, c)
		}
	}
	add("forst", "tour.first", everyDay)
	for _, r := range []struct {
		role        dispatch.Role
		id, heading string
		stops       []stop
	}{
		{dispatch.RoleCaseworker, "sende", "tour.send", asCaseworker},
		{dispatch.RoleTeamLead, "lede", "tour.lead_team", asLead},
		{dispatch.RoleApprover, "godkjenne", "tour.approver", asApprover},
		{dispatch.RoleAccountAdmin, "kontoen", "tour.account", asAccountAdmin},
		{dispatch.RoleSystemAdmin, "administrere", "tour.administer", asAdmin},
		{dispatch.RoleAuditor, "kontrollere", "tour.audit", asAuditor},
	} {
		if has(r.role) {
			add(r.id, r.heading, r.stops)
		}
	}
	return tour
}

// on is the stop as a step of a page, if its user may go there.
func (s stop) on(ctx context.Context, p *views.Page) (Step, bool) {
	within := s.path[0] != '/'
	switch {
	case s.shipments && !p.Account.HasShipments(),
		s.accounts && len(p.User.Accounts()) == 0,
		within && !p.May(s.right),
		!within && s.right != "" && !p.May(s.right) && !p.User.MaySystem(s.right):
		return Step{}, false
	}
	link := s.path
	if within {
		link = p.PathTo(s.path)
	}
	return Step{i18n.T(ctx, s.text), link, i18n.T(ctx, s.link)}, true
}
