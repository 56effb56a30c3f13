package items

import (
	"utsending/internal/dispatch"
)

// shipmentTemplateRow is the template of a shipment.
type shipmentTemplateRow struct {
	TemplateID      dispatch.TemplateID `db:"template_id"`
	TemplateVersion int                 `db:"template_version"`
	TemplateName    string              `db:"template_name"`
}

func (r shipmentTemplateRow) use() dispatch.TemplateUse {
	return dispatch.TemplateUse{ID: r.TemplateID, Version: r.TemplateVersion}
}

// columnsOf are a template and its version as columns; NULL: none.
func columnsOf(u dispatch.TemplateUse) (id, version any) {
	if u.ID == "" {
		return nil, nil
	}
	return string(u.ID), u.Version
}

// shipmentTemplateColumns and shipmentTemplateJoin read a shipmentTemplateRow; the alias of shipments is h.
const (
	shipmentTemplateColumns = `coalesce(h.template_id::text, '') AS template_id, coalesce(h.template_version, 0) AS template_version, coalesce(tv.name, '') AS template_name`
	shipmentTemplateJoin    = `
	LEFT JOIN template_versions tv ON tv.account_id = h.account_id AND tv.template_id = h.template_id AND tv.version = h.template_version`
)
