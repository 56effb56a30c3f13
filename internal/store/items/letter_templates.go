package items

import (
	"utsending/internal/dispatch"
)

// letterTemplateRow is the template that a letter began with.
type letterTemplateRow struct {
	TemplateID      dispatch.TemplateID `db:"template_id"`
	TemplateVersion int                 `db:"template_version"`
	TemplateName    string              `db:"template_name"`
}

func (r letterTemplateRow) use() dispatch.TemplateUse {
	return dispatch.TemplateUse{ID: r.TemplateID, Version: r.TemplateVersion}
}

// letterTemplateColumns and letterTemplateJoin read a letterTemplateRow; the shipments table is named h.
const (
	letterTemplateColumns = `coalesce(h.template_id::text, '') AS template_id, coalesce(h.template_version, 0) AS template_version, coalesce(tv.name, '') AS template_name`
	letterTemplateJoin    = `
	LEFT JOIN template_versions tv ON tv.account_id = h.account_id AND tv.template_id = h.template_id AND tv.version = h.template_version`
)
