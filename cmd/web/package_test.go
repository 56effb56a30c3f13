package main_test

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"utsending/internal/tier"
)

// root is the repository.
const root = "../.."

// composeService is the part of a service in compose.yaml that these tests check.
type composeService struct {
	Image       string
	Command     []string
	Environment map[string]string
	Secrets     []string
	Networks    []string
	Ports       []string
	ReadOnly    bool          `yaml:"read_only"`
	Tmpfs       any           `yaml:"tmpfs"`
	CapDrop     []string      `yaml:"cap_drop"`
	SecurityOpt []string      `yaml:"security_opt"`
	Grace       time.Duration `yaml:"stop_grace_period"`
	Healthcheck struct{ Test []string }
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Deploy      struct{ Replicas int }
}

type composition struct {
	Services map[string]composeService
	Networks map[string]struct {
		Internal bool
		IPAM     struct{ Config []struct{ Subnet string } }
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]any
}

func readCompose(t *testing.T) composition {
	t.Helper()
	var c composition
	if err := yaml.Unmarshal([]byte(readRoot(t, "compose.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func readRoot(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// image is the final stage of the Dockerfile.
type image struct {
	build           string // the make command that builds the program
	from            string
	packages        []string // installed packages
	copies          []string
	uid, gid        uint32
	entrypoint, cmd []string
	health          []string
}

func readDockerfile(t *testing.T) image {
	t.Helper()
	var i image
	for _, line := range strings.Split(readRoot(t, "Dockerfile"), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if _, installed, ok := strings.Cut(line, "apt-get install -y --no-install-recommends "); ok {
			i.packages = strings.Fields(strings.TrimSuffix(installed, "\\"))
		}
		switch word {
		case "FROM":
			i.from, i.copies, i.packages = rest, nil, nil
		case "COPY":
			fields := strings.Fields(rest)
			i.copies = append(i.copies, fields[len(fields)-1])
		case "RUN":
			if strings.HasPrefix(rest, "make ") {
				i.build = rest
			}
		case "USER":
			i.uid, i.gid = ids(t, rest)
		case "ENTRYPOINT":
			i.entrypoint = words(t, rest)
		case "CMD":
			i.cmd = words(t, rest)
		case "HEALTHCHECK":
			_, command, _ := strings.Cut(rest, " CMD ")
			i.health = words(t, command)
		}
	}
	return i
}

func ids(t *testing.T, user string) (uid, gid uint32) {
	t.Helper()
	u, g, _ := strings.Cut(user, ":")
	numbers := [2]uint64{}
	for i, text := range []string{u, g} {
		var err error
		if numbers[i], err = strconv.ParseUint(text, 10, 32); err != nil {
			t.Fatalf("USER %s: a platform that forbids root wants numbers", user)
		}
	}
	return uint32(numbers[0]), uint32(numbers[1])
}

func words(t *testing.T, list string) []string {
	t.Helper()
	var all []string
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		t.Fatalf("%s: signals reach the program in the list form only", list)
	}
	return all
}

// TestPackage reads the Dockerfile and compose.yaml, builds with the same command, and runs the same program in the same way.
func TestPackage(t *testing.T) {
	t.Parallel()
	i, c := readDockerfile(t), readCompose(t)
	t.Run("the image holds the programs and what draws, and no rights", func(t *testing.T) { wantSmall(t, i) })
	t.Run("the composition fits together", func(t *testing.T) { wantFitting(t, c) })
	t.Run("settings are those that there are", func(t *testing.T) { wantKnown(t, c) })
	t.Run("secrets stay out of the image and the repository", func(t *testing.T) { wantSecret(t, c) })
	t.Run("runs", func(t *testing.T) {
		tier.Long(t)
		runsPackaged(t, i, c)
	})
}

func wantSmall(t *testing.T, i image) {
	t.Helper()
	if i.from != "debian:bookworm-slim" || !slices.Equal(i.copies, []string{"/web", "/inspectpdf"}) {
		t.Errorf("the image is made from %s and holds %q", i.from, i.copies)
	}
	if !slices.Equal(i.packages, []string{"ca-certificates"}) {
		t.Errorf("the image has %q installed", i.packages)
	}
	if i.uid == 0 || i.gid == 0 {
		t.Errorf("it runs as %d:%d", i.uid, i.gid)
	}
	for name, got := range map[string][]string{"web serve": append(i.entrypoint, i.cmd...), "web health": i.health} {
		if strings.TrimPrefix(strings.Join(got, " "), "/") != name {
			t.Errorf("it runs %q, want %s", got, name)
		}
	}
}

func wantFitting(t *testing.T, c composition) {
	t.Helper()
	web, migrate, database, proxy := c.Services["web"], c.Services["migrate"], c.Services["database"], c.Services["proxy"]
	for name, s := range map[string]composeService{"web": web, "migrate": migrate} {
		if s.Image != "utsending" || !s.ReadOnly || s.Tmpfs != nil || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
			t.Errorf("%s is not held as it should: %+v", name, s)
		}
		if s.DependsOn["database"].Condition != "service_healthy" || len(s.Ports) > 0 {
			t.Errorf("%s does not wait for the database, or can be reached past the proxy", name)
		}
	}
	if web.DependsOn["migrate"].Condition != "service_completed_successfully" || web.Deploy.Replicas != 2 || !slices.Equal(migrate.Command, []string{"migrate"}) {
		t.Error("two copies of web do not come after the migration")
	}
	grace, err := time.ParseDuration(web.Environment["DELIVERY_GRACE"])
	if margin := web.Grace - grace; err != nil || margin < 10*time.Second {
		t.Errorf("web is killed %s after its calls must end (%v), want ten seconds or more", margin, err)
	}
	if front := c.Networks["front"].IPAM.Config; len(front) != 1 || front[0].Subnet != web.Environment["TRUSTED_PROXIES"] {
		t.Errorf("the proxy calls from %v, and %s is trusted", front, web.Environment["TRUSTED_PROXIES"])
	}
	if !slices.Equal(database.Networks, []string{"back"}) || !c.Networks["back"].Internal || slices.Contains(proxy.Networks, "back") {
		t.Error("the database can be reached from outside")
	}
	if len(database.Healthcheck.Test) == 0 {
		t.Error("nobody knows when the database is ready")
	}
	_, port, _ := strings.Cut(web.Environment["ADDR"], ":")
	if caddy := readRoot(t, "deploy/Caddyfile"); !strings.Contains(caddy, "dynamic a web "+port) {
		t.Error("the proxy does not lead to where web listens")
	}
}

// wantKnown checks that the settings in compose.yaml are in the table of docs/operations.md: a misspelt name would have no effect.
func wantKnown(t *testing.T, c composition) {
	t.Helper()
	_, table, _ := strings.Cut(readRoot(t, "docs/operations.md"), "## Settings")
	for _, service := range []string{"web", "migrate"} {
		for name := range c.Services[service].Environment {
			if !strings.Contains(table, "`"+name+"`") {
				t.Errorf("%s sets %s, which docs/operations.md does not know", service, name)
			}
		}
	}
}

func wantSecret(t *testing.T, c composition) {
	t.Helper()
	for _, name := range []string{".gitignore", ".dockerignore"} {
		lines := strings.Split(strings.ReplaceAll(readRoot(t, name), "/", ""), "\n")
		if !slices.Contains(lines, "secrets") || !slices.Contains(lines, ".env") {
			t.Errorf("%s does not leave secrets and .env out", name)
		}
	}
	for service, s := range c.Services {
		for setting, value := range s.Environment {
			secret, isFile := strings.CutPrefix(value, "/run/secrets/")
			if isFile != strings.HasSuffix(setting, "_FILE") || isFile && !slices.Contains(s.Secrets, secret) {
				t.Errorf("%s sets %s to %s, which is not one of its secrets", service, setting, value)
			}
		}
		for _, secret := range s.Secrets {
			if !strings.HasPrefix(c.Secrets[secret].File, "./secrets/") {
				t.Errorf("%s uses the secret %s, which has no file", service, secret)
			}
		}
	}
}

// buildPackaged builds the programs with the make target of the Dockerfile, to a directory of the test.
func buildPackaged(t *testing.T, i image, to string) {
	t.Helper()
	expanded := strings.NewReplacer(`"$VERSION"`, packagedVersion, `"`, "").Replace(i.build)
	recipe := exec.Command("make", append([]string{"-n", "-C", root}, strings.Fields(strings.Split(expanded, " NPM=")[0])[1:]...)...)
	recipe.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "MAKE") })
	text, err := recipe.Output()
	if err != nil {
		t.Fatalf("%s: %v", i.build, err)
	}
	command := regexp.MustCompile(`(?m)^.*go build .* -o bin/ \./cmd/web \./cmd/inspectpdf$`).FindString(string(text))
	if !strings.Contains(command, "CGO_ENABLED=0") || !strings.Contains(command, "-trimpath") {
		t.Fatalf("%s runs %q", i.build, command)
	}
	build := exec.Command("bash", "-c", strings.Replace(command, "-o bin/", "-o "+to+"/", 1))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	for _, program := range []string{"web", "inspectpdf"} {
		wantStatic(t, filepath.Join(to, program))
	}
}

const packagedVersion = "1.2.3-test"

// wantStatic checks that a program is linked statically, and does not contain paths of the machine that built it.
func wantStatic(t *testing.T, program string) {
	t.Helper()
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program is not static: %v", p.Type)
		}
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(root)
	if err != nil || bytes.Contains(content, []byte(here+"/internal")) {
		t.Errorf("the program tells where it was built (%v)", err)
	}
}
