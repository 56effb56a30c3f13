package main_test

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/seal"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// TestProgram starts the program as an operator does, with missing or wrong settings.
func TestProgram(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"DATABASE_URL": storetest.Database(t), "PUBLIC_URL": "http://localhost:1", "ADDR": "127.0.0.1:0", "KEYSET_FILE": keyFile(t),
		"OIDC_ISSUER": "http://127.0.0.1:1", "OIDC_CLIENT_ID": "utsending",
		"OIDC_CLIENT_SECRET": "x",
	}
	blank := blankDatabase(t, good["DATABASE_URL"])
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, storetest.Keys(t)[:100], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, setting, value, want string }{
		{"without a key set", "KEYSET_FILE", "", "no key set: personal data cannot be sealed"},
		{"with a key set that is not there", "KEYSET_FILE", broken + "x", "no such file"},
		{"with a broken key set", "KEYSET_FILE", broken, "the key set is not one that 'web keys new' makes"},
		{"with a key set of something else", "KEYSET", `{"seal":{},"hash":{}}`, "cannot be read"},
		{"without a migrated database", "DATABASE_URL", blank, "run 'web migrate', or set MIGRATE=true"},
		{"without a database", "DATABASE_URL", "", "DATABASE_URL"},
		{"without a public address", "PUBLIC_URL", "", "PUBLIC_URL"},
		{"with a public address that is no web address", "PUBLIC_URL", "ftp://utsending.example.no", "PUBLIC_URL must be the address that browsers use"},
		{"with a login provider that has no address", "OIDC_ISSUER", "login", "OIDC_ISSUER must be an address"},
		{"without the secret of the login provider", "OIDC_CLIENT_SECRET", "", "OIDC_CLIENT_SECRET is not set"},
		{"with a level of login that is no JSON", "OIDC_AUTHORIZATION_DETAILS", "{x", "OIDC_AUTHORIZATION_DETAILS must be JSON"},
		{"with a lease of no time", "DELIVERY_LEASE", "-5s", "DELIVERY_LEASE must be more than 0"},
		{"with a recovery window of no time", "RECOVERY_WINDOW", "0s", "RECOVERY_WINDOW must be more than 0"},
		{"with a read that comes before the message", "REFRESH_FIRST", "1m,-1m", "REFRESH_FIRST must be times of more than 0"},
		{"without connections", "DATABASE_CONNECTIONS", "0", "DATABASE_CONNECTIONS must be 1 or more"},
		{"with a language that there is not", "DEFAULT_LANGUAGE", "en", "DEFAULT_LANGUAGE must be one of nb, nn"},
		{"with a log that nobody writes", "LOG_FORMAT", "xml", "LOG_FORMAT must be json or text"},
		{"with a public address that is a path", "PUBLIC_URL", "/utsending", "PUBLIC_URL must be the address that browsers use"},
		{"with a switch that is neither on nor off", "DELIVERY", "yes", "must be on or off"},
		{"with a service that has no address", "SERVICES", `[{"name":"sms","kind":"sms","environment":"test"}]`, "must be an http or https address"},
		{"with a name that is no text", "MUNICIPALITY", "Fjord\xffvik", "MUNICIPALITY holds what is no readable text"},
		{"with a name that turns the writing", "MUNICIPALITY", "\u202eFjordvik", "MUNICIPALITY holds marks that turn the direction of writing"},
		{"with a name without end", "CONTACT_SUPPORT", strings.Repeat("x", 3000), "CONTACT_SUPPORT is longer than 200 characters"},
		{"with a secret of two lines", "OIDC_CLIENT_SECRET", "a\nb", "OIDC_CLIENT_SECRET must be one line"},
		{"with a NUL in a service's name", "SERVICES", `[{"name":"sms\u0000","kind":"sms","environment":"test","base_url":"https://a.example.no","token_url":"https://a.example.no"}]`, "name holds what is no readable text"},
		{"with proxies that are no networks", "TRUSTED_PROXIES", "10.0.0.1", "is no network such as"},
	} {
		t.Run("refuses to start "+tt.name, func(t *testing.T) {
			t.Parallel()
			env := copyOf(good, tt.setting, tt.value)
			if tt.setting == "KEYSET" {
				delete(env, "KEYSET_FILE")
			}
			wantRefusal(t, env, tt.want, "serve")
		})
	}
	t.Run("refuses to start with the key set of another database", func(t *testing.T) {
		t.Parallel()
		database := storetest.Database(t)
		storetest.NewSample(t, storetest.Open(t, database), "oppvekst")
		env := copyOf(copyOf(good, "DATABASE_URL", database), "KEYSET_FILE", otherKeys(t))
		wantRefusal(t, env, "the key set does not open what this database holds", "serve")
	})
	t.Run("says when it may not purge the event log", func(t *testing.T) {
		t.Parallel()
		if _, errs, err := program(good, "purge"); err == nil || !strings.Contains(errs, "the event log is not purged") {
			t.Errorf("ends with %v and says %q", err, errs)
		}
		if _, errs, err := program(copyOf(good, "DATABASE_OWNER_URL", storetest.Owner(good["DATABASE_URL"])), "purge"); err != nil {
			t.Errorf("as the owner it ends with %v and says %q", err, errs)
		}
	})
	t.Run("refuses a command that it does not know", func(t *testing.T) {
		t.Parallel()
		if _, errs, err := program(nil, "sevre", "now"); err == nil || !strings.Contains(errs, "no such command: sevre now") || !strings.Contains(errs, "usage: web <command>") {
			t.Errorf("ends with %v: %s", err, errs)
		}
		if out, errs, err := program(nil, "--help"); err != nil || !strings.Contains(out, "usage: web <command>") || errs != "" {
			t.Errorf("help ends with %v: %q, %q", err, out, errs)
		}
	})
	t.Run("names the cure where a right is missing", func(t *testing.T) {
		t.Parallel()
		database := storetest.Database(t)
		u, _ := url.Parse(database)
		execute(t, database, `REVOKE INSERT ON role_mappings FROM `+u.User.Username())
		wantRefusal(t, copyOf(good, "DATABASE_URL", database), "Run 'web migrate' as the owner", "admin", "x")
	})
	t.Run("takes no value that its page could not remove", func(t *testing.T) {
		t.Parallel()
		env := copyOf(good, "DATABASE_URL", storetest.Database(t))
		for _, value := range []string{"", "it\ndrift", "it\rdrift", "it\tdrift", strings.Repeat("x", 201)} {
			wantRefusal(t, env, "at most 200 characters", "admin", value)
		}
		for _, value := range []string{"it\xffdrift", "it\ufffedrift"} {
			wantRefusal(t, env, "what is typed behind web is no readable text", "admin", value)
		}
	})
	t.Run("reads no file without end", func(t *testing.T) {
		t.Parallel()
		env := copyOf(good, "DATABASE_URL", storetest.Database(t))
		for _, args := range [][]string{{"keys", "rotate"}, {"keys", "drop"}, {"serve"}} {
			wantRefusal(t, copyOf(env, "KEYSET_FILE", "/dev/zero"), "larger than 1 MiB", args...)
		}
		wantRefusal(t, copyOf(copyOf(env, "DATABASE_URL", ""), "DATABASE_URL_FILE", "/dev/zero"), "larger than 1 MiB", "serve")
	})
	t.Run("makes administrators, blanks aside", func(t *testing.T) {
		t.Parallel()
		database := storetest.Database(t)
		execute(t, database, `ALTER TABLE audit_events ADD CONSTRAINT broken CHECK (action <> 'role_mapping.add') NOT VALID`)
		wantRefusal(t, copyOf(good, "DATABASE_URL", database), "database", "admin", "it-drift")
		if m, err := registry.In(storetest.Open(t, database)).Roles.Mappings(t.Context()); err != nil || len(m) != 0 {
			t.Errorf("without its line in the event log it stands: %+v, %v", m, err)
		}
		execute(t, database, `ALTER TABLE audit_events DROP CONSTRAINT broken`)
		for range 2 { // the second time it exists
			if _, errs, err := program(copyOf(good, "DATABASE_URL", database), "admin", " it-drift "); err != nil {
				t.Fatal(err, errs)
			}
		}
		m, err := registry.In(storetest.Open(t, database)).Roles.Mappings(t.Context())
		if err != nil || len(m) != 1 || m[0].Claim != "it-drift" {
			t.Errorf("got %+v, %v", m, err)
		}
	})
	t.Run("verifies the event log against places that were written down", func(t *testing.T) { verifiesLog(t, good) })
	t.Run("makes key sets", makesKeys)
	t.Run("migrates, and then serves", func(t *testing.T) {
		blank := blankDatabase(t, good["DATABASE_URL"])
		migrates(t, copyOf(copyOf(good, "DATABASE_URL", blank), "DATABASE_OWNER_URL", storetest.Owner(blank)))
	})
	t.Run("pauses a restored database that has delivered", func(t *testing.T) { pausesRestored(t, good) })
}

