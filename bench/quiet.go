package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tolerable is the share of the processors used by other programs above which a figure is marked as disturbed.
const tolerable = 0.1

// listen is the share of the processors that is busy while we are idle, from 0 to 1: other programs slow ours, which switches between
// several processes, more than the reference.
func listen(ctx context.Context) (float64, error) {
	before, err := readClocks()
	if err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Second):
	}
	after, err := readClocks()
	if err != nil {
		return 0, err
	}
	if all := after.all - before.all; all > 0 {
		return 1 - (after.idle-before.idle)/all, nil
	}
	return 0, nil
}

// disturbed is the mark of a line during which other programs used this share of the processors; empty if the share is small.
func disturbed(share float64) string {
	if share <= tolerable {
		return ""
	}
	return fmt.Sprintf("disturbed %.0f %%", 100*share)
}

// clocks are the processor times since the machine was started.
type clocks struct{ all, idle float64 }

func readClocks() (clocks, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return clocks{}, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return clocks{}, errors.New("/proc/stat has another form than known")
	}
	var c clocks
	for i, field := range fields[1:9] { // user nice system idle iowait irq softirq steal
		n, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return clocks{}, err
		}
		c.all += n
		if i == 3 || i == 4 {
			c.idle += n
		}
	}
	return c, nil
}
