package dispatch

import (
	"testing"
	"time"
)

func TestDeadline(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, Oslo)
	for left, want := range map[time.Duration][2]int{
		61 * 24 * time.Hour:           {-1, 0},
		60 * 24 * time.Hour:           {60, 60},
		31 * 24 * time.Hour:           {60, 31},
		30*24*time.Hour - time.Second: {30, 30},
		8 * 24 * time.Hour:            {30, 8},
		7 * 24 * time.Hour:            {7, 7},
		25 * time.Hour:                {7, 1},
		24 * time.Hour:                {1, 1},
		time.Hour:                     {1, 0},
		0:                             {0, 0},
		-72 * time.Hour:               {0, 0},
	} {
		step, days, ok := Deadline(now.Add(left), now)
		if !ok {
			step = -1
		}
		if got := [2]int{step, days}; got != want {
			t.Errorf("%s before: step and days %v, want %v", left, got, want)
		}
	}
}

func TestFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		made, failed, percent int
		much                  bool
	}{
		{0, 0, 0, false}, {9, 9, 0, false}, {10, 10, 100, true}, {50, 10, 20, true}, {51, 10, 19, false}, {100000, 12000, 12, false}, {3, 12, 100, true},
	} {
		if percent, much := (FailingRule{}).Fails(tt.made, tt.failed); percent != tt.percent || much != tt.much {
			t.Errorf("%d of %d: %d, %t", tt.failed, tt.made, percent, much)
		}
	}
}

func TestDigests(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]bool{
		"2026-11-26 07:29": false, "2026-11-26 07:30": true, "2026-11-26 11:59": true, "2026-11-26 12:00": false, "2026-11-28 08:00": false, // Saturday
		"2026-12-25 08:00": false, "2026-03-29 08:00": false, // the clock is put forward, on a Sunday
		"2026-03-30 07:30": true, "2026-10-26 07:30": true, // after the clock was put back
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", at, Oslo)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, due := Digests(now.UTC()); due != want {
			t.Errorf("%s: due is %t", at, due)
		}
	}
	for day, want := range map[string]string{
		"2026-11-26": "2026-11-25T07:30:00+01:00", "2026-11-30": "2026-11-27T07:30:00+01:00", "2026-03-30": "2026-03-27T07:30:00+01:00", "2026-12-28": "2026-12-24T07:30:00+01:00",
		"2026-04-07": "2026-04-01T07:30:00+02:00", // after Easter
	} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := DigestSince(at).Format(time.RFC3339); got != want {
			t.Errorf("%s: since %s, want %s", day, got, want)
		}
	}
}

func TestMailDomains(t *testing.T) {
	t.Parallel()
	d := MailDomains{"fjordvik.example", "skole.fjordvik.example"}
	for typed, want := range map[string]string{
		"kari@fjordvik.example": "", " kari@FJORDVIK.example ": "", "k@skole.fjordvik.example": "",
		"": "problem.mail.empty", "kari": "problem.mail.form", "Kari <kari@fjordvik.example>": "problem.mail.form", "a@b@fjordvik.example": "problem.mail.form",
		"kari@annet.example": "problem.mail.domain", "kari@xfjordvik.example": "problem.mail.domain", "kari@fjordvik.example\r\nBcc: x@y.example": "problem.mail.form",
	} {
		got, p := d.Parse(typed)
		key := ""
		if p != nil {
			key = p.Key
		}
		if key != want || want == "" && got == "" {
			t.Errorf("%q: %q, %q, want %q", typed, got, key, want)
		}
	}
}

// TestWhatEndsToday: "days left: 0" is no sentence for what ends today, or has ended.
func TestWhatEndsToday(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]Condition{
		"credentials":       {Kind: AlarmCredentials, Figure: 1, Step: "2026-11-27/1"},
		"credentials.today": {Kind: AlarmCredentials, Step: "2026-11-26/1"},
		"certificate.over":  {Kind: AlarmCertificate, Step: "2026-11-25/0"},
		"paused":            {Kind: AlarmPaused},
	} {
		if got := (Alarm{Condition: c}).Told(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