// program runs the program to its end and returns what it wrote.
func program(env map[string]string, args ...string) (out, errs string, err error) {
	return programAt(made.web, env, args...)
}

func programAt(path string, env map[string]string, args ...string) (out, errs string, err error) {
	cmd := exec.Command(path, args...)
	cmd.Env = append(list(env), "GORACE=atexit_sleep_ms=0")
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}

func list(env map[string]string) []string {
	var all []string
	for name, value := range env {
		all = append(all, name+"="+value)
	}
	return all
}

func copyOf(env map[string]string, name, value string) map[string]string {
	own := map[string]string{name: value}
	for n, v := range env {
		if n != name {
			own[n] = v
		}
	}
	return own
}

// wantRefusal checks that the program ends with this line, and has not called the login provider, whose failure would be logged
// after it.
func wantRefusal(t *testing.T, env map[string]string, want string, args ...string) {
	t.Helper()
	out, errs, err := program(env, args...)
	if strings.Contains(errs, "login provider") {
		t.Errorf("the login provider was asked by a process that refuses to start: %s", errs)
	}
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	if err == nil || out != "" || !strings.Contains(lines[len(lines)-1], want) {
		t.Errorf("ends with %v and says %q, %q, want %q in the last line", err, out, errs, want)
	}
}

func makesKeys(t *testing.T) {
	t.Parallel()
	one, _, err := program(nil, "keys", "new")
	if err != nil {
		t.Fatal(err)
	}
	two, _, _ := program(nil, "keys", "new")
	if _, err := seal.Parse([]byte(one)); err != nil || one == two {
		t.Errorf("the key set does not serve (%v), or is the same again", err)
	}
}

