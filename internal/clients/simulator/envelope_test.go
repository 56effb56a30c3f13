package simulator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
)

// The ways in which openssl encrypts.
var (
	withOAEP  = []string{"-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256", "-keyopt", "rsa_mgf1_md:sha256"}
	withPKCS1 = []string{}
)

// sealedBy encrypts as openssl does, which these tests demand.
func sealedBy(t *testing.T, certificate, content string, options ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "certificate.pem")
	if err := os.WriteFile(to, []byte(certificate), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"cms", "-encrypt", "-binary", "-outform", "DER", "-aes-256-cbc", "-recip", to}, options...)
	c := exec.CommandContext(t.Context(), "openssl", args...)
	var complaint bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(content), &complaint
	out, err := c.Output()
	if err != nil {
		t.Fatalf("openssl cms: %v\n%s", err, complaint.String())
	}
	return string(out)
}

// sealed encrypts the documents of a submission.
func (d *draft) sealed(t *testing.T, certificate string, options ...string) *draft {
	t.Helper()
	for i, f := range d.files {
		d.files[i].content = sealedBy(t, certificate, f.content, options...)
	}
	return d.set("kryptert", true)
}

func TestDecryptsWhatOpenSSLEncrypts(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, options := range map[string][]string{
		"with OAEP": withOAEP, "with PKCS #1": withPKCS1, "in pieces": append([]string{"-stream"}, withOAEP...),
	} {
		for size, content := range map[string]string{
			"one byte": "x", "a block": strings.Repeat("x", 16), "a buffer": strings.Repeat("y", 32<<10), "much": strings.Repeat("0123456789", 100_000),
		} {
			d := newDraft()
			d.files[0].content = content
			id := g.shipped(t, d.sealed(t, g.sim.Certificate(), options...).set("krevNiva4Innlogging", true))
			sum := sha256.Sum256([]byte(content))
			all := g.sim.Shipments()
			got := all[len(all)-1].Documents[0]
			if got.ClearSHA256 != hex.EncodeToString(sum[:]) || got.ClearSize != int64(len(content)) || got.Size != int64(len(d.files[0].content)) {
				t.Errorf("%s, %s: got %+v of %s", name, size, got, id)
			}
		}
	}
	g.checkViolations(t)
}

func TestRefusesWhatItCannotDecrypt(t *testing.T) {
	t.Parallel()
	g, other := newRig(t, simulator.Options{}), newRig(t, simulator.Options{})
	cut := newDraft().sealed(t, g.sim.Certificate())
	cut.files[0].content = cut.files[0].content[:len(cut.files[0].content)-20]
	pieces := newDraft().sealed(t, g.sim.Certificate(), "-stream")
	pieces.files[0].content = pieces.files[0].content[:len(pieces.files[0].content)-30]
	for name, tt := range map[string]struct {
		d    *draft
		want string
	}{
		"in clear":                {newDraft().set("kryptert", true), "a file is not a CMS EnvelopedData with AES-256-CBC"},
		"for another certificate": {newDraft().sealed(t, other.sim.Certificate()), "a file is encrypted for another certificate"},
		"with another cipher":     {newDraft().sealed(t, g.sim.Certificate(), "-aes-128-cbc"), "a file is not a CMS EnvelopedData with AES-256-CBC"},
		"with OAEP and SHA-1":     {newDraft().sealed(t, g.sim.Certificate(), withOAEP[:2]...), "a file cannot be decrypted"},
		"cut in one piece":        {cut, ""},
		"cut in pieces":           {pieces, ""},
	} {
		before := len(g.sim.Violations())
		if got := g.ship(t, tt.d); got.status != http.StatusBadRequest {
			t.Errorf("%s: got status %d", name, got.status)
		}
		if v := g.sim.Violations()[before:]; len(v) != 1 || !strings.HasSuffix(v[0], tt.want) {
			t.Errorf("%s: got violations %q", name, v)
		}
	}
	if n := len(g.sim.Shipments()); n > 0 {
		t.Errorf("%d were accepted", n)
	}
}

func TestGivesItsCertificateToAnybody(t *testing.T) {
	t.Parallel()
	g, other := newRig(t, simulator.Options{}), newRig(t, simulator.Options{})
	a := g.do(g.request(t, http.MethodGet, "/forsendelse/publickey/hent", ""))
	if a.status != http.StatusOK || a.body != g.sim.Certificate() || a.body == other.sim.Certificate() {
		t.Errorf("got status %d and %s", a.status, a.body)
	}
}
