package items

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// versionRow is one version of a template.
type versionRow struct {
	Number       int       `db:"version"`
	Name         string    `db:"name"`
	Text         string    `db:"text"`
	Nynorsk      string    `db:"nynorsk"`
	RestoredFrom int       `db:"restored_from"`
	By           string    `db:"made_by"`
	At           time.Time `db:"made_at"`
	Choices      []byte    `db:"choices"`

	Asked dispatch.ApprovalState `db:"asked"`
}

const versionColumns = `v.choices, v.version, v.name, v.text, v.nynorsk, coalesce(v.restored_from, 0) AS restored_from, maker.name AS made_by, v.created_at AS made_at,
	coalesce((SELECT p.state FROM approvals p WHERE p.template_id = v.template_id AND p.seen = v.version::text), '') AS asked`

// templateRow is a template in the version in use; if there is none, in its newest.
type templateRow struct {
	ID dispatch.TemplateID `db:"id"`
	versionRow
	ArchivedAt    *time.Time `db:"archived_at"`
	ArchivedBy    string     `db:"archived_by"`
	NeedsApproval bool       `db:"needs_approval"`
	Unused        bool       `db:"unused"`
	Newest        int        `db:"newest"`

	Proposed dispatch.ApprovalState `db:"proposed"`
}

const selectTemplates = `
	SELECT t.id, ` + versionColumns + `, t.archived_at, coalesce(archiver.name, '') AS archived_by, t.needs_approval,
	       t.version = 0 AS unused, n.newest, coalesce((SELECT p.state FROM approvals p WHERE p.template_id = t.id AND p.seen = n.newest::text AND n.newest <> t.version), '') AS proposed
	FROM templates t
	CROSS JOIN LATERAL (SELECT max(version) AS newest FROM template_versions WHERE account_id = t.account_id AND template_id = t.id) n
	JOIN template_versions v ON v.account_id = t.account_id AND v.template_id = t.id AND v.version = CASE t.version WHEN 0 THEN n.newest ELSE t.version END
	JOIN users maker ON maker.id = v.created_by
	LEFT JOIN users archiver ON archiver.id = t.archived_by
	WHERE t.account_id = $1`

const templateUseColumns = `coalesce(m.template_id::text, '') AS template_id, coalesce(m.template_version, 0) AS template_version, m.template_form`

// List returns an account's templates of a kind by name, archived ones included.
func (s Templates) List(ctx context.Context, account dispatch.AccountID, kind dispatch.Kind) ([]dispatch.Template, error) {
	var rows []templateRow
	if err := s.Select(ctx, &rows, selectTemplates+` AND t.kind = $2 ORDER BY lower(t.name), t.id`, account, kind); err != nil {
		return nil, err
	}
	templates := make([]dispatch.Template, len(rows))
	for i, r := range rows {
		var err error
		if templates[i], err = s.openTemplate(r); err != nil {
			return nil, err
		}
	}
	return templates, nil
}

// ByID returns one template of an account.
func (s Templates) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID) (dispatch.Template, error) {
	if !store.ValidID(id) {
		return dispatch.Template{}, store.ErrNotFound
	}
	var row templateRow
	if err := s.Get(ctx, &row, selectTemplates+` AND t.id = $2`, account, id); err != nil {
		return dispatch.Template{}, store.NotFound(err)
	}
	return s.openTemplate(row)
}

// Versions returns all versions of a template, newest first.
func (s Templates) Versions(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID) ([]dispatch.TemplateVersion, error) {
	if !store.ValidID(id) {
		return nil, store.ErrNotFound
	}
	var rows []versionRow
	err := s.Select(ctx, &rows, `
		SELECT `+versionColumns+`
		FROM template_versions v
		JOIN users maker ON maker.id = v.created_by
		WHERE v.account_id = $1 AND v.template_id = $2
		ORDER BY v.version DESC`, account, id)
	if err == nil && len(rows) == 0 {
		err = store.ErrNotFound
	}
	versions := make([]dispatch.TemplateVersion, len(rows))
	for i, r := range rows {
		if versions[i], err = s.openVersion(id, r); err != nil {
			return nil, err
		}
	}
	return versions, err
}

