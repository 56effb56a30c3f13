// Command suite runs the tests as `go test` does and reports for people: failures and waits at once; at the end the
// slowest tests, the skipped ones with their reasons, and the result on one line. It runs the short form of the tests (testing.Short),
// with -whole the long form. With -trials it runs the trials, with -quick the domain's tests and those that the uncommitted change touches.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"utsending/internal/await"
	"utsending/internal/store/pgserver"
)

func main() {
	quick := flag.Bool("quick", false, "the domain, and what the uncommitted change touches")
	whole := flag.Bool("whole", false, "the long form of the tests, with the race detector where goroutines share memory")
	trials := flag.Bool("trials", false, "the trials alone (tier.Trial)")
	slowest := flag.Int("slowest", 10, "how many of the slowest tests to name")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	var runs [][]run
	var err error
	switch {
	case *quick:
		runs, err = touched()
	case *whole:
		runs, err = withRace(packages)
	case *trials:
		runs, err = ofTrials()
	default:
		packages, err = listed(packages)
		runs = [][]run{{{packages: packages}}}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := collectSeldom(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	stop, err := startDatabase()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	r := newReport(os.Stdout)
	go r.tellLongEvery(30 * time.Second)
	var failed atomic.Bool
	var all sync.WaitGroup
	for _, sequence := range runs {
		all.Go(func() {
			for _, one := range sequence {
				if err := r.test(one); err != nil {
					failed.Store(true)
					fmt.Fprintln(os.Stderr, err)
				}
			}
		})
	}
	all.Wait()
	stop()
	r.end(*slowest)
	if failed.Load() || r.failed > 0 {
		os.Exit(1)
	}
}

// collectSeldom has the compiler and the tests collect garbage seldom: it took a sixth of their processor time.
func collectSeldom() error {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return os.Setenv("GOGC", "400")
}

// startDatabase starts the PostgreSQL that all test programs share: starting and filling one takes three seconds.
func startDatabase() (stop func(), err error) {
	pg, err := pgserver.Start(context.Background(), pgserver.Options{NPMDir: "node_modules", Fast: true})
	if err != nil {
		return nil, fmt.Errorf("tests need PostgreSQL: %w", err)
	}
	if err := os.Setenv(pgserver.SharedVariable, pg.URL("postgres")); err != nil {
		return nil, err
	}
	return func() {
		if err := pg.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}, nil
}

// run is one call of go test: packages, and the names of their tests; all if empty.
type run struct {
	packages []string
	tests    []string
	race     bool // with the race detector, one package at a time
	long     bool // the long form of the tests
}

// watched are the packages whose goroutines share memory. They run with the race detector, which sees the packages that they use too.
// Elsewhere it sees nothing, and takes up to 14 times as long.
var watched = []string{"/internal/clients", "/internal/clients/simulator", "/internal/delivery", "/internal/session", "/internal/store/pgserver", "/internal/store/storetest", "/internal/upstream"}

// atOnce are packages whose tests mostly do one thing after another in our process, while PostgreSQL or the service does the rest, or
// measure memory. All run without the race detector, which would take eight minutes of processor time; those that match
// atOnceTests run with it too.
var atOnce = []string{"/internal/handlers", "/internal/store", "/internal/export", "/internal/clients/shipmentapi/v1", "/internal/clients/smsapi"}

// atOnceTests matches the names of tests whose goroutines share state.
const atOnceTests = "Test.*(AtOnce|ByTwo).*"

// startedFirst are the packages that take longest, the longest last. They are started first, but for withRace, so that the others fill the remaining
// processors: the tests of store and delivery wait for each other, and would leave a processor free at the end.
var startedFirst = []string{"/internal/pdf", "/internal/views/gallery", "/internal/delivery", "/internal/store", "/internal/handlers", "/cmd/web"}

// listed are the packages of the patterns, in the order in which their tests are started.
func listed(patterns []string) ([]string, error) {
	out, err := exec.Command("go", append([]string{"list"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	packages := strings.Fields(string(out))
	slices.SortStableFunc(packages, func(a, b string) int { return cmp.Compare(length(b), length(a)) })
	return packages, nil
}

// length ranks packages by duration; 0 for those that are not in startedFirst.
func length(p string) int {
	return 1 + slices.IndexFunc(startedFirst, func(end string) bool { return strings.HasSuffix(p, end) })
}

// withRace divides packages into those under the race detector and the others. Both run at once, with the short packages beside delivery,
// whose tests wait for each other and would leave a processor free. Long ones beside it would double its time.
func withRace(patterns []string) ([][]run, error) {
	packages, err := listed(patterns)
	if err != nil {
		return nil, err
	}
	raced, some, others := run{race: true, long: true}, run{race: true, long: true, tests: []string{atOnceTests}}, run{long: true}
	for _, p := range packages {
		if isOneOf(watched, p) {
			raced.packages = append(raced.packages, p)
			continue
		}
		if isOneOf(atOnce, p) {
			some.packages = append(some.packages, p)
		}
		others.packages = append(others.packages, p)
	}
	slices.SortStableFunc(others.packages, func(a, b string) int { return cmp.Compare(min(length(a), 1), min(length(b), 1)) })
	empty := func(r run) bool { return len(r.packages) == 0 }
	return [][]run{slices.DeleteFunc([]run{raced, some}, empty), slices.DeleteFunc([]run{others}, empty)}, nil
}

func isOneOf(ends []string, path string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) })
}

// arguments are go's arguments. vet runs separately, and linking without debug information and symbols takes half the time.
func (r run) arguments() []string {
	args := []string{"test", "-json", "-vet=off", "-ldflags=-s", "-shuffle=on", "-count=1", "-timeout=40m"}
	if r.race {
		args = append(args, "-race", "-p=1")
	}
	if !r.long { // nothing runs beside it, and some packages mostly wait: one more than processors at a time
		args = append(args, "-short", fmt.Sprintf("-p=%d", runtime.NumCPU()+1))
	}
	if len(r.tests) > 0 {
		args = append(args, "-run", "^("+strings.Join(r.tests, "|")+")$")
	}
	return append(args, r.packages...)
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // in seconds
}

// report collects the results of go test.
type report struct {
	out                     io.Writer
	start                   time.Time
	mu                      sync.Mutex           // go test is heard while running tests are told of
	running                 map[string]time.Time // since when, by package and name; zero: it waits for its turn
	output                  map[string][]string  // of running tests, by package and name
	passed, failed, skipped int
	ran                     []event
	skips                   []string
}

func newReport(out io.Writer) *report {
	return &report{out: out, start: time.Now(), running: map[string]time.Time{}, output: map[string][]string{}}
}

// longRunning is how long a test runs before it is told of. A test may wait for something that has no limit of its own.
const longRunning = 2 * time.Minute

func (r *report) tellLongEvery(pause time.Duration) {
	for now := range time.Tick(pause) {
		r.tellLong(now)
	}
}

// tellLong tells of tests that have run for long, with the last line that each has written. A test whose subtests have not ended waits for them.
func (r *report) tellLong(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(r.running)) {
		since := r.running[key]
		took := now.Sub(since)
		waits := func(other string) bool { return strings.HasPrefix(other, key+"/") }
		if since.IsZero() || took < longRunning || ended(r.output[key]) || slices.ContainsFunc(slices.Collect(maps.Keys(r.running)), waits) {
			continue
		}
		fmt.Fprintf(r.out, "%s%s: since %s: %s\n", await.Mark, key, took.Round(time.Second), lastLine(r.output[key]))
	}
}

// ended tells whether a test has ended. Go test tells of it only when the next test writes something.
func ended(output []string) bool {
	return slices.ContainsFunc(output, func(line string) bool { return strings.HasPrefix(line, "--- ") })
}

// lastLine is the last line that a test itself has written.
func lastLine(output []string) string {
	for _, line := range slices.Backward(output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "=== ") {
			return line
		}
	}
	return "it has written nothing"
}

