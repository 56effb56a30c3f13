package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"utsending/internal/store/registry"
)

// breakWords describe the inconsistencies of the event log's chain.
var breakWords = map[registry.BreakKind]string{
	registry.BreakChanged: "is not what it was", registry.BreakRemoved: "is gone", registry.BreakGap: "and perhaps more places of the chain are gone",
	registry.BreakBackdated: "says that it is older than it can be", registry.BreakUnchained: "stands in the log, but not in the chain", registry.BreakExpected: "is not the one that was written down",
	registry.BreakPurged: "is said to have been purged, and cannot be compared: was it written down longer ago than the event log is kept?",
}

// verifyAudit verifies the event log against its chain, and the chain against links noted before.
func verifyAudit(ctx context.Context, written []string, out io.Writer) error {
	var noted []registry.Link
	for _, text := range written {
		l, err := registry.ParseLink(text)
		if err != nil {
			return err
		}
		noted = append(noted, l)
	}
	s, err := openForOperator()
	if err != nil {
		return err
	}
	defer s.Close()
	v, err := registry.In(s).Audit.Verify(ctx, noted...)
	if err != nil {
		return databaseError(err)
	}
	for _, b := range v.Breaks {
		if _, err := fmt.Fprintf(out, "place %d, line %d: %s\n", b.Position, b.Audit, breakWords[b.Kind]); err != nil {
			return err
		}
	}
	if !v.Whole() {
		return errors.New("the event log is not shown to be what was written: keep the database as it is, and tell who answers for security")
	}
	return printVerification(out, v)
}

// printVerification prints the result, and the chain link from which the next one can start.
func printVerification(out io.Writer, v registry.Verification) error {
	_, err := fmt.Fprintf(out, "%d lines are what was written, from place %d on; %d wait to be chained\n", v.Lines, v.First, v.Waiting)
	if err == nil && v.Unproved > 0 {
		_, err = fmt.Fprintf(out, "%d lines name a person, but no login of theirs\n", v.Unproved)
	}
	if err != nil || v.Last.Position == 0 {
		return err
	}
	_, err = fmt.Fprintln(out, "Write this down elsewhere, and give it to the next verification:", v.Last)
	return err
}