// Create creates a template. If the account demands that, it needs approval before it can be used. The id comes from the
// form and is its idempotency key: a repeated form changes nothing. ErrTaken when another template in use has the name, Full when
// the account has reached the limit.
func (s Templates) Create(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, c dispatch.TemplateContent) error {
	err := s.InTx(ctx, func(tx *sqlx.Tx) error {
		waits, err := changesWait(ctx, tx, account)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO templates (id, account_id, name, kind, version) VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN 0 ELSE 1 END)`,
			id, account, c.Name, kindOf(c), waits)
		if err != nil {
			return err
		}
		if err := store.RoomForTemplate(ctx, tx, account, kindOf(c)); err != nil {
			return err
		}
		if err := s.writeVersion(ctx, tx, account, id, by, dispatch.TemplateVersion{TemplateContent: c, Number: 1}); err != nil {
			return err
		}
		if waits {
			return propose(ctx, tx, account, id, by, 1)
		}
		return recordTemplate(ctx, tx, account, id, by, "create", 1)
	})
	if store.Violates(err, "templates_pkey") {
		return nil
	}
	return store.Taken(err, "templates_name_key")
}

// Change adds a version to a template, unless nothing changed. If the account demands that, it needs approval, and the
// version before is used until then. ErrStale when version is no longer the one in use: another editor was faster; ErrChanged when
// it has been archived, ErrWaiting when a version awaits approval, ErrTaken when another template in use has the name.
func (s Templates) Change(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, version int, c dispatch.TemplateContent) error {
	return s.addVersion(ctx, account, id, by, dispatch.TemplateVersion{TemplateContent: c, Number: version})
}

// Restore adds a copy of an older version as the newest. Errors are those of Change, and ErrNotFound
// when there is no such version.
func (s Templates) Restore(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, version, from int) error {
	versions, err := s.Versions(ctx, account, id)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if v.Number == from {
			return s.addVersion(ctx, account, id, by, dispatch.TemplateVersion{TemplateContent: v.TemplateContent, Number: version, RestoredFrom: from})
		}
	}
	return store.ErrNotFound
}

// addVersion adds a version after the given one.
func (s Templates) addVersion(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, v dispatch.TemplateVersion) error {
	return store.Taken(s.InTx(ctx, func(tx *sqlx.Tx) error {
		now, err := s.lockTemplate(ctx, tx, account, id)
		switch {
		case err != nil:
			return err
		case now.Waits():
			return ErrWaiting
		case now.Number != v.Number:
			return store.ErrStale
		case now.Archived():
			return store.ErrChanged
		case now.OfShipment() != v.OfShipment():
			return store.ErrNotFound
		case now.TemplateContent == v.TemplateContent && !now.Unused:
			return nil
		case now.Newest >= dispatch.PileVersions.Most():
			return store.Full{Of: dispatch.PileVersions}
		}
		v.Number = now.Newest + 1
		if err := s.writeVersion(ctx, tx, account, id, by, v); err != nil {
			return err
		}
		waits, err := changesWait(ctx, tx, account)
		switch {
		case err != nil:
			return err
		case waits:
			return proposeChange(ctx, tx, account, now, by, v)
		}
		_, err = tx.ExecContext(ctx, `UPDATE templates SET name = $3, version = $4 WHERE account_id = $1 AND id = $2`, account, id, v.Name, v.Number)
		if err != nil {
			return err
		}
		action := "update"
		if v.RestoredFrom > 0 {
			action = "restore"
		}
		return recordTemplate(ctx, tx, account, id, by, action, v.Number)
	}), "templates_name_key")
}

// lockTemplate locks and reads a template.
func (s Templates) lockTemplate(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.TemplateID) (dispatch.Template, error) {
	if !store.ValidID(id) {
		return dispatch.Template{}, store.ErrNotFound
	}
	// Locked first and read afterwards: in one statement, the join would see the version from before the wait for the
	// lock.
	var found int
	err := tx.GetContext(ctx, &found, `SELECT 1 FROM templates WHERE account_id = $1 AND id = $2 FOR UPDATE`, account, id)
	if err != nil {
		return dispatch.Template{}, store.NotFound(err)
	}
	var row templateRow
	if err := tx.GetContext(ctx, &row, selectTemplates+` AND t.id = $2`, account, id); err != nil {
		return dispatch.Template{}, err
	}
	return s.openTemplate(row)
}

// lockTemplateVersion is lockTemplate; ErrStale when the template has another version.
func (s Templates) lockTemplateVersion(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.TemplateID, version int) (dispatch.Template, error) {
	now, err := s.lockTemplate(ctx, tx, account, id)
	if err == nil && now.Number != version {
		err = store.ErrStale
	}
	return now, err
}

func kindOf(c dispatch.TemplateContent) dispatch.Kind {
	if c.OfShipment() {
		return dispatch.KindShipment
	}
	return dispatch.KindSMS
}

func (s Templates) writeVersion(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, v dispatch.TemplateVersion) error {
	var choices []byte
	if v.OfShipment() {
		var err error
		if choices, err = s.Keys.Seal([]byte(v.Choices), store.ChoicesPlace(id, v.Number)); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO template_versions (account_id, template_id, version, name, text, nynorsk, restored_from, created_by, choices)
		VALUES ($1, $2, $3, $4, $5, $6, nullif($7, 0), $8, $9)`,
		account, id, v.Number, v.Name, v.Text, v.Nynorsk, v.RestoredFrom, by.User, choices)
	return err
}

