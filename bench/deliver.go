package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

const (
	// smsTogether is the figure of two processes that share the queue.
	smsTogether = "sms-two"
	// answerTime is what the SMS service takes for each call.
	answerTime = 20 * time.Millisecond
	// deliveryPatience is how long a run may take.
	deliveryPatience = 5 * time.Minute
)

// delivery is one way to deliver the messages.
type delivery struct {
	name      string
	parallel  int
	processes int
	goal      float64
	rivals    []rival
}

var deliveries = []delivery{
	{"sms-8", 8, 1, 0.90, []rival{{"sms-8-river", 0, 4}}},
	{"sms-32", 32, 1, 0.85, nil},
	{"sms-64", 64, 1, 0.80, []rival{{"sms-64-river", 0, 1}, {"sms-64-tuned", time.Millisecond, 1}}},
	{smsTogether, 64, 2, 0.80, nil},
}

func deliveryNames() (names []string) {
	for _, d := range deliveries {
		names = append(names, d.names()...)
	}
	return names
}

func (d delivery) names() []string {
	names := []string{d.name}
	for _, r := range d.rivals {
		names = append(names, r.name)
	}
	return names
}

// measureDelivery delivers a job in traceable mode, one call per message; the reference posts as many messages in a bare loop. The
// service measures the time from its first call to its last answer.
func measureDelivery(ctx context.Context, s *stage) ([]figure, error) {
	service, err := startServer(ctx, "sms", smsJob{answerTime})
	if err != nil {
		return nil, err
	}
	defer service.stop()
	var figures []figure
	for _, d := range deliveries {
		if !slices.ContainsFunc(d.names(), s.o.wants) {
			continue
		}
		steps := []func() (float64, error){
			func() (float64, error) { return s.deliverOnce(ctx, d, service.address) },
			func() (float64, error) {
				_, err := runChild[struct{}](ctx, "messages", messagesJob{service.address, s.o.messages, d.parallel})
				return s.counted(ctx, service.address, s.o.messages, d.parallel, err)
			},
		}
		for _, r := range d.rivals {
			job := riverJob{Database: s.riverURL, Service: service.address, Messages: max(s.o.messages/r.share, 1), Parallel: d.parallel, Cooldown: r.cooldown}
			steps = append(steps, func() (float64, error) { return s.riverOnce(ctx, job) })
		}
		rates, err := inRounds(d.name, s.o.runs, steps...)
		if err != nil {
			return nil, err
		}
		figures = append(figures, pairs{rates[0], rates[1]}.figure(d.name, "SMS/s", atLeast(d.goal)))
		for i, r := range d.rivals {
			figures = append(figures, pairs{rates[0], rates[2+i]}.figure(r.name, "SMS/s", atLeast(riverGoal)))
		}
	}
	s.note("sms-* hand %d messages over, %s for each call; sms-two is two processes with 32 calls at a time each.", s.o.messages, answerTime)
	s.note("*-river is River with its defaults and as many workers, recording each id in a row; *-tuned lets it fetch every millisecond.")
	return figures, nil
}

// deliverOnce has fresh web processes deliver a job, and returns messages per second. The job starts when all processes deliver:
// one that began alone would use more than its share of parallel calls.
func (s *stage) deliverOnce(ctx context.Context, d delivery, service string) (float64, error) {
	if err := s.queueJob(ctx, d.parallel); err != nil {
		return 0, err
	}
	if err := s.setJob(ctx, "paused"); err != nil {
		return 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	stop, err := s.startTogether(ctx, d.processes, service)
	defer stop()
	if err != nil {
		return 0, err
	}
	if err := s.awaitWorkers(ctx, d.processes); err != nil {
		return 0, err
	}
	time.Sleep(time.Second) // after their first polls, all processes poll together
	if err := s.setJob(ctx, "running"); err != nil {
		return 0, err
	}
	return s.counted(ctx, service, s.o.messages, d.parallel, s.awaitDelivered(ctx))
}

func (s *stage) setJob(ctx context.Context, state string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE jobs SET state = $1`, state)
	return err
}

// startTogether starts web processes at the same time, so that they poll at the same time, once a second. stop ends them.
func (s *stage) startTogether(ctx context.Context, processes int, service string) (stop func(), err error) {
	webs := make([]*process, processes)
	var group errgroup.Group
	for i := range webs {
		group.Go(func() (err error) {
			address := s.address
			if i > 0 {
				if address, err = freeAddress(); err != nil {
					return err
				}
			}
			webs[i], err = s.startWebAt(ctx, address, service)
			return err
		})
	}
	err = group.Wait()
	return func() {
		for _, web := range webs {
			if web != nil {
				_ = web.stop() // everything has been counted
			}
		}
	}, err
}

// awaitWorkers returns when so many processes have said that they deliver.
func (s *stage) awaitWorkers(ctx context.Context, processes int) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryPatience)
	defer cancel()
	for n := 0; n != processes; {
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%d processes deliver, not %d", n, processes), ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
		if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM workers`).Scan(&n); err != nil {
			return err
		}
	}
	return nil
}

