package follow

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/views/follow"
)

// held are the account's blocked channels, of one kind if given.
func (s *blocks) held(c echo.Context, v frame.Visit, kind dispatch.Kind) ([]follow.Held, error) {
	var held []follow.Held
	for _, k := range dispatch.Kinds {
		if k == dispatch.KindSMS && !v.Account.HasSMS() || k == dispatch.KindShipment && !v.Account.HasShipments() {
			continue
		}
		if kind != "" && kind != k {
			continue
		}
		hold, err := s.Store.Block(frame.Context(c), v.Account.ID, k)
		if err != nil {
			return nil, err
		}
		if hold != dispatch.BlockNone {
			held = append(held, follow.Held{Kind: k, Block: hold})
		}
	}
	return held, nil
}

// block fills in why a job that is to be sent waits.
func (s *blocks) block(c echo.Context, v frame.Visit, j *dispatch.Job) (err error) {
	if j.Active() {
		j.Block, err = s.Store.Block(frame.Context(c), v.Account.ID, j.Kind)
	}
	return err
}
