package registry

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Theme is the municipality's theme as stored. Version 0: nobody has set one.
type Theme struct {
	dispatch.Theme
	Logo    []byte // a PNG; nil: none
	Version int
}

type themeRow struct {
	Name    string         `db:"name"`
	Light   dispatch.Color `db:"light"`
	Dark    dispatch.Color `db:"dark"`
	Logo    []byte         `db:"logo"`
	Version int            `db:"version"`
}

// Current returns the theme.
func (s Themes) Current(ctx context.Context) (Theme, error) { return theme(ctx, s.DB) }

func theme(ctx context.Context, db sqlx.QueryerContext) (Theme, error) {
	var r themeRow
	err := sqlx.GetContext(ctx, db, &r, `SELECT name, light, dark, logo, version FROM themes`)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return Theme{dispatch.Theme{Name: r.Name, Light: r.Light, Dark: r.Dark}, r.Logo, r.Version}, err
}

// Save stores the theme; ErrStale when it is no longer the version that was read. The event log holds the given changes.
func (s Themes) Save(ctx context.Context, t Theme, by store.Actor, changed ...dispatch.SettingChange) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `LOCK TABLE themes IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		before, err := theme(ctx, tx)
		if err == nil && before.Version != t.Version {
			err = store.ErrStale
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO themes (name, light, dark, logo, changed_by) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (one) DO UPDATE SET name = excluded.name, light = excluded.light, dark = excluded.dark, logo = excluded.logo,
				changed_by = excluded.changed_by, changed_at = now(), version = themes.version + 1`,
			t.Name, t.Light, t.Dark, t.Logo, by.User)
		if err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "theme.save", Details: by.Details("values", changed), Origin: by.Origin})
	})
}
