// Package check validates the files in deploy with the code of the programs that read them: manifests with Kubernetes'
// defaults, validation and pod security standards, units with systemd, rules and queries with Prometheus. It is a module
// of its own, so that these libraries are no dependencies of the product. `make deployment` runs it.
package check

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	autoscalingvalidation "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/batch"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/networking"
	networkingvalidation "k8s.io/kubernetes/pkg/apis/networking/validation"
	"k8s.io/kubernetes/pkg/apis/policy"
	policyvalidation "k8s.io/kubernetes/pkg/apis/policy/validation"
	podapi "k8s.io/pod-security-admission/api"
	podsecurity "k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
)

// generateSelector gives a job the labels that the API server does.
func generateSelector(job *batch.Job) {
	job.UID = "00000000-0000-7000-8000-000000000001"
	own := map[string]string{batch.ControllerUidLabel: string(job.UID), batch.JobNameLabel: job.Name, batch.LegacyControllerUidLabel: string(job.UID), batch.LegacyJobNameLabel: job.Name}
	maps.Copy(job.Spec.Template.Labels, own)
	job.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batch.ControllerUidLabel: string(job.UID)}}
}

// validate returns the errors with which the API server would refuse a new object.
func validate(o runtime.Object) field.ErrorList {
	switch o := o.(type) {
	case *apps.Deployment:
		return appsvalidation.ValidateDeployment(o, corevalidation.PodValidationOptions{})
	case *batch.Job:
		generateSelector(o)
		return batchvalidation.ValidateJob(o, batchvalidation.JobValidationOptions{RequirePrefixedLabels: true})
	case *batch.CronJob:
		return batchvalidation.ValidateCronJobCreate(o, corevalidation.PodValidationOptions{})
	case *policy.PodDisruptionBudget:
		return policyvalidation.ValidatePodDisruptionBudget(o, policyvalidation.PodDisruptionBudgetValidationOptions{})
	case *networking.NetworkPolicy:
		return networkingvalidation.ValidateNetworkPolicy(o, networkingvalidation.NetworkPolicyValidationOptions{})
	case *networking.Ingress:
		return networkingvalidation.ValidateIngressCreate(o)
	case *autoscaling.HorizontalPodAutoscaler:
		return autoscalingvalidation.ValidateHorizontalPodAutoscaler(o, autoscalingvalidation.HorizontalPodAutoscalerSpecValidationOptions{MinReplicasLowerBound: 1})
	case *core.Service:
		if o.Spec.ClusterIP != "" { // the API server fills in the list
			o.Spec.ClusterIPs = []string{o.Spec.ClusterIP}
		}
		return corevalidation.ValidateServiceCreate(o)
	case *core.ConfigMap:
		return corevalidation.ValidateConfigMap(o)
	case *core.ServiceAccount:
		return corevalidation.ValidateServiceAccount(o)
	case *core.Namespace:
		return corevalidation.ValidateNamespace(o)
	}
	return field.ErrorList{field.InternalError(nil, fmt.Errorf("nothing validates %T", o))}
}

// TestManifests: Kubernetes accepts the output of kustomize, also with the optional manifests.
func TestManifests(t *testing.T) {
	t.Parallel()
	const base = "../kubernetes"
	sources := map[string][]byte{}
	for _, folder := range []string{base, base + "/migrate"} {
		made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range made.Resources() {
			if sources[r.CurId().String()], err = r.AsYAML(); err != nil {
				t.Fatal(err)
			}
		}
	}
	added, err := filepath.Glob(base + "/when-used/*.yaml")
	if err != nil || len(added) == 0 {
		t.Fatalf("nothing may be added: %v", err)
	}
	for _, name := range added {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = text
	}
	decoder := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDecoder()
	kinds := map[string]int{}
	for name, text := range sources {
		o, kind, err := decoder.Decode(text, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		kinds[kind.Kind]++
		if in, ok := o.(metav1.Object); ok && in.GetNamespace() == "" && kind.Kind != "Namespace" {
			in.SetNamespace("utsending")
		}
		for _, e := range validate(o) {
			t.Errorf("%s: %s", name, e)
		}
		for _, why := range unrestricted(t, o) {
			t.Errorf("%s: %s", name, why)
		}
	}
	for _, kind := range []string{"Deployment", "Job", "CronJob", "NetworkPolicy", "PodDisruptionBudget", "HorizontalPodAutoscaler", "Service", "Ingress"} {
		if kinds[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
}

// unrestricted returns the violations of the restricted pod security standard in an object's pods.
func unrestricted(t *testing.T, o runtime.Object) []string {
	t.Helper()
	var pod core.PodTemplateSpec
	switch o := o.(type) {
	case *apps.Deployment:
		pod = o.Spec.Template
	case *batch.Job:
		pod = o.Spec.Template
	case *batch.CronJob:
		pod = o.Spec.JobTemplate.Spec.Template
	default:
		return nil
	}
	var outside corev1.PodTemplateSpec
	if err := legacyscheme.Scheme.Convert(&pod, &outside, nil); err != nil {
		t.Fatal(err)
	}
	standard, err := podsecurity.NewEvaluator(podsecurity.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range standard.EvaluatePod(podapi.LevelVersion{Level: podapi.LevelRestricted, Version: podapi.LatestVersion()}, &outside.ObjectMeta, &outside.Spec) {
		if !r.Allowed {
			list = append(list, r.ForbiddenReason+": "+r.ForbiddenDetail)
		}
	}
	return list
}

// TestUnits: systemd-analyze verify reports no problem of the units.
func TestUnits(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Fatal("systemd-analyze is missing: apt-get install systemd")
	}
	dir := t.TempDir()
	units, err := filepath.Glob("../systemd/*.*")
	if err != nil || len(units) == 0 {
		t.Fatalf("there are no units: %v", err)
	}
	var names []string
	for _, name := range units {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		program := strings.ReplaceAll(string(text), "/opt/utsending/web", "/bin/true") // verify requires that the program exists
		copied := filepath.Join(dir, strings.Replace(filepath.Base(name), "@.", "@8080.", 1))
		if err := os.WriteFile(copied, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, copied)
	}
	out, err := exec.Command(program, append([]string{"verify", "--man=no"}, names...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "utsending") {
			t.Error(line)
		}
	}
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
