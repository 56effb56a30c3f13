package dispatch_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// named is a certificate of a service, with a name.
func named(t *testing.T, key crypto.Signer, name string, from, until time.Time) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(5), Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pemOf("CERTIFICATE", der)
}

func TestParseEncryption(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	ago, ahead := now.AddDate(-1, 0, 0), now.AddDate(1, 0, 0)
	key, other := rsaKey(t, 2048), rsaKey(t, 2048)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := named(t, key, "Tjenesten", ago, ahead)
	production := dispatch.Integration{ID: "p", Environment: dispatch.EnvironmentProduction}
	test := dispatch.Integration{ID: "t", Environment: dispatch.EnvironmentTest}
	with := func(in dispatch.Integration, certificate string) dispatch.Integration {
		in.Encryption.Certificate = certificate
		return in
	}
	for name, tt := range map[string]struct {
		typed  string
		in     dispatch.Integration
		others []dispatch.Integration
		want   string
	}{
		"a certificate":                           {good, production, nil, ""},
		"with words around it":                    {"subject=x\r\n" + strings.ReplaceAll(good, "\n", "\r\n") + "\n", production, nil, ""},
		"nothing":                                 {" \n", production, nil, "problem.certificate.empty"},
		"words":                                   {"sertifikatet", production, nil, "problem.certificate.unreadable"},
		"half of it":                              {good[:300], production, nil, "problem.certificate.unreadable"},
		"a private key":                           {pkcs8(t, key), production, nil, "problem.certificate.private"},
		"a private key behind it":                 {good + pkcs8(t, key), production, nil, "problem.certificate.private"},
		"two of them":                             {good + good, production, nil, "problem.certificate.several"},
		"a curve":                                 {named(t, curve, "Tjenesten", ago, ahead), production, nil, "problem.certificate.rsa"},
		"a short key":                             {named(t, rsaKey(t, 1024), "Tjenesten", ago, ahead), production, nil, "problem.certificate.short"},
		"expired yesterday":                       {named(t, key, "Tjenesten", ago, now.AddDate(0, 0, -1)), production, nil, "problem.certificate.expired"},
		"expiring now":                            {named(t, key, "Tjenesten", ago, now), production, nil, "problem.certificate.expired"},
		"valid from tomorrow":                     {named(t, key, "Tjenesten", now.AddDate(0, 0, 1), ahead), production, nil, "problem.certificate.early"},
		"for test, in production":                 {named(t, key, "svarut-test.example.no", ago, ahead), production, nil, "problem.certificate.test"},
		"of a test authority, in production":      {named(t, key, "Utsteder Test4 CA 3", ago, ahead), production, nil, "problem.certificate.test"},
		"for test, in test":                       {named(t, key, "svarut-test.example.no", ago, ahead), test, nil, ""},
		"a name with test in it":                  {named(t, key, "Attestasjon", ago, ahead), production, nil, ""},
		"that of the other environment":           {good, production, []dispatch.Integration{with(test, good)}, "problem.certificate.environment"},
		"the key of the other, certified anew":    {named(t, key, "Tjenesten 2", ago, ahead), test, []dispatch.Integration{with(production, good)}, "problem.certificate.environment"},
		"that of another one of this environment": {good, production, []dispatch.Integration{with(production, good)}, ""},
		"beside another one of the other":         {good, production, []dispatch.Integration{with(test, named(t, other, "Tjenesten", ago, ahead)), test}, ""},
		"for an environment that is not known":    {named(t, key, "TEST", ago, ahead), dispatch.Integration{}, []dispatch.Integration{with(test, good)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ps := dispatch.ParseEncryption(tt.typed, dispatch.TransportOAEP, tt.in, tt.others, now)
			switch {
			case tt.want != "":
				wantProblem(t, ps, "tjenestesertifikat "+tt.want)
			case len(ps) > 0 || got.X509() == nil || got.Transport != dispatch.TransportOAEP || !strings.HasPrefix(got.Certificate, "-----BEGIN CERT"):
				t.Errorf("got %+v, %+v", got, ps)
			}
		})
	}
	_, ps := dispatch.ParseEncryption(good, "gcm", production, nil, now)
	wantProblem(t, ps, "nokkeltransport problem.key_transport")
}

func TestShownOfACertificate(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	e := dispatch.Encryption{Certificate: named(t, rsaKey(t, 2048), "Tjenesten", now, now.Add(time.Hour))}
	got, ok := e.Shown()
	if !ok || got.Subject != "CN=Tjenesten" || got.Issuer != "CN=Tjenesten" || got.Bits != 2048 || !got.ExpiresAt.Equal(now.Add(time.Hour)) ||
		len(got.Fingerprint) != 95 || strings.Count(got.Fingerprint, ":") != 31 {
		t.Errorf("got %+v, %t", got, ok)
	}
	if _, ok := (dispatch.Encryption{}).Shown(); ok {
		t.Error("something is shown of none")
	}
}

func TestWarnsBeforeACertificateEnds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 18, 0, 0, 0, dispatch.Oslo)
	key := rsaKey(t, 2048)
	for name, tt := range map[string]struct {
		left time.Duration
		days int
		soon bool
	}{
		"in 31 days":                           {31 * 24 * time.Hour, 31, false},
		"in 30 days":                           {30 * 24 * time.Hour, 30, true},
		"within the hour":                      {time.Hour, 0, true},
		"on the twentieth day, in the morning": {19*24*time.Hour + 14*time.Hour, 20, true},
		"now":                                  {0, -1, true},
		"yesterday":                            {-24 * time.Hour, -1, true},
	} {
		in := dispatch.Integration{Encryption: dispatch.Encryption{Certificate: named(t, key, "Tjenesten", now.AddDate(-1, 0, 0), now.Add(tt.left))}}
		if days, soon := in.CertificateExpiring(now); days != tt.days || soon != tt.soon {
			t.Errorf("%s: got %d, %t", name, days, soon)
		}
	}
	if _, soon := (dispatch.Integration{}).CertificateExpiring(now); soon {
		t.Error("warns of none")
	}
}

func TestValidateEncryption(t *testing.T) {
	t.Parallel()
	now := time.Now()
	secret := dispatch.Shipment{Encrypted: true}
	for name, tt := range map[string]struct {
		until time.Time
		s     dispatch.Shipment
		want  string
	}{
		"in clear, without a certificate": {time.Time{}, dispatch.Shipment{}, ""},
		"with a certificate":              {now.Add(time.Minute), secret, ""},
		"without one":                     {time.Time{}, secret, "krypter problem.encrypt.none"},
		"with one that ended":             {now, secret, "krypter problem.encrypt.expired"},
		"with one that ends before it goes": {now.Add(time.Hour), dispatch.Shipment{Encrypted: true, SendAt: now.Add(time.Hour)},
			"krypter problem.encrypt.expires"},
		"with one that ends after it goes": {now.Add(time.Hour), dispatch.Shipment{Encrypted: true, SendAt: now.Add(time.Minute)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, dispatch.Account{EncryptUntil: tt.until}.ValidateEncryption(tt.s, now), tt.want)
		})
	}
}
