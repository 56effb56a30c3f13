// Package notify sends notices by e-mail and to a chat. Notices come from an outbox in the database, so that any number of
// processes may send them. Delivery never waits for it.
package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// Options configure a Notifier.
type Options struct {
	Store     *store.Store
	Languages *i18n.Languages
	Log       *slog.Logger
	PublicURL string           // prefix of links
	Mail      *Mail            // nil: no e-mail is sent
	Operators string           // address that gets every alarm; empty: none
	Webhook   *Webhook         // nil: none
	Private   bool             // accounts' own chats may be on this machine or an inner network
	Now       func() time.Time // nil: time.Now
	SendTime  time.Duration    // bounds one notice; 0: 30 s
}

// Channels returns the configured channels.
func (o Options) Channels() registry.Channels {
	return registry.Channels{Mail: o.Mail != nil, Operators: o.Mail != nil && o.Operators != "", Webhook: o.Webhook != nil}
}

const (
	sendEvery    = 5 * time.Second
	watchEvery   = time.Minute
	failingEvery = 5 * time.Minute
	purgeEvery   = time.Hour
	// sendTime bounds one notice. If a server is lost, its channel rests until the next pass, so that others are not delayed.
	sendTime = 30 * time.Second
)

// Notifier watches for conditions, and sends notices.
type Notifier struct {
	o       Options
	channel registry.Channels
	chats   *http.Client // calls accounts' own chats
	watched time.Time
	failing time.Time
	purged  time.Time
}

// New returns a notifier; Run starts it.
func New(o Options) *Notifier {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.SendTime == 0 {
		o.SendTime = sendTime
	}
	return &Notifier{o: o, channel: o.Channels(), chats: chatClient(o.Private)}
}

// Run works until ctx ends.
func (n *Notifier) Run(ctx context.Context) {
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n.Pass(ctx)
		}
	}
}

// Pass looks for conditions and digests when they are due, and sends due notices.
func (n *Notifier) Pass(ctx context.Context) {
	now := n.o.Now()
	if now.Sub(n.watched) >= watchEvery && n.ok(ctx, "watch for conditions", n.watch(ctx, now)) {
		n.watched = now
	}
	if now.Sub(n.purged) >= purgeEvery && n.ok(ctx, "purge notices", registry.In(n.o.Store).Notices.Purge(ctx, now)) {
		n.purged = now
	}
	n.sendDue(ctx)
}

// watch compares present conditions with open alarms. Without a channel, alarms are stored all the same, since a page shows them.
func (n *Notifier) watch(ctx context.Context, now time.Time) error {
	s := registry.In(n.o.Store)
	conditions, err := s.Alarms.Conditions(ctx, now)
	if err != nil {
		return err
	}
	kinds := slices.DeleteFunc(dispatch.AlarmKinds(), func(k dispatch.AlarmKind) bool { return k == dispatch.AlarmFailing })
	if now.Sub(n.failing) >= failingEvery {
		failing, err := s.Alarms.FailingAccounts(ctx, now)
		if err != nil {
			return err
		}
		conditions, kinds, n.failing = append(conditions, failing...), append(kinds, dispatch.AlarmFailing), now
	}
	if err := s.Alarms.SeeConditions(ctx, kinds, conditions, n.channel, now); err != nil {
		return err
	}
	if day, until, due := dispatch.Digests(now); due && n.channel.Mail {
		return s.Notices.BeginDigests(ctx, day, until, now)
	}
	return nil
}

// sendDue sends due notices. A channel whose server is lost rests until the next pass.
func (n *Notifier) sendDue(ctx context.Context) {
	mail := slices.DeleteFunc(n.channel.Names(), func(c registry.Channel) bool { return c == registry.ChannelWebhook })
	n.sendOver(ctx, mail)
	if n.channel.Webhook {
		n.sendOver(ctx, []registry.Channel{registry.ChannelWebhook})
	}
	n.sendOver(ctx, []registry.Channel{registry.ChannelAccount}) // last: they are many, and each may hang
}

