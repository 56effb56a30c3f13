package views

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/static"
)

var lookNow = time.Date(2026, 11, 20, 9, 41, 0, 0, time.UTC)

// sms is an SMS in the queue, changed.
func sms(change func(*dispatch.Item)) dispatch.Item {
	it := dispatch.Item{
		ID: "a", Kind: dispatch.KindSMS, State: dispatch.StateQueued, CreatedAt: lookNow.Add(-time.Hour), DueAt: lookNow, DueSince: lookNow,
		NextCheck: lookNow.Add(time.Hour),
	}
	change(&it)
	return it
}

func in(s dispatch.State) func(*dispatch.Item) {
	return func(it *dispatch.Item) { it.State = s }
}

func because(s dispatch.State, key string) func(*dispatch.Item) {
	return func(it *dispatch.Item) { it.State, it.Reason.Key = s, key }
}

func status(s dispatch.Status) func(*dispatch.Item) {
	return func(it *dispatch.Item) {
		it.State, it.UpstreamID, it.AcceptedAt, it.Status = dispatch.StateAccepted, "u", lookNow.Add(-time.Minute), s
	}
}

func held(h dispatch.Hold) func(*dispatch.Item) { return func(it *dispatch.Item) { it.Hold = h } }

// TestLooks is tables 7.0 and 7.2 of ui-spec: word, colour, icon and sentence of every state.
func TestLooks(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct {
		name              string
		item              dispatch.Item
		word, color, icon string
		why, reason       string
	}{
		{"draft", sms(in(dispatch.StateDraft)), "Utkast", "neutral", "PencilLine", "Ikke sendt.", ""},
		{"scheduled", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(10 * time.Second) }), "Planlagt", "neutral", "Clock",
			"Sendes i dag kl. 10.41.10. Kan stoppes frem til da.", ""},
		{"queued", sms(func(*dispatch.Item) {}), "I kø", "neutral", "Clock", "Sendes snart. Du kan lukke siden.", ""},
		{"queued again, at a time", sms(func(it *dispatch.Item) {
			it.DueSince, it.DueAt, it.Reason.Key = lookNow.Add(-time.Hour), lookNow.Add(time.Hour), "reason.busy"
		}), "I kø", "neutral", "Clock", "Vi prøver igjen i dag kl. 11.41. Tjenesten har for mye å gjøre eller er nede. Du kan lukke siden.", ""},
		{"queued again, now", sms(func(it *dispatch.Item) { it.Reason.Key = "reason.busy" }), "I kø", "neutral", "Clock", "Sendes snart. Du kan lukke siden.", ""},
		{"refused account", sms(held(dispatch.HoldAccount)), "Venter på integrasjonen", "warning", "Clock",
			"Tjenesten avviser kontoen. En administrator må ordne det. Ingenting er sendt.", ""},
		{"refused", sms(held(dispatch.HoldRefused)), "Venter på integrasjonen", "warning", "Clock",
			"Tjenesten avviser innloggingen vår. En administrator må rette den. Ingenting er sendt.", ""},
		{"stopped", sms(held(dispatch.HoldStopped)), "Venter på integrasjonen", "warning", "Clock",
			"Integrasjonen er stoppet. En administrator må åpne den igjen. Ingenting er sendt.", ""},
		{"without integration", sms(held(dispatch.HoldMissing)), "Venter på integrasjonen", "warning", "Clock",
			"Kontoen mangler en integrasjon for SMS. En administrator må sette den opp. Ingenting er sendt.", ""},
		{"paused", sms(held(dispatch.HoldPaused)), "Venter på integrasjonen", "warning", "Clock",
			"All levering er satt på pause. En administrator må starte den igjen. Ingenting er sendt.", ""},
		{"asking", sms(func(it *dispatch.Item) {
			it.DueSince, it.Hold, it.Reason.Key = lookNow.Add(-24*time.Hour), dispatch.HoldRefused, "reason.forbidden"
		}),
			"Skal den fortsatt sendes?", "warning", "QuestionmarkCircle", "Den har ventet siden i går kl. 10.41. Bekreft eller avbryt.",
			"Tjenesten sier at integrasjonen ikke har tilgang til kontoen."},
		{"sending", sms(in(dispatch.StateSending)), "Sendes", "info", "Paperplane", "Overføres til tjenesten nå.", ""},
		{"accepted", sms(status("")), "Overlevert", "info", "Checkmark", "Tjenesten har tatt imot. Vi henter status.", ""},
		{"accepted without an id", sms(in(dispatch.StateAccepted)), "Overlevert", "info", "Checkmark", "Meldingen regnes som overlevert. Status kan ikke hentes.", ""},
		{"rejected", sms(because(dispatch.StateRejected, "reason.rejected")), "Stoppet før levering", "danger", "XMarkOctagon",
			"Tjenesten tok den ikke imot. Se over nummeret og teksten, rett opp og send på nytt.", ""},
		{"failed", sms(because(dispatch.StateFailed, "reason.unreachable")), "Ga opp", "danger", "XMarkOctagon",
			"Vi fikk ikke kontakt med tjenesten innen et døgn. Ingenting er sendt.", "Vi fikk ikke kontakt med tjenesten."},
		{"failed after a call that came all the way", sms(func(it *dispatch.Item) { it.State, it.MayBeThere = dispatch.StateFailed, true }), "Ga opp", "danger", "XMarkOctagon",
			"Vi ga opp etter et døgn. Et forsøk kom helt frem, men tjenesten svarte at den ikke var tilgjengelig. Vi vet ikke sikkert at ingenting er sendt.", ""},
		{"uncertain", sms(because(dispatch.StateUncertain, "reason.timeout")), "Uavklart", "warning", "QuestionmarkCircle",
			"Vi vet ikke om den ble sendt, og tjenesten kan ikke svare. Noen må avgjøre. Ikke send på nytt før det er avklart.", "Tjenesten svarte ikke i tide."},
		{"cancelled", sms(in(dispatch.StateCancelled)), "Avbrutt", "neutral", "LinkBroken", "Stoppet før den ble sendt.", ""},
		{"OPPRETTET", sms(status(dispatch.StatusCreated)), "Opprettet", "neutral", "Inbox", "Meldingen er laget og venter på å bli sendt.", ""},
		{"SENDT", sms(status(dispatch.StatusSent)), "Sendt", "info", "Paperplane", "Sendt til operatøren. Vi venter på kvittering.", ""},
		{"LEVERT", sms(status(dispatch.StatusDelivered)), "Levert", "success", "CheckmarkCircle", "Levert til mottakerens telefon.", ""},
		{"IKKE_SENDT", sms(status(dispatch.StatusNotSent)), "Ikke sendt", "danger", "XMarkOctagon", "Meldingen ble ikke sendt. Kontroller nummeret og prøv igjen.", ""},
		{"IKKE_LEVERT", sms(status(dispatch.StatusNotDelivered)), "Ikke levert", "danger", "ExclamationmarkTriangle",
			"Sendt, men nådde ikke telefonen. Nummeret kan være ute av bruk.", ""},
		{"UKJENT", sms(status(dispatch.StatusUnknown)), "Ukjent", "warning", "QuestionmarkCircle", "Tjenesten vet ikke om den kom frem.", ""},
		{"a status that is not described", sms(status("UTSATT")), "UTSATT", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå.", ""},
		{"a status like one of ours", sms(status("levert")), "levert", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå.", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, want := lookOf(ctx, test.item, lookNow), (look{test.word, test.color, test.icon}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := why(ctx, test.item, nil, lookNow); got != test.why {
				t.Errorf("got sentence %q, want %q", got, test.why)
			}
			if got := reason(ctx, test.item, lookNow); got != test.reason {
				t.Errorf("got reason %q, want %q", got, test.reason)
			}
		})
	}
}

