package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

func teamLead() dispatch.User {
	return dispatch.User{ID: "ingrid", Name: "Ingrid Lunde", Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleTeamLead}}}
}

func accountAdmin() dispatch.User {
	return dispatch.User{ID: "jonas", Name: "Jonas Vik", Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleAccountAdmin}}}
}

// sampleVersions are the versions of a template, newest first.
func sampleVersions() []dispatch.TemplateVersion {
	version := func(n int, by string, text, nynorsk string) dispatch.TemplateVersion {
		return dispatch.TemplateVersion{
			TemplateContent: dispatch.TemplateContent{Name: "Påminnelse om time", Text: text, Nynorsk: nynorsk}, Number: n, By: by, At: ago(time.Duration(5-n) * 30 * time.Hour),
		}
	}
	first := "Hei ((fornavn)). Du har time hos oss ((dato)). Hilsen Fjordvik kommune"
	list := []dispatch.TemplateVersion{
		version(4, "Jonas Vik", "Hei ((fornavn)). Du har time hos oss ((dato)) kl. ((klokkeslett)). Hilsen Fjordvik kommune", "Hei ((fornavn)). Du har time hos oss ((dato)). Helsing Fjordvik kommune"),
		version(3, "Ingrid Lunde", first, ""), version(2, "Ingrid Lunde", "Hei. Husk timen ((dato)).", ""), version(1, "Ingrid Lunde", first, ""),
	}
	list[1].RestoredFrom = 1
	return list
}

func sampleTemplate() dispatch.Template {
	return dispatch.Template{ID: dispatch.TemplateID(sampleID(400)), TemplateVersion: sampleVersions()[0], Newest: sampleVersions()[0].Number}
}

func archivedTemplate() dispatch.Template {
	t := sampleTemplate()
	t.ArchivedAt, t.ArchivedBy = ago(3*time.Hour), "Ingrid Lunde"
	return t
}

// sampleUses are the months in which a template was used.
func sampleUses() []dispatch.TemplateMonth {
	month := func(year int, m time.Month, last, n int) dispatch.TemplateMonth {
		return dispatch.TemplateMonth{Month: time.Date(year, m, 1, 0, 0, 0, 0, dispatch.Oslo), N: n, Last: time.Date(year, m, last, 0, 0, 0, 0, dispatch.Oslo)}
	}
	return []dispatch.TemplateMonth{month(2026, time.November, 19, 1202), month(2026, time.October, 30, 48), month(2026, time.March, 2, 1)}
}

// templateExhibits are the pages of templates.
func templateExhibits() []exhibit {
	list := func(who dispatch.User, p compose.TemplatesPage) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p.Page = f.onAccount(who, views.SectionTemplates, f.text("template.title"))
			return compose.Templates(p)
		}
	}
	plain := dispatch.Template{ID: dispatch.TemplateID(sampleID(401)), TemplateVersion: dispatch.TemplateVersion{
		TemplateContent: dispatch.TemplateContent{Name: "Stengt", Text: "Kontoret er stengt i dag."}, Number: 1, By: "Ingrid Lunde", At: ago(time.Hour)}}
	some := []dispatch.Template{sampleTemplate(), plain}
	return append([]exhibit{
		{path: "templates/none", says: "none yet, for who may make the first", show: list(teamLead(), compose.TemplatesPage{})},
		{path: "templates/none-to-use", says: "none yet, for who may only use them", show: list(dispatch.User{ID: "amir", Name: "Amir Hosseini",
			Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleCaseworker}}}, compose.TemplatesPage{})},
		{path: "templates/some", says: "a pair and one in bokmål only", show: list(teamLead(), compose.TemplatesPage{Templates: some,
			Uses: map[dispatch.TemplateID][]dispatch.TemplateMonth{sampleTemplate().ID: sampleUses()}})},
		{path: "templates/found", says: "narrowed by words", show: list(teamLead(), compose.TemplatesPage{Searches: true, Search: "påminnelse", Templates: some[:1]})},
		{path: "templates/not-found", says: "none with these words", show: list(teamLead(), compose.TemplatesPage{Searches: true, Search: "skyss"})},
		{path: "templates/archived", says: "archived ones below, seen by who has no other page of the account", show: list(accountAdmin(), compose.TemplatesPage{
			Templates: some, Archived: []dispatch.Template{archivedTemplate()}})},
		{path: "templates/all-archived", says: "all are archived", show: list(teamLead(), compose.TemplatesPage{Archived: []dispatch.Template{archivedTemplate()}})},
		{path: "templates/shipments", says: "templates of shipments beside those of SMS, one of them not in use", show: list(teamLead(), compose.TemplatesPage{
			Templates: some, Shipments: []dispatch.Template{shipmentTemplate(2), archivedShipmentTemplate()},
			Uses: map[dispatch.TemplateID][]dispatch.TemplateMonth{shipmentTemplate(2).ID: sampleUses()}})},
	}, slices.Concat(oneTemplateExhibits(), templateFormExhibits(), shipmentTemplateExhibits())...)
}

