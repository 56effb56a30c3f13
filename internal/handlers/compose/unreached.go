package compose

import (
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"

	"github.com/labstack/echo/v4"
)

// unreached are the first rows of a draft to those whom an earlier job did not reach; none of another draft. Into j it writes what the pages of the draft say of all its rows.
func unreached(c echo.Context, f *frame.Frame, v frame.Visit, j *dispatch.Job) (_ []compose.UnreachedLine, err error) {
	if !j.Again {
		return nil, nil
	}
	if j.OnlyStopped, j.Doubted, err = items.In(f.Store).Origins.OfRows(frame.Context(c), v.Account.ID, j.ID); err != nil {
		return nil, err
	}
	rows, _, err := items.In(f.Store).Rows.Unreached(frame.Context(c), v.Account.ID, j.ID, items.RowsChosen, -1, unreachedFirst)
	return unreachedLines(*j, rows), err
}

func unreachedLines(j dispatch.Job, rows []items.UnreachedRow) []compose.UnreachedLine {
	lines := make([]compose.UnreachedLine, len(rows))
	for i, r := range rows {
		lines[i] = compose.UnreachedLine{Row: r.Position, Number: shownNumber(j, r.JobRow), Was: formerNumber(j, r), Item: r.Item, Replaced: r.Replaced, Second: r.Second, Out: r.Problem.Key == dispatch.ProblemLeftOut, Vain: j.AllReplaced}
		lines[i].LeaveOut = lines[i].Out
	}
	return lines
}

// formerNumber is the masked number that a corrected row had; empty: it is the same still, or nobody knows.
func formerNumber(j dispatch.Job, r items.UnreachedRow) string {
	now := r.Recipient
	if j.Mode == dispatch.ModeFast {
		now = dispatch.SMSRecipient{Phone: r.Phone}
	}
	if j.Found || r.Was == (dispatch.SMSRecipient{}) || r.Was == now {
		return ""
	}
	return r.Was.Masked()
}

// shownNumber is the masked number that a row of a list is sent to, or the name on a letter.
func shownNumber(j dispatch.Job, r dispatch.JobRow) string {
	switch {
	case r.Shipment != nil:
		return r.Shipment.Postal.Name
	case j.Mode == dispatch.ModeFast:
		return r.Phone.Masked()
	}
	return r.Recipient.Masked()
}
