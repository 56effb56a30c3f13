package admin

import (
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// AccountAlarmsPage is what an account says itself about alarms: when much fails, and its own chat.
type AccountAlarmsPage struct {
	views.Page
	Row                      AccountLine
	Failing                  FailingForm
	Chat                     ChatForm
	HasChat                  bool
	Changed                  time.Time // of the chat, when it has one
	Last                     LastNotice
	Fresh                    bool                 // the login is recent enough to change the chat
	Mail, Operators, Webhook bool                 // the installation's channels
	InnerChats               bool                 // a chat may be on an inner network, also by http
	Answer                   *dispatch.ChatAnswer // to the trial message that was just sent; nil: none was
}

// LastNotice is what became of the latest notice to an account's chat; zero: there was none.
type LastNotice struct {
	At    time.Time
	Sent  bool
	Fault dispatch.NoticeFault
}

// state is the end of the key that tells what became of it.
func (n LastNotice) state() string {
	switch {
	case n.Sent:
		return "sent"
	case n.Fault != "":
		return "failed"
	}
	return "waiting"
}

// FailingForm is the form of when much fails, as typed.
type FailingForm struct{ Least, Percent string }

// NewFailingForm is the form of a rule.
func NewFailingForm(r dispatch.FailingRule) (f FailingForm) {
	if r.Least > 0 {
		f.Least = strconv.Itoa(r.Least)
	}
	if r.Percent > 0 {
		f.Percent = strconv.Itoa(r.Percent)
	}
	return f
}

// Parse parses the form; what is no number above 0 is outside the limits.
func (f FailingForm) Parse() dispatch.FailingRule {
	return dispatch.FailingRule{Least: countTyped(f.Least), Percent: countTyped(f.Percent)}
}

// ChatForm is the form of a chat, as typed. The stored address is never shown.
type ChatForm struct{ Address, Format string }

// chat is the end of the key that says which chat is told.
func (p AccountAlarmsPage) chat() string {
	switch {
	case p.HasChat && p.Webhook:
		return "instead"
	case p.HasChat:
		return "own"
	case p.Webhook:
		return "installation"
	}
	return "none"
}

// addressHint is the key of the hint that says how the chat's address begins.
func (p AccountAlarmsPage) addressHint() string {
	if p.InnerChats {
		return "account_alarms.address.inner"
	}
	return "account_alarms.address.hint"
}
