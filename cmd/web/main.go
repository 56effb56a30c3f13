// Command web is Utsending: it serves the pages, delivers what is due, and has the subcommands that an operator needs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/keeper"
	"utsending/internal/store"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/text"
)

const usage = `usage: web <command>

  serve        serve the pages and deliver what is due (the default)
  migrate      bring the database to the schema of this program
  doctor       check the settings and all that they lead to, and say what is wrong and what to do
  health       ask the process that serves here whether it lives, as a container platform does
  admin VALUE  make everybody an administrator whose login has this value in the rights claim
  keys new     write a new key set to standard output
  keys rotate  write the configured key set with the next step of a change of keys: a key more, or that key in use
  keys drop    write the configured key set without older keys, if nothing is sealed with them any more
  counts       hold the follow-ups and the team lead's numbers against the items; it reads all of them
  audit verify [POSITION:HASH]
               hold the event log against its chain, and the chain against a place of it that was written down before
  files move   move the files of shipments to where FILES says, while people work
  files adopt  after a restore: say that the objects in the bucket belong to this database
  purge        take away what has been kept for as long as it may, as serve does at night; as the owner, of the event log too
  restored     say that the database came out of a backup: delivery pauses until an administrator decides
  version      print the version

Settings come from the environment; docs/operations.md lists them`

// version is set when a release is built.
var version = "0.1"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		tell(os.Args[1:], err)
		os.Exit(1)
	}
}

// tell reports why the program ends: in the log of a server, or on standard error of a subcommand.
func tell(args []string, err error) {
	if len(args) == 0 || args[0] == "serve" {
		newLogger(os.Getenv("LOG_FORMAT")).Error("web ends", "version", version, "error", err.Error())
		return
	}
	fmt.Fprintln(os.Stderr, "web:", err)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	command := "serve"
	if len(args) > 0 {
		command = args[0]
	}
	if !text.Clean(strings.Join(args, "")) {
		return errors.New("what is typed behind web is no readable text")
	}
	switch {
	case command == "serve" && len(args) <= 1:
		return serve(ctx)
	case command == "migrate" && len(args) == 1:
		return migrate(ctx, out)
	case command == "keys" && len(args) == 2 && args[1] == "new":
		return newKeys(out)
	case command == "keys" && len(args) == 2 && args[1] == "rotate":
		return rotateKeys(out, os.Stderr)
	case command == "keys" && len(args) == 2 && args[1] == "drop":
		return dropKeys(ctx, out, os.Stderr)
	case command == "doctor" && len(args) == 1:
		return doctor(ctx, out)
	case command == "health" && len(args) == 1:
		return health(ctx, os.Getenv("ADDR"))
	case command == "admin" && len(args) == 2:
		return makeAdministrators(ctx, args[1], out)
	case command == "audit" && len(args) >= 2 && args[1] == "verify":
		return verifyAudit(ctx, args[2:], out)
	case command == "files" && len(args) == 2 && args[1] == "move":
		return moveFiles(ctx, out)
	case command == "files" && len(args) == 2 && args[1] == "adopt":
		return adoptFiles(ctx, out)
	case command == "purge" && len(args) == 1:
		return purge(ctx, out)
	case command == "counts" && len(args) == 1:
		return counts(ctx, out)
	case command == "restored" && len(args) == 1:
		return restored(ctx, out)
	case command == "version":
		_, err := fmt.Fprintln(out, version)
		return err
	case command == "help" || command == "-h" || command == "--help":
		_, err := fmt.Fprintln(out, usage)
		return err
	}
	return fmt.Errorf("no such command: %s\n%s", strings.Join(args, " "), usage)
}

func migrate(ctx context.Context, out io.Writer) error {
	c, err := databases()
	if err != nil {
		return err
	}
	n, err := c.migrate(ctx)
	if err != nil {
		return databaseError(err)
	}
	_, err = fmt.Fprintf(out, "%d migrations applied\n", n)
	return err
}

// purge deletes everything whose retention period is over.
func purge(ctx context.Context, out io.Writer) error {
	c, err := databases()
	if err != nil {
		return err
	}
	owner, err := c.openOwner()
	if err != nil {
		return err
	}
	defer owner.Close()
	now := time.Now()
	y, m, d := now.In(dispatch.Oslo).Date()
	counts, err := keeper.Purge(ctx, owner, owner, time.Date(y, m, d, 0, 0, 0, 0, time.UTC), now)
	if err != nil {
		return databaseError(err)
	}
	for _, k := range dispatch.Keepings() {
		if _, err := fmt.Fprintf(out, "%s: %d\n", k, counts[k]); err != nil {
			return err
		}
	}
	return c.mayPurgeLog(ctx, owner)
}

// mayPurgeLog tells the operator that the event log was not purged: only its owner may delete lines.
func (c config) mayPurgeLog(ctx context.Context, owner *store.Store) error {
	protected, err := owner.AuditProtected(ctx)
	if err == nil && protected {
		return errors.New("the event log is not purged: this user may not take lines from it. Set DATABASE_OWNER_URL")
	}
	return err
}

// counts compares the maintained counts with the items.
func counts(ctx context.Context, out io.Writer) error {
	s, err := openForOperator()
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := lists.In(s).FollowUps.Sweep(ctx); err != nil {
		return err
	}
	followUps, err := lists.In(s).FollowUps.Drift(ctx)
	if err != nil {
		return err
	}
	numbers, err := lists.In(s).Statistics.Drift(ctx)
	if err != nil {
		return err
	}
	if followUps+numbers > 0 {
		return fmt.Errorf("%d follow-ups and %d numbers are not what the items say: report it, with the version", followUps, numbers)
	}
	_, err = fmt.Fprintln(out, "follow-ups and numbers are what the items say")
	return err
}

func restored(ctx context.Context, out io.Writer) error {
	s, err := openForOperator()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := queue.In(s).Guards.MarkRestored(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "delivery is paused; decide on /admin/levering, then start it there")
	return err
}
