package dispatch

// AuthMethod is how an integration authenticates.
type AuthMethod string

// The methods. Shipment V1 has Basic only; the others yield a bearer token.
const (
	AuthBasic        AuthMethod = "basic"         // user and password
	AuthClientSecret AuthMethod = "client_secret" // client credentials grant
	AuthKey          AuthMethod = "key"           // JWT grant signed with a key of ours (RFC 7523, as Maskinporten wants it)
	AuthToken        AuthMethod = "token"         // a fixed bearer token, for development
)

// Credentials authenticate an integration. They are stored sealed and never shown.
type Credentials struct {
	Method              AuthMethod // empty: Basic on shipment V1, else client secret
	ClientID            string     // user name of Basic
	ClientSecret        Secret     // password of Basic; the token itself with AuthToken
	Scope               string
	PrivateKey          Secret             // AuthKey: RSA key in PEM form
	KeyID               string             // AuthKey: kid of the registered key; empty when Certificates are sent
	Certificates        string             // AuthKey: chain in PEM form, ours first, sent as x5c; empty when KeyID is
	ConsumerOrg         OrganizationNumber // AuthKey: claim consumer_org, for a supplier acting for another organisation
	IntegrationID       string             // header IntegrasjonId, where the operator gave one
	IntegrationPassword Secret             // header IntegrasjonPassord
}
