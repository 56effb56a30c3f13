// Package export makes files of lists in the background: it claims an order, reads and writes the rows page by page, and stores the
// file sealed. Any number of processes may run it on one database.
package export

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/lists"
	"utsending/internal/table"
	"utsending/internal/views/follow"
)

// Options configure a Maker.
type Options struct {
	Store     *store.Store
	Languages *i18n.Languages
	Log       *slog.Logger
	Poll      time.Duration // polling interval; 1 s
}

// Maker makes exports, one at a time.
type Maker struct{ o Options }

// New returns a maker; Run starts it.
func New(o Options) *Maker {
	if o.Poll == 0 {
		o.Poll = time.Second
	}
	return &Maker{o}
}

// purgeEvery is the time between two purges.
const purgeEvery = time.Minute

// Run makes exports until ctx ends. An interrupted export is made anew by another worker.
func (m *Maker) Run(ctx context.Context) {
	tick := time.NewTicker(m.o.Poll)
	defer tick.Stop()
	var purged time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if now.Sub(purged) > purgeEvery {
				m.note(ctx, lists.In(m.o.Store).Exports.Purge(ctx))
				purged = now
			}
			m.makeAll(ctx)
		}
	}
}

func (m *Maker) makeAll(ctx context.Context) {
	for ctx.Err() == nil {
		made, err := m.Next(ctx)
		if !m.note(ctx, err) || !made {
			return
		}
	}
}

func (m *Maker) note(ctx context.Context, err error) bool {
	return store.Note(ctx, m.o.Log, "an export is not made", err)
}

// Next makes one export and tells whether there was one.
func (m *Maker) Next(ctx context.Context) (bool, error) {
	e, err := lists.In(m.o.Store).Exports.Claim(ctx)
	if err != nil || e == nil {
		return false, err
	}
	started := time.Now()
	lang, err := m.o.Store.Language(ctx, e.User)
	if err != nil {
		return false, err
	}
	rows, err := m.write(i18n.With(ctx, m.o.Languages.In(lang)), e)
	if err != nil {
		return true, m.o.Store.SetAside(ctx, dispatch.QueueExport, e.ID, err)
	}
	m.o.Log.Info("export made", "export", e.ID, "rows", rows, "duration", time.Since(started))
	return true, nil
}

// write streams the rows through a pipe into the store, so that the file is never in memory as a whole.
func (m *Maker) write(ctx context.Context, e *lists.Export) (rows int, err error) {
	r, w := io.Pipe()
	kept := make(chan error, 1)
	go func() {
		err := lists.In(m.o.Store).Exports.Keep(ctx, e, r)
		_ = r.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // unblocks the writer
		kept <- err
	}()
	rows, err = m.rows(ctx, e, w)
	_ = w.CloseWithError(err) // of a pipe: never fails
	if failed := <-kept; failed != nil {
		err = failed
	}
	return rows, err
}

// begin makes the writer of each format.
var begin = map[dispatch.ExportFormat]func(io.Writer) (table.Writer, error){dispatch.FormatCSV: table.NewCSV, dispatch.FormatXLSX: table.NewXLSX}

// progressEvery is how many rows are written between two reports of progress.
const progressEvery = 500

func (m *Maker) rows(ctx context.Context, e *lists.Export, w io.Writer) (n int, err error) {
	out, err := begin[e.Format](w)
	if err != nil {
		return 0, err
	}
	if err := out.Row(follow.ExportColumns(ctx)...); err != nil {
		return 0, err
	}
	now := time.Now()
	for r, err := range lists.In(m.o.Store).Items.Each(ctx, e.Account, e.Query) {
		if err != nil {
			return n, err
		}
		if err := out.Row(follow.ExportRow(ctx, r, e.User, now)...); err != nil {
			return n, err
		}
		if n++; n%progressEvery == 0 {
			if err := lists.In(m.o.Store).Exports.Progress(ctx, e, n); err != nil {
				return n, err
			}
		}
	}
	if err := lists.In(m.o.Store).Exports.Progress(ctx, e, n); err != nil {
		return n, err
	}
	return n, out.Close()
}
