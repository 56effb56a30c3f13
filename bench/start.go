package main

import (
	"context"
	"errors"
	"time"
)

const (
	idleMemory = "idle-memory"
	readyTime  = "ready-time"
)

// measureStart starts web and the bare program on the same migrated database: time until ready, and memory a second later.
func measureStart(ctx context.Context, s *stage) ([]figure, error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	var ready pairs
	resident, err := inTurn(idleMemory, s.o.runs,
		func() (float64, error) { return startOnce(ctx, s.startWeb, &ready.ours) },
		func() (float64, error) { return startOnce(ctx, s.startBare, &ready.reference) })
	if err != nil {
		return nil, err
	}
	return []figure{
		resident.figure(idleMemory, "MiB", atMost(2)),
		ready.figure(readyTime, "ms", atMost(3)),
	}, nil
}

// startOnce starts a program, notes the time until it is ready, and returns its memory after a second of idleness.
func startOnce(ctx context.Context, start func(context.Context) (*process, error), ready *[]float64) (float64, error) {
	p, err := start(ctx)
	if err != nil {
		return 0, err
	}
	*ready = append(*ready, float64(p.ready)/float64(time.Millisecond))
	time.Sleep(time.Second)
	now, _, err := p.memory()
	return now, errors.Join(err, p.stop())
}
