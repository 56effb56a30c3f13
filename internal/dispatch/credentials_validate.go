package dispatch

import (
	"cmp"
	"crypto/x509"
	"strings"
	"time"
)

// Fields of credentials that problems are tied to; the form uses the same names.
const (
	FieldMethod              = "metode"
	FieldClientID            = "klient-id"
	FieldClientSecret        = "hemmelighet"
	FieldScope               = "scope"
	FieldPrivateKey          = "nokkel"
	FieldKeyID               = "kid"
	FieldCertificates        = "sertifikat"
	FieldConsumerOrg         = "konsument"
	FieldIntegrationID       = "integrasjon-id"
	FieldIntegrationPassword = "integrasjon-passord"
)

var uuidPattern = pattern(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// MethodFor returns the authentication method with a kind of integration.
func (c Credentials) MethodFor(kind IntegrationKind) AuthMethod {
	if kind.Row().Basic {
		return cmp.Or(c.Method, AuthBasic)
	}
	return cmp.Or(c.Method, AuthClientSecret)
}

// Validate returns the problems that keep the credentials from being used now with a kind of integration, in the
// order of the form.
func (c Credentials) Validate(kind IntegrationKind, now time.Time) Problems {
	var ps Problems
	method := c.MethodFor(kind)
	switch {
	case kind.Row().Basic && method != AuthBasic:
		ps.add(&Problem{Field: FieldMethod, Key: "problem.credentials.only_basic"})
	case !kind.Row().Basic && method == AuthBasic:
		ps.add(&Problem{Field: FieldMethod, Key: "problem.credentials.no_basic"})
	}
	switch method {
	case AuthBasic:
		ps.add(written(FieldClientID, c.ClientID, "problem.credentials.user"))
		ps.add(written(FieldClientSecret, c.ClientSecret.Reveal(), "problem.credentials.password"))
	case AuthClientSecret:
		ps.add(written(FieldClientID, c.ClientID, "problem.credentials.client_id"))
		ps.add(written(FieldClientSecret, c.ClientSecret.Reveal(), "problem.credentials.secret"))
	case AuthToken:
		ps.add(written(FieldClientSecret, c.ClientSecret.Reveal(), "problem.credentials.token"))
	case AuthKey:
		c.validateKey(&ps, now)
	default:
		ps.add(&Problem{Field: FieldMethod, Key: "problem.credentials.method"})
	}
	c.validateIntegration(&ps, kind)
	return ps
}

// written requires a value that can stand in a header and in a token.
func written(field, value, missing string) *Problem {
	switch {
	case strings.TrimSpace(value) == "":
		return &Problem{Field: field, Key: missing}
	case hasControl(value):
		return &Problem{Field: field, Key: "problem.credentials.characters"}
	}
	return nil
}

// validateKey checks what the JWT grant needs (upstream facts, section 6).
func (c Credentials) validateKey(ps *Problems, now time.Time) {
	ps.add(written(FieldClientID, c.ClientID, "problem.credentials.client_id"))
	ps.add(written(FieldScope, c.Scope, "problem.credentials.scope"))
	key, wrong := parseSigningKey(c.PrivateKey)
	if wrong != "" {
		ps.add(&Problem{Field: FieldPrivateKey, Key: wrong})
	}
	switch hasID, hasChain := strings.TrimSpace(c.KeyID) != "", strings.TrimSpace(c.Certificates) != ""; {
	case hasID && hasChain:
		ps.add(&Problem{Field: FieldKeyID, Key: "problem.key.both"})
	case hasID:
		ps.add(written(FieldKeyID, c.KeyID, "problem.key.neither"))
	case hasChain:
		chain, wrong := parseChain(c.Certificates)
		switch {
		case wrong != "":
		case key != nil && !key.PublicKey.Equal(chain[0].PublicKey):
			wrong = "problem.certificate.other_key"
		default:
			wrong = chainTimeProblem(chain, now)
		}
		if wrong != "" {
			ps.add(&Problem{Field: FieldCertificates, Key: wrong})
		}
	default:
		ps.add(&Problem{Field: FieldKeyID, Key: "problem.key.neither"})
	}
	if c.ConsumerOrg != "" {
		ps.add(validOrganization(FieldConsumerOrg, string(c.ConsumerOrg)))
	}
}

// chainTimeProblem returns the problem of a chain with an expired or not yet valid certificate.
func chainTimeProblem(chain []*x509.Certificate, now time.Time) string {
	for _, cert := range chain {
		switch {
		case now.After(cert.NotAfter):
			return "problem.certificate.expired"
		case now.Before(cert.NotBefore):
			return "problem.certificate.early"
		}
	}
	return ""
}

// validateIntegration checks the headers IntegrasjonId and IntegrasjonPassord. Shipments require both,
// but for V1, which has none; the SMS service where the operator issued them.
func (c Credentials) validateIntegration(ps *Problems, kind IntegrationKind) {
	id, password := strings.TrimSpace(c.IntegrationID) != "", strings.TrimSpace(c.IntegrationPassword.Reveal()) != ""
	if kind.Row().Basic || !kind.Shipments() && !id && !password {
		return
	}
	switch {
	case !id:
		ps.add(&Problem{Field: FieldIntegrationID, Key: "problem.integration.id_empty"})
	case !uuidPattern().MatchString(c.IntegrationID):
		ps.add(&Problem{Field: FieldIntegrationID, Key: "problem.integration.id"})
	}
	ps.add(written(FieldIntegrationPassword, c.IntegrationPassword.Reveal(), "problem.integration.password"))
}
