package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// accountLine is an account with its integrations; nil: it lacks the channel.
func accountLine(n int, sms, shipments func(*admin.IntegrationLine)) admin.AccountLine {
	r := admin.AccountLine{Account: sampleAccount(n)}
	r.Version = 4
	if sms != nil {
		l := sampleLine(1, sms)
		r.SMS = &l
	}
	if shipments != nil {
		l := sampleLine(2, shipments)
		r.Shipments = &l
	}
	return r
}

// overGeneration is an account with its shipments over a service of a kind.
func overGeneration(r admin.AccountLine, kind dispatch.IntegrationKind) admin.AccountLine {
	r.ShipmentKind, r.ShipmentIntegration, r.ShipmentAccountID, r.Health = kind, dispatch.IntegrationID(sampleID(2)), sampleID(3), true
	return r
}

func disabled(r admin.AccountLine) admin.AccountLine {
	r.DisabledAt = ago(49 * time.Hour)
	return r
}

// accountExhibits are the list of accounts and the form of one.
func accountExhibits() []exhibit {
	list := func(rows ...admin.AccountLine) func(frame) templ.Component {
		return func(f frame) templ.Component {
			return admin.AdminAccounts(admin.AdminAccountsPage{Page: f.onSetup(views.SectionAccounts, f.text("admin_accounts.title")), Rows: rows})
		}
	}
	works := accountLine(0, working, untried)
	return []exhibit{
		{path: "admin-accounts/empty", says: "no account yet", show: list()},
		{path: "admin-accounts/all", says: "every state", show: list(works, accountLine(1, refusedLine, nil), accountLine(1, nil, nil), disabled(accountLine(0, working, oldGeneration)), accountLine(1, gone, bare))},
		{path: "account/new", says: "a new one", show: accountForm(admin.AccountLine{}, nil)},
		{path: "account/new-wrong", says: "every problem of a new one", show: accountForm(admin.AccountLine{}, wrong(
			dispatch.FieldName, "problem.account.name", dispatch.FieldSlug, "problem.slug", dispatch.FieldOrganizationNumber, "problem.organization.digits",
			dispatch.FieldUndo, "problem.undo", dispatch.FieldPriceSMS, "problem.price.sms", dispatch.FieldPriceDigital, "problem.price.digital", dispatch.FieldPricePrint, "problem.price.print", dispatch.FieldPriceSheet, "problem.price.sheet", dispatch.FieldPriceColor, "problem.price.color", dispatch.FieldPriceGiro, "problem.price.giro", dispatch.FieldBudget, "problem.budget", dispatch.FieldBudgetRule, "problem.budget.rule", dispatch.FieldUnread, "problem.unread", dispatch.FieldApprovalRecipients, "problem.approval.recipients", dispatch.FieldApprovalCost, "problem.approval.cost", "sms-integrasjon", "problem.integration.gone", dispatch.FieldSMSAccountID, "problem.account_id",
			dispatch.FieldSenderName, "problem.sender_name", dispatch.FieldSMSLimit, "problem.sms_limit", dispatch.FieldDaytimeFrom, "problem.daytime",
			dispatch.FieldWatchWords, "problem.watch_words", dispatch.FieldShipmentAccountID, "problem.account_id",
			dispatch.FieldSourceSystem, "problem.source_system.long", dispatch.FieldBillingCode, "problem.billing_code"))},
		{path: "account/no-prices", says: "limits in kroner without prices", show: accountForm(admin.AccountLine{}, wrong(
			dispatch.FieldApprovalCost, "problem.approval.prices", dispatch.FieldBudget, "problem.budget.prices"))},
		{path: "account/name-taken", says: "a name that another has", show: accountForm(admin.AccountLine{}, wrong(dispatch.FieldName, "problem.account.taken"))},
		{path: "account/taken", says: "a short name that another has", show: accountForm(admin.AccountLine{}, wrong(dispatch.FieldSlug, "problem.slug.taken"))},
		{path: "account/edit", says: "with both channels", show: accountForm(works, nil)},
		{path: "account/defaults", says: "with what its shipments are filled in with", show: func(f frame) templ.Component {
			p := accountFormPage(f, works)
			p.Form.Reply = dispatch.PostalFields{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
			p.Form.Archive = dispatch.ArchiveDefaults{CasePostType: "U", CaseStatus: "J"}
			p.Form.ApprovalRecipients, p.Form.ApprovalCost, p.Form.ApprovalSensitive, p.Form.ApprovalTemplates = "100", "2500", true, true
			return admin.AccountEdit(p)
		}},
		{path: "account/references", says: "with a pattern of references and its example", show: func(f frame) templ.Component {
			p := accountFormPage(f, works)
			p.Form.ReferencePattern, p.Form.ReferenceUnit, p.Form.ReferenceFill = "{år}-{nr:5}-{enhet}", "OPV", true
			return admin.AccountEdit(p)
		}},
		{path: "account/references-form", says: "a pattern and a unit that cannot be", show: accountForm(works, wrong(
			dispatch.FieldReferencePattern, "problem.reference_pattern.form", dispatch.FieldReferenceUnit, "problem.reference_unit"))},
		{path: "account/references-parts", says: "a pattern without a number, and a unit that lacks", show: accountForm(works, wrong(
			dispatch.FieldReferencePattern, "problem.reference_pattern.parts", dispatch.FieldReferenceUnit, "problem.reference_unit.empty"))},
		{path: "account/references-long", says: "references that would be too long", show: accountForm(works, wrong(dispatch.FieldReferencePattern, "problem.reference_pattern.long"))},
		{path: "account/references-none", says: "no pattern to fill references in by", show: accountForm(works, wrong(dispatch.FieldReferencePattern, "problem.reference_pattern.none"))},
		{path: "account/references-characters", says: "characters that no pattern can have", show: accountForm(works, wrong(dispatch.FieldReferencePattern, "problem.reference_pattern.characters"))},
		{path: "account/own", says: "as its own administrator sees it", show: func(f frame) templ.Component {
			p := accountFormPage(f, works)
			p.Page = f.onAccount(accountAdmin(), views.SectionSettings, f.text("account.own"))
			p.Narrow = true
			return admin.AccountEdit(p)
		}},
		{path: "account/health", says: "may send to the health network", show: accountForm(overGeneration(works, dispatch.IntegrationShipmentV3), nil)},
		{path: "account/health-older", says: "why it may not", show: accountForm(overGeneration(works, dispatch.IntegrationShipmentV2), nil)},
		{path: "account/sms-only", says: "without shipments", show: accountForm(accountLine(1, working, nil), nil)},
		{path: "account/missing", says: "its integration does not work", show: accountForm(accountLine(0, stoppedLine, nil), nil)},
		{path: "account/disabled", says: "closed for sending", show: accountForm(disabled(works), nil)},
		{path: "account/stale", says: "another administrator saved first", show: accountForm(works, wrong(dispatch.FieldUndo, "problem.stale"))},
		{path: "account/both", says: "another administrator has saved the settings meanwhile", show: func(f frame) templ.Component {
			p := accountFormPage(f, works)
			there := p.Form
			there.Name, there.WatchWords = "Oppvekst og kultur", "rus, gjeld"
			p.Other = admin.OtherAccount(p.Form, there, "/oppsett/kontoer/oppvekst")
			return admin.AccountEdit(p)
		}},
		{path: "account/v2", says: "shipment V2 without the account's id", show: accountForm(works, wrong(dispatch.FieldShipmentAccountID, "problem.account_id.v2"))},
		{path: "account/created", says: "just made", show: func(f frame) templ.Component {
			p := accountFormPage(f, accountLine(1, working, nil))
			p.Flash = &views.Flash{Key: "flash.account_created", Color: "success"}
			return admin.AccountEdit(p)
		}},
	}
}

func accountFormPage(f frame, r admin.AccountLine) admin.AccountFormPage {
	p := admin.AccountFormPage{Page: f.onSetup(views.SectionAccounts, f.text("account.new.title")), Row: r, Form: admin.AccountForm{Undo: "60", SourceSystem: "Utsending"}}
	p.Integrations = []dispatch.Integration{sampleLine(0, working).Integration, sampleLine(1, untried).Integration}
	if r.ID != "" {
		p.Title, p.Form = r.Name, admin.NewAccountForm(r.Account)
	}
	p.Narrow, p.Quota = true, dispatch.Quota{Used: 812, Limit: 1000}
	return p
}

func accountForm(r admin.AccountLine, ps dispatch.Problems) func(frame) templ.Component {
	return func(f frame) templ.Component {
		p := accountFormPage(f, r)
		p.Problems = ps
		return admin.AccountEdit(p)
	}
}

// switchExhibits are the page that moves an account's shipments to another integration.
func switchExhibits() []exhibit {
	page := func(r admin.AccountLine, change func(*admin.SwitchPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.SwitchPage{Page: f.onSetup(views.SectionAccounts, f.text(r.SwitchTitle())), Row: r}
			p.Narrow, p.Integrations = true, []dispatch.Integration{sampleLine(1, oldGeneration).Integration, sampleLine(2, untried).Integration}
			change(&p)
			return admin.SwitchShipments(p)
		}
	}
	r := accountLine(0, working, oldGeneration)
	underWay := func(p *admin.SwitchPage) { p.Pinned, p.Free, p.Pending = 12, 3, 1 }
	chosen := func(t *admin.TrialResult) func(*admin.SwitchPage) {
		return func(p *admin.SwitchPage) {
			underWay(p)
			p.To, p.Trial = p.Integrations[1], *t
		}
	}
	newer := func(p *admin.SwitchPage) {
		chosen(trialUntil("", ""))(p)
		p.Stay, p.From, p.To.Kind = 2, dispatch.V2, dispatch.IntegrationShipmentV3
		p.Readiness.To = dispatch.V3
		p.Lost, p.Gained, p.Rules = dispatch.Changes(dispatch.V2, dispatch.V3)
		p.Unready = dispatch.Problems{{Field: dispatch.FieldReplyNumber, Key: "problem.reply_number"}}
	}
	older := func(p *admin.SwitchPage) {
		chosen(trialUntil("", ""))(p)
		p.From, p.Readiness.To = dispatch.V3, dispatch.V1
		p.Lost, p.Gained, p.Rules = dispatch.Changes(dispatch.V3, dispatch.V1)
	}
	problem := func(key string) func(*admin.SwitchPage) {
		return func(p *admin.SwitchPage) { p.To, p.Problems = p.Integrations[0], wrong("integrasjon", key) }
	}
	return []exhibit{
		{path: "switch/before", says: "nothing chosen yet", show: page(r, underWay)},
		{path: "switch/unchosen", says: "nothing was chosen", show: page(r, func(p *admin.SwitchPage) { p.Problems = wrong("integrasjon", "problem.switch.none") })},
		{path: "switch/first", says: "the account has had no shipments", show: page(accountLine(0, working, nil), func(*admin.SwitchPage) {})},
		{path: "switch/first-ready", says: "its first integration is ready", show: page(accountLine(0, working, nil), chosen(trialUntil("", "")))},
		{path: "switch/ready", says: "the readiness test went well", show: page(r, chosen(trialUntil("", "")))},
		{path: "switch/newer", says: "to the third generation: what is lost and what is different", show: page(r, newer)},
		{path: "switch/older", says: "back from it", show: page(r, older)},
		{path: "switch/failed", says: "the service does not know the account", show: page(r, chosen(trialUntil(dispatch.TrialAccount, "reason.forbidden")))},
		{path: "switch/none", says: "shipments are to end", show: page(r, func(p *admin.SwitchPage) { p.Trial.Steps = []dispatch.Trial{{Step: dispatch.TrialSettings}} })},
		{path: "switch/same", says: "the one that it has already", show: page(r, problem("problem.switch.same"))},
		{path: "switch/no-id", says: "V2 without the account's id", show: page(r, problem("problem.account_id.v2"))},
		{path: "switch/bare", says: "the new one has no credentials", show: page(r, problem("problem.credentials.none"))},
		{path: "switch/gone", says: "the new one was deleted meanwhile", show: page(r, problem("problem.integration.gone"))},
	}
}

// generationExhibits are the page of accounts and their generation.
func generationExhibits() []exhibit {
	page := func(change func(*admin.GenerationsPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.GenerationsPage{Page: f.onSetup(views.SectionAccounts, f.text("generations.title"))}
			old, newest, none := accountLine(0, working, oldGeneration), accountLine(1, working, working), accountLine(1, working, nil)
			old.ShipmentKind, newest.ShipmentKind = dispatch.IntegrationShipmentV1, dispatch.IntegrationShipmentV3
			none.Slug, none.Name = "kultur", "Kultur og fritid"
			p.Rows = []admin.GenerationRow{{AccountLine: old, SentAt: galleryNow.Add(-time.Hour), Last: old.ShipmentKind}, {AccountLine: newest, SentAt: galleryNow.Add(-48 * time.Hour), Last: dispatch.IntegrationShipmentV2}, {AccountLine: none, Whole: true}}
			p.Integrations = []dispatch.Integration{sampleLine(1, oldGeneration).Integration, sampleLine(2, untried).Integration}
			change(&p)
			return admin.Generations(p)
		}
	}
	tried := func(p *admin.GenerationsPage) {
		p.Rows[0].Chosen, p.To = true, p.Integrations[1]
		ready := admin.Move{Row: p.Rows[0].AccountLine}
		ready.Trial, ready.Stay = *trialUntil("", ""), 1
		ready.From, ready.To = dispatch.V1, dispatch.V3
		ready.Lost, ready.Gained, ready.Rules = dispatch.Changes(dispatch.V1, dispatch.V3)
		refused := admin.Move{Row: p.Rows[1].AccountLine}
		refused.Trial = *trialUntil(dispatch.TrialAccount, "reason.forbidden")
		bare := admin.Move{Row: p.Rows[2].AccountLine, Problems: wrong("integrasjon", "problem.account_id.v2")}
		p.To.StoppedAt = ago(time.Hour)
		p.Tried, p.Already = []admin.Move{ready, refused, bare}, []admin.AccountLine{p.Rows[1].AccountLine}
	}
	return []exhibit{
		{path: "generations/many", says: "several accounts use the oldest", show: page(func(p *admin.GenerationsPage) {
			p.Rows = append(p.Rows, p.Rows[0], p.Rows[0])
			p.Rows[3].Slug, p.Rows[4].Slug = "skole", "barnehage"
		})},
		{path: "generations/use", says: "which account uses what", show: page(func(*admin.GenerationsPage) {})},
		{path: "generations/settings", says: "one can be moved, and its settings stop what it sends", show: page(func(p *admin.GenerationsPage) {
			tried(p)
			p.Tried, p.Already = p.Tried[:1], nil
			p.Tried[0].Unready = dispatch.Problems{{Field: dispatch.FieldReplyNumber, Key: "problem.reply_number"}}
		})},
		{path: "generations/tried", says: "one is ready, one is refused, one has no id", show: page(tried)},
		{path: "generations/ended", says: "after the last day of the oldest", show: page(func(p *admin.GenerationsPage) { p.Now = time.Date(2027, 1, 4, 12, 0, 0, 0, time.UTC) })},
		{path: "generations/nothing", says: "nothing chosen", show: page(func(p *admin.GenerationsPage) {
			p.Problems = append(wrong("integrasjon", "problem.generations.integration"), wrong("konto", "problem.generations.accounts")...)
		})},
	}
}

// rightsExhibits are the page of rights.
func rightsExhibits() []exhibit {
	page := func(form admin.RightsForm, ps dispatch.Problems) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.RightsPage{Page: f.onSetup(views.SectionRights, f.text("rights.title")), Claim: "groups", Form: form, Accounts: []dispatch.Account{sampleAccount(0), sampleAccount(1)}}
			p.Problems, p.Fresh = ps, form.Role != "gammel"
			p.Rows = []admin.RightsLine{{Claim: "administrator", Role: dispatch.RoleSystemAdmin}}
			for _, role := range dispatch.Roles()[:4] {
				p.Rows = append(p.Rows, admin.RightsLine{Claim: "9d4f0c1e-7a52-4b0e-8c39-2f61d3a0b7c5-" + string(role), Role: role, Account: sampleAccount(0)})
			}
			for i, c := range []dispatch.Clash{dispatch.ClashContent, dispatch.ClashAuditor, dispatch.ClashSeveral} {
				p.Rows[i].Clash = c
			}
			return admin.Rights(p)
		}
	}
	return []exhibit{
		{path: "rights/some", says: "one right of each kind", show: page(admin.RightsForm{}, nil)},
		{path: "rights/empty", says: "nothing filled in", show: page(admin.RightsForm{}, wrong(admin.FieldClaim, "problem.claim", admin.FieldRole, "problem.role"))},
		{path: "rights/account", says: "an administrator of one account", show: page(admin.RightsForm{Claim: "drift", Role: string(dispatch.RoleSystemAdmin), Account: "oppvekst"},
			wrong(admin.FieldAccount, "problem.role.account"))},
		{path: "rights/taken", says: "a right that is there", show: page(admin.RightsForm{Claim: "administrator"}, wrong(admin.FieldClaim, "problem.claim.taken"))},
		{path: "rights/account-empty", says: "no account chosen", show: page(admin.RightsForm{Claim: "drift", Role: string(dispatch.RoleAuditor)}, wrong(admin.FieldAccount, "problem.role.account_empty"))},
		{path: "rights/old-login", says: "the login is too old to change rights", show: page(admin.RightsForm{Role: "gammel"}, nil)},
	}
}