// Archive archives or reactivates a template. A pending approval is withdrawn. ErrStale when it has changed since the
// version given, ErrTaken when its name is in use by another template.
func (s Templates) Archive(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, version int, archived bool) error {
	action := "unarchive"
	if archived {
		action = "archive"
	}
	return store.Taken(s.InTx(ctx, func(tx *sqlx.Tx) error {
		now, err := s.lockTemplateVersion(ctx, tx, account, id, version)
		switch {
		case err != nil:
			return err
		case now.Archived() == archived:
			return nil
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE templates SET archived_at = CASE WHEN $3 THEN now() END, archived_by = CASE WHEN $3 THEN $4::uuid END
			WHERE account_id = $1 AND id = $2`, account, id, archived, by.User)
		if err != nil {
			return err
		}
		if err := withdrawProposal(ctx, tx, account, now, by); err != nil {
			return err
		}
		return recordTemplate(ctx, tx, account, id, by, action, version)
	}), "templates_name_key")
}

// RequireApproval sets whether items made with a template need approval. ErrStale when the template has changed since
// the version given.
func (s Templates) RequireApproval(ctx context.Context, account dispatch.AccountID, id dispatch.TemplateID, by store.Actor, version int, needs bool) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		now, err := s.lockTemplateVersion(ctx, tx, account, id, version)
		switch {
		case err != nil:
			return err
		case now.NeedsApproval == needs:
			return nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE templates SET needs_approval = $3 WHERE account_id = $1 AND id = $2`, account, id, needs); err != nil {
			return err
		}
		action := "needs_no_approval"
		if needs {
			action = "needs_approval"
		}
		return recordTemplate(ctx, tx, account, id, by, action, version)
	})
}

// templateMonths is for how many months, including this one, uses are counted.
const templateMonths = 12

// Usage returns how often each template of an account was used by month, newest first. It reads aggregates only.
func (s Templates) Usage(ctx context.Context, account dispatch.AccountID, now time.Time) (map[dispatch.TemplateID][]dispatch.TemplateMonth, error) {
	y, m, _ := now.In(dispatch.Oslo).Date()
	from := time.Date(y, m-templateMonths+1, 1, 0, 0, 0, 0, time.UTC)
	var rows []struct {
		ID    dispatch.TemplateID `db:"value"`
		Month time.Time           `db:"month"`
		N     int                 `db:"n"`
		Last  time.Time           `db:"last"`
	}
	err := s.Select(ctx, &rows, `
		SELECT value, date_trunc('month', day)::date AS month, sum(n) AS n, max(day) AS last
		FROM (SELECT value, day, sum(n) AS n FROM stat_all WHERE account_id = $1 AND dimension = 'template' AND day >= $2::date
		      GROUP BY value, day HAVING sum(n) > 0) d
		GROUP BY 1, 2
		ORDER BY 1, 2 DESC`, account, from.Format(time.DateOnly))
	uses := map[dispatch.TemplateID][]dispatch.TemplateMonth{}
	for _, r := range rows {
		uses[r.ID] = append(uses[r.ID], dispatch.TemplateMonth{Month: inOslo(r.Month), N: r.N, Last: inOslo(r.Last)})
	}
	return uses, err
}

// inOslo is the day of a date at midnight in Oslo.
func inOslo(date time.Time) time.Time {
	y, m, d := date.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, dispatch.Oslo)
}

// UsedVersion returns a template version used by an SMS; ErrNotFound when the account does not have it, or it was never in use.
func (s Templates) UsedVersion(ctx context.Context, account dispatch.AccountID, u dispatch.TemplateUse) (dispatch.TemplateContent, error) {
	if !store.ValidID(u.ID) {
		return dispatch.TemplateContent{}, store.ErrNotFound
	}
	var row versionRow
	err := s.Get(ctx, &row, `
		SELECT `+versionColumns+`
		FROM template_versions v
		JOIN users maker ON maker.id = v.created_by
		WHERE v.account_id = $1 AND v.template_id = $2 AND v.version = $3
		  AND NOT EXISTS (SELECT FROM approvals p WHERE p.template_id = v.template_id AND p.seen = v.version::text AND p.state <> 'approved')`, account, u.ID, u.Version)
	if err != nil {
		return dispatch.TemplateContent{}, store.NotFound(err)
	}
	v, err := s.openVersion(u.ID, row)
	return v.TemplateContent, err
}

func (s Templates) openTemplate(r templateRow) (dispatch.Template, error) {
	v, err := s.openVersion(r.ID, r.versionRow)
	return dispatch.Template{ID: r.ID, TemplateVersion: v, ArchivedAt: store.Deref(r.ArchivedAt), ArchivedBy: r.ArchivedBy, NeedsApproval: r.NeedsApproval,
		Unused: r.Unused, Newest: r.Newest, Proposed: r.Proposed}, err
}