func oneTemplateExhibits() []exhibit {
	one := func(who dispatch.User, t dispatch.Template, shown int, change func(*compose.TemplatePage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.TemplatePage{Page: f.onAccount(who, views.SectionTemplates, t.Name), Template: t, Versions: sampleVersions()}
			p.Shown = p.Versions[len(p.Versions)-shown]
			if shown != t.Number {
				p.Title = f.text("template.version.title", "Name", p.Shown.Name, "Version", shown)
			}
			change(&p)
			return compose.TemplateShow(p)
		}
	}
	as := func(*compose.TemplatePage) {}
	return []exhibit{
		{path: "template/newest", says: "in use; its nynorsk lacks a field", show: one(teamLead(), sampleTemplate(), 4, as)},
		{path: "template/needs-approval", says: "somebody else has to approve what is sent with it", show: one(teamLead(), sampleTemplate(), 4, func(p *compose.TemplatePage) { p.Template.NeedsApproval = true })},
		{path: "template/used", says: "used in some months", show: one(teamLead(), sampleTemplate(), 4, func(p *compose.TemplatePage) { p.Uses = sampleUses() })},
		{path: "template/nynorsk", says: "in nynorsk only", show: one(teamLead(), sampleTemplate(), 4, func(p *compose.TemplatePage) { p.Shown.Text = "" })},
		{path: "template/to-use", says: "for who may not change it", show: one(auditor(), sampleTemplate(), 4, as)},
		{path: "template/older", says: "an older version, and what was changed in it", show: one(teamLead(), sampleTemplate(), 2, as)},
		{path: "template/first", says: "the first version has nothing before it", show: one(teamLead(), sampleTemplate(), 1, as)},
		{path: "template/archived", says: "no longer in use", show: one(teamLead(), archivedTemplate(), 4, as)},
		{path: "template/archived-older", says: "an older version of an archived one cannot be taken back", show: one(teamLead(), archivedTemplate(), 2, as)},
		{path: "template/taken", says: "its name was given away while it was archived", show: one(teamLead(), archivedTemplate(), 4, func(p *compose.TemplatePage) {
			p.Problems = dispatch.Problems{{Field: "handling", Key: "problem.template.taken"}}
		})},
	}
}

func templateFormExhibits() []exhibit {
	form := func(t dispatch.Template, f compose.TemplateForm, change func(*compose.TemplateFormPage)) func(frame) templ.Component {
		return func(fr frame) templ.Component {
			p := compose.TemplateFormPage{Page: fr.onAccount(teamLead(), views.SectionTemplates, fr.text("template.new")), Template: t, Form: f}
			if t.ID != "" {
				p.Title = fr.text("template.edit.title", "Name", t.Name)
			}
			p.Narrow = true
			p.Measured = map[dispatch.WrittenForm]compose.Measured{
				dispatch.FormBokmal:  measuredTemplate(dispatch.FieldText, f.Text),
				dispatch.FormNynorsk: measuredTemplate(dispatch.FieldNynorsk, f.Nynorsk),
			}
			change(&p)
			return compose.TemplateEdit(p)
		}
	}
	as := func(*compose.TemplateFormPage) {}
	parsed := func(p *compose.TemplateFormPage) { _, p.Problems = p.Form.Parse() }
	key, kept := compose.TemplateForm{Key: sampleID(402)}, compose.NewTemplateForm(sampleVersions()[0])
	long := compose.TemplateForm{Key: sampleID(402), Name: strings.Repeat("æ", 101), Text: strings.Repeat("x", 1601), Nynorsk: strings.Repeat("č", 1601)}
	unsendable := compose.TemplateForm{Key: sampleID(402), Name: "a\x00", Text: "Hei\x00", Nynorsk: "Hei\x00"}
	saying := func(field, key string) func(*compose.TemplateFormPage) {
		return func(p *compose.TemplateFormPage) { p.Problems = dispatch.Problems{{Field: field, Key: key}} }
	}
	return []exhibit{
		{path: "template-form/new", says: "as it opens", show: form(dispatch.Template{}, key, as)},
		{path: "template-form/edit", says: "a pair, counted, with its fields", show: form(sampleTemplate(), kept, as)},
		{path: "template-form/empty", says: "saved with nothing in it", show: form(dispatch.Template{}, key, parsed)},
		{path: "template-form/long", says: "everything too long", show: form(dispatch.Template{}, long, parsed)},
		{path: "template-form/unsendable", says: "characters that cannot be sent", show: form(dispatch.Template{}, unsendable, parsed)},
		{path: "template-form/blank", says: "a nynorsk of blanks that came another way", show: form(sampleTemplate(), kept, saying("nynorsk", "problem.nynorsk.empty"))},
		{path: "template-form/unlike", says: "a nynorsk without a field that the bokmål has", show: form(sampleTemplate(), kept, parsed)},
		{path: "template-form/unlike-bokmal", says: "a bokmål without a field that the nynorsk has", show: form(dispatch.Template{},
			compose.TemplateForm{Key: sampleID(402), Name: "Time", Text: "Hei", Nynorsk: "Hei ((fornamn))"}, parsed)},
		{path: "template-form/taken", says: "the name is another's", show: form(sampleTemplate(), kept, saying("navn", "problem.template.taken"))},
		{path: "template-form/stray", says: "a field is not closed", show: form(dispatch.Template{},
			compose.TemplateForm{Key: sampleID(402), Name: "Time", Text: "Hei ((fornavn), … (dato))", Nynorsk: "Hei ((fornavn)), … (dato)"}, parsed)},
		{path: "template-form/archived", says: "archived while it was written", show: form(sampleTemplate(), kept, saying("tekst", "problem.template.archived"))},
		{path: "template-form/asks", says: "the account wants changes approved", show: form(sampleTemplate(), kept, func(p *compose.TemplateFormPage) { p.Account.Approval.Templates = true })},
		{path: "template-form/waits", says: "another change waits for approval", show: form(sampleTemplate(), kept, saying("tekst", "problem.template.waits"))},
		{path: "template-form/stale", says: "somebody saved meanwhile: what they wrote, against what was typed", show: form(sampleTemplate(),
			compose.TemplateForm{Name: "Påminnelse", Text: "Hei ((fornavn)). Husk timen ((dato)).", Version: "4"}, func(p *compose.TemplateFormPage) {
				p.Stale = true
				saying("tekst", "problem.template.stale")(p)
			})},
		{path: "template-form/stale-same", says: "somebody saved the very same meanwhile", show: form(sampleTemplate(), kept, func(p *compose.TemplateFormPage) {
			p.Stale = true
			saying("tekst", "problem.template.stale")(p)
		})},
		{path: "template-form/count", says: "the count of one text, as it is answered", part: true, show: func(fr frame) templ.Component {
			return compose.SMSCount(fr.onAccount(teamLead(), views.SectionTemplates, ""), measuredTemplate(dispatch.FieldNynorsk, "Hei ((fornavn)) – čálus"))
		}},
	}
}

