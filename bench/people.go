package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
)

// `make load` has many signed-in people work at two copies of web at once, over one database and with the services behind, for
// minutes; then again while others are rude: slow, idle and many. It asks that nobody gets an error, and that memory and connections
// do not grow.

// crowd is what the command line says about a load.
type crowd struct {
	options
	people  int
	minutes float64 // of ordinary work
	rude    float64 // minutes more, with rude clients
	think   time.Duration
	idle    int // idle connections
	uploads int // at once
}

func readCrowd(arguments []string) (crowd, error) {
	var c crowd
	set := flag.NewFlagSet("load", flag.ContinueOnError)
	set.IntVar(&c.people, "people", 200, "how many work at once")
	set.Float64Var(&c.minutes, "minutes", 10, "how long they work")
	set.Float64Var(&c.rude, "rude", 2, "how many minutes more they work while others are rude")
	set.DurationVar(&c.think, "think", 8*time.Second, "how long a person thinks between two pages, in the mean")
	set.IntVar(&c.items, "items", 20_000, "items of the account")
	set.IntVar(&c.idle, "idle", 10_000, "idle connections")
	set.IntVar(&c.uploads, "uploads", 50, "uploads at once")
	set.StringVar(&c.web, "web", "bin/web", "the program")
	set.StringVar(&c.write, "write", "", "`DOCUMENT` whose tables are filled in, docs/performance.md")
	err := set.Parse(arguments)
	if err == nil && (c.people < 1 || c.minutes <= 0 || c.rude < 0 || c.items < 100) {
		err = errors.New("-people and -minutes are above 0, -items at least 100")
	}
	c.size, c.runs = 1e6, 1
	return c, err
}

// crowdSlug names the account in which all work.
const crowdSlug = "travel"

// runCrowd is `bench load`.
func runCrowd(ctx context.Context, arguments []string) error {
	c, err := readCrowd(arguments)
	if err != nil {
		return err
	}
	c.options.people = c.people
	s, err := newStage(ctx, c.options)
	if err != nil {
		return err
	}
	defer s.close()
	others, err := listen(ctx)
	if err != nil {
		return err
	}
	l, err := s.openCrowd(ctx, c)
	if err != nil {
		return err
	}
	defer l.stop()
	l.others = others
	calm, watched, err := l.work(ctx, c.minutes, nil)
	if err != nil {
		return err
	}
	rude := &rudeness{}
	busy, _, err := l.work(ctx, c.rude, rude)
	if err != nil {
		return err
	}
	var tables strings.Builder
	missed := l.report(io.MultiWriter(os.Stdout, &tables), c, calm, busy, watched, rude)
	if c.write == "" {
		return missed
	}
	return errors.Join(missed, replaceBlock(c.write, loadBlock, func(string) string { return tables.String() }))
}

// loaded is the system under load: two copies of web and the simulated users.
type loaded struct {
	s        *stage
	c        crowd
	webs     []*process
	bases    []string // their addresses
	people   []*person
	services *http.Server
	others   float64 // share of the processors that others used before
	sim      *simulator.Simulator
}

// openCrowd fills the account, starts services and both copies, and logs everybody in.
func (s *stage) openCrowd(ctx context.Context, c crowd) (l *loaded, err error) {
	l = &loaded{s: s, c: c}
	defer func() {
		if err != nil {
			l.stop()
		}
	}()
	if _, err = s.fillAccount(ctx, crowdSlug, c.items); err != nil {
		return l, err
	}
	if err = s.settle(ctx); err != nil {
		return l, err
	}
	services, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return l, err
	}
	l.sim = whole.New(simulator.Options{Clients: map[string]string{clientID: clientSecret}})
	l.services = &http.Server{Handler: l.sim, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = l.services.Serve(services) }() // ends with Close
	second, err := freeAddress()
	if err != nil {
		return l, err
	}
	l.bases = []string{s.address, second}
	for _, base := range l.bases {
		web, err := s.startWebAt(ctx, base, "http://"+services.Addr().String())
		if err != nil {
			return l, err
		}
		l.webs = append(l.webs, web)
	}
	return l, l.signIn(ctx)
}

// signIn logs everybody in, more slowly than the limit of logins from one address allows.
func (l *loaded) signIn(ctx context.Context) error {
	for i := range l.c.people {
		began := time.Now()
		v, err := l.s.loginAs(ctx, crowdSubject(i))
		if err != nil {
			return fmt.Errorf("person %d: %w", i+1, err)
		}
		l.people = append(l.people, newPerson(v, l.bases[i%len(l.bases)], i))
		time.Sleep(120*time.Millisecond - time.Since(began))
	}
	return nil
}

// crowdSubject is a person's subject at the login provider.
func crowdSubject(i int) string { return "person-" + strconv.Itoa(i) }

// stop ends everything.
func (l *loaded) stop() {
	for _, web := range l.webs {
		_ = web.stop() // its failures are in the table
	}
	if l.services != nil {
		l.sim.Close()
		_ = l.services.Close()
	}
}

// work has everybody work for minutes, with rude clients beside them or not.
func (l *loaded) work(ctx context.Context, minutes float64, rude *rudeness) (*ledger, watched, error) {
	d := newLedger()
	if minutes == 0 {
		return d, watched{}, nil
	}
	ctx, end := context.WithTimeout(ctx, time.Duration(minutes*float64(time.Minute)))
	defer end()
	var w watched
	group, working := errgroup.WithContext(ctx)
	group.Go(func() (err error) { w, err = l.watch(working); return err })
	for _, p := range l.people {
		group.Go(func() error { p.work(working, l.c.think, d); return nil })
	}
	if rude != nil {
		group.Go(func() error { return l.beRude(working, rude, d) })
	}
	err := group.Wait()
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return d, w, err
}

// accountPath is a path of the account.
func accountPath(parts string) string { return "/k/" + crowdSlug + parts }

// phone is a number that nobody has been sent anything at.
func phone(n int64) dispatch.Phone { return dispatch.Phone(fmt.Sprintf("4%07d", n%10_000_000)) }
