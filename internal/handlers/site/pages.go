// Package site holds the pages that belong to no account: login, the front page, one's own sessions, help, and the probes.
package site

import (
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/registry"
	"utsending/internal/views"
)

// Pages are the handlers of this area.
type Pages struct {
	*frame.Frame
	Contacts    views.Contacts
	Stopping    func() bool          // the process is about to stop; nil: never
	Notices     registry.Channels    // how people can be told
	MailDomains dispatch.MailDomains // where notices may go
}
