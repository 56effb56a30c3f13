package dispatch_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

var credentialsNow = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

const integrationID = "0D9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01"

// rsaKey makes a key of a length.
func rsaKey(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pkcs8(t *testing.T, key any) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pemOf("PRIVATE KEY", der)
}

// certificate makes one of a key that is valid between two times.
func certificate(t *testing.T, key crypto.Signer, from, until time.Time) string {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Prøve kommune"}, NotBefore: from, NotAfter: until,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pemOf("CERTIFICATE", der)
}

// found returns the problems as field and key.
func found(ps dispatch.Problems) []string {
	var list []string
	for _, p := range ps {
		list = append(list, p.Field+" "+p.Key)
	}
	return list
}

func TestValidateCredentials(t *testing.T) {
	t.Parallel()
	basic := dispatch.Credentials{ClientID: "avsender", ClientSecret: "passord"}
	secret := dispatch.Credentials{Method: dispatch.AuthClientSecret, ClientID: "klient", ClientSecret: "hemmelig"}
	headers := func(c dispatch.Credentials) dispatch.Credentials {
		c.IntegrationID, c.IntegrationPassword = integrationID, "passord"
		return c
	}
	for name, tt := range map[string]struct {
		kind        dispatch.IntegrationKind
		credentials dispatch.Credentials
		want        []string
	}{
		"V1 with user and password":        {dispatch.IntegrationShipmentV1, basic, nil},
		"V1 with neither":                  {dispatch.IntegrationShipmentV1, dispatch.Credentials{}, []string{"klient-id problem.credentials.user", "hemmelighet problem.credentials.password"}},
		"V1 with a client secret":          {dispatch.IntegrationShipmentV1, secret, []string{"metode problem.credentials.only_basic"}},
		"V1 needs no headers":              {dispatch.IntegrationShipmentV1, dispatch.Credentials{Method: dispatch.AuthBasic, ClientID: "a", ClientSecret: "b", IntegrationID: "x"}, nil},
		"V2 with a client secret":          {dispatch.IntegrationShipmentV2, headers(secret), nil},
		"V2 without a method":              {dispatch.IntegrationShipmentV2, headers(basic), nil},
		"V2 with Basic":                    {dispatch.IntegrationShipmentV2, headers(dispatch.Credentials{Method: dispatch.AuthBasic, ClientID: "a", ClientSecret: "b"}), []string{"metode problem.credentials.no_basic"}},
		"V2 without the headers":           {dispatch.IntegrationShipmentV2, secret, []string{"integrasjon-id problem.integration.id_empty", "integrasjon-passord problem.integration.password"}},
		"SMS without the headers":          {dispatch.IntegrationSMS, secret, nil},
		"SMS with a password alone":        {dispatch.IntegrationSMS, dispatch.Credentials{ClientID: "a", ClientSecret: "b", IntegrationPassword: "x"}, []string{"integrasjon-id problem.integration.id_empty"}},
		"SMS with an id alone":             {dispatch.IntegrationSMS, dispatch.Credentials{ClientID: "a", ClientSecret: "b", IntegrationID: integrationID}, []string{"integrasjon-passord problem.integration.password"}},
		"an id that is no UUID":            {dispatch.IntegrationSMS, dispatch.Credentials{ClientID: "a", ClientSecret: "b", IntegrationID: "0d9f1f0e0c5b4c588d8e7d7d2a7f6a01", IntegrationPassword: "x"}, []string{"integrasjon-id problem.integration.id"}},
		"a line break in a password":       {dispatch.IntegrationSMS, dispatch.Credentials{ClientID: "a", ClientSecret: "b", IntegrationID: integrationID, IntegrationPassword: "x\ny"}, []string{"integrasjon-passord problem.credentials.characters"}},
		"blanks for a secret":              {dispatch.IntegrationSMS, dispatch.Credentials{ClientID: "a", ClientSecret: " "}, []string{"hemmelighet problem.credentials.secret"}},
		"no client id":                     {dispatch.IntegrationSMS, dispatch.Credentials{ClientSecret: "b"}, []string{"klient-id problem.credentials.client_id"}},
		"a fixed token":                    {dispatch.IntegrationSMS, dispatch.Credentials{Method: dispatch.AuthToken, ClientSecret: "abc"}, nil},
		"a fixed token that is not there":  {dispatch.IntegrationSMS, dispatch.Credentials{Method: dispatch.AuthToken}, []string{"hemmelighet problem.credentials.token"}},
		"a method that nobody knows":       {dispatch.IntegrationSMS, dispatch.Credentials{Method: "magic"}, []string{"metode problem.credentials.method"}},
		"a key, and nothing filled in":     {dispatch.IntegrationSMS, dispatch.Credentials{Method: dispatch.AuthKey}, []string{"klient-id problem.credentials.client_id", "scope problem.credentials.scope", "nokkel problem.key.empty", "kid problem.key.neither"}},
		"a consumer that is no number":     {dispatch.IntegrationSMS, withKey(t, func(c *dispatch.Credentials) { c.ConsumerOrg = "98765432A" }), []string{"konsument problem.organization.digits"}},
		"a consumer":                       {dispatch.IntegrationSMS, withKey(t, func(c *dispatch.Credentials) { c.ConsumerOrg = "987654325" }), nil},
		"a mistyped consumer":              {dispatch.IntegrationSMS, withKey(t, func(c *dispatch.Credentials) { c.ConsumerOrg = "987654329" }), []string{"konsument problem.check_digits"}},
		"V1 with a key":                    {dispatch.IntegrationShipmentV1, withKey(t, func(*dispatch.Credentials) {}), []string{"metode problem.credentials.only_basic"}},
		"a key id that breaks the line":    {dispatch.IntegrationSMS, withKey(t, func(c *dispatch.Credentials) { c.KeyID = "a\nb" }), []string{"kid problem.credentials.characters"}},
		"a key with its id and no more":    {dispatch.IntegrationSMS, withKey(t, func(*dispatch.Credentials) {}), nil},
		"a key without an id or the like":  {dispatch.IntegrationSMS, withKey(t, func(c *dispatch.Credentials) { c.KeyID = " " }), []string{"kid problem.key.neither"}},
		"certificates that are just words": {dispatch.IntegrationSMS, withKey(t, func(c *dispatch.Credentials) { c.KeyID, c.Certificates = "", "ja" }), []string{"sertifikat problem.certificate.unreadable"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(found(tt.credentials.Validate(tt.kind, credentialsNow)), tt.want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

// withKey returns valid credentials with a key, changed.
func withKey(t *testing.T, change func(*dispatch.Credentials)) dispatch.Credentials {
	t.Helper()
	c := dispatch.Credentials{
		Method: dispatch.AuthKey, ClientID: "klient", Scope: "ks:fiks", PrivateKey: dispatch.Secret(pkcs8(t, rsaKey(t, 2048))), KeyID: "nøkkel-1",
	}
	change(&c)
	return c
}

func TestValidateSigningKey(t *testing.T) {
	t.Parallel()
	key := rsaKey(t, 2048)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ec, err := x509.MarshalECPrivateKey(curve)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	pkcs1 := pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
	locked := strings.Replace(pkcs1, "-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n", 1)
	cert := certificate(t, key, credentialsNow, credentialsNow)
	for name, tt := range map[string]struct{ typed, want string }{
		"PKCS #8":                          {pkcs8(t, key), ""},
		"PKCS #1":                          {pkcs1, ""},
		"with words around it":             {"Bag Attributes\n  friendlyName: x\n" + pkcs8(t, key) + "\n\n", ""},
		"with line ends of Windows":        {strings.ReplaceAll(pkcs8(t, key), "\n", "\r\n"), ""},
		"nothing":                          {" \n", "problem.key.empty"},
		"words":                            {"nøkkelen min", "problem.key.unreadable"},
		"half of it":                       {pkcs1[:400], "problem.key.unreadable"},
		"with nonsense in it":              {pemOf("PRIVATE KEY", []byte("nei")), "problem.key.unreadable"},
		"a public key":                     {pemOf("PUBLIC KEY", public), "problem.key.unreadable"},
		"a certificate":                    {cert, "problem.key.certificate"},
		"a passphrase as PKCS #8":          {pemOf("ENCRYPTED PRIVATE KEY", []byte("x")), "problem.key.passphrase"},
		"a passphrase as PKCS #1":          {locked, "problem.key.passphrase"},
		"a curve as PKCS #8":               {pkcs8(t, curve), "problem.key.rsa"},
		"a curve as OpenSSL writes it":     {pemOf("EC PRIVATE KEY", ec), "problem.key.rsa"},
		"short":                            {pkcs8(t, rsaKey(t, 1024)), "problem.key.short"},
		"two keys":                         {pkcs1 + pkcs1, "problem.key.several"},
		"the certificate before the key":   {cert + pkcs1, "problem.key.several"},
		"the certificate after the key":    {pkcs1 + cert, "problem.key.several"},
		"a second one that is cut":         {pkcs1 + pkcs1[:100], "problem.key.several"},
		"a longer one than what is needed": {pkcs8(t, rsaKey(t, 3072)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := withKey(t, func(c *dispatch.Credentials) { c.PrivateKey = dispatch.Secret(tt.typed) })
			var got string
			if p := c.Validate(dispatch.IntegrationSMS, credentialsNow).For(dispatch.FieldPrivateKey); p != nil {
				got = p.Key
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if _, err := c.SigningKey(); (err != nil) != (tt.want != "") {
				t.Errorf("got error %v from SigningKey with %q", err, tt.want)
			}
		})
	}
}

func TestValidateCertificates(t *testing.T) {
	t.Parallel()
	key, issuer := rsaKey(t, 2048), rsaKey(t, 2048)
	day := 24 * time.Hour
	before, after := credentialsNow.Add(-day), credentialsNow.Add(day)
	ours, chain := certificate(t, key, before, after), certificate(t, issuer, before, after)
	for name, tt := range map[string]struct{ certificates, keyID, want string }{
		"ours alone":                {ours, "", ""},
		"ours and its issuer's":     {ours + chain, "", ""},
		"the issuer's first":        {chain + ours, "", "sertifikat problem.certificate.other_key"},
		"another key's":             {chain, "", "sertifikat problem.certificate.other_key"},
		"expired":                   {certificate(t, key, before, credentialsNow.Add(-time.Second)), "", "sertifikat problem.certificate.expired"},
		"not yet valid":             {certificate(t, key, credentialsNow.Add(time.Second), after), "", "sertifikat problem.certificate.early"},
		"an issuer that is expired": {ours + certificate(t, issuer, before, before), "", "sertifikat problem.certificate.expired"},
		"with the key in it":        {ours + pkcs8(t, key), "", "sertifikat problem.certificate.key"},
		"cut":                       {ours[:200], "", "sertifikat problem.certificate.unreadable"},
		"one whole and one cut":     {ours + chain[:200], "", "sertifikat problem.certificate.unreadable"},
		"nonsense":                  {pemOf("CERTIFICATE", []byte("nei")), "", "sertifikat problem.certificate.unreadable"},
		"an id beside":              {ours, "kid-1", "kid problem.key.both"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := withKey(t, func(c *dispatch.Credentials) {
				c.PrivateKey, c.KeyID, c.Certificates = dispatch.Secret(pkcs8(t, key)), tt.keyID, tt.certificates
			})
			if got := strings.Join(found(c.Validate(dispatch.IntegrationShipmentV2, credentialsNow)), ", "); !strings.HasPrefix(got, tt.want) || tt.want == "" && strings.Contains(got, "sertifikat") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("ours ends when it says so", func(t *testing.T) {
		t.Parallel()
		if got := (dispatch.Credentials{Certificates: ours + chain}).ExpiresAt(); !got.Equal(after) {
			t.Errorf("got %s, want %s", got, after)
		}
	})
	for name, certificates := range map[string]string{"none": "", "one that cannot be read": "nei"} {
		t.Run(name+" never ends", func(t *testing.T) {
			t.Parallel()
			if got := (dispatch.Credentials{Certificates: certificates}).ExpiresAt(); !got.IsZero() {
				t.Errorf("got %s, want zero", got)
			}
		})
	}
}
