package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

const (
	storeItems  = "store-items"
	storeClaims = "store-claims"
)

// measureStore makes the items of a job, and claims and finishes them without calling anybody: what the database carries, one process and
// one connection. The reference inserts as many bare rows a thousand at a time, of which an item has several, and takes them as a queue takes
// them: marked and locked, as many at a time as ours, then marked as done.
func measureStore(ctx context.Context, s *stage) ([]figure, error) {
	var claims pairs
	made, err := inTurn(storeItems, s.o.runs,
		func() (float64, error) { return s.storeOnce(ctx, &claims.ours) },
		func() (float64, error) { return s.storeBare(ctx, &claims.reference) })
	if err != nil {
		return nil, err
	}
	s.note("%s and %s are %d SMS of a job; %d are claimed by one statement.", storeItems, storeClaims, s.o.messages, queue.ClaimAtMost)
	return []figure{made.figure(storeItems, "items/s", atLeast(0.01)), claims.figure(storeClaims, "items/s", atLeast(0.1))}, nil
}

// rate is so many a second since then.
func rate(n int, since time.Time) float64 { return float64(n) / time.Since(since).Seconds() }

func (s *stage) storeOnce(ctx context.Context, claimed *[]float64) (float64, error) {
	if err := s.sendJob(ctx, queue.ClaimAtMost); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := s.makeItems(ctx); err != nil {
		return 0, err
	}
	made := rate(s.o.messages, began)
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began = time.Now()
	n, err := s.claimAll(ctx)
	if err == nil && n != s.o.messages {
		err = fmt.Errorf("%d of %d items were claimed", n, s.o.messages)
	}
	*claimed = append(*claimed, rate(n, began))
	return made, err
}

// claimAll claims and accepts all that is due.
func (s *stage) claimAll(ctx context.Context) (n int, err error) {
	q := queue.In(s.store)
	lanes, err := q.Claims.Lanes(ctx)
	if err != nil || len(lanes) != 1 {
		return 0, errors.Join(fmt.Errorf("there are %d lanes", len(lanes)), err)
	}
	for {
		claims, err := q.Claims.ClaimMany(ctx, lanes[0], time.Minute, queue.ClaimAtMost)
		if err != nil || len(claims) == 0 {
			return n, err
		}
		ended := make([]queue.Ended, len(claims))
		for i, c := range claims {
			ended[i] = queue.Ended{Claim: c, Result: dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: uuid.NewString(), NextCheck: time.Now().Add(time.Hour)}}
		}
		if err := q.Outcomes.Finish(ctx, ended...); err != nil {
			return n, err
		}
		n += len(claims)
	}
}

func (s *stage) storeBare(ctx context.Context, claimed *[]float64) (float64, error) {
	for _, statement := range []string{
		`DROP TABLE IF EXISTS bare_items`, `CREATE TABLE bare_items (id bigint PRIMARY KEY, state text NOT NULL, content bytea NOT NULL)`,
		`CREATE INDEX ON bare_items (id) WHERE state = 'queued'`,
	} {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return 0, err
		}
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	for from := 0; from < s.o.messages; from += 1000 {
		_, err := s.db.ExecContext(ctx, `INSERT INTO bare_items SELECT n, 'queued', decode(repeat('5a', 200), 'hex') FROM generate_series($1::bigint, $2) n`, from, min(from+1000, s.o.messages)-1)
		if err != nil {
			return 0, err
		}
	}
	made := rate(s.o.messages, began)
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	began = time.Now()
	n, err := s.takeAll(ctx)
	*claimed = append(*claimed, rate(n, began))
	return made, err
}

// takeAll takes all bare rows.
func (s *stage) takeAll(ctx context.Context) (n int, err error) {
	for {
		var taken pq.Int64Array
		err := s.db.QueryRowContext(ctx, `
			WITH taken AS (
				UPDATE bare_items SET state = 'sending'
				WHERE id IN (SELECT id FROM bare_items WHERE state = 'queued' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id
			)
			SELECT coalesce(array_agg(id), '{}') FROM taken`, queue.ClaimAtMost).Scan(&taken)
		if err != nil || len(taken) == 0 {
			return n, err
		}
		if _, err := s.db.ExecContext(ctx, `UPDATE bare_items SET state = 'accepted' WHERE id = ANY($1)`, taken); err != nil {
			return n, err
		}
		n += len(taken)
	}
}
