package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"
)

// tolerable is the share of the processors used by other programs above which we report a disturbance.
const tolerable = 0.1

// listen measures how busy the processors are while we are idle: other programs slow ours, which switches between several
// processes, more than the reference.
func (s *stage) listen(ctx context.Context) error {
	before, err := readClocks()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
	}
	after, err := readClocks()
	if err != nil {
		return err
	}
	if all := after.all - before.all; all > 0 {
		s.disturbance = max(s.disturbance, 1-(after.idle-before.idle)/all)
	}
	return nil
}

// disturbed adds a note if other programs were busy.
func (s *stage) disturbed() {
	if s.disturbance > tolerable {
		s.note("DISTURBED: other programs used up to %.0f %% of the processors. Ours suffers more from that than the references: run it again on a quiet machine.", 100*s.disturbance)
	}
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
