package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"utsending/internal/tier"
)

// ofTrials are the tests that call tier.Trial, a run for each package, and asks for them.
func ofTrials() ([][]run, error) {
	if err := os.Setenv(tier.Trials, "1"); err != nil {
		return nil, err
	}
	files, err := exec.Command("git", "grep", "-l", "--untracked", "tier[.]Trial(", "--", "*_test.go").Output()
	if err != nil {
		return nil, err
	}
	var runs []run
	for file := range strings.FieldsSeq(string(files)) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		names := trialsIn(string(text))
		if len(names) != len(call.FindAll(text, -1)) {
			return nil, fmt.Errorf("%s: tier.Trial(t) is not the first line of a test", file)
		}
		if len(names) == 0 {
			continue
		}
		in := "./" + filepath.Dir(file)
		if len(runs) == 0 || runs[len(runs)-1].packages[0] != in {
			runs = append(runs, run{packages: []string{in}, long: true})
		}
		last := &runs[len(runs)-1]
		last.tests = append(last.tests, names...)
	}
	return [][]run{runs}, nil
}

// call matches any call, and trial a test that begins with one.
var (
	call  = regexp.MustCompile(`(?m)^\t+tier\.Trial\(`)
	trial = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{\n\ttier\.Trial\(t\)$`)
)

// trialsIn are the names of the tests of a file that begin with tier.Trial.
func trialsIn(text string) (names []string) {
	for _, m := range trial.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}
