package site

import (
	"cmp"
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// ArticlePage is a text page: help, privacy, accessibility.
type ArticlePage struct {
	views.Page
	Lead     string
	Chapters []ArticleChapter
}

// ArticleChapter is a chapter of a text page, in this order.
type ArticleChapter struct {
	ID, Heading string
	Text        []string
	Points      []string
	Steps       []Step                // numbered
	Zones       []dispatch.PrintRules // drawings of pages
	Link        string                // internal address; empty: none
	Outside     string                // external address; empty: none
	LinkText    string
}

// write makes a chapter of catalogue keys: text before bullet points.
func write(ctx context.Context, id, heading string, text []string, points ...string) ArticleChapter {
	say := func(keys []string) []string {
		words := make([]string, len(keys))
		for i, key := range keys {
			words[i] = i18n.T(ctx, key)
		}
		return words
	}
	return ArticleChapter{ID: id, Heading: i18n.T(ctx, heading), Text: say(text), Points: say(points)}
}

// asks is the chapter about a contact; nobody says what to do if none is configured.
func asks(ctx context.Context, id, heading, whom, nobody, contact string) ArticleChapter {
	c := write(ctx, id, heading, nil)
	c.Text = []string{i18n.T(ctx, nobody)}
	if contact != "" {
		c.Text = []string{i18n.T(ctx, whom, "Contact", contact)}
	}
	return c
}

// municipality names the municipality in a sentence.
func municipality(ctx context.Context, p views.Page) string {
	return cmp.Or(p.Municipality, i18n.T(ctx, "about.municipality"))
}

// unasked is the catalogue key of what to do when no contact is configured. Administrators are not told to ask an administrator.
func unasked(p views.Page) string {
	if p.User.MaySystem(dispatch.RightAdminister) {
		return "about.nobody.administrator"
	}
	return "about.nobody"
}

// Help is the page of help.
func Help(ctx context.Context, p views.Page, c views.Contacts) ArticlePage {
	words := write(ctx, "ord", "help.words", []string{"help.words.text"})
	words.Link, words.LinkText = "/ordliste", i18n.T(ctx, "dictionary.title")
	pdf := write(ctx, "pdf", "help.pdf", []string{"help.pdf.text"}, "help.pdf.1", "help.pdf.2", "help.pdf.3", "help.pdf.4", "help.pdf.5")
	rules := dispatch.DefaultPrintRules()
	bare := rules
	bare.CoverSheet = false
	pdf.Zones = []dispatch.PrintRules{rules, bare}
	pdf.Link, pdf.LinkText = "/hjelp/brevmal.docx", i18n.T(ctx, "help.pdf.template")
	first := write(ctx, "forste-dag", "tour.title", []string{"help.tour"})
	if p.User.ID != "" && p.User.Idle() {
		first.Text = []string{i18n.T(ctx, "help.tour.none")}
	}
	first.Link, first.LinkText = "/kom-i-gang", i18n.T(ctx, "tour.title")
	news := write(ctx, "nytt", "news.title", []string{"help.news"})
	news.Link, news.LinkText = "/nytt", i18n.T(ctx, "news.title")
	help := ArticlePage{p, i18n.T(ctx, "help.lead"), []ArticleChapter{first}}
	add := func(show bool, chapters ...ArticleChapter) {
		if show {
			help.Chapters = append(help.Chapters, chapters...)
		}
	}
	// Who is logged out reads what those who send do.
	may := func(right dispatch.Right) bool { return p.User.ID == "" || len(p.User.AccountsWith(right)) > 0 }
	switch {
	case p.User.ID != "" && p.User.Idle():
		help.Lead = i18n.T(ctx, "tour.none")
	case !may(dispatch.RightSendSMS) && !may(dispatch.RightSendShipments):
		help.Lead = i18n.T(ctx, "help.lead.other")
	}
	add(may(dispatch.RightSendSMS), write(ctx, "sms", "help.sms", nil, "help.sms.1", "help.sms.2", "help.sms.3"))
	add(may(dispatch.RightSendShipments),
		write(ctx, "brev", "help.shipment", nil, "help.shipment.1", "help.shipment.2", "help.shipment.3", "help.shipment.4"), pdf)
	add(may(dispatch.RightFollowUp), write(ctx, "oppfolging", "help.follow", []string{"help.follow.text"}, "help.follow.1", "help.follow.2"))
	add(p.User.ID != "" && may(dispatch.RightSettings), write(ctx, "kontoen", "tour.account", nil, "help.account.1", "help.account.2"))
	add(p.User.MaySystem(dispatch.RightAdminister), write(ctx, "administrere", "tour.administer", nil, "help.admin.1", "help.admin.2", "help.admin.3"))
	add(p.User.Audits().Any(), write(ctx, "kontrollere", "tour.audit", nil, readsLog(p.User.Audits()), "help.audit.2"))
	add(may(dispatch.RightSeeItems), words)
	add(true, news, asks(ctx, "sporsmal", "help.ask", "help.ask.text", unasked(p), c.Support))
	return help
}

// readsLog is the catalogue key of what the event log tells an auditor.
func readsLog(s dispatch.AuditScope) string {
	if s.SeesOwn() {
		return "help.audit.1"
	}
	return "help.audit.1.several"
}

// Privacy is the privacy notice to users and recipients. It says what the program does; what differs from message to message, the
// municipality's data protection officer has to answer.
func Privacy(ctx context.Context, p views.Page, c views.Contacts, kept dispatch.Retention) ArticlePage {
	name := municipality(ctx, p)
	own := write(ctx, "kommunen", "privacy.own", nil)
	own.Text = []string{i18n.T(ctx, "privacy.own.text", "Name", name), i18n.T(ctx, "privacy.own.law")}
	if c.PrivacyURL != "" {
		own.Outside, own.LinkText = c.PrivacyURL, i18n.T(ctx, "privacy.own.link")
	}
	rights := write(ctx, "rettigheter", "privacy.rights", nil)
	rights.Text = []string{i18n.T(ctx, "privacy.rights.text", "Name", name)}
	rights.Outside, rights.LinkText = "https://www.datatilsynet.no", i18n.T(ctx, "privacy.rights.link")
	return ArticlePage{p, i18n.T(ctx, "privacy.lead"), []ArticleChapter{
		own,
		write(ctx, "mottakere", "privacy.recipients", []string{"privacy.recipients.text"}, "privacy.recipients.1", "privacy.recipients.2", "privacy.recipients.3", "privacy.recipients.4", "privacy.recipients.5"),
		write(ctx, "gis-til", "privacy.given", []string{"privacy.given.text"}, "privacy.given.1", "privacy.given.2", "privacy.given.3", "privacy.given.4"),
		write(ctx, "ser", "privacy.seen", nil, "privacy.seen.1", "privacy.seen.2", "privacy.seen.3", "privacy.seen.4"),
		write(ctx, "vern", "privacy.kept", nil, "privacy.kept.1", "privacy.kept.2"),
		keptFor(ctx, kept),
		write(ctx, "brukere", "privacy.users", []string{"privacy.users.text"}, "privacy.users.1", "privacy.users.2", "privacy.users.3", "privacy.users.4", "privacy.users.5"),
		rights,
		asks(ctx, "kontakt", "privacy.ask", "privacy.ask.text", "privacy.ask.none", c.Privacy),
	}}
}

// keptFor is the chapter of the retention periods in force.
func keptFor(ctx context.Context, kept dispatch.Retention) ArticleChapter {
	c := write(ctx, "hvor-lenge", "privacy.long", []string{"privacy.long.text"})
	days := func(k dispatch.Keeping) string { return views.Number(kept[k]) }
	c.Points = []string{
		i18n.T(ctx, "privacy.long.content", "Days", days(dispatch.KeepContent)), i18n.T(ctx, "privacy.long.identity", "Days", days(dispatch.KeepIdentity)),
		i18n.T(ctx, "privacy.long.rows", "Days", days(dispatch.KeepRows)), i18n.T(ctx, "privacy.long.log", "Days", days(dispatch.KeepLog)),
	}
	return c
}

// Accessibility is the accessibility statement of a public body, with what is known about this program.
func Accessibility(ctx context.Context, p views.Page, c views.Contacts) ArticlePage {
	statement := write(ctx, "erklaering", "accessibility.statement", []string{"accessibility.statement.none"})
	if c.AccessibilityURL != "" {
		statement = write(ctx, "erklaering", "accessibility.statement", []string{"accessibility.statement.text"})
		statement.Outside, statement.LinkText = c.AccessibilityURL, i18n.T(ctx, "accessibility.statement.link")
	}
	known := write(ctx, "kjent", "accessibility.known", nil, "accessibility.known.1", "accessibility.known.2", "accessibility.known.3")
	tested := write(ctx, "provd", "accessibility.tested", nil, "accessibility.tested.1", "accessibility.tested.2", "accessibility.tested.3", "accessibility.tested.4")
	tested.Text = []string{i18n.T(ctx, "accessibility.tested.text", "Version", p.Version)}
	return ArticlePage{p, i18n.T(ctx, "accessibility.lead"), []ArticleChapter{
		statement, tested, known, asks(ctx, "meld-fra", "accessibility.ask", "accessibility.ask.text", "accessibility.ask.none", c.Support),
	}}
}
