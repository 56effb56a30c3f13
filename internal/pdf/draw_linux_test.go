package pdf

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawerMayNot is what a program that draws must not do; of the rest, it reads libraries and fonts.
func drawerMayNot() []string {
	return []string{"make a file", "change a file", "empty a file", "rename a file", "remove a file", "make a directory", "make a file in memory",
		"connect", "listen", "run a program", "raise a limit", "signal the parent", "trace the parent", "be another account"}
}

// readsFiles is what it may where there is no Landlock.
const readsFiles = "read a file"

// try does what a program that draws must not, and tells what came of it.
func try() int {
	all, done := attempts(os.Args[2]), []string{}
	for _, name := range drawerMayNot() {
		if all[name]() == nil {
			done = append(done, name)
		}
	}
	if _, err := os.ReadDir("/usr/lib"); err != nil {
		done = append(done, "could not even read libraries: "+err.Error())
	}
	if all["read a file"]() == nil {
		done = append(done, readsFiles)
	}
	return exitOf(json.NewEncoder(os.Stdout).Encode(done))
}

func TestConfinesWhatDraws(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("system calls are filtered on two architectures only")
	}
	dir := sampleDir(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	program := child(t, partReal, Options{}).Command[0]
	p, err := start([]string{program, partReal, drawArgument, program, partTry, dir, listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	defer p.end()
	if err := p.instruct(order{Memory: defaultMaxFile, CPU: 20, Size: 1}); err != nil {
		t.Fatal(err)
	}
	line, err := p.line.ReadBytes('\n')
	if err != nil {
		t.Fatalf("program ended: %v", err)
	}
	var done []string
	if err := json.Unmarshal(line, &done); err != nil {
		t.Fatal(err, fmt.Sprintf("%q", line))
	}
	want := []string{}
	if !p.held.Landlocked {
		t.Log("this kernel, or the container, has no Landlock: what draws may read all files")
		want = append(want, readsFiles)
	}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Errorf("could do what it must not:\n%s", diff)
	}
	untouched(t, dir)
}
