package admin

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestOneSetIsInUse: exactly the set that is logged in with is said to be in use, also in the moment after another took over.
func TestOneSetIsInUse(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	active, due := dispatch.CredentialSet{ID: "active", State: dispatch.CredentialActive}, dispatch.CredentialSet{ID: "due", State: dispatch.CredentialNext, SwitchAt: now.Add(-time.Minute)}
	refused := due
	refused.Refusal.At = now.Add(-time.Second)
	for _, test := range []struct {
		sets []dispatch.CredentialSet
		used dispatch.CredentialID
	}{{[]dispatch.CredentialSet{due, active}, "due"}, {[]dispatch.CredentialSet{refused, active}, "active"}, {[]dispatch.CredentialSet{active}, "active"}} {
		p := IntegrationPage{IntegrationLine: IntegrationLine{Sets: test.sets}}
		p.Now = now
		for _, s := range test.sets {
			if got := p.setLook(i18ntest.InNorwegian(t), s).Word == "I bruk"; got != (s.ID == test.used) {
				t.Errorf("%s of %+v is in use: %t", s.ID, test.sets, got)
			}
		}
	}
}
