package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// trialSteps are the steps of a trial in order, with the errors of each.
var trialSteps = []struct {
	step dispatch.TrialStep
	keys []string
}{
	{dispatch.TrialSettings, []string{"reason.trial_service", "problem.certificate.expired", "problem.credentials.only_basic"}},
	{dispatch.TrialName, []string{"reason.trial_name"}},
	{dispatch.TrialTLS, []string{"reason.trial_connect", "reason.trial_tls"}},
	{dispatch.TrialToken, []string{"reason.token_refused", "reason.token_key", "reason.token_scope", "reason.not_understood"}},
	{dispatch.TrialCredentials, []string{"reason.unauthorized"}},
	{dispatch.TrialAccount, []string{"reason.forbidden"}},
}

// trialUntil is a trial that fails at a step; empty: it succeeds.
func trialUntil(failing dispatch.TrialStep, key string) *admin.TrialResult {
	t := &admin.TrialResult{}
	for _, s := range trialSteps {
		taken := dispatch.Trial{Step: s.step}
		if s.step == dispatch.TrialAccount {
			taken.Account = sampleAccount(0).Name
		}
		if s.step == failing {
			taken.Failure = because(key)
			t.Steps = append(t.Steps, taken)
			return t
		}
		t.Steps = append(t.Steps, taken)
	}
	return t
}

// trialExhibits are results of trials.
func trialExhibits() []exhibit {
	tried := func(t *admin.TrialResult) func(frame) templ.Component {
		return integrationPage(working, func(p *admin.IntegrationPage) {
			p.Trial, p.Sets[0].TriedAt, t.Of, t.At = t, galleryNow, p.Sets[0], galleryNow
		})
	}
	exhibits := []exhibit{
		{path: "trial/worked", says: "every step went well", show: tried(trialUntil("", ""))},
		{path: "trial/bare", says: "there is nothing to try with", show: integrationPage(bare, func(p *admin.IntegrationPage) {
			p.Problems = dispatch.Problems{{Field: "tilgang", Key: "problem.credentials.none"}}
		})},
		{path: "trial/part", says: "as an answer to the form", part: true, show: func(f frame) templ.Component {
			return admin.TrialAnswer(trialUntil(dispatch.TrialToken, "reason.token_refused"), f.onSetup(views.SectionIntegrations, ""))
		}},
		{path: "trial/part-wrong", says: "an answer to a form that cannot be tried", part: true, show: func(f frame) templ.Component {
			p := f.onSetup(views.SectionIntegrations, "")
			p.Problems = dispatch.Problems{{Field: dispatch.FieldScope, Key: "problem.credentials.scope"}, {Field: dispatch.FieldPrivateKey, Key: "problem.key.empty"}}
			return admin.TrialAnswer(nil, p)
		}},
	}
	for _, s := range trialSteps {
		for _, key := range s.keys {
			exhibits = append(exhibits, exhibit{path: "trial/" + string(s.step) + "-" + key, says: "failed at " + string(s.step), show: tried(trialUntil(s.step, key))})
		}
	}
	return exhibits
}

