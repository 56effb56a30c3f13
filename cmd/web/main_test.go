// Package main_test uses the application as people do, and kills it while it works. The program, its database and the
// browser are real; only the external services are simulated.
package main_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"utsending/internal/store/pgserver"
)

// made is what the tests share: the program, built once beside the one that it starts, the directory of its logs, and a halted
// database server, see migrated.
var made struct {
	web, logs string
	migrated  *pgserver.Server
}

func TestMain(m *testing.M) {
	flag.Parse()
	// Browsers wait now and then: twice as many tests as processors may run at once.
	if err := flag.Set("test.parallel", fmt.Sprint(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	os.Exit(runAll(m))
}

// runAll runs the tests on a fresh program. Its logs are searched after the last test.
func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "utsending-web-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = makeProgram(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if made.migrated != nil {
		_ = made.migrated.Stop() // its data is in the temporary directory
	}
	found, err := searchLogs(made.logs, forbidden.list())
	if err != nil || len(found) > 0 {
		fmt.Fprintln(os.Stderr, "FAIL: logs:", strings.Join(found, "\n\t"), err)
		code = 1
	}
	if code != 0 {
		keepLogs()
	}
	return code
}

// keepLogs keeps the programs' logs after a failure, and tells where.
func keepLogs() {
	kept := filepath.Join("..", "..", ".testout", time.Now().UTC().Format("logs-20060102-150405"))
	if err := os.CopyFS(kept, os.DirFS(made.logs)); err != nil {
		fmt.Fprintln(os.Stderr, "keep logs:", err)
		return
	}
	fmt.Fprintln(os.Stderr, "logs of the programs:", kept)
}

func makeProgram(dir string) error {
	if _, err := os.Stat(filepath.Join("..", "..", "static", "dist", "manifest.json")); err != nil {
		return errors.New("static/dist is empty: run make assets")
	}
	made.web, made.logs = filepath.Join(dir, "web"), filepath.Join(dir, "logs")
	if err := os.Mkdir(made.logs, 0o755); err != nil {
		return err
	}
	args := []string{"build", "-ldflags=-s", "-o", dir + "/"}
	if raceDetector() {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, ".", "../inspectpdf")...).CombinedOutput(); err != nil {
		return fmt.Errorf("build web and inspectpdf: %w\n%s", err, out)
	}
	return nil
}

// raceDetector tells whether the tests run with the race detector: then the program is built with it too.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}
