package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// shipmentTemplate is a template of shipments in a version.
func shipmentTemplate(version int) dispatch.Template {
	f := sampleForm()
	f.Title, f.BillingCode, f.DigitalOnly, f.Level4, f.Encrypt = "Vedtak om skoleskyss", "4100-SFO", version > 1, true, true
	f.SharedWith, f.TitleNynorsk = "974760673", "Vedtak om skuleskyss"
	signed(&f, 401, galleryNow.AddDate(0, 0, 10+version).Format("02.01.2006"))
	if version == 1 {
		f.SignBy = ""
	}
	stored, err := compose.ChoicesOf(f, galleryNow).Stored()
	if err != nil {
		panic(err) // the form is ours
	}
	return dispatch.Template{ID: dispatch.TemplateID(sampleID(480)), Newest: version, TemplateVersion: dispatch.TemplateVersion{
		TemplateContent: dispatch.TemplateContent{Name: "Vedtak om skyss", Choices: stored}, Number: version, By: "Ingrid Lunde", At: ago(time.Duration(4-version) * 30 * time.Hour)}}
}

func archivedShipmentTemplate() dispatch.Template {
	t := shipmentTemplate(1)
	t.ID, t.Name, t.ArchivedAt, t.ArchivedBy = dispatch.TemplateID(sampleID(481)), "Innkalling", ago(time.Hour), "Jonas Vik"
	return t
}

// shipmentTemplateExhibits are templates of shipments.
func shipmentTemplateExhibits() []exhibit {
	one := func(who dispatch.User, shown int) func(frame) templ.Component {
		return func(f frame) templ.Component {
			t := shipmentTemplate(2)
			p := compose.TemplatePage{Page: f.onAccount(who, views.SectionTemplates, t.Name), Template: t, Key: sampleID(302),
				Versions: []dispatch.TemplateVersion{t.TemplateVersion, shipmentTemplate(1).TemplateVersion}}
			p.Shown = p.Versions[2-shown]
			return compose.TemplateShow(p)
		}
	}
	form := func(templates []dispatch.Template, problem *dispatch.Problem) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.ShipmentTemplatePage{Page: f.onAccount(teamLead(), views.SectionTemplates, f.text("shipment_template.title")), Draft: dispatch.ItemID(sampleID(1)),
				Choices: shipmentTemplate(2).Choices, Templates: templates, Form: compose.ShipmentTemplateForm{Key: sampleID(482)}}
			if p.Narrow = true; problem != nil {
				p.Problems = dispatch.Problems{*problem}
			}
			return compose.ShipmentTemplate(p)
		}
	}
	all := []dispatch.Template{shipmentTemplate(2)}
	return []exhibit{
		{path: "shipment-template/newest", says: "in use, for who may change it", show: one(teamLead(), 2)},
		{path: "shipment-template/to-use", says: "for who may use it only", show: one(caseworker(), 2)},
		{path: "shipment-template/older", says: "an older version", show: one(teamLead(), 1)},
		{path: "shipment-template/first", says: "the choices of a draft become the account's first template", show: form(nil, nil)},
		{path: "shipment-template/onto", says: "or a new version of one", show: form(all, nil)},
		{path: "shipment-template/stale", says: "somebody was faster", show: form(all, &dispatch.Problem{Field: "mal", Key: "problem.shipment_template.stale"})},
		{path: "shipment-template/unlike", says: "its titles have different fields", show: form(nil,
			&dispatch.Problem{Field: dispatch.FieldName, Key: "problem.shipment_template.titles", Args: dispatch.Args{"Name": "((barn))"}})},
		{path: "shipment-template/waits", says: "another change waits for approval", show: form(all, &dispatch.Problem{Field: "mal", Key: "problem.template.waits"})},
		{path: "shipment-template/gone", says: "it is no longer in use", show: form(all, &dispatch.Problem{Field: "mal", Key: "problem.shipment_template.archived"})},
	}
}
