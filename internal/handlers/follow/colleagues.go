package follow

import (
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views/follow"
)

// workers are the users who work on the account.
func (s *colleagues) workers(c echo.Context, v frame.Visit) (list []follow.Person, err error) {
	found, err := items.In(s.Store).Absences.Workers(frame.Context(c), v.Account.ID, dispatch.Kinds...)
	for _, w := range found {
		list = append(list, follow.Person{ID: w.ID, Name: w.Name})
	}
	return list, err
}

// unknownOwner is the form problem when the chosen owner does not work on the account.
func (s *colleagues) unknownOwner(c echo.Context, v frame.Visit, h dispatch.Handling) (dispatch.Problems, error) {
	if h.Owner != dispatch.OwnerOther {
		return nil, nil
	}
	workers, err := s.workers(c, v)
	if err != nil || slices.ContainsFunc(workers, func(w follow.Person) bool { return w.ID == h.To }) {
		return nil, err
	}
	return dispatch.Problems{{Field: dispatch.FieldFollowOwner, Key: "problem.follow_up.owner"}}, nil
}
