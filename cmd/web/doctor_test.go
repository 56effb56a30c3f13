package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
	"utsending/internal/store/storetest"
)

// TestDoctor: a working configuration passes, and one with a single fault gets exactly that line.
func TestDoctor(t *testing.T) {
	t.Parallel()
	s := newStack(t, stackOptions{})
	good := map[string]string{"OIDC_CLIENT_SECRET": private("hemmelig-" + mark())}
	for _, setting := range s.env {
		name, value, _ := strings.Cut(setting, "=")
		if good[name] == "" {
			good[name] = value
		}
	}
	t.Run("finds nothing wrong with what works", func(t *testing.T) {
		t.Parallel()
		lines, err := diagnose(t, good)
		if found := failures(lines); err != nil || len(found) > 0 || len(lines) < 15 {
			t.Errorf("ends with %v and says %q", err, lines)
		}
		want := "register there " + s.address + "/oidc/retur as redirect address and " + s.address + "/logget-ut as address after logout"
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("does not say %q", want)
		}
	})
	t.Run("says of each fence of the PDF child whether it holds", func(t *testing.T) {
		t.Parallel()
		lines, _ := diagnose(t, good)
		for _, fence := range []string{"filter of system calls", "Landlock", "own network"} {
			if !strings.Contains(strings.Join(lines, "\n"), "PDF child: "+fence+": ") {
				t.Errorf("says nothing of %q: %q", fence, lines)
			}
		}
	})
	other := storetest.Database(t) // migrated, and empty
	for _, tt := range []struct{ name, setting, value, want string }{
		{"no database", "DATABASE_URL", "", "settings: DATABASE_URL is not set"},
		{"no public address", "PUBLIC_URL", "", "settings: PUBLIC_URL is "},
		{"no login provider", "OIDC_ISSUER", "", "settings: OIDC_ISSUER is "},
		{"no client id", "OIDC_CLIENT_ID", "", "settings: OIDC_CLIENT_ID is "},
		{"a switch that is neither on nor off", "DELIVERY", "yes", "settings: DELIVERY is not understood: must be on or off"},
		{"a secret both as a file and not", "OIDC_CLIENT_SECRET_FILE", good["KEYSET_FILE"], "settings: OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set"},
		{"a secret whose file is not there", "OIDC_CLIENT_SECRET_FILE", "/nowhere/secret", "settings: OIDC_CLIENT_SECRET_FILE names a file that cannot be read"},
		{"a key set that is not there", "KEYSET_FILE", "/nowhere/keys.json", "key set: there is no file /nowhere/keys.json"},
		{"a key set of another database", "KEYSET_FILE", otherKeys(t), "sealed data: the key set does not open what this database holds"},
		{"a database that does not answer", "DATABASE_URL", "postgres://utsending:" + private("hemmelig-"+mark()) + "@127.0.0.1:1/utsending", "database: does not answer"},
		{"a database that is not migrated", "DATABASE_URL", blankDatabase(t, s.database), "database schema: is at migration 0"},
		{"a database user without rights", "DATABASE_URL", asReader(t, s.database), "database rights: this user lacks DELETE ON "},
		{"no administrators", "DATABASE_URL", other, "administrators: nobody can be one yet"},
		{"a public address without TLS", "PUBLIC_URL", "http://utsending.example.no", "public address: PUBLIC_URL is http://"},
		{"a proxy that is not trusted", "PUBLIC_URL", "https://utsending.example.no", "trusted proxies: browsers come over https"},
		{"everybody trusted", "TRUSTED_PROXIES", "10.0.0.0/8,0.0.0.0/0", "trusted proxies: TRUSTED_PROXIES holds 0.0.0.0/0"},
		{"figures where the pages are", "METRICS_ADDR", good["ADDR"], "listening: ADDR and METRICS_ADDR are the same"},
		{"a provider that does not answer", "OIDC_ISSUER", "http://127.0.0.1:1", "login provider: does not answer"},
		{"a provider by another name", "OIDC_ISSUER", provider(t, "https://login.example.no", 0), `login provider: calls itself "https://login.example.no"`},
		{"a provider in another time", "OIDC_ISSUER", provider(t, "", time.Hour), "login clock: the clock of the login provider and this machine's are "},
		{"a virus scanner that does not answer", "VIRUS_SCANNER", "tcp://127.0.0.1:1", "virus scanner: the virus scanner did not look through the file: connect"},
		{"a virus scanner that is no address", "VIRUS_SCANNER", "clamav", "settings: VIRUS_SCANNER is not understood"},
		{"no services", "SERVICES", "", "services: none is configured"},
		{"a service that has no name server", "SERVICES", s.withService(t, "https://sms.invalid", ""), "service extra: sms.invalid is not known by name"},
		{"a service with a certificate of its own", "SERVICES", s.withService(t, selfSigned(t), ""), "service extra: 127.0.0.1:"},
		{"a token endpoint somewhere else", "SERVICES", s.withService(t, s.issuer, "/nowhere"), "service extra: its token endpoint at 127.0.0.1:"},
		{"an integration without its service", "SERVICES", strings.Replace(good["SERVICES"], `"name":"sms"`, `"name":"andre"`, 1), "integrations: "},
	} {
		t.Run("finds "+tt.name, func(t *testing.T) {
			t.Parallel()
			lines, err := diagnose(t, copyOf(good, tt.setting, tt.value))
			found := failures(lines)
			if err == nil || len(found) != 1 || !strings.HasPrefix(found[0], "FAIL  "+tt.want) {
				t.Errorf("ends with %v and finds %q, want one line with %q", err, found, tt.want)
			}
		})
	}
	t.Run("finds two faults at once", func(t *testing.T) {
		t.Parallel()
		lines, _ := diagnose(t, copyOf(copyOf(good, "OIDC_CLIENT_ID", ""), "DATABASE_URL", ""))
		if found := failures(lines); len(found) != 2 {
			t.Errorf("finds %q, want two lines", found)
		}
	})
	t.Run("is content once there is an administrator", func(t *testing.T) {
		t.Parallel()
		env := copyOf(good, "DATABASE_URL", storetest.Database(t))
		if out, errs, err := program(env, "admin", "utsending-administrator"); err != nil {
			t.Fatalf("admin ends with %v and says %q, %q", err, out, errs)
		}
		if lines, err := diagnose(t, env); err != nil {
			t.Errorf("ends with %v and says %q", err, lines)
		}
	})
}

