package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The blocks of docs/performance.md that are written here.
const (
	benchBlock = "make bench"
	loadBlock  = "make load"
)

// replaceBlock replaces the text between the two marks of a block.
func replaceBlock(path, block string, change func(old string) string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+block+" -->\n", "<!-- end of "+block+" -->"
	before, rest, found := strings.Cut(string(text), begin)
	old, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return fmt.Errorf("%s has no place for what `%s` measures: %q and %q", path, block, strings.TrimSpace(begin), end)
	}
	return os.WriteFile(path, []byte(before+begin+"\n"+strings.TrimSpace(change(old))+"\n\n"+end+after), 0o644)
}

const tableHead = "| Line | Ours | Reference | Ratio | Goal | | Ours, least to most | Runs | Measured |\n|---|---:|---:|---:|---|---|---:|---:|---|\n"

// rowName finds the name of the line in a row of the table.
var rowName = regexp.MustCompile("^\\| `([^`]+)` \\|")

// writeBench fills in the table: all of it after a whole run, otherwise only the lines that were measured.
func (s *stage) writeBench(ctx context.Context, o options, figures []figure) error {
	var version string
	if err := s.db.QueryRowContext(ctx, `SHOW server_version`).Scan(&version); err != nil {
		return err
	}
	return replaceBlock(o.write, benchBlock, func(old string) string {
		if o.only == "" {
			old = ""
		}
		return fmt.Sprintf("%s, PostgreSQL %s, files of %d MB, %d SMS, %d items.\n\n%s", machine(), version, o.size/1e6, o.messages, o.items, tableHead) + mergedRows(old, figures)
	})
}

// mergedRows are the rows of an old table with those of the figures in their places, new ones last.
func mergedRows(old string, figures []figure) string {
	rows := map[string]string{}
	for _, f := range figures {
		rows[f.Name] = f.row()
	}
	var b strings.Builder
	for line := range strings.Lines(old) {
		m := rowName.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if row, measured := rows[m[1]]; measured {
			line = row
			delete(rows, m[1])
		}
		b.WriteString(line)
	}
	for _, f := range figures {
		b.WriteString(rows[f.Name])
		delete(rows, f.Name)
	}
	return b.String()
}

// row is the figure as a row of the table.
func (f figure) row() string {
	when := time.Now().Format(time.DateOnly)
	if mark := disturbed(f.Others); mark != "" {
		when += ", **" + mark + "**"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %.3f | %s | %s | %s to %s | %d | %s |\n", f.Name, amount(f.Ours, f.Unit), amount(f.Reference, f.Unit), f.Ratio,
		f.Goal, f.verdict(), amount(f.Min, f.Unit), amount(f.Max, f.Unit), f.Runs, when)
}

// machine names this machine and the day.
func machine() string {
	kilobytes, _ := strconv.ParseFloat(strings.TrimSuffix(lineOf("/proc/meminfo", "MemTotal"), " kB"), 64) // another system: 0
	return fmt.Sprintf("%s: %d processors (%s), %.0f GiB of memory, %s", time.Now().Format(time.DateOnly), runtime.NumCPU(), lineOf("/proc/cpuinfo", "model name"),
		kilobytes/(1<<20), runtime.Version())
}

// lineOf is what a file of the kernel tells under a name; another system tells nothing.
func lineOf(path, name string) string {
	text, _ := os.ReadFile(path)
	_, rest, _ := strings.Cut(string(text), name)
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Trim(line, "\t :")
}
