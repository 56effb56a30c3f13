package compose

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
)

// protectedRecipient is the problem of a protected recipient: it names those who may send.
func (s *review) protectedRecipient(c echo.Context, v frame.Visit, to dispatch.Search) (dispatch.Problems, error) {
	_, who, err := items.In(s.Store).Protected.MaySendTo(frame.Context(c), v.Account.ID, to, v.User.ID)
	return dispatch.Problems{{Field: "neste", Key: "problem.protected.recipient", Args: dispatch.Args{"Name": viewerNames(who)}}}, err
}

// protectedRowsTold is the most rows with protected recipients that a page lists.
const protectedRowsTold = 20

// protectedRows is the problem of a list with protected recipients: it names their rows and those who may send.
func (s *review) protectedRows(c echo.Context, v frame.Visit, j dispatch.Job) (dispatch.Problems, error) {
	rows, who, err := items.In(s.Store).Protected.HiddenRows(frame.Context(c), j, v.User.ID, protectedRowsTold)
	lines := make([]string, len(rows))
	for i, position := range rows {
		lines[i] = strconv.Itoa(position)
	}
	return dispatch.Problems{{Field: "neste", Key: "problem.protected.rows", Args: dispatch.Args{"Line": strings.Join(lines, ", "), "Name": viewerNames(who)}}}, err
}

func viewerNames(who []dispatch.ProtectedViewer) string {
	names := make([]string, len(who))
	for i, w := range who {
		names[i] = w.Name
	}
	return strings.Join(names, ", ")
}
