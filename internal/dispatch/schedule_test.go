package dispatch_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// at is a moment, as a clock in Oslo and its offset tell it.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse("2006-01-02 15:04:05 -07", text)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

func TestParseSendAt(t *testing.T) {
	t.Parallel()
	winter := "2026-11-23 10:00:00 +01"
	for name, tt := range map[string]struct{ now, day, clock, want, problem string }{
		"nothing is now":                       {winter, " ", "", "", ""},
		"a day and a time":                     {winter, "24.11.2026", "08.30", "2026-11-24 08:30:00 +01", ""},
		"as machines write it":                 {winter, "2026-11-24", "08:30", "2026-11-24 08:30:00 +01", ""},
		"a whole hour":                         {winter, "24.11.26", "8", "2026-11-24 08:00:00 +01", ""},
		"in summer":                            {winter, "1.7.2027", "12.00", "2027-07-01 12:00:00 +02", ""},
		"today, later":                         {winter, "23.11.2026", "10.01", "2026-11-23 10:01:00 +01", ""},
		"now":                                  {winter, "23.11.2026", "10.00", "", "dag problem.send_at.past"},
		"yesterday":                            {winter, "22.11.2026", "23.59", "", "dag problem.send_at.past"},
		"over a year ahead":                    {winter, "24.11.2027", "10.00", "", "dag problem.send_at.far"},
		"a time without a day":                 {winter, "", "10.00", "", "dag problem.send_day.empty"},
		"a day without a time":                 {winter, "24.11.2026", "", "", "klokkeslett problem.send_time.empty"},
		"a day that is none":                   {winter, "31.11.2026", "10.00", "", "dag problem.date.none"},
		"a month that is none":                 {winter, "1.13.2026", "10.00", "", "dag problem.date.none"},
		"no day at all":                        {winter, "i morgen", "10.00", "", "dag problem.date"},
		"neither a day nor a time":             {winter, "31.2.2027", "25.99", "", "dag problem.date.none, klokkeslett problem.clock"},
		"no day, and a time that is none":      {winter, "", "25.99", "", "dag problem.send_day.empty, klokkeslett problem.clock"},
		"a time that is none":                  {winter, "24.11.2026", "10.60", "", "klokkeslett problem.clock"},
		"the end of the day":                   {winter, "24.11.2026", "24.00", "", "klokkeslett problem.clock"},
		"skipped in spring":                    {winter, "28.3.2027", "02.30", "", "klokkeslett problem.send_time.skipped"},
		"just skipped in spring":               {winter, "28.3.2027", "02.00", "", "klokkeslett problem.send_time.skipped"},
		"before what is skipped":               {winter, "28.3.2027", "01.59", "2027-03-28 01:59:00 +01", ""},
		"after what is skipped":                {winter, "28.3.2027", "03.00", "2027-03-28 03:00:00 +02", ""},
		"twice in autumn: the first":           {"2026-10-24 12:00:00 +02", "25.10.2026", "02.30", "2026-10-25 02:30:00 +02", ""},
		"twice in autumn, the first is over":   {"2026-10-25 02:40:00 +02", "25.10.2026", "02.30", "2026-10-25 02:30:00 +01", ""},
		"twice in autumn, both are over":       {"2026-10-25 02:40:00 +01", "25.10.2026", "02.30", "", "dag problem.send_at.past"},
		"before what comes twice":              {"2026-10-24 12:00:00 +02", "25.10.2026", "01.59", "2026-10-25 01:59:00 +02", ""},
		"after what comes twice":               {"2026-10-24 12:00:00 +02", "25.10.2026", "03.00", "2026-10-25 03:00:00 +01", ""},
		"the day begins in the zone of Norway": {"2026-06-30 23:30:00 +02", "1.7.2026", "00.00", "2026-07-01 00:00:00 +02", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ps := dispatch.ParseSendAt(tt.day, tt.clock, at(t, tt.now))
			var told []string
			for _, p := range ps {
				told = append(told, p.Field+" "+p.Key)
			}
			problem := strings.Join(told, ", ")
			want := time.Time{}
			if tt.want != "" {
				want = at(t, tt.want)
			}
			if !got.Equal(want) || problem != tt.problem {
				t.Errorf("got %v and %q, want %v and %q", got, problem, want, tt.problem)
			}
		})
	}
}

func TestParseClock(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{
		"8": 480, "08": 480, "08.00": 480, "8:30": 510, "0830": 510, " 20.00 ": 1200, "24.00": 1440, "24": 1440, "00.00": 0,
		"": -1, "25": -1, "24.01": -1, "8.5": -1, "8.60": -1, "x": -1, "8.00.00": -1, "-1": -1, "083": -1, "+8.00": -1,
	} {
		got, ok := dispatch.ParseClock(typed)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("got %d for %q, want %d", got, typed, want)
		}
	}
}

