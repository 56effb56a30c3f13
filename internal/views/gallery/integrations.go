package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// onSetup is a page of the administration.
func (f frame) onSetup(section views.Section, title string) views.Page {
	p := f.page(administrator(), title)
	p.Section = section
	return p
}

// sampleServices are configured services: one of each kind in both environments.
func sampleServices() []dispatch.Service {
	return []dispatch.Service{
		{Name: "ks-test-sms", Kind: dispatch.IntegrationSMS, Environment: dispatch.EnvironmentTest, BaseURL: "https://api.fiks.test.ks.no"},
		{Name: "ks-test-forsendelse-v1", Kind: dispatch.IntegrationShipmentV1, Environment: dispatch.EnvironmentTest, BaseURL: "https://test.svarut.ks.no"},
		{Name: "ks-produksjon-forsendelse-v2", Kind: dispatch.IntegrationShipmentV2, Environment: dispatch.EnvironmentProduction, BaseURL: "https://api.fiks.ks.no"},
	}
}

// sampleLine is a working integration, changed by change.
func sampleLine(n int, change func(*admin.IntegrationLine)) admin.IntegrationLine {
	l := admin.IntegrationLine{
		Integration: dispatch.Integration{
			ID: dispatch.IntegrationID(sampleID(200 + n)), Name: "SMS for kommunen", Kind: dispatch.IntegrationSMS, Service: "ks-test-sms", ReserveIDs: true,
			Parallelism: 8, RatePerSec: 20, LastUsedAt: ago(time.Minute), LastSuccessAt: ago(time.Minute), Version: 3,
		},
		Environment: "test", Accounts: []dispatch.Account{sampleAccount(0), sampleAccount(1)},
		Sets: []dispatch.CredentialSet{sampleSet(1, dispatch.CredentialActive)},
	}
	l.Sets[0].WorkedAt = l.LastSuccessAt
	change(&l)
	return l
}

func sampleSet(n int, state dispatch.CredentialState) dispatch.CredentialSet {
	return dispatch.CredentialSet{
		ID: dispatch.CredentialID(sampleID(300 + n)), State: state, Method: dispatch.AuthKey, CreatedAt: ago(time.Duration(n) * 17 * 24 * time.Hour), CreatedBy: "Nora Dahl",
	}
}

// sampleRefusals are accounts that the service refuses.
func sampleRefusals(n int) (list []admin.Refusal) {
	for i := range n {
		list = append(list, admin.Refusal{Account: sampleAccount(i), Reason: because("reason.forbidden")})
	}
	return list
}

// Changes of a sampleLine, by state.
func working(*admin.IntegrationLine) {}

func untried(l *admin.IntegrationLine) {
	l.Name, l.Kind, l.Environment, l.LastSuccessAt, l.Accounts = "Brev og digital post", dispatch.IntegrationShipmentV2, "production", time.Time{}, nil
	l.Sets[0].WorkedAt = time.Time{}
}

func oldGeneration(l *admin.IntegrationLine) {
	l.Refusals = sampleRefusals(1)
	l.Name, l.Kind, l.Service = "Forsendelser, gammel vei", dispatch.IntegrationShipmentV1, "ks-test-forsendelse-v1"
}

func bare(l *admin.IntegrationLine) {
	l.Name, l.Sets, l.Refusals = "SMS for legevakten", nil, sampleRefusals(2)
}

func expiring(l *admin.IntegrationLine) {
	l.Name, l.Sets[0].ExpiresAt = "SMS for skolene i Fjordvik og omegn", galleryNow.Add(12*24*time.Hour)
}

func refusedLine(l *admin.IntegrationLine) {
	l.Name, l.RefusedAt, l.Refusal = "SMS for byggesak", ago(3*time.Hour), because("reason.token_refused")
}

func stoppedLine(l *admin.IntegrationLine) {
	l.Name, l.StoppedAt, l.StoppedBy = "SMS for kultur", ago(25*time.Hour), "Nora Dahl"
}

func gone(l *admin.IntegrationLine) {
	l.Name, l.Environment, l.Service = "SMS for brannvesenet", "unknown", "gammel-sms"
	l.Sets[0].TriedAt, l.Sets[0].TriedFailed = galleryNow, dispatch.TrialSettings
}