// TestDoctorTellsWhenACertificateEnds: an expired one is a fault, one that expires soon is reported with what to do.
func TestDoctorTellsWhenACertificateEnds(t *testing.T) {
	t.Parallel()
	s := newStack(t, stackOptions{})
	env := map[string]string{}
	for _, setting := range s.env {
		name, value, _ := strings.Cut(setting, "=")
		env[name] = value
	}
	for want, at := range map[string]time.Time{
		"FAIL  encryption of files: the certificate of " + string(s.oppvekst.SMSIntegration) + " ended on ": time.Now().Add(-time.Minute),
		"in 9 days: get the new one": time.Now().Add(10*24*time.Hour - time.Minute),
		"ends on 20":                 time.Now().AddDate(1, 0, 0),
	} {
		s.endsCertificate(t, at)
		lines, _ := diagnose(t, env)
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("does not say %q: %q", want, lines)
		}
	}
}

// diagnose runs the doctor and returns its lines. They contain no secret.
func diagnose(t *testing.T, env map[string]string) ([]string, error) {
	t.Helper()
	out, errs, err := program(env, "doctor")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, l := range lines {
		if verdict, rest, ok := strings.Cut(l, "  "); !ok || !strings.Contains("ok FAIL skip", verdict) || !strings.Contains(rest, ": ") {
			t.Errorf("no line of the doctor: %q", l)
		}
	}
	for _, found := range search("the doctor", out+errs, append(forbidden.list(), storetest.ClientSecret, "primaryKeyId")) {
		t.Error(found)
	}
	return lines, err
}

func failures(lines []string) []string {
	var found []string
	for _, l := range lines {
		if strings.HasPrefix(l, "FAIL") {
			found = append(found, l)
		}
	}
	return found
}

func otherKeys(t *testing.T) string {
	t.Helper()
	keys, err := seal.New()
	path := filepath.Join(t.TempDir(), "other.json")
	if err == nil {
		err = os.WriteFile(path, keys, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// asReader returns the address of a database for a user who may only read.
func asReader(t *testing.T, of string) string {
	t.Helper()
	db := storetest.DB(t, of)
	role := fmt.Sprintf("reader_%d_%d", os.Getpid(), serial.Add(1))
	for _, statement := range []string{`CREATE ROLE ` + role + ` LOGIN`, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ` + role} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	u, err := url.Parse(of)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("user", role)
	u.User, u.RawQuery = url.User(role), q.Encode()
	return u.String()
}

// provider is a login provider with discovery only. Its issuer is configurable, and its clock is ahead.
func provider(t *testing.T, issuer string, ahead time.Duration) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := issuer
		if name == "" {
			name = "http://" + r.Host
		}
		w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": name}) // the test misses it
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func selfSigned(t *testing.T) string {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	return server.URL
}

// withService is the setting with one service more. An empty path of the token endpoint means none.
func (s *stack) withService(t *testing.T, base, token string) string {
	t.Helper()
	var all []dispatch.Service
	for _, setting := range s.env {
		if list, ok := strings.CutPrefix(setting, "SERVICES="); ok {
			if err := json.Unmarshal([]byte(list), &all); err != nil {
				t.Fatal(err)
			}
		}
	}
	extra := dispatch.Service{Name: "extra", Kind: dispatch.IntegrationShipmentV1, Environment: dispatch.EnvironmentTest, BaseURL: base}
	if token != "" {
		extra.TokenURL = base + token
	}
	list, err := json.Marshal(append(all, extra))
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}
