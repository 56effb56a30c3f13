package frame

import (
	"context"

	"github.com/labstack/echo/v4"
)

// Context is the context of a request.
func Context(c echo.Context) context.Context { return c.Request().Context() }