// integrationExhibits are the list of integrations, the form of one, and one itself.
func integrationExhibits() []exhibit {
	list := func(rows ...admin.IntegrationLine) func(frame) templ.Component {
		return func(f frame) templ.Component {
			return admin.Integrations(admin.IntegrationsPage{Page: f.onSetup(views.SectionIntegrations, f.text("integrations.title")), Rows: rows})
		}
	}
	var every []admin.IntegrationLine
	for n, change := range []func(*admin.IntegrationLine){working, untried, oldGeneration, bare, expiring, refusedLine, stoppedLine, gone} {
		every = append(every, sampleLine(n, change))
	}
	created := func(key string) func(*views.Page) {
		return func(p *views.Page) { p.Flash = &views.Flash{Key: key, Color: "success"} }
	}
	return []exhibit{
		{path: "integrations/empty", says: "no integration yet", show: list()},
		{path: "integrations/all", says: "every state, with alerts for what is stopped now", show: list(every...)},
		{path: "integrations/well", says: "nothing is stopped", show: list(sampleLine(1, working))},
		{path: "integration/new", says: "a new one: choose the service", show: integrationForm("", nil, sampleServices()...)},
		{path: "integration/new-none", says: "the configuration names no service", show: integrationForm("", nil)},
		{path: "integration/new-wrong", says: "every problem of a new one", show: integrationForm("", dispatch.Problems{
			{Field: dispatch.FieldService, Key: "problem.service"}, {Field: dispatch.FieldName, Key: "problem.integration.name"},
			{Field: dispatch.FieldParallelism, Key: "problem.parallelism"}, {Field: dispatch.FieldRate, Key: "problem.rate"},
		}, sampleServices()...)},
		{path: "integration/long", says: "a name that is too long", show: integrationForm("", dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.name.long"}}, sampleServices()...)},
		{path: "integration/taken", says: "a name that another has", show: integrationForm("1", dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.integration.taken"}})},
		{path: "integration/edit", says: "an SMS integration is changed", show: integrationForm("1", nil)},
		{path: "integration/edit-v1", says: "a V1 integration is changed, with both of its peculiarities", show: integrationForm("v1", nil)},
		{path: "integration/stale", says: "another administrator saved first", show: integrationForm("1", dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.stale"}})},
		{path: "integration/created", says: "just made: credentials come next", show: integrationPage(bare, func(p *admin.IntegrationPage) { created("flash.integration_created")(&p.Page) })},
		{path: "integration/saved", says: "a login was just saved", show: integrationPage(working, func(p *admin.IntegrationPage) { created("flash.credentials_saved")(&p.Page) })},
		{path: "integration/working", says: "works, with two accounts", show: integrationPage(working, func(p *admin.IntegrationPage) { p.Sets[0].TriedAt = ago(2 * time.Hour) })},
		{path: "integration/unused", says: "not tried, in production, and used by nobody: it may be deleted", show: integrationPage(untried, func(*admin.IntegrationPage) {})},
		{path: "integration/asked-delete", says: "its deletion waits for another administrator", show: integrationPage(untried, func(p *admin.IntegrationPage) { p.Asked = askedFor(dispatch.ActDelete) })},
		{path: "integration/asked-open", says: "stopped, and opening it waits for another administrator", show: integrationPage(stoppedLine, func(p *admin.IntegrationPage) { p.Asked = askedFor(dispatch.ActOpen) })},
		{path: "integration/in-use", says: "deleting was refused", show: integrationPage(untried, func(p *admin.IntegrationPage) {
			p.Problems = dispatch.Problems{{Field: "brukes", Key: "problem.integration.sent"}}
		})},
		{path: "integration/refused", says: "the service refuses us, and an account besides", show: integrationPage(refusedLine, func(p *admin.IntegrationPage) {
			p.Waiting, p.Refusals = 1071, sampleRefusals(1)
		})},
		{path: "integration/new-login", says: "works, but not yet with the login that was just entered", show: integrationPage(working, func(p *admin.IntegrationPage) {
			p.Waiting, p.Sets[0].CreatedAt, p.Sets[0].WorkedAt = 2, ago(time.Second), time.Time{}
			p.Sets = append(p.Sets, sampleSet(20, dispatch.CredentialRetiring))
			p.Sets[1].TriedAt = ago(2 * time.Hour)
		})},
		{path: "integration/denied", says: "the login in use was refused when it was last used", show: integrationPage(working, func(p *admin.IntegrationPage) {
			p.Sets[0].DeniedAt, p.Sets[0].WorkedAt = ago(time.Hour), time.Time{}
		})},
		{path: "integration/expires-today", says: "the login in use expires today", show: integrationPage(expiring, func(p *admin.IntegrationPage) { p.Sets[0].ExpiresAt = galleryNow.Add(time.Minute) })},
		{path: "integration/spare-tried", says: "the login in use failed when it was tried, and the one in reserve works", show: integrationPage(working, func(p *admin.IntegrationPage) {
			p.Sets = []dispatch.CredentialSet{sampleSet(1, dispatch.CredentialActive), sampleSet(20, dispatch.CredentialRetiring)}
			p.Sets[0].TriedAt, p.Sets[0].TriedFailed, p.Sets[1].TriedAt = ago(time.Minute), dispatch.TrialToken, ago(time.Second)
		})},
		{path: "integration/retried", says: "somebody asked for a new attempt after a refusal", show: integrationPage(working, func(p *admin.IntegrationPage) {
			p.ClearedAt, p.Waiting = ago(time.Second), 2
		})},
		{path: "integration/stopped", says: "stopped by a person", show: integrationPage(stoppedLine, func(*admin.IntegrationPage) {})},
		{path: "integration/stopped-by-us", says: "stopped after three uncertain answers", show: integrationPage(stoppedLine, func(p *admin.IntegrationPage) { p.StoppedBy = "" })},
		{path: "integration/v1", says: "shipment V1, which ends", show: integrationPage(oldGeneration, func(*admin.IntegrationPage) {})},
		{path: "integration/gone", says: "its service has left the configuration", show: integrationPage(gone, func(p *admin.IntegrationPage) { p.Known = false })},
		{path: "integration/sets-well", says: "the active set is used, and the former is kept", show: integrationPage(working, func(p *admin.IntegrationPage) {
			p.Sets = []dispatch.CredentialSet{sampleSet(1, dispatch.CredentialActive), sampleSet(20, dispatch.CredentialRetiring)}
		})},
		{path: "integration/sets", says: "a set of credentials in every state", show: integrationPage(expiring, func(p *admin.IntegrationPage) {
			created("flash.credentials_saved.next")(&p.Page)
			p.Sets = allSets()
		})},
	}
}

// askedFor is a request that waits for another administrator.
func askedFor(act dispatch.AdminAct) []dispatch.ActRequest {
	return []dispatch.ActRequest{{Act: act, State: dispatch.ActWaiting, Asker: "Tor Haugen", AskedAt: ago(time.Hour), ExpiresAt: galleryNow.Add(71 * time.Hour)}}
}

// allSets are sets in every state: one is refused while another is used.
func allSets() []dispatch.CredentialSet {
	next, active, retiring, wiped := sampleSet(0, dispatch.CredentialNext), sampleSet(1, dispatch.CredentialActive), sampleSet(20, dispatch.CredentialRetiring), sampleSet(30, dispatch.CredentialWiped)
	next.SwitchAt = galleryNow.Add(4 * 24 * time.Hour)
	active.ExpiresAt, active.Refusal = galleryNow.Add(12*24*time.Hour), because("reason.unauthorized")
	wiped.CreatedBy, wiped.ExpiresAt = "", ago(90*24*time.Hour)
	return []dispatch.CredentialSet{next, active, retiring, wiped}
}

// integrationForm shows the form of a new integration, of an SMS one, or of a V1 one.
func integrationForm(which string, ps dispatch.Problems, services ...dispatch.Service) func(frame) templ.Component {
	return func(f frame) templ.Component {
		p := admin.IntegrationFormPage{Page: f.onSetup(views.SectionIntegrations, f.text("integration.new.title")), Services: services}
		line := sampleLine(1, working)
		switch which {
		case "":
			line.Integration = dispatch.Integration{Parallelism: 8, RatePerSec: 20, ReserveIDs: true}
		case "v1":
			line = sampleLine(1, oldGeneration)
			line.Wire, line.ReserveIDs = "deployed", false
		}
		if which != "" {
			p.ID, p.Kind, p.Title = line.ID, line.Kind, f.text("integration.edit.title")
		}
		p.Form, p.Narrow, p.Problems = admin.NewIntegrationForm(line.Integration), true, ps
		return admin.IntegrationNew(p)
	}
}

// integrationPage shows one integration.
func integrationPage(state func(*admin.IntegrationLine), change func(*admin.IntegrationPage)) func(frame) templ.Component {
	return func(f frame) templ.Component {
		line := sampleLine(1, state)
		p := admin.IntegrationPage{Page: f.onSetup(views.SectionIntegrations, f.text("integration.title", "Name", line.Name)), IntegrationLine: line, Known: true}
		p.Service = sampleServices()[0]
		change(&p)
		return admin.Integration(p)
	}
}
