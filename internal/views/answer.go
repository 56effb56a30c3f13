package views

import (
	"context"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// answerRow is one field of a service's error answer.
type answerRow struct{ Label, Value string }

// answerRows are the fields that are not empty.
func answerRows(ctx context.Context, a dispatch.Answer) []answerRow {
	var rows []answerRow
	add := func(key, value string) {
		if value != "" {
			rows = append(rows, answerRow{i18n.T(ctx, "answer."+key), value})
		}
	}
	add("message", a.Message)
	add("code", a.ErrorCode)
	add("json", a.ErrorJSON)
	if a.Status != 0 {
		add("status", strings.TrimSpace(strconv.Itoa(a.Status)+" "+a.Error))
	} else {
		add("status", a.Error)
	}
	add("path", a.Path)
	if a.OriginalPath != a.Path {
		add("original_path", a.OriginalPath)
	}
	if !a.At.IsZero() {
		add("at", Precise(ctx, a.At))
	}
	add("id", a.ErrorID)
	return rows
}

// answerText is the whole answer for copying, one field a line.
func answerText(rows []answerRow) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = row.Label + ": " + row.Value
	}
	return strings.Join(lines, "\n")
}
