// Package views renders pages, fragments and their building blocks. Each page takes one struct that embeds Page and
// holds domain values; strings in forms are as typed, so that a page can be shown again unchanged.
package views

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/static"
)

// Page is the common part of every page: the user, the account, and how to show it.
type Page struct {
	Title        string
	Section      Section // current item of the navigation
	Narrow       bool    // forms: a narrower main column
	User         dispatch.User
	SignedIn     bool
	Account      dispatch.Account // zero outside an account
	Now          time.Time
	Assets       *static.Assets
	Municipality string
	Version      string
	Test         bool   // no service is a production service: a banner says so
	Theme        Theme  // of the municipality
	Scheme       string // auto, light or dark
	HighContrast bool   // the user has chosen it
	Lists        dispatch.ListView
	NoKeys       bool      // the user has turned off the keys for lists
	FollowUps    int       // of the account, at most a hundred
	ToApprove    int       // drafts of colleagues that wait for the user to approve them, at most a hundred
	ActRequests  int       // acts that wait for the user, as another administrator, to approve them
	Ends         time.Time // when the session ends unless it is used; zero: nobody has one
	EndsForGood  bool      // however much it is used
	Flash        *Flash
	Problems     dispatch.Problems
	LooksUp      bool // the problems stop a look-up in the contact register, and nothing else
}

// Theme is what makes the pages the municipality's own: its name, and addresses of a style sheet and a picture; empty where it has none.
type Theme struct{ Name, Sheet, Logo string }

// Section is an item of the navigation.
type Section string

// The sections.
const (
	SectionOverview     Section = "overview"
	SectionItems        Section = "items" // SMS and shipments
	SectionSMS          Section = "sms"
	SectionNewSMS       Section = "new_sms"
	SectionJobs         Section = "jobs"
	SectionDelivery     Section = "delivery"
	SectionIntegrations Section = "integrations"
	SectionAccounts     Section = "accounts"
	SectionActRequests  Section = "act_requests" // acts that wait for another administrator
	SectionRights       Section = "rights"
	SectionSettings     Section = "settings" // of the account, by its own administrator
	SectionReview       Section = "review"   // access review
	SectionLog          Section = "log"
	SectionRetention    Section = "retention"
	SectionCitizen      Section = "citizen"
	SectionShipments    Section = "shipments"
	SectionDrafts       Section = "drafts"
	SectionNewShipment  Section = "new_shipment" // the form of a draft, its list, and its review
	SectionTemplates    Section = "templates"
	SectionLookup       Section = "lookup"
	SectionReceivers    Section = "receivers"
	SectionReferences   Section = "references" // search for shipments by reference
	SectionFollowUp     Section = "follow_up"
	SectionLead         Section = "lead"
	SectionProtected    Section = "protected"
	SectionHealth       Section = "health"
	SectionAlarms       Section = "alarms"
	SectionAppearance   Section = "appearance"
	SectionReading      Section = "reading" // one shipment that was read elsewhere
	SectionApprovals    Section = "approvals"
	SectionOwn          Section = "own"     // what one chooses for oneself
	SectionContent      Section = "content" // one item that another has sent
)

// sendsNothing tells whether the section's forms never send anything to recipients.
func (s Section) sendsNothing() bool {
	return s.administers() || s == SectionOwn || s == SectionLog || s == SectionRetention || s == SectionCitizen || s == SectionReceivers || s == SectionReferences || s == SectionReading || s == SectionFollowUp || s == SectionItems || s == SectionLead || s == SectionProtected || s == SectionContent
}

// ofShipments tells whether the section belongs to the list of shipments.
func (s Section) ofShipments() bool {
	return s == SectionShipments || s == SectionReferences || s == SectionReading
}

// administers tells whether the section's pages are for administration.
func (s Section) administers() bool {
	return s == SectionDelivery || s == SectionIntegrations || s == SectionAccounts || s == SectionRights || s == SectionSettings || s == SectionReview || s == SectionTemplates || s == SectionHealth || s == SectionAlarms || s == SectionAppearance || s == SectionActRequests
}

// Flash is a message about what was just done, shown once.
type Flash struct {
	Key   string
	Color string // success, info or warning
	N     int
	Name  string // of the account or integration that it is about

	Changes []Change // what was corrected, with invisible characters spelled out
}

// Change is a corrected text.
type Change struct{ Was, Is string }

// heading is the document's title, with a prefix when the form has problems.
func (p *Page) heading(ctx context.Context) string {
	title := p.Title + " – " + i18n.T(ctx, "app.name")
	if len(p.Problems) > 0 {
		return i18n.T(ctx, "app.error_prefix", "Title", title)
	}
	return title
}

// InAccount tells whether the page belongs to an account.
func (p *Page) InAccount() bool { return p.Account.ID != "" }

// May tells whether the user has a right on the page's account.
func (p *Page) May(r dispatch.Right) bool { return p.User.May(r, p.Account.ID) }

// audits tells whether the user is an auditor of the page's account.
func (p *Page) audits() bool {
	return slices.Contains(p.User.RolesOn(p.Account.ID), dispatch.RoleAuditor)
}

// PathTo returns an address within the page's account.
func (p *Page) PathTo(parts ...string) string { return AccountPath(p.Account, parts...) }