func TestDaytime(t *testing.T) {
	t.Parallel()
	day := dispatch.Daytime{From: 8 * 60, To: 20 * 60}
	for name, tt := range map[string]struct {
		d         dispatch.Daytime
		now, want string
	}{
		"no window":                 {dispatch.Daytime{}, "2026-11-23 03:00:00 +01", "2026-11-23 03:00:00 +01"},
		"open":                      {day, "2026-11-23 10:00:00 +01", "2026-11-23 10:00:00 +01"},
		"just open":                 {day, "2026-11-23 08:00:00 +01", "2026-11-23 08:00:00 +01"},
		"before it opens":           {day, "2026-11-23 07:59:59 +01", "2026-11-23 08:00:00 +01"},
		"the last second":           {day, "2026-11-23 19:59:59 +01", "2026-11-23 19:59:59 +01"},
		"closed":                    {day, "2026-11-23 20:00:00 +01", "2026-11-24 08:00:00 +01"},
		"closed on the last day":    {day, "2026-12-31 22:00:00 +01", "2027-01-01 08:00:00 +01"},
		"in the time of Norway":     {day, "2026-11-23 06:30:00 +00", "2026-11-23 08:00:00 +01"},
		"over the night of March":   {day, "2027-03-27 22:00:00 +01", "2027-03-28 08:00:00 +02"},
		"over that of October":      {day, "2026-10-24 22:00:00 +02", "2026-10-25 08:00:00 +01"},
		"opening at a skipped time": {dispatch.Daytime{From: 150, To: 600}, "2027-03-28 01:00:00 +01", "2027-03-28 03:00:00 +02"},
		"opening at a double time":  {dispatch.Daytime{From: 150, To: 600}, "2026-10-25 01:00:00 +02", "2026-10-25 02:30:00 +02"},
		"until midnight":            {dispatch.Daytime{From: 480, To: 1440}, "2026-11-23 23:59:59 +01", "2026-11-23 23:59:59 +01"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, want := tt.d.Next(at(t, tt.now)), at(t, tt.want); !got.Equal(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestPlanned(t *testing.T) {
	t.Parallel()
	a := dispatch.Account{UndoWindow: time.Minute, Daytime: dispatch.Daytime{From: 480, To: 1200}}
	for name, tt := range map[string]struct {
		now, sendAt string
		urgent      bool
		want        string
		postponed   bool
	}{
		"now":                                {"2026-11-23 10:00:00 +01", "", false, "2026-11-23 10:01:00 +01", false},
		"in the evening":                     {"2026-11-23 21:00:00 +01", "", false, "2026-11-24 08:00:00 +01", true},
		"in the evening, urgent":             {"2026-11-23 21:00:00 +01", "", true, "2026-11-23 21:01:00 +01", false},
		"when the undo window ends too late": {"2026-11-23 19:59:30 +01", "", false, "2026-11-24 08:00:00 +01", true},
		"just before it opens":               {"2026-11-23 07:59:30 +01", "", false, "2026-11-23 08:00:30 +01", false},
		"later":                              {"2026-11-23 10:00:00 +01", "2026-11-24 12:00:00 +01", false, "2026-11-24 12:00:00 +01", false},
		"later, at night":                    {"2026-11-23 10:00:00 +01", "2026-11-24 03:00:00 +01", false, "2026-11-24 08:00:00 +01", true},
		"later, at night, urgent":            {"2026-11-23 10:00:00 +01", "2026-11-24 03:00:00 +01", true, "2026-11-24 03:00:00 +01", false},
		"within the undo window":             {"2026-11-23 10:00:00 +01", "2026-11-23 10:00:20 +01", false, "2026-11-23 10:01:00 +01", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := dispatch.Timing{Urgent: tt.urgent}
			if tt.sendAt != "" {
				m.SendAt = at(t, tt.sendAt)
			}
			now := at(t, tt.now)
			if got, want := a.Planned(m, now), at(t, tt.want); !got.Equal(want) || a.Postponed(m, now) != tt.postponed {
				t.Errorf("got %v, postponed %t; want %v, %t", got, a.Postponed(m, now), want, tt.postponed)
			}
		})
	}
}

func TestQuota(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		q     dispatch.Quota
		parts int
		want  dispatch.QuotaLevel
	}{
		"no limit":              {dispatch.Quota{Used: 1_000_000}, 3, dispatch.QuotaFine},
		"much left":             {dispatch.Quota{Used: 79, Limit: 100}, 1, dispatch.QuotaFine},
		"80 %":                  {dispatch.Quota{Used: 80, Limit: 100}, 1, dispatch.QuotaNear},
		"the last part":         {dispatch.Quota{Used: 99, Limit: 100}, 1, dispatch.QuotaNear},
		"one part too many":     {dispatch.Quota{Used: 99, Limit: 100}, 2, dispatch.QuotaFull},
		"at the limit":          {dispatch.Quota{Used: 100, Limit: 100}, 1, dispatch.QuotaFull},
		"at the limit, no text": {dispatch.Quota{Used: 100, Limit: 100}, 0, dispatch.QuotaFull},
		"over a lowered limit":  {dispatch.Quota{Used: 150, Limit: 100}, 1, dispatch.QuotaFull},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.q.Level(tt.parts); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