func (r *report) test(one run) error {
	cmd := exec.Command("go", one.arguments()...)
	if one.race {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1") // the race detector is a C library
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := r.read(out, one.race); err != nil {
		return err
	}
	return cmd.Wait()
}

// read hears what go test says. The same test may run without the race detector at the same time, so packages with it are told apart.
func (r *report) read(out io.Reader, race bool) error {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(r.out, lines.Text())
			continue
		}
		if race {
			e.Package += "[race]"
		}
		r.hear(e)
	}
	return lines.Err()
}

// hear reports failures and waits at once, and counts the rest.
func (r *report) hear(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := e.Package + " " + e.Test
	switch e.Action {
	case "run", "cont":
		r.running[key] = time.Now()
	case "pause":
		r.running[key] = time.Time{}
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		if strings.HasPrefix(e.Output, await.Mark) {
			fmt.Fprint(r.out, e.Output)
		}
		r.output[key] = append(r.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.packageEnded(e, r.output[key])
		} else {
			r.testEnded(e, r.output[key])
		}
		delete(r.output, key)
		delete(r.running, key)
	}
}

func (r *report) packageEnded(e event, output []string) {
	maps.DeleteFunc(r.running, func(key string, _ time.Time) bool { return strings.HasPrefix(key, e.Package+" ") }) // if it died
	switch e.Action {
	case "fail":
		r.unended(e.Package)
		fmt.Fprintf(r.out, "FAIL\t%s\t%.1fs\n%s", e.Package, e.Elapsed, strings.Join(output, ""))
	case "pass":
		fmt.Fprintf(r.out, "ok  \t%s\t%.1fs\n", e.Package, e.Elapsed)
	}
}

// unended reports what the tests wrote that were running when their program died: where it died is among it.
func (r *report) unended(program string) {
	for _, key := range slices.Sorted(maps.Keys(r.output)) {
		of, test, _ := strings.Cut(key, " ")
		said := slices.ContainsFunc(r.output[key], func(line string) bool { return !strings.HasPrefix(line, "=== ") })
		if of == program && test != "" && said {
			fmt.Fprintf(r.out, "NOT ENDED: %s\n%s", key, strings.Join(r.output[key], ""))
		}
	}
}

func (r *report) testEnded(e event, output []string) {
	r.ran = append(r.ran, e)
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		fmt.Fprintf(r.out, "--- FAIL: %s %s (%.1fs)\n%s", e.Package, e.Test, e.Elapsed, strings.Join(output, ""))
	case "skip":
		r.skipped++
		r.skips = append(r.skips, e.Test+": "+reason(output))
	}
}

// reason is why a test was skipped.
func reason(output []string) string {
	for _, line := range output {
		if _, said, found := strings.Cut(line, "_test.go:"); found {
			_, why, _ := strings.Cut(strings.TrimSpace(said), ": ")
			return why
		}
	}
	return "no reason given"
}

// end reports the slowest tests, the skipped ones, and the result. A test with subtests counts as one more, as in go
// test.
func (r *report) end(slowest int) {
	slices.SortFunc(r.ran, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, e := range r.ran[:min(slowest, len(r.ran))] {
		fmt.Fprintf(r.out, "slow\t%.1fs\t%s %s\n", e.Elapsed, e.Package, e.Test)
	}
	slices.Sort(r.skips)
	for _, s := range r.skips {
		fmt.Fprintf(r.out, "skipped\t%s\n", s)
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped, %.1f minutes\n", r.passed, r.failed, r.skipped, time.Since(r.start).Minutes())
}
