package admin

import (
	"slices"

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

// meansKey is the catalogue key of what one of the alarms means to who reads the page.
func meansKey(a dispatch.Alarm, all []dispatch.Alarm) string {
	held := slices.ContainsFunc(all, func(o dispatch.Alarm) bool {
		return o.Lasts() && (o.Kind == dispatch.AlarmPaused || o.Kind == dispatch.AlarmStopped && o.Integration == a.Integration)
	})
	switch {
	case a.Unused:
		return "alarms.means.unused"
	case a.Kind == dispatch.AlarmRefused && held:
		return "alarms.means.held" // nothing is tried again meanwhile
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
