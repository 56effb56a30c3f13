package store_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// serviceCertificate ends at a time.
func serviceCertificate(t *testing.T, until time.Time) dispatch.Encryption {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return dispatch.Encryption{Certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), Transport: dispatch.TransportPKCS1}
}

func TestKeepsTheServicesCertificate(t *testing.T) {
	t.Parallel()
	r := newRig(t).shipments(t)
	until := time.Now().AddDate(1, 0, 0).UTC().Truncate(time.Second)
	want := serviceCertificate(t, until)
	id := r.Integration.ID
	wants := func(when string, want dispatch.Encryption, until time.Time) int {
		t.Helper()
		in, err := registry.In(r.s).Integrations.ByID(t.Context(), id)
		if err != nil || in.Encryption != want {
			t.Errorf("%s: got %+v, %v", when, in.Encryption, err)
		}
		all, err := registry.In(r.s).Accounts.List(t.Context())
		if err != nil || len(all) != 1 || !all[0].EncryptUntil.Equal(until) {
			t.Errorf("%s: the accounts are %+v, %v; want to encrypt until %v", when, all, err, until)
		}
		return in.Version
	}
	none := dispatch.Encryption{Transport: dispatch.TransportOAEP}
	version := wants("before", none, time.Time{})
	if err := registry.In(r.s).Integrations.SaveEncryption(t.Context(), id, version, want, r.Actor); err != nil {
		t.Fatal(err)
	}
	if now := wants("kept", want, until); now != version+1 {
		t.Errorf("the version is %d, so that clients in use are not made anew", now)
	}
	if err := registry.In(r.s).Integrations.SaveEncryption(t.Context(), id, version, dispatch.Encryption{}, r.Actor); !errors.Is(err, store.ErrStale) {
		t.Errorf("somebody who saw another one gets %v", err)
	}
	if err := registry.In(r.s).Integrations.SaveEncryption(t.Context(), id, version+1, dispatch.Encryption{}, r.Actor); err != nil {
		t.Fatal(err)
	}
	wants("removed", none, time.Time{})
}
