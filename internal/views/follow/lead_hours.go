package follow

import (
	"context"
	"fmt"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// hourRow tells how soon shipments handed over within an hour of the day are read.
type hourRow struct {
	Hour int
	dispatch.Bands
}

// hourRows are the hours from the first to the last with a read shipment.
func hourRows(h dispatch.Hours) (rows []hourRow) {
	for i, b := range h {
		if b.Total() > 0 || len(rows) > 0 {
			rows = append(rows, hourRow{i, b})
		}
	}
	for len(rows) > 0 && rows[len(rows)-1].Total() == 0 {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// name is the hour of the day.
func (r hourRow) name(ctx context.Context) string { return hourText(ctx, r.Hour) }

func hourText(ctx context.Context, hour int) string {
	return i18n.T(ctx, "lead.hour", "From", fmt.Sprintf("%02d", hour), "To", fmt.Sprintf("%02d", hour+1))
}

// bestHour is a sentence about the best hour, or that too little is known.
func bestHour(ctx context.Context, h dispatch.Hours) string {
	hour, share := h.Best()
	if hour < 0 {
		return i18n.T(ctx, "lead.hours.few")
	}
	return i18n.T(ctx, "lead.hours.best", "Hour", hourText(ctx, hour), "Share", percent(ctx, share))
}

func percent(ctx context.Context, n int) string {
	return i18n.T(ctx, "number.percent", "Share", n)
}

// hoursChart is the chart of the hours.
func hoursChart(ctx context.Context, rows []hourRow, best string) chart {
	columns, pieces := make([]chartColumn, len(rows)), make([][]chartPiece, len(rows))
	for i, r := range rows {
		columns[i], pieces[i] = chartColumn{Label: fmt.Sprintf("%02d", r.Hour)}, []chartPiece{{r.Within(1), "chart-digital"}}
	}
	c := newChart(columns, pieces, func(n int) string { return percent(ctx, n) })
	c.Axis, c.Says = i18n.T(ctx, "lead.axis.hours"), i18n.T(ctx, "lead.chart.hours", "Best", best)
	return c
}
