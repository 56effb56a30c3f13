package main_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// manifest has the fields of a Kubernetes object that these tests check. deploy/check validates whole objects as Kubernetes does.
type manifest struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Template    podTemplate
		JobTemplate struct {
			Spec struct{ Template podTemplate }
		} `yaml:"jobTemplate"`
	}
}

type podTemplate struct {
	Spec struct {
		Grace           int `yaml:"terminationGracePeriodSeconds"`
		SecurityContext struct {
			User uint32 `yaml:"runAsUser"`
		} `yaml:"securityContext"`
		Containers []struct {
			Args         []string
			Env          []struct{ Name, Value string }
			VolumeMounts []mount `yaml:"volumeMounts"`
		}
		Volumes []struct {
			Name   string
			Secret struct {
				Name string `yaml:"secretName"`
			}
		}
	}
}

type mount struct {
	Path string `yaml:"mountPath"`
}

func readManifests(t *testing.T) map[string]manifest {
	t.Helper()
	all := map[string]manifest{}
	names, err := filepath.Glob(root + "/deploy/kubernetes/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no manifests: %v", err)
	}
	for _, name := range append(names, root+"/deploy/kubernetes/migrate/job.yaml") {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for decoder := yaml.NewDecoder(file); ; {
			var m manifest
			if err = decoder.Decode(&m); err != nil {
				break
			}
			all[m.Kind+" "+m.Metadata.Name] = m
		}
		_ = file.Close()
		if !errors.Is(err, io.EOF) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

// TestKubernetes: the manifests set only documented settings, run as the same user as the image, and let running calls finish.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	all, i := readManifests(t), readDockerfile(t)
	settings := all["ConfigMap settings"].Data
	wantSettings(t, "settings.yaml", settings)
	web := all["Deployment web"].Spec.Template
	wantPatience(t, "Deployment web", settings, time.Duration(web.Spec.Grace)*time.Second)
	for name, m := range map[string]podTemplate{
		"web": web, "migrate": all["Job migrate"].Spec.Template, "purge": all["CronJob purge"].Spec.JobTemplate.Spec.Template,
	} {
		if m.Spec.SecurityContext.User != i.uid || len(m.Spec.Containers) != 1 {
			t.Fatalf("%s runs %d containers as user %d", name, len(m.Spec.Containers), m.Spec.SecurityContext.User)
		}
		c := m.Spec.Containers[0]
		if want := strings.Replace(name, "web", "serve", 1); !slices.Equal(c.Args, []string{want}) {
			t.Errorf("%s runs %q", name, c.Args)
		}
		for _, setting := range c.Env {
			wantSettings(t, name, map[string]string{setting.Name: setting.Value})
			mounted := slices.IndexFunc(c.VolumeMounts, func(v mount) bool { return v.Path == filepath.Dir(setting.Value) })
			if !strings.HasSuffix(setting.Name, "_FILE") || mounted < 0 || name == "web" && strings.Contains(setting.Name, "OWNER") {
				t.Errorf("%s sets %s to %s, which is no file of its secret", name, setting.Name, setting.Value)
			}
		}
		for _, v := range m.Spec.Volumes {
			if want := map[string]string{"web": "web", "migrate": "owner", "purge": "owner"}[name]; v.Secret.Name != "" && v.Secret.Name != want {
				t.Errorf("%s sees the secret %s", name, v.Secret.Name)
			}
		}
	}
}

// TestUnits: the systemd unit sets only documented settings, and lets running calls finish.
func TestUnits(t *testing.T) {
	t.Parallel()
	settings, stop := map[string]string{}, ""
	for line := range strings.Lines(readRoot(t, "deploy/systemd/utsending@.service")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "Environment":
			for one := range strings.FieldsSeq(value) {
				setting, value, _ := strings.Cut(one, "=")
				settings[setting] = value
			}
		case "TimeoutStopSec":
			stop = value + "s"
		}
	}
	patience, err := time.ParseDuration(stop)
	if err != nil {
		t.Fatal(err)
	}
	wantSettings(t, "utsending@.service", settings)
	wantPatience(t, "utsending@.service", settings, patience)
}

// wantSettings checks that docs/operations.md has the settings.
func wantSettings(t *testing.T, where string, settings map[string]string) {
	t.Helper()
	_, table, _ := strings.Cut(readRoot(t, "docs/operations.md"), "## Settings")
	if len(settings) == 0 {
		t.Errorf("%s sets nothing", where)
	}
	for name := range settings {
		if !strings.Contains(table, "`"+name+"`") {
			t.Errorf("%s sets %s, which docs/operations.md does not know", where, name)
		}
	}
}

// submitDefault is how long the hand-over of a shipment may take, as docs/operations.md has it.
var submitDefault = regexp.MustCompile("`SUBMIT_TIMEOUT` \\| `(\\w+)`")

// wantPatience checks that a process that is stopped may end its longest call, and is killed ten seconds later at the earliest.
func wantPatience(t *testing.T, where string, settings map[string]string, patience time.Duration) {
	t.Helper()
	longest := submitDefault.FindStringSubmatch(readRoot(t, "docs/operations.md"))
	if longest == nil {
		t.Fatal("docs/operations.md does not say how long a call may take")
	}
	length := func(text string) time.Duration {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Errorf("%s: %v", where, err)
		}
		return d
	}
	delay, grace := length(settings["STOP_DELAY"]), length(settings["DELIVERY_GRACE"])
	if grace < length(longest[1]) || patience < delay+grace+10*time.Second {
		t.Errorf("%s: calls take %s, have %s after %s, and it is killed after %s", where, longest[1], grace, delay, patience)
	}
}
