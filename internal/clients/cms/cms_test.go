package cms_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/cms"
)

var update = flag.Bool("update", false, "write testdata/*.golden anew")

// pair is a service's certificate with its key.
type pair struct {
	key         *rsa.PrivateKey
	certificate *x509.Certificate
}

var rsaPair = sync.OnceValue(func() pair {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return pair{key, certify(&key.PublicKey, key)}
})

// certify signs a certificate with a key's own.
func certify(public, key any) *x509.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(0x1234567890), Subject: pkix.Name{CommonName: "Tjenesten", Organization: []string{"Prøve AS"}},
		NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(1, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, key)
	if err != nil {
		panic(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return certificate
}

var transports = []cms.Transport{cms.OAEP, cms.PKCS1, ""}

func envelope(t *testing.T, transport cms.Transport) *cms.Envelope {
	t.Helper()
	e, err := cms.New(rsaPair().certificate, transport)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func seal(t *testing.T, e *cms.Envelope, file io.Reader) []byte {
	t.Helper()
	r, err := e.Seal(io.NopCloser(file))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// openssl runs the program, which these tests demand.
func openssl(t *testing.T, args ...string) []byte {
	t.Helper()
	var complaint bytes.Buffer
	c := exec.CommandContext(t.Context(), "openssl", args...)
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", args[0], err, complaint.String())
	}
	return out
}

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenSSLDecryptsWhatWasEncrypted(t *testing.T) {
	t.Parallel()
	key := write(t, "key.pem", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaPair().key)}))
	certificate := write(t, "certificate.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rsaPair().certificate.Raw}))
	for _, transport := range transports {
		for _, size := range []int{0, 1, 15, 16, 17, 100, 239, 240, 1<<16 - 17, 1<<16 - 16, 1<<16 - 1, 1 << 16, 1<<16 + 1, 3 << 20} {
			t.Run(fmt.Sprintf("%d bytes with %q", size, transport), func(t *testing.T) {
				t.Parallel()
				file := make([]byte, size)
				_, _ = mathrand.NewChaCha8([32]byte{byte(size)}).Read(file)
				e := envelope(t, transport)
				out := seal(t, e, bytes.NewReader(file))
				if want := e.Size(int64(size)); int64(len(out)) != want {
					t.Errorf("%d bytes, not the %d that were foretold", len(out), want)
				}
				in := write(t, "file.cms", out)
				got := openssl(t, "cms", "-decrypt", "-binary", "-inform", "DER", "-in", in, "-recip", certificate, "-inkey", key)
				if !bytes.Equal(got, file) {
					t.Errorf("got %d other bytes", len(got))
				}
			})
		}
	}
}

// TestStructure compares with what openssl sees, where what is random has a name instead. OAEP's parameters are all there:
// readers differ in what they take for one that is left out.
func TestStructure(t *testing.T) {
	t.Parallel()
	for _, transport := range []cms.Transport{cms.OAEP, cms.PKCS1} {
		t.Run(string(transport), func(t *testing.T) {
			t.Parallel()
			in := write(t, "file.cms", seal(t, envelope(t, transport), strings.NewReader(strings.Repeat("x", 70_000))))
			var b strings.Builder
			for line := range strings.Lines(string(openssl(t, "asn1parse", "-inform", "DER", "-in", in))) {
				if what, hex, ok := strings.Cut(line, "[HEX DUMP]:"); ok {
					line = fmt.Sprintf("%s[%d bytes]\n", what, len(strings.TrimSpace(hex))/2)
				}
				b.WriteString(line)
			}
			path := filepath.Join("testdata", string(transport)+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(b.String(), string(want)); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func TestEachFileHasItsOwnKey(t *testing.T) {
	t.Parallel()
	e := envelope(t, "")
	first, second := seal(t, e, strings.NewReader("likt")), seal(t, e, strings.NewReader("likt"))
	if bytes.Equal(first[len(first)-26:], second[len(second)-26:]) {
		t.Error("the same file was encrypted alike twice")
	}
}

func TestReadsAsFilesCome(t *testing.T) {
	t.Parallel()
	e := envelope(t, "")
	for name, file := range map[string]io.Reader{
		"a byte at a time":           iotest.OneByteReader(strings.NewReader("vedtak om skoleskyss")),
		"the end with the last byte": iotest.DataErrReader(strings.NewReader("vedtak om skoleskyss")),
	} {
		if got := seal(t, e, file); int64(len(got)) != e.Size(20) {
			t.Errorf("%s: %d bytes, not %d", name, len(got), e.Size(20))
		}
	}
}

func TestABrokenFileDoesNotEndWell(t *testing.T) {
	t.Parallel()
	broken := errors.New("the database is away")
	r, err := envelope(t, "").Seal(io.NopCloser(io.MultiReader(strings.NewReader("vedtak"), iotest.ErrReader(broken))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, broken) {
		t.Errorf("a later read gives %d bytes and %v", n, err)
	}
}

type closing struct {
	io.Reader
	closed *bool
}

func (c closing) Close() error {
	*c.closed = true
	return nil
}

func TestClosesTheFile(t *testing.T) {
	t.Parallel()
	closed := false
	r, err := envelope(t, "").Seal(closing{strings.NewReader("x"), &closed})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil || !closed {
		t.Errorf("closed %t, %v", closed, err)
	}
}

func TestRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cms.New(certify(&key.PublicKey, key), cms.OAEP); err == nil {
		t.Error("took a certificate without an RSA key")
	}
	if _, err := cms.New(rsaPair().certificate, "gcm"); err == nil {
		t.Error("took an unknown transport")
	}
}

// TestMemoryDoesNotGrow lets 300 MB through, and looks at all that was allocated.
func TestMemoryDoesNotGrow(t *testing.T) {
	e := envelope(t, "")
	const size = 300 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := e.Seal(io.NopCloser(io.LimitReader(zeros{}, size)))
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(struct{ io.Writer }{io.Discard}, r)
	if err != nil || n != e.Size(size) {
		t.Fatalf("%d bytes, %v", n, err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d bytes were allocated", took)
	}
}

type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