// choiceExhibits are the choice of a template where an SMS is written.
func choiceExhibits() []exhibit {
	page := func(fr frame, text string, change func(*compose.SMSFormPage)) compose.SMSFormPage {
		p := compose.SMSFormPage{
			Page: fr.onAccount(caseworker(), views.SectionNewSMS, fr.text("sms.new.title")), Action: "/k/oppvekst/sms/ny", Measured: measured(text, dispatch.Quota{Used: 812}),
			Form: compose.SMSForm{Key: sampleID(301), By: compose.ByPhone, Phone: "900 00 123", Text: text},
		}
		p.Narrow, p.Choice.Templates = true, []dispatch.Template{sampleTemplate()}
		change(&p)
		return p
	}
	chosen := compose.ChoiceValue(sampleTemplate().ID, dispatch.FormNynorsk)
	filled := func(p *compose.SMSFormPage) {
		p.Form.Chosen, p.Form.Template = chosen, sampleTemplate().Use(dispatch.FormNynorsk)
		p.Choice.UsedName, p.Choice.Filled = sampleTemplate().Name, true
	}
	asks := func(p *compose.SMSFormPage) {
		p.Form.Chosen = chosen
		p.Choice.Offer = &compose.TemplateOffer{Name: sampleTemplate().Name, Value: chosen, Text: sampleTemplate().Nynorsk, Form: dispatch.FormNynorsk}
	}
	show := func(text string, change func(*compose.SMSFormPage)) func(frame) templ.Component {
		return func(fr frame) templ.Component { return compose.SMSNew(page(fr, text, change)) }
	}
	return []exhibit{
		{path: "sms-form/template", says: "templates to choose from", show: show("", func(*compose.SMSFormPage) {})},
		{path: "sms-form/template-filled", says: "the text was taken from one", show: show(sampleTemplate().Nynorsk, filled)},
		{path: "sms-form/template-asks", says: "before what was typed is replaced", show: show("Mine egne ord", asks)},
		{path: "sms-form/template-gone", says: "the chosen one was archived", show: show("", func(p *compose.SMSFormPage) {
			p.Problems = dispatch.Problems{{Field: "mal", Key: "problem.template.gone"}}
		})},
		{path: "sms-form/template-unfilled", says: "fields still stand in the text", show: show(sampleTemplate().Text, func(p *compose.SMSFormPage) {
			filled(p)
			_, p.Problems = p.Form.Parse(p.Now)
			p.Problems = dispatch.Problems{*p.Problems.For(dispatch.FieldText)}
		})},
		{path: "sms-form/template-one-unfilled", says: "one field still stands in the text", show: show("Hei ((fornavn))", func(p *compose.SMSFormPage) {
			p.Problems = dispatch.Problems{*dispatch.Unfilled(p.Form.Text)}
		})},
		{path: "sms-form/template-part", says: "the choice alone, as it is answered", part: true, show: func(fr frame) templ.Component {
			return compose.TemplateFilled(page(fr, "Mine egne ord", asks).TemplateField())
		}},
	}
}
