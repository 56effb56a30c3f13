package notify

import (
	"context"
	"errors"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// settingsPath is the page where users choose notices.
const settingsPath = "/min-side/varsler"

// write composes a notice from the present state. An empty subject means that it is obsolete: the condition or the subscription has
// ended.
func (n *Notifier) write(ctx context.Context, notice *registry.Notice) (m message, err error) {
	lang, err := n.o.Store.Language(ctx, notice.User)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return m, err
	}
	ctx = i18n.With(ctx, n.o.Languages.In(lang))
	m.ID, m.To = notice.ID, n.o.Operators
	if notice.Channel == registry.ChannelPerson {
		choice, err := registry.In(n.o.Store).MailChoices.Of(ctx, notice.User)
		if err != nil || choice.Address == "" || notice.Kind == registry.NoticeDigest && !choice.Digest ||
			(notice.Kind == registry.NoticeAlarm || notice.Kind == registry.NoticeOver) && !choice.Alarms {
			return message{}, err
		}
		m.To = choice.Address
	}
	switch notice.Kind {
	case registry.NoticeTrial:
		m.Subject, m.Link = i18n.T(ctx, "told.trial.subject"), n.o.PublicURL
		m.Lines = []string{i18n.T(ctx, "told.trial")}
	case registry.NoticeDigest:
		err = n.writeDigest(ctx, &m, notice)
	default:
		err = n.writeAlarm(ctx, &m, notice)
	}
	if err != nil || m.nothing() {
		return message{}, err
	}
	if notice.Channel == registry.ChannelPerson {
		m.Lines = append(m.Lines, "", i18n.T(ctx, "told.why"), n.o.PublicURL+settingsPath)
	}
	return m, nil
}

// writeDigest counts open follow-ups by account, without naming items.
func (n *Notifier) writeDigest(ctx context.Context, m *message, notice *registry.Notice) error {
	list, err := registry.In(n.o.Store).MailChoices.Digests(ctx, notice.User, dispatch.DigestSince(notice.Day), notice.Day)
	if err != nil || len(list) == 0 {
		return err
	}
	all := 0
	for _, d := range list {
		all += d.Open + d.Others
		m.Lines = append(m.Lines, d.Account.Name+":")
		for _, c := range []struct {
			key string
			n   int
		}{{"told.digest.failed", d.Failed}, {"told.digest.due", d.Due}, {"told.digest.open", d.Open}, {"told.digest.others", d.Others}} {
			if c.n > 0 {
				m.Lines = append(m.Lines, "- "+i18n.T(ctx, c.key, "Count", count(ctx, c.n)))
			}
		}
		m.Lines = append(m.Lines, n.o.PublicURL+"/k/"+d.Account.Slug+"/oppfolging", "")
	}
	m.Subject = i18n.T(ctx, "told.digest.subject", "Count", count(ctx, all))
	m.Lines = m.Lines[:len(m.Lines)-1]
	return nil
}

// count formats a number; if counting stopped at a limit, it says so.
func count(ctx context.Context, n int) string {
	if n >= dispatch.DigestMost {
		return i18n.T(ctx, "told.most", "Count", i18n.Number(n))
	}
	return i18n.Number(n)
}

// alarmPage is the page that an alarm links to.
func alarmPage(k dispatch.AlarmKind) string {
	if k == dispatch.AlarmProtected {
		return "/skjermede"
	}
	return "/oppfolging"
}

// moment formats a time: "20.11.2026 kl. 10.41".
func moment(ctx context.Context, t time.Time) string {
	t = t.In(dispatch.Oslo)
	clock := i18n.T(ctx, "time.clock", "Hour", t.Format("15"), "Minute", t.Format("04"))
	return i18n.T(ctx, "time.span", "Date", i18n.DateInTable.Of(ctx, t), "Clock", clock)
}

// writeAlarm reports the beginning or end of a condition. If it ended before its beginning was reported, nothing is sent.
func (n *Notifier) writeAlarm(ctx context.Context, m *message, notice *registry.Notice) error {
	a, err := registry.In(n.o.Store).Alarms.ByID(ctx, notice.Alarm)
	if errors.Is(err, store.ErrNotFound) || err == nil && notice.Kind == registry.NoticeAlarm && !a.Lasts() {
		return nil
	}
	if err != nil {
		return err
	}
	began := a.Began.In(dispatch.Oslo)
	if notice.Kind == registry.NoticeOver {
		m.Subject = i18n.T(ctx, "told.subject", "What", i18n.T(ctx, "told.over."+string(a.Kind), "Name", a.Name))
		m.Lines = []string{i18n.T(ctx, "told.over", "From", moment(ctx, began), "To", moment(ctx, a.Ended))}
	} else {
		m.Subject = i18n.T(ctx, "told.subject", "What", i18n.T(ctx, "told.alarm."+a.Told(), "Name", a.Name, "Count", a.Figure))
		m.Lines = []string{i18n.T(ctx, "told.alarm."+string(a.Kind)+".means"), i18n.T(ctx, "told.since", "When", moment(ctx, began))}
	}
	m.Subject = strings.Join(strings.Fields(m.Subject), " ")
	m.Link = n.o.PublicURL + "/driftsstatus"
	if a.Account != "" {
		accounts, err := registry.In(n.o.Store).Accounts.List(ctx)
		if err != nil {
			return err
		}
		for _, one := range accounts {
			if one.ID == a.Account {
				m.Link = n.o.PublicURL + "/k/" + one.Slug + alarmPage(a.Kind)
			}
		}
	}
	m.Lines = append(m.Lines, m.Link)
	return nil
}
