package admin

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views/admin"
)

// SaveCertificate stores the certificate for which files are encrypted. Without a pasted one, only the key transport
// of the present one changes.
func (s *Integrations) SaveCertificate(c echo.Context, v frame.Visit) error {
	line, err := s.integrations.shipmentIntegration(c)
	if err != nil {
		return err
	}
	others, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	if err != nil {
		return err
	}
	f := readCertificate(c)
	typed := f.Certificate
	if strings.TrimSpace(typed) == "" {
		typed = line.Encryption.Certificate
	}
	e, ps := dispatch.ParseEncryption(typed, f.Transport, line.Integration, others, s.Now())
	if len(ps) == 0 {
		return s.keepCertificate(c, v, e, f)
	}
	if strings.Contains(f.Certificate, "PRIVATE KEY") {
		f.Certificate = ""
	}
	return s.showCertificate(c, v, f, ps)
}

func readCertificate(c echo.Context) admin.CertificateForm {
	return admin.CertificateForm{
		Certificate: c.FormValue(dispatch.FieldServiceCertificate), Transport: dispatch.KeyTransport(c.FormValue(dispatch.FieldKeyTransport)),
	}
}

// keepCertificate stores the change, with optimistic locking: the second administrator sees the first one's change
// beside the form as typed.
func (s *Integrations) keepCertificate(c echo.Context, v frame.Visit, e dispatch.Encryption, f admin.CertificateForm) error {
	err := registry.In(s.Store).Integrations.SaveEncryption(frame.Context(c), integrationID(c), frame.ReadVersion(c), e, frame.Actor(c, v.User))
	if errors.Is(err, store.ErrStale) {
		return s.showCertificate(c, v, f, dispatch.Problems{{Field: dispatch.FieldServiceCertificate, Key: "problem.stale"}})
	}
	s.Upstream.Forget(integrationID(c))
	return s.system.operated(c, FromIntegration(c), "flash.certificate_saved", err)
}

func (s *Integrations) showCertificate(c echo.Context, v frame.Visit, f admin.CertificateForm, ps dispatch.Problems) error {
	return s.integrations.showIntegrationTyped(c, v, http.StatusUnprocessableEntity, ps, func(p *admin.IntegrationPage) { p.Certificate = f })
}
