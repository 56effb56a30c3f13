package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// makeAdministrators gives a value of the rights claim the role of system administrator. It is the way to the first
// administrator.
func makeAdministrators(ctx context.Context, typed string, out io.Writer) error {
	values, ok := dispatch.RightsValues(typed)
	if !ok || len(values) != 1 {
		return errors.New("the value is one line of at most 200 characters, as the page of rights takes it: another could not be removed there")
	}
	value := values[0]
	s, err := openForOperator()
	if err != nil {
		return err
	}
	defer s.Close()
	err = registry.In(s).Roles.AddMapping(ctx, registry.RoleMapping{Claim: value, Role: dispatch.RoleSystemAdmin}, store.Actor{Origin: "web admin"})
	if err != nil && !errors.Is(err, store.ErrTaken) {
		return databaseError(err)
	}
	_, err = fmt.Fprintln(out, "whoever logs in with that value of the rights claim is an administrator, from the next login on")
	return err
}
