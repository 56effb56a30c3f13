package pdf

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"utsending/internal/pdf/compiled"
)

// cache is the directory with the engine's compiled code, which children only read. It is filled once, by a child that
// gets no file and so need not be confined. Without it each child compiles the engine anew, which takes seconds.
type cache struct {
	once sync.Once
	dir  string
}

// Prepare fills the cache of compiled code, if it is not full yet, for which a first file would wait. It returns the
// directory, empty where none can be used.
func (i *Inspector) Prepare(ctx context.Context) (dir string) {
	command, err := i.command()
	if err != nil {
		return ""
	}
	return i.cache.filled(ctx, command)
}

// filled returns the directory; empty when there is none that can be used.
func (c *cache) filled(ctx context.Context, command []string) string {
	c.once.Do(func() {
		dir := c.dir
		if dir == "" {
			dir = compiled.Dir()
		}
		if dir == "" || fill(context.WithoutCancel(ctx), dir, command) != nil {
			dir = ""
		}
		c.dir = dir
	})
	return c.dir
}

// fill has the program fill the directory, unless it has done so. Processes that start at the same time wait for it.
func fill(ctx context.Context, dir string, command []string) error {
	ready, err := mark(dir, command[0])
	if err != nil {
		return err
	}
	if _, err := os.Stat(ready); err == nil {
		return nil
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	prepare := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], prepareArgument, dir)...)
	prepare.Env, prepare.Dir = []string{}, "/"
	if err := prepare.Run(); err != nil {
		return fmt.Errorf("compile the engine: %w", err)
	}
	return os.WriteFile(ready, nil, 0o600)
}

// mark is the file that says that a program has filled the directory.
func mark(dir, program string) (string, error) {
	info, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, fmt.Sprintf("ready-%x-%x", info.Size(), info.ModTime().UnixNano())), nil
}
