package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// River (github.com/riverqueue/river) is a job queue on PostgreSQL that is widely used in production. It delivers the same messages
// to the same service, from a database of its own on the same server.

// riverDatabase is its database.
const riverDatabase = "river"

// riverGoal is how many times faster than River we must be.
const riverGoal = 2

// rival is a configuration of River.
type rival struct {
	name     string
	cooldown time.Duration // shortest time between two fetches, which bounds the rate; zero: River's default, 100 ms
	share    int           // River gets one of so many messages, where all would take minutes
}

// messageArgs is a message in River's queue.
type messageArgs struct {
	Number int `json:"number"`
}

// Kind implements river.JobArgs.
func (messageArgs) Kind() string { return "message" }

// messageWorker sends a message, and records the service's id of it in its row.
type messageWorker struct {
	river.WorkerDefaults[messageArgs]
	pool    *pgxpool.Pool
	client  *http.Client
	service string
}

// Work implements river.Worker.
func (w *messageWorker) Work(ctx context.Context, job *river.Job[messageArgs]) error {
	id, err := postMessage(ctx, w.client, w.service, job.Args.Number)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, `UPDATE results SET upstream_id = $2, accepted_at = now() WHERE number = $1`, job.Args.Number, id)
	return err
}

// riverJob is what a child needs to hand messages over with River.
type riverJob struct {
	Database, Service  string
	Messages, Parallel int
	Cooldown           time.Duration
}

// client returns River's client with a pool of connections, which the caller closes.
func (job riverJob) client(ctx context.Context) (*river.Client[pgx.Tx], *pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(job.Database)
	if err != nil {
		return nil, nil, err
	}
	config.MaxConns = int32(job.Parallel) + 4 // no worker waits for a connection
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &messageWorker{
		pool: pool, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: job.Parallel}}, service: job.Service,
	})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: job.Parallel, FetchCooldown: job.Cooldown}}, Workers: workers,
	})
	if err != nil {
		pool.Close()
	}
	return client, pool, err
}

// deliverWithRiver is the child that hands the queued messages over. It ends when all are completed and recorded.
func deliverWithRiver(ctx context.Context, job riverJob) (struct{}, error) {
	var nothing struct{}
	client, pool, err := job.client(ctx)
	if err != nil {
		return nothing, err
	}
	defer pool.Close()
	completed, cancel := client.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed)
	defer cancel()
	ctx, giveUp := context.WithTimeout(ctx, deliveryPatience)
	defer giveUp()
	if err := client.Start(ctx); err != nil {
		return nothing, err
	}
	for done := false; !done && err == nil; {
		select {
		case e := <-completed:
			if e.Kind == river.EventKindJobFailed {
				err = fmt.Errorf("a message was not handed over: %v", e.Job.Errors)
			}
		case <-time.After(200 * time.Millisecond):
			const query = `SELECT NOT EXISTS (SELECT FROM river_job WHERE state <> 'completed') AND (SELECT count(upstream_id) = $1 FROM results)`
			err = pool.QueryRow(ctx, query, job.Messages).Scan(&done)
		}
	}
	if e := client.Stop(ctx); err == nil {
		err = e
	}
	return nothing, err
}

// queueForRiver makes the messages anew in River's database.
func (s *stage) queueForRiver(ctx context.Context, job riverJob) error {
	if err := s.makeRiver(ctx); err != nil {
		return err
	}
	client, pool, err := job.client(ctx)
	if err != nil {
		return err
	}
	defer pool.Close()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	for _, statement := range []string{
		`CREATE TABLE IF NOT EXISTS results (number int PRIMARY KEY, upstream_id uuid, accepted_at timestamptz)`,
		`TRUNCATE results, river_job`,
		fmt.Sprintf(`INSERT INTO results (number) SELECT generate_series(0, %d)`, job.Messages-1),
	} {
		if _, err := pool.Exec(ctx, statement); err != nil {
			return err
		}
	}
	jobs := make([]river.InsertManyParams, job.Messages)
	for i := range jobs {
		jobs[i].Args = messageArgs{i}
	}
	if _, err := client.InsertManyFast(ctx, jobs); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `VACUUM (ANALYZE)`)
	return err
}

// makeRiver makes River's database unless it is there.
func (s *stage) makeRiver(ctx context.Context) error {
	var there bool
	err := s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, riverDatabase).Scan(&there)
	if err == nil && !there {
		_, err = s.db.ExecContext(ctx, `CREATE DATABASE `+riverDatabase)
	}
	return err
}

// riverOnce has River hand the messages over, and returns messages per second as the service counts them.
func (s *stage) riverOnce(ctx context.Context, job riverJob) (float64, error) {
	if err := s.queueForRiver(ctx, job); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	_, err := runChild[struct{}](ctx, "river", job)
	return s.counted(ctx, job.Service, job.Messages, job.Parallel, err)
}