func migrates(t *testing.T, env map[string]string) {
	t.Parallel()
	for _, want := range []string{" migrations applied", "0 migrations applied"} {
		if out, errs, err := program(env, "migrate"); err != nil || !strings.Contains(out, want) {
			t.Fatalf("migrate ends with %v and says %q, %q, want %q", err, out, errs, want)
		}
	}
	web := run(t, list(env), "serve")
	eventually(t, "it serves", func() bool { return strings.Contains(web.output(), `"msg":"serving"`) })
	wantRefusal(t, map[string]string{}, "DATABASE_URL is not set", "migrate")
}

// pausesRestored marks the database as restored, twice, as an operator may.
func pausesRestored(t *testing.T, env map[string]string) {
	t.Parallel()
	s := storetest.Open(t, env["DATABASE_URL"])
	if _, err := queue.In(s).Guards.Check(t.Context(), queue.Witness{}); err != nil { // what delivery does first
		t.Fatal(err)
	}
	for range 2 {
		if out, errs, err := program(env, "counts"); err != nil || !strings.Contains(out, "what the items say") {
			t.Errorf("counts: got %q, %q, %v", out, errs, err)
		}
		if out, errs, err := program(env, "restored"); err != nil || !strings.Contains(out, "delivery is paused") {
			t.Errorf("restored ends with %v and says %q, %q", err, out, errs)
		}
		if g, err := queue.In(s).Guards.Current(t.Context()); err != nil || !g.Paused || g.PausedBy != "" {
			t.Errorf("the guard is %+v, %v", g, err)
		}
	}
}

// blankDatabase creates a database without a schema on the server of another one.
func blankDatabase(t *testing.T, of string) string {
	t.Helper()
	admin := storetest.DB(t, of)
	name := fmt.Sprintf("blank_%d_%d", os.Getpid(), serial.Add(1))
	exec := func(statement string) {
		t.Helper()
		if _, err := admin.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE DATABASE ` + name)
	t.Cleanup(func() { exec(`DROP DATABASE ` + name + ` WITH (FORCE)`) })
	u, err := url.Parse(of)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// TestKeysRotate: the commands suffice to rotate the key, and refuse a step that is too early.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	storetest.NewSample(t, storetest.Open(t, database), "oppvekst") // credentials, sealed
	path := keyFile(t)
	env := map[string]string{"DATABASE_URL": database, "KEYSET_FILE": path}
	change := func(command string) {
		t.Helper()
		out, errs, err := program(env, "keys", command)
		if err != nil || errs == "" {
			t.Fatalf("keys %s: %v, %s", command, err, errs)
		}
		if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(command, why string) {
		t.Helper()
		if out, errs, err := program(env, "keys", command); err == nil || !strings.Contains(errs, why) || out != "" {
			t.Errorf("keys %s: got %v and %q, want %q, and no file", command, err, errs, why)
		}
	}
	refused("drop", "no older key")
	change("rotate")
	refused("drop", "no older key")
	change("rotate")
	refused("rotate", "still holds an older key")
	refused("drop", "values are sealed with older keys still")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, left, err := storeWith(t, database, file).Reseal(t.Context()); left != 0 || err != nil {
		t.Fatalf("left %d, %v", left, err)
	}
	change("drop")
	refused("drop", "no older key")
}
