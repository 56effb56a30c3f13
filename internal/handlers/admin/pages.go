// Package admin holds the pages of administrators, operators and auditors: accounts, integrations, rights, the event
// log, retention, health and delivery.
package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store/registry"
	"utsending/internal/upstream"
)

// Pages are the handlers of this area.
type Pages struct {
	*frame.Frame
	Upstream    *upstream.Clients
	Delivers    bool   // this process delivers
	RightsClaim string // name of the login's rights claim
	PDF         *pdf.Inspector
	Notices     registry.Channels // how notices can be sent

	PrivateChats bool                                                                 // accounts' own chats may be on an inner network
	AskChat      func(context.Context, dispatch.Account) (dispatch.ChatAnswer, error) // sends a trial message to an account's own chat
}