// TestWhyCancelled: who stopped it, by the newest line of the timeline that tells.
func TestWhyCancelled(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	stopped := dispatch.Event{Kind: dispatch.EventCancelled, Actor: "Kari Nordmann"}
	dropped := dispatch.Event{Kind: dispatch.EventResolved, Detail: "drop", Actor: "Ingrid Lunde"}
	tests := []struct {
		name   string
		events []dispatch.Event
		want   string
	}{
		{"nobody knows", nil, "Stoppet før den ble sendt."},
		{"a person", []dispatch.Event{stopped}, "Stoppet av Kari Nordmann før den ble sendt."},
		{"a person who decided", []dispatch.Event{dropped}, "Ingrid Lunde valgte å ikke sende den. Vi vet ikke om den likevel ble sendt."},
		{"the newest of two", []dispatch.Event{dropped, stopped}, "Ingrid Lunde valgte å ikke sende den. Vi vet ikke om den likevel ble sendt."},
		{"a person who has no name any more", []dispatch.Event{{Kind: dispatch.EventCancelled}}, "Stoppet før den ble sendt."},
		{"something else before it", []dispatch.Event{{Kind: dispatch.EventRevealed, Actor: "Per Strand"}, stopped}, "Stoppet av Kari Nordmann før den ble sendt."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := why(ctx, sms(in(dispatch.StateCancelled)), test.events, lookNow); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestWhyCancelledUnsure: what was stopped after a call that came all the way is not called unsent.
func TestWhyCancelledUnsure(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	unsure := sms(func(it *dispatch.Item) { it.State, it.MayBeThere = dispatch.StateCancelled, true })
	const rest = "Et forsøk kom helt frem, men tjenesten svarte at den ikke var tilgjengelig. Vi vet ikke sikkert at ingenting er sendt."
	for want, events := range map[string][]dispatch.Event{
		"Stoppet av Kari Nordmann. " + rest: {{Kind: dispatch.EventCancelled, Actor: "Kari Nordmann"}},
		rest:                                nil,
	} {
		if got := why(ctx, unsure, events, lookNow); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTimeline: heading, colour, icon and source of every kind of line.
func TestTimeline(t *testing.T) {
	t.Parallel()
	const own, byKari, theirs = "Vår logg", "Vår logg, Kari Nordmann", "Fra tjenesten"
	tests := []struct {
		event                    dispatch.Event
		word, color, icon, where string
	}{
		{dispatch.Event{Kind: dispatch.EventCreated, Actor: "Kari Nordmann"}, "Utkast laget", "neutral", "PencilLine", byKari},
		{dispatch.Event{Kind: dispatch.EventEdited, Actor: "Kari Nordmann"}, "Utkast endret", "neutral", "PencilLine", byKari},
		{dispatch.Event{Kind: dispatch.EventQueued, Actor: "Kari Nordmann"}, "Lagt i kø for sending", "neutral", "Paperplane", byKari},
		{dispatch.Event{Kind: dispatch.EventCancelled, Actor: "Kari Nordmann"}, "Stoppet", "neutral", "LinkBroken", byKari},
		{dispatch.Event{Kind: dispatch.EventConfirmed}, "Bekreftet at den fortsatt skal sendes", "neutral", "Checkmark", own},
		{dispatch.Event{Kind: dispatch.EventRequeued}, "Sendt på nytt", "neutral", "Paperplane", own},
		{dispatch.Event{Kind: dispatch.EventGaveUp}, "Ga opp etter et døgn", "danger", "XMarkOctagon", own},
		{dispatch.Event{Kind: dispatch.EventMissing}, "Tjenesten kjenner ikke meldingen", "warning", "QuestionmarkCircle", own},
		{dispatch.Event{Kind: dispatch.EventRestored}, "Kom fra en sikkerhetskopi", "warning", "ExclamationmarkTriangle", own},
		{dispatch.Event{Kind: dispatch.EventRevealed, Actor: "Kari Nordmann"}, "Hele nummeret ble vist", "neutral", "Eye", byKari},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "accepted"}, "Tatt imot av tjenesten", "info", "Checkmark", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "rejected"}, "Ikke tatt imot", "danger", "XMarkOctagon", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "unavailable"}, "Kunne ikke sendes nå", "warning", "ClockDashed", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "refused"}, "Avvist av tjenesten", "warning", "ShieldLock", own},
		{dispatch.Event{Kind: dispatch.EventOutcome, Detail: "uncertain"}, "Uavklart om den ble sendt", "warning", "QuestionmarkCircle", own},
		{dispatch.Event{Kind: dispatch.EventResolved, Detail: "sent", Actor: "Kari Nordmann"}, "Avgjort: Den kom frem", "neutral", "HandFinger", byKari},
		{dispatch.Event{Kind: dispatch.EventResolved, Detail: "send_again", Actor: "Kari Nordmann"}, "Avgjort: Sendes på nytt", "neutral", "HandFinger", byKari},
		{dispatch.Event{Kind: dispatch.EventResolved, Detail: "drop", Actor: "Kari Nordmann"}, "Avgjort: Sendes ikke", "neutral", "HandFinger", byKari},
		{dispatch.Event{Kind: dispatch.EventStatus, Detail: "LEVERT"}, "Levert", "success", "CheckmarkCircle", theirs},
		{dispatch.Event{Kind: dispatch.EventStatus, Detail: "UTSATT"}, "UTSATT", "neutral", "QuestionmarkCircle", theirs},
	}
	p := SMSPage{Page: Page{Assets: &static.Assets{}, Now: lookNow}}
	p.Item.Item = sms(in(dispatch.StateSending))
	for i, test := range tests {
		test.event.At = lookNow.Add(-time.Duration(i) * time.Minute)
		p.Events = append(p.Events, test.event)
	}
	p.Events[0].Reason.Key = "reason.timeout"
	lines := rendered(t, p).Find(".timeline-item")
	for i, test := range tests {
		line := lines.Eq(i)
		if got := line.Find("h3").Text(); got != test.word {
			t.Errorf("line %d: got %q, want %q", i, got, test.word)
		}
		_, icon, _ := strings.Cut(line.Find("use").AttrOr("href", ""), "#")
		if color := line.Find(".timeline-dot").AttrOr("data-color", ""); color != test.color || icon != test.icon {
			t.Errorf("%s: got %s and %s, want %s and %s", test.word, color, icon, test.color, test.icon)
		}
		if got := line.Find(".timeline-why").Last().Text(); got != test.where {
			t.Errorf("%s: got source %q, want %q", test.word, got, test.where)
		}
	}
	if got := lines.First().Find(".timeline-why").First().Text(); got != "Tjenesten svarte ikke i tide." {
		t.Errorf("got reason %q", got)
	}
	if got := lines.First().Find("time"); got.Text() != "20.11.2026 kl. 10.41.00" || got.AttrOr("datetime", "") != "2026-11-20T10:41:00+01:00" {
		t.Errorf("got %q, %q", got.Text(), got.AttrOr("datetime", ""))
	}
}

