package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReport covers a passed, a failed, a skipped, a waiting and an unended test, and a package that does not build.
func TestReport(t *testing.T) {
	t.Parallel()
	said := `{"Action":"run","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"    good_test.go:1: all is well\n"}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":1}
{"Action":"output","Package":"a","Test":"TestBad","Output":"    bad_test.go:2: got 1, want 2\n"}
{"Action":"fail","Package":"a","Test":"TestBad","Elapsed":2.5}
{"Action":"output","Package":"a","Test":"TestLeft","Output":"    left_test.go:3: no scanner here\n"}
{"Action":"skip","Package":"a","Test":"TestLeft","Elapsed":0}
{"Action":"output","Package":"a","Test":"TestUnended","Output":"goroutine 1 [select]:\n"}
{"Action":"output","Package":"a","Test":"TestPaused","Output":"=== PAUSE TestPaused\n"}
{"Action":"output","Package":"a","Output":"WAITING: TestGood: since 30s: the database: away\n"}
{"Action":"fail","Package":"a","Elapsed":3}
{"Action":"build-output","ImportPath":"b","Output":"b.go:1: undefined: x\n"}
{"Action":"fail","Package":"b","Elapsed":0}
`
	var out strings.Builder
	r := newReport(&out)
	if err := r.read(strings.NewReader(said), false); err != nil {
		t.Fatal(err)
	}
	r.end(1)
	for _, want := range []string{
		"--- FAIL: a TestBad (2.5s)\n    bad_test.go:2: got 1, want 2\n", "NOT ENDED: a TestUnended\ngoroutine 1 [select]:\nFAIL\ta\t3.0s\n", "WAITING: TestGood", "b.go:1: undefined: x\n", "FAIL\tb",
		"slow\t2.5s\ta TestBad\n", "skipped\tTestLeft: no scanner here\n", "\n1 passed, 1 failed, 1 skipped, ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "all is well") {
		t.Error("tells what a test said that passed")
	}
}

// TestTellLong: a test that runs for long is told of with its last line, but neither one that waits for its turn or its subtests, nor
// one that has ended.
func TestTellLong(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := newReport(&out)
	err := r.read(strings.NewReader(`{"Action":"run","Package":"a","Test":"TestHangs"}
{"Action":"output","Package":"a","Test":"TestHangs","Output":"    hangs_test.go:1: asked the service\n"}
{"Action":"output","Package":"a","Test":"TestHangs","Output":"=== NAME  TestHangs\n"}
{"Action":"run","Package":"a","Test":"TestEnded"}
{"Action":"pass","Package":"a","Test":"TestEnded"}
{"Action":"run","Package":"a","Test":"TestEndedAsLast"}
{"Action":"output","Package":"a","Test":"TestEndedAsLast","Output":"--- PASS: TestEndedAsLast (0.00s)\n"}
{"Action":"output","Package":"a","Test":"TestEndedAsLast","Output":"a line of another test\n"}
{"Action":"run","Package":"dead","Test":"TestUnended"}
{"Action":"fail","Package":"dead","Elapsed":3}
{"Action":"run","Package":"a","Test":"TestParent"}
{"Action":"run","Package":"a","Test":"TestParent/waits"}
{"Action":"pause","Package":"a","Test":"TestParent/waits"}
{"Action":"run","Package":"a","Test":"TestParent/silent"}
{"Action":"run","Package":"a","Test":"TestQueue"}
{"Action":"run","Package":"a","Test":"TestQueue/waits"}
{"Action":"pause","Package":"a","Test":"TestQueue/waits"}
`), false)
	if err != nil {
		t.Fatal(err)
	}
	if r.tellLong(time.Now()); strings.Contains(out.String(), "WAITING") {
		t.Errorf("told at once: %s", out.String())
	}
	r.tellLong(time.Now().Add(longRunning))
	const want = "WAITING: a TestHangs: since 2m0s: hangs_test.go:1: asked the service\nWAITING: a TestParent/silent: since 2m0s: it has written nothing\n"
	if _, got, _ := strings.Cut(out.String(), "FAIL\tdead\t3.0s\n"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"job_parts_test.go": "job_parts", "job_parts.go": "job_parts", "job_templ.go": "job", "job.templ": "job",
	} {
		if got := stem(name); got != want {
			t.Errorf("%s is about %q, want %q", name, got, want)
		}
	}
	if got := testsOf(".", map[string]bool{"main": true}); !slices.Contains(got, "TestReport") {
		t.Errorf("the tests about main are %q", got)
	}
	if got := testsOf(".", map[string]bool{"mai": true}); len(got) > 0 {
		t.Errorf("nothing is about mai: %q", got)
	}
}

