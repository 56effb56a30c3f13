package admin

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// AlarmsPage shows operators the alarms and the state of notices.
type AlarmsPage struct {
	views.Page
	Mail, Operators, Webhook bool // configured
	Chats                    int  // accounts with a chat of their own
	Open, Ended              []dispatch.Alarm
	Accounts                 []dispatch.Account
	Sent, Waiting, Dropped   int    // notices of the last day
	Fault                    string // of the last notice that failed; empty: none
}

// meansKey is the catalogue key of what an alarm means to who reads the page.
func meansKey(a dispatch.Alarm) string {
	switch {
	case a.Unused:
		return "alarms.means.unused"
	case a.Kind == dispatch.AlarmProtected:
		return "alarms.means.protected" // the notice speaks to who gets it
	}
	return "told.alarm." + string(a.Kind) + ".means"
}

// on is the end of the key that says whether something is configured.
func on(configured bool) string {
	if configured {
		return "on"
	}
	return "off"
}