// accessReviewExhibits are the review of rights, and its confirmation.
func accessReviewExhibits() []exhibit {
	page := func(signs bool, note string, ps dispatch.Problems, reviews ...dispatch.AccessReview) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := admin.ReviewPage{Page: f.onSetup(views.SectionReview, f.text("review.title")), Signs: signs, Note: note, Reviews: reviews}
			p.Problems = ps
			if !signs {
				p.User = auditor()
			}
			p.Holdings = []dispatch.Holding{
				{Claim: "administrator", Role: dispatch.RoleSystemAdmin, Person: "Nora Dahl", LoginAt: ago(time.Hour), ActAt: ago(time.Hour)},
				{Claim: "saksbehandlere", Account: sampleAccount(0), Role: dispatch.RoleCaseworker, Person: "Kari Nordmann", LoginAt: ago(26 * time.Hour), ActAt: ago(25 * time.Hour)},
				{Claim: "saksbehandlere", Account: sampleAccount(0), Role: dispatch.RoleCaseworker, Person: "Amir Hosseini", LoginAt: ago(300 * 24 * time.Hour)},
				{Claim: "ledere", Account: sampleAccount(1), Role: dispatch.RoleTeamLead},
			}
			return admin.AccessReview(p)
		}
	}
	signed := func(days, people int, note string) dispatch.AccessReview {
		return dispatch.AccessReview{At: ago(time.Duration(days) * 24 * time.Hour), By: "Nora Dahl", People: people, Note: note}
	}
	return []exhibit{
		{path: "review/never", says: "nobody has signed yet", show: page(true, "", nil)},
		{path: "review/signed", says: "signed a month ago", show: func(f frame) templ.Component {
			return page(true, "", nil, signed(30, 12, "Fjernet to som har sluttet."), signed(214, 1, ""))(f)
		}},
		{path: "review/new", says: "no role is unused, and nobody has logged in with a new one", show: func(f frame) templ.Component {
			p := admin.ReviewPage{Page: f.onSetup(views.SectionReview, f.text("review.title")), Signs: true, Holdings: []dispatch.Holding{
				{Claim: "administrator", Role: dispatch.RoleSystemAdmin, Person: "Nora Dahl", LoginAt: ago(time.Hour), ActAt: ago(time.Hour)},
				{Claim: "ledere", Account: sampleAccount(1), Role: dispatch.RoleTeamLead, GivenAt: ago(24 * time.Hour)},
			}}
			return admin.AccessReview(p)
		}},
		{path: "review/overdue", says: "more than half a year ago, as an auditor", show: page(false, "", nil, signed(214, 12, ""))},
		{path: "review/long", says: "too long a note", show: page(true, "For lang", dispatch.Problems{{Field: "merknad", Key: "problem.review.note", Args: dispatch.Args{"N": 2400}}})},
		{path: "review/changed", says: "it has changed since it was shown", show: page(true, "Alt er riktig", dispatch.Problems{{Field: "merknad", Key: "problem.review.changed"}})},
		{path: "review/saved", says: "just signed", show: func(f frame) templ.Component {
			p := admin.ReviewPage{Page: f.onSetup(views.SectionReview, f.text("review.title")), Signs: true, Reviews: []dispatch.AccessReview{signed(0, 3, "")}}
			p.Flash = &views.Flash{Key: "flash.reviewed", Color: "success"}
			return admin.AccessReview(p)
		}},
	}
}