func (n *Notifier) sendOver(ctx context.Context, channels []registry.Channel) {
	for len(channels) > 0 && ctx.Err() == nil {
		notice, err := registry.In(n.o.Store).Notices.Claim(ctx, channels, n.o.Now())
		if !n.ok(ctx, "claim a notice", err) || notice == nil {
			return
		}
		fault := n.send(ctx, notice)
		if !n.ok(ctx, "note what became of a notice", n.settle(ctx, notice, fault)) || fault.Lost() {
			return
		}
	}
}

// send sends one notice.
func (n *Notifier) send(ctx context.Context, notice *registry.Notice) dispatch.NoticeFault {
	m, err := n.write(ctx, notice)
	switch {
	case err != nil:
		n.ok(ctx, "write a notice", err)
		return dispatch.FaultContent
	case m.nothing():
		return dispatch.FaultNothing
	}
	ctx, cancel := context.WithTimeout(ctx, n.o.SendTime)
	defer cancel()
	switch notice.Channel {
	case registry.ChannelWebhook:
		return n.o.Webhook.post(ctx, m).Fault
	case registry.ChannelAccount:
		chat, err := registry.In(n.o.Store).AccountNotices.Chat(ctx, notice.Account)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return dispatch.FaultNothing
		case err != nil:
			n.ok(ctx, "open the address of a chat", err)
			return dispatch.FaultContent
		}
		return n.chat(chat).post(ctx, m).Fault
	}
	return n.o.Mail.send(ctx, m)
}

// chat is the webhook of an account.
func (n *Notifier) chat(c dispatch.Chat) *Webhook { return &Webhook{Chat: c, Client: n.chats} }

// TryChat sends a trial message to an account's own chat and returns what it answered. ErrNotFound when it has none.
func (n *Notifier) TryChat(ctx context.Context, account dispatch.Account) (dispatch.ChatAnswer, error) {
	chat, err := registry.In(n.o.Store).AccountNotices.Chat(ctx, account.ID)
	if err != nil {
		return dispatch.ChatAnswer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, n.o.SendTime/2) // somebody waits for it
	defer cancel()
	return n.chat(chat).post(ctx, message{
		Subject: i18n.T(ctx, "told.trial.subject"), Lines: []string{i18n.T(ctx, "told.trial.account", "Name", account.Name), n.o.PublicURL}, Link: n.o.PublicURL,
	}), nil
}

// settle stores the result of an attempt.
func (n *Notifier) settle(ctx context.Context, notice *registry.Notice, fault dispatch.NoticeFault) error {
	s := registry.In(n.o.Store)
	ctx = context.WithoutCancel(ctx) // also during shutdown: otherwise it would be sent twice
	switch {
	case fault == dispatch.FaultNone:
		n.o.Log.Info("notice sent", "notice", notice.ID, "kind", string(notice.Kind), "channel", string(notice.Channel))
		return s.Notices.Sent(ctx, notice)
	case fault == dispatch.FaultNothing:
		return s.Notices.Dropped(ctx, notice, "")
	case fault.Final():
		n.o.Log.Error("notice refused", "notice", notice.ID, "channel", string(notice.Channel), "fault", string(fault))
		return s.Notices.Dropped(ctx, notice, string(fault))
	}
	n.o.Log.Warn("notice not sent", "notice", notice.ID, "channel", string(notice.Channel), "fault", string(fault), "try", notice.Tries)
	return s.Notices.Failed(ctx, notice, string(fault), n.o.Now().Add(pause(notice.Tries)))
}

// pause is the backoff after an attempt: a minute, doubled each time, up to an hour.
func pause(tries int) time.Duration { return min(time.Minute<<min(tries-1, 6), time.Hour) }

// ok tells whether a step succeeded, and logs failures.
func (n *Notifier) ok(ctx context.Context, what string, err error) bool {
	return store.Note(ctx, n.o.Log, "notices: a step failed", err, "to", what)
}

// message is a notice ready to be sent.
type message struct {
	ID      string
	To      string // address of a mail
	Subject string
	Lines   []string
	Link    string
}

func (m message) nothing() bool { return m.Subject == "" }

func (m message) String() string { return fmt.Sprintf("notice %s", m.ID) } // without the address, which must not be logged
