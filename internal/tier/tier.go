// Package tier says which command runs a test, by what it takes: `make test` the short ones, `make check` the long ones too, `make trials` the trials.
package tier

import (
	"os"
	"testing"
)

// Trials is the environment variable that asks for trials, if it is not empty.
const Trials = "UTSENDING_TEST_TRIALS"

// Long skips a test that takes many seconds of processor time, six to twenty, in the short form of the tests.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("many seconds of processor time: make check runs it")
	}
}

// Trial skips a test unless trials are asked for: those in which programs and databases are killed, fail over and are restored, and those in a
// second browser. Package cmd/suite finds them by this call.
func Trial(t testing.TB) {
	t.Helper()
	if os.Getenv(Trials) == "" {
		t.Skip("a trial: make trials runs it, and CI")
	}
}
