package registry

import (
	"context"
	"time"

	"utsending/internal/dispatch"
)

// Certificate is when the certificate ends that an integration encrypts files with.
type Certificate struct {
	Integration dispatch.IntegrationID `db:"id"`
	Expires     time.Time              `db:"certificate_expires_at"`
}

// Certificates returns those of all integrations that have one, the first to end first.
func (s *Store) Certificates(ctx context.Context) ([]Certificate, error) {
	var list []Certificate
	err := s.Select(ctx, &list, `
		SELECT id, certificate_expires_at FROM integrations WHERE certificate_expires_at IS NOT NULL ORDER BY certificate_expires_at, id`)
	return list, err
}
