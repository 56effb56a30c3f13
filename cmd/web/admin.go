package main

import (
	"context"
	"fmt"
	"io"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// admin makes everybody an administrator whose login has a value in the rights claim. It is how the first one comes to be.
func admin(ctx context.Context, value string, out io.Writer) error {
	s, err := openForOperator()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.MapRole(ctx, value, "", dispatch.RoleSystemAdmin); err != nil {
		return databaseError(err)
	}
	a := store.Audit{Action: "role_mapping.add", Details: map[string]any{"claim": value, "role": dispatch.RoleSystemAdmin}, Origin: "web admin"}
	if err := s.Record(ctx, a); err != nil {
		return databaseError(err)
	}
	_, err = fmt.Fprintln(out, "whoever logs in with that value of the rights claim is an administrator, from the next login on")
	return err
}