// rendered is the live part of an item's page.
func rendered(t *testing.T, p SMSPage) *goquery.Document {
	t.Helper()
	var b strings.Builder
	if err := SMSLive(p).Render(i18ntest.InNorwegian(t), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestWhatBecameOfAJob: the tag of a job that is over says how many were sent, and how many of them did not arrive.
func TestWhatBecameOfAJob(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for want, c := range map[string]dispatch.JobCounts{
		"Ferdig: 5 sendt, 2 kom ikke frem":                     {dispatch.JobArrived: 3, dispatch.JobNotDelivered: 2},
		"Ferdig: 4 sendt":                                      {dispatch.JobHandedOver: 1, dispatch.JobOnItsWay: 1, dispatch.JobUntracked: 1, dispatch.JobClosed: 1},
		"Ferdig: 1 sendt, 2 ikke sendt, 1 uavklart, 1 avbrutt": {dispatch.JobArrived: 1, dispatch.JobNotSent: 2, dispatch.JobUncertain: 1, dispatch.JobCancelled: 1},
		"Ferdig": {},
	} {
		l := resultLook(ctx, dispatch.Job{Kind: dispatch.KindSMS, State: dispatch.JobDone}, c, lookNow)
		if l.Word != want || (c.Again() > 0) != (l.Color == "warning") {
			t.Errorf("got %+v, want %s", l, want)
		}
	}
	if l := resultLook(ctx, dispatch.Job{State: dispatch.JobRunning}, dispatch.JobCounts{dispatch.JobArrived: 3}, lookNow); l.Word != "Sendes" {
		t.Errorf("one that is not over says %q", l.Word)
	}
}

// TestUncertainJobIsNotDone: where nobody knows of some whether they were sent, the job is not told to be.
func TestUncertainJobIsNotDone(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, kind := range []dispatch.Kind{dispatch.KindSMS, dispatch.KindShipment} {
		j := dispatch.Job{Kind: kind, State: dispatch.JobDone, Uncertain: true}
		if l := jobLook(ctx, j, lookNow); l.Word != "Uavklart" || l.Color == "success" {
			t.Errorf("%s: got %+v", kind, l)
		}
		for _, j.State = range []dispatch.JobState{dispatch.JobDone, dispatch.JobStopped} {
			if got := jobWhy(ctx, j, lookNow); !strings.Contains(got, "vi vet ikke om de ble sendt") {
				t.Errorf("%s, %s: got %q", kind, j.State, got)
			}
		}
	}
}