func TestTrialsIn(t *testing.T) {
	t.Parallel()
	got := trialsIn("func TestShort(t *testing.T) {\n\tt.Parallel()\n}\n\nfunc TestKill(t *testing.T) {\n\ttier.Trial(t)\n\tt.Parallel()\n}\n")
	if !slices.Equal(got, []string{"TestKill"}) {
		t.Errorf("got %q", got)
	}
}

// TestWithRace: packages whose goroutines share memory run with the race detector, all others without it; of packages with little
// concurrency the marked tests run both ways.
func TestWithRace(t *testing.T) {
	t.Parallel()
	runs, err := withRace([]string{"utsending/internal/pdf/...", "utsending/internal/delivery", "utsending/internal/handlers", "utsending"})
	if err != nil || len(runs) != 2 || len(runs[0]) != 2 || len(runs[1]) != 1 {
		t.Fatalf("got %+v, %v, want two runs with the race detector beside one without", runs, err)
	}
	if got := runs[0][0]; !slices.Equal(got.packages, []string{"utsending/internal/delivery"}) || !slices.Contains(got.arguments(), "-race") {
		t.Errorf("with the race detector: %+v", got)
	}
	if got := runs[0][1]; !slices.Equal(got.packages, []string{"utsending/internal/handlers"}) || !slices.Contains(got.arguments(), "-race") || !slices.Contains(got.arguments(), "^("+atOnceTests+")$") {
		t.Errorf("with the race detector, where much happens at once: %+v", got)
	}
	got := runs[1][0]
	for _, p := range []string{"utsending", "utsending/internal/handlers", "utsending/internal/pdf/look"} {
		if !slices.Contains(got.packages, p) {
			t.Errorf("%s does not run without the race detector", p)
		}
	}
	if slices.Contains(got.packages, "utsending/internal/delivery") || slices.Contains(got.arguments(), "-race") {
		t.Errorf("without: %+v", got)
	}
}

// inOtherPrograms are packages whose tests work in other programs (the browser, the children that read PDFs, processes of web), where the
// race detector sees little and makes children exceed their limits. The goroutines of web are tested in the packages that it is made of.
var inOtherPrograms = []string{"/cmd", "/internal/browsertest", "/internal/pdf"}

// TestRacesAreSeen: each package that starts goroutines or locks is watched, or is part of one of which tests are.
func TestRacesAreSeen(t *testing.T) {
	t.Parallel()
	packages, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}", "utsending/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := slices.Concat(watched, atOnce, inOtherPrograms)
	for line := range strings.Lines(string(packages)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		shares := slices.ContainsFunc(sources(t, dir), func(source string) bool { return sharesMemory.MatchString(source) })
		if shares && !slices.ContainsFunc(seen, func(part string) bool { return strings.Contains(path+"/", part+"/") }) {
			t.Errorf("%s starts goroutines or locks, and no test of it runs with the race detector", path)
		}
	}
}

var sharesMemory = regexp.MustCompile(`(?m)^\s*go (func\b|[\w.]+\()|\.Go\(func|\bsync\.(Mutex|RWMutex|Map|Pool|Cond)|\batomic\.[A-Z]`)

// sources are the files of a package without its tests.
func sources(t *testing.T, dir string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}
