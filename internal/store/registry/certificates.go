package registry

import (
	"context"
	"time"

	"utsending/internal/dispatch"
)

// Certificate is the expiry of the certificate with which an integration encrypts files.
type Certificate struct {
	Integration dispatch.IntegrationID `db:"id"`
	Expires     time.Time              `db:"certificate_expires_at"`
}

// Certificates returns those of all integrations that have one, the first to expire first.
func (s Integrations) Certificates(ctx context.Context) ([]Certificate, error) {
	var list []Certificate
	err := s.Select(ctx, &list, `
		SELECT id, certificate_expires_at FROM integrations WHERE certificate_expires_at IS NOT NULL ORDER BY certificate_expires_at, id`)
	return list, err
}