// counted asks the service for its count: each message must have come once, with no more parallel calls than allowed.
func (s *stage) counted(ctx context.Context, service string, messages, parallel int, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	c, err := takeCount(ctx, service)
	switch {
	case err != nil:
	case c.Calls != messages || c.Different != messages:
		err = fmt.Errorf("the service was called %d times with %d different messages, not %d", c.Calls, c.Different, messages)
	case c.Most > parallel:
		err = fmt.Errorf("the service was called %d times at once, not %d", c.Most, parallel)
	}
	return float64(c.Calls) / c.Seconds, err
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return "http://" + l.Addr().String(), l.Close()
}

// queueJob makes a job whose items are all due, in a database that holds no others.
func (s *stage) queueJob(ctx context.Context, parallel int) error {
	if err := s.sendJob(ctx, parallel); err != nil {
		return err
	}
	return s.makeItems(ctx)
}

// sendJob makes a job whose items are still to be made.
func (s *stage) sendJob(ctx context.Context, parallel int) error {
	if _, err := s.db.ExecContext(ctx, `TRUNCATE items, jobs, job_rows CASCADE`); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, `UPDATE integrations SET parallelism = $1, rate_per_second = 1e6 WHERE id = $2`, parallel, s.sample.account.SMSIntegration)
	if err != nil {
		return err
	}
	id, err := items.In(s.store).Jobs.Create(ctx, s.sample.account.ID, s.sample.actor, uuid.NewString())
	if err != nil {
		return err
	}
	if _, err := items.In(s.store).Rows.Fill(ctx, s.sample.account.ID, id, s.sample.actor, items.List{Rows: phoneRows(s.o.messages)}); err != nil {
		return err
	}
	text := items.JobText{Text: "Hei. Timen din er flyttet til torsdag kl. 12.00.", Mode: dispatch.ModeTraceable, Segments: s.o.messages}
	if err := items.In(s.store).Rows.SaveText(ctx, s.sample.account.ID, id, s.sample.actor, text); err != nil {
		return err
	}
	j, err := items.In(s.store).Jobs.ByID(ctx, s.sample.account.ID, id)
	if err != nil {
		return err
	}
	return items.In(s.store).SMSJobs.Send(ctx, s.sample.account, id, j.Revision, s.sample.actor, false)
}

func (s *stage) makeItems(ctx context.Context) error {
	if _, err := queue.In(s.store).Guards.Check(ctx, queue.Witness{}); err != nil {
		return err
	}
	for {
		if n, err := items.In(s.store).Maker.Make(ctx, recipients.Merge); n == 0 || err != nil {
			return err
		}
	}
}

// phoneRows is a list of different numbers.
func phoneRows(n int) func(func(dispatch.JobRow) error) error {
	return func(do func(dispatch.JobRow) error) error {
		for i := range n {
			phone := dispatch.Phone(fmt.Sprintf("+479%07d", i))
			if err := do(dispatch.JobRow{Position: i + 1, Recipient: dispatch.SMSRecipient{Phone: phone}, Phone: phone}); err != nil {
				return err
			}
		}
		return nil
	}
}

// awaitDelivered returns when the job is done and every message is accepted in the database. It does not poll during delivery,
// since counting would slow it down.
func (s *stage) awaitDelivered(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryPatience)
	defer cancel()
	for done := false; !done; {
		select {
		case <-ctx.Done():
			return errors.Join(errors.New("the messages are not handed over in time"), ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
		if err := s.db.QueryRowContext(ctx, `SELECT state = 'done' FROM jobs`).Scan(&done); err != nil {
			return err
		}
	}
	accepted := 0
	err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM items WHERE state = 'accepted'`).Scan(&accepted)
	if err == nil && accepted != s.o.messages {
		err = fmt.Errorf("%d of %d messages were accepted", accepted, s.o.messages)
	}
	return err
}
