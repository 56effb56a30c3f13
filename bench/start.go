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

// measureStart starts web and the bare program on the same migrated database: how long until they are ready, and what
// they hold a second later.
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

// startOnce starts a program, notes how long it took, and returns what it holds when it has been idle for a second.
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