// AccountPath returns an address within an account: /k/oppvekst/sms.
func AccountPath(a dispatch.Account, parts ...string) string {
	return "/k/" + a.Slug + "/" + strings.Join(parts, "/")
}

// recent are the accounts that the switcher shows.
func recent(accounts []dispatch.Account) []dispatch.Account { return accounts[:min(len(accounts), 8)] }

// SwitchTo is where the account switcher leads: the same page on another account, or its list instead of a page of
// one object.
func (p *Page) SwitchTo(a dispatch.Account) string {
	switch {
	case !p.User.May(dispatch.RightSeeItems, a.ID) || p.Section == SectionTemplates && p.User.May(dispatch.RightSeeTemplates, a.ID):
		return AccountPath(a, "maler")
	case p.Section == SectionOverview:
		return AccountPath(a)
	case p.Section == SectionNewSMS:
		return AccountPath(a, "sms", "ny")
	case p.Section == SectionLookup && p.User.May(dispatch.RightLookup, a.ID):
		return AccountPath(a, "oppslag")
	case p.Section == SectionLead && p.User.May(dispatch.RightLead, a.ID):
		return AccountPath(a, "ledelse")
	case p.Section == SectionProtected && p.User.May(dispatch.RightLead, a.ID):
		return AccountPath(a, "skjermede")
	case p.Section == SectionFollowUp:
		return AccountPath(a, "oppfolging")
	case p.Section == SectionApprovals && p.User.May(dispatch.RightApprove, a.ID):
		return AccountPath(a, "godkjenning")
	case p.Section == SectionItems:
		return AccountPath(a, "utsendinger")
	case p.Section == SectionJobs:
		return AccountPath(a, "jobber")
	case p.Section == SectionReceivers && p.User.May(dispatch.RightSendShipments, a.ID) && a.HasShipments():
		return AccountPath(a, "mottakersystem")
	case p.Section.ofShipments() && a.HasShipments():
		return AccountPath(a, "forsendelser")
	case (p.Section == SectionDrafts || p.Section == SectionNewShipment) && a.HasShipments():
		return AccountPath(a, "utkast")
	}
	return AccountPath(a, "sms")
}

// SendsShipments tells whether the user may send shipments from the page's account.
func (p *Page) SendsShipments() bool {
	return p.May(dispatch.RightSendShipments) && p.Account.HasShipments()
}

// wayToAccounts is where a page of the whole system leads to the user's accounts: the only one, or all.
func (p *Page) wayToAccounts() string {
	if accounts := p.User.Accounts(); len(accounts) == 1 {
		return p.SwitchTo(accounts[0])
	}
	return "/kontoer"
}

// wayName names it.
func (p *Page) wayName(ctx context.Context) string {
	if accounts := p.User.Accounts(); len(accounts) == 1 {
		return accounts[0].Name
	}
	return i18n.T(ctx, "app.choose_account")
}

// Roles names the user's roles on an account.
func (p *Page) Roles(ctx context.Context, a dispatch.Account) string {
	var names []string
	for _, r := range p.User.RolesOn(a.ID) {
		names = append(names, i18n.T(ctx, "role."+string(r)))
	}
	return strings.Join(names, ", ")
}

// userLine is the line under the user's name: their roles on this account, or in the system.
func (p *Page) userLine(ctx context.Context) string {
	if p.InAccount() {
		return Capitalized(p.Roles(ctx, p.Account))
	}
	for _, r := range p.User.System {
		return Capitalized(i18n.T(ctx, "role."+string(r)))
	}
	return ""
}

// named is the accessible name of the user menu's button, which must contain its visible text.
func (p *Page) named(ctx context.Context) string {
	if line := p.userLine(ctx); line != "" {
		return p.User.Name + ", " + line
	}
	return p.User.Name
}

// initials are the first letters of the first and last name.
func (p *Page) initials() string {
	words := strings.Fields(p.User.Name)
	if len(words) == 0 {
		return "?"
	}
	first := string([]rune(words[0])[:1])
	if len(words) == 1 {
		return first
	}
	return first + string([]rune(words[len(words)-1])[:1])
}

// Capitalized capitalizes the first letter of a text.
func Capitalized(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// hasNavigation tells whether there is anything to navigate to.
func (p *Page) hasNavigation() bool {
	return p.InAccount() || p.administers()
}

// administers tells whether the user may use any page below /admin.
func (p *Page) administers() bool {
	return p.User.MaySystem(dispatch.RightOperate) || p.User.Audits().Any()
}

// Icon draws an icon of the sprite. It needs a text beside it.
func Icon(name string, p Page) templ.Component { return p.symbolAt(name) }

// Tag shows a look.
func Tag(l Look, p Page) templ.Component { return coloured{l, p.symbolAt(l.Icon)} }

// navItem is an item of the navigation.
func navItem(p *Page, section Section, path, key, name string) templ.Component {
	return navLink(path, key, p.symbolAt(name), p.Section == section)
}

// symbolAt is an icon of the sprite.
func (p *Page) symbolAt(name string) symbol { return symbol{p.Assets.Path("icons.svg"), name} }

// approves tells whether the navigation leads to what waits for approval: where the account asks for it, or something waits.
func (p *Page) approves() bool {
	return p.May(dispatch.RightApprove) && (p.ToApprove > 0 || p.Account.Approval != dispatch.ApprovalRule{} || p.Section == SectionApprovals)
}
