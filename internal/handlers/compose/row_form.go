package compose

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
)

// position is the position of a row in a form; 0 if it is malformed.
func position(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// sentence is the problem of a row, with the name of its column.
func sentence(c echo.Context, column string, p dispatch.Problem) string {
	var args []any
	for name, value := range p.Args {
		args = append(args, name, value)
	}
	text := i18n.T(frame.Context(c), p.Key, args...)
	if column == "" {
		return text
	}
	return i18n.T(frame.Context(c), "job.faults.in_column", "Column", column, "Problem", text)
}