// credentialsExhibits are the form of credentials with each of its problems.
func credentialsExhibits() []exhibit {
	key, secret, token := credentials(dispatch.AuthKey), credentials(dispatch.AuthClientSecret), credentials(dispatch.AuthToken)
	return []exhibit{
		{path: "credentials/first", says: "the first set: it is used at once", show: credentialsPage(bare, key, nil, nil)},
		{path: "credentials/key", says: "a key, with one in use", show: credentialsPage(working, key, nil, nil)},
		{path: "credentials/secret", says: "a client secret", show: credentialsPage(working, secret, nil, nil)},
		{path: "credentials/token", says: "a fixed token", show: credentialsPage(working, token, nil, nil)},
		{path: "credentials/basic", says: "user and password of shipment V1", show: credentialsPage(oldGeneration, admin.CredentialsForm{ClientID: "fjordvik"}, nil, nil)},
		{path: "credentials/production", says: "of production, without a set", show: credentialsPage(untried, key, nil, nil)},
		{path: "credentials/tried", says: "tried without script: secrets must be typed again", show: credentialsPage(working, key, trialUntil("", ""), nil)},
		{path: "credentials/tried-in-vain", says: "tried without script, and refused", show: credentialsPage(working, key, trialUntil(dispatch.TrialToken, "reason.token_scope"), nil)},
		{path: "credentials/empty", says: "nothing filled in", show: credentialsPage(working, admin.CredentialsForm{Method: string(dispatch.AuthKey), Later: true}, nil, wrong(
			dispatch.FieldClientID, "problem.credentials.client_id", dispatch.FieldScope, "problem.credentials.scope", dispatch.FieldPrivateKey, "problem.key.empty",
			dispatch.FieldKeyID, "problem.key.neither", dispatch.FieldIntegrationID, "problem.integration.id_empty",
			dispatch.FieldIntegrationPassword, "problem.integration.password", admin.FieldExpires, "problem.date", admin.FieldSwitchDay, "problem.switch_time"))},
		{path: "credentials/empty-secret", says: "no secret", show: credentialsPage(working, secret, nil, wrong(
			dispatch.FieldClientSecret, "problem.credentials.secret", dispatch.FieldIntegrationID, "problem.integration.id"))},
		{path: "credentials/empty-token", says: "no token", show: credentialsPage(working, token, nil, wrong(dispatch.FieldClientSecret, "problem.credentials.token"))},
		{path: "credentials/empty-basic", says: "neither user nor password", show: credentialsPage(oldGeneration, admin.CredentialsForm{}, nil, wrong(
			dispatch.FieldClientID, "problem.credentials.user", dispatch.FieldClientSecret, "problem.credentials.password"))},
		{path: "credentials/characters", says: "a line break in a secret, and an end that has passed", show: credentialsPage(working, secret, nil, wrong(
			dispatch.FieldClientSecret, "problem.credentials.characters", admin.FieldExpires, "problem.credentials.expired"))},
		{path: "credentials/no-method", says: "no method, or one that the service does not take", show: credentialsPage(working, admin.CredentialsForm{}, nil, wrong(
			dispatch.FieldMethod, "problem.credentials.method"))},
		{path: "credentials/no-basic", says: "a method that the service does not take", show: credentialsPage(working, admin.CredentialsForm{}, nil, wrong(
			dispatch.FieldMethod, "problem.credentials.no_basic"))},
		{path: "credentials/both", says: "both a key id and certificates", show: credentialsPage(working, key, nil, wrong(dispatch.FieldKeyID, "problem.key.both"))},
		{path: "credentials/past", says: "a switch time that has passed", show: credentialsPage(working, later(), nil, wrong(admin.FieldSwitchDay, "problem.switch_time.past"))},
		{path: "credentials/too-late", says: "a switch after the end", show: credentialsPage(working, later(), nil, wrong(admin.FieldSwitchDay, "problem.switch_time.expired"))},
		{path: "credentials/next", says: "another set is to take over", show: credentialsPage(func(l *admin.IntegrationLine) { l.Sets = allSets() }, later(), nil, nil)},
		{path: "credentials/key-unreadable", says: "no key at all", show: credentialsPage(working, key, nil, wrong(dispatch.FieldPrivateKey, "problem.key.unreadable"))},
		{path: "credentials/key-certificate", says: "a certificate where the key should be, a key where the certificate should be", show: credentialsPage(working, key, nil, wrong(
			dispatch.FieldPrivateKey, "problem.key.certificate", dispatch.FieldCertificates, "problem.certificate.key"))},
		{path: "credentials/key-passphrase", says: "a key with a passphrase", show: credentialsPage(working, key, nil, wrong(
			dispatch.FieldPrivateKey, "problem.key.passphrase", dispatch.FieldCertificates, "problem.certificate.unreadable"))},
		{path: "credentials/key-several", says: "two keys", show: credentialsPage(working, key, nil, wrong(
			dispatch.FieldPrivateKey, "problem.key.several", dispatch.FieldCertificates, "problem.certificate.other_key"))},
		{path: "credentials/key-rsa", says: "not an RSA key", show: credentialsPage(working, key, nil, wrong(
			dispatch.FieldPrivateKey, "problem.key.rsa", dispatch.FieldCertificates, "problem.certificate.early"))},
		{path: "credentials/key-short", says: "too short a key", show: credentialsPage(working, key, nil, wrong(dispatch.FieldPrivateKey, "problem.key.short"))},
	}
}

// credentials is the form filled in for a method.
func credentials(method dispatch.AuthMethod) admin.CredentialsForm {
	f := admin.CredentialsForm{Method: string(method), ClientID: "0b7f3c52-6d0e-4d39-9f0f-3b1f8f6f2a11", Scope: "ks:fiks", IntegrationID: "c4a1a6de-40a2-4f4f-8d07-6f7c1f7a1e22"}
	if method == dispatch.AuthKey {
		f.KeyID, f.Expires = "fjordvik-2026", "01.11.2027"
	}
	return f
}

// later is a set of credentials that takes effect later.
func later() admin.CredentialsForm {
	f := credentials(dispatch.AuthKey)
	f.Later, f.SwitchDay, f.SwitchTime = true, "24.11.2026", "06.00"
	return f
}

// wrong are problems, given as field and key in turn.
func wrong(pairs ...string) dispatch.Problems {
	var ps dispatch.Problems
	for i := 0; i+1 < len(pairs); i += 2 {
		ps = append(ps, dispatch.Problem{Field: pairs[i], Key: pairs[i+1]})
	}
	return ps
}

func credentialsPage(state func(*admin.IntegrationLine), form admin.CredentialsForm, t *admin.TrialResult, ps dispatch.Problems) func(frame) templ.Component {
	return func(f frame) templ.Component {
		line := sampleLine(1, state)
		p := admin.CredentialsPage{Page: f.onSetup(views.SectionIntegrations, f.text("credentials.page", "Name", line.Name)), IntegrationLine: line, Form: form, Trial: t}
		p.Narrow, p.Problems = true, ps
		return admin.Credentials(p)
	}
}
