package views

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

var lookNow = time.Date(2026, 11, 20, 9, 41, 0, 0, time.UTC)

// SMS is an SMS in the queue, changed.
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

func held(h dispatch.Block) func(*dispatch.Item) { return func(it *dispatch.Item) { it.Block = h } }

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
		{"scheduled", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(3 * time.Minute) }), "Planlagt", "neutral", "Clock",
			"Sendes i dag kl. 10.44. Kan stoppes frem til da.", ""},
		{"about to go", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(10 * time.Second) }), "Sendes straks", "neutral", "Clock",
			"Sendes i dag kl. 10.41.10. Kan stoppes frem til da.", ""},
		{"queued", sms(func(*dispatch.Item) {}), "I kø", "neutral", "Clock", "Sendes snart. Du kan lukke siden.", ""},
		{"queued again, at a time", sms(func(it *dispatch.Item) {
			it.DueSince, it.DueAt, it.Reason.Key = lookNow.Add(-time.Hour), lookNow.Add(time.Hour), "reason.busy"
		}), "I kø", "neutral", "Clock", "Vi prøver igjen i dag kl. 11.41. Tjenesten har for mye å gjøre eller er nede. Du kan lukke siden.", ""},
		{"queued again, now", sms(func(it *dispatch.Item) { it.Reason.Key = "reason.busy" }), "I kø", "neutral", "Clock", "Sendes snart. Du kan lukke siden.", ""},
		{"refused account", sms(held(dispatch.BlockAccount)), "Venter på integrasjonen", "warning", "Clock",
			"Tjenesten avviser kontoen. En administrator må ordne det. Det som venter, er ikke sendt.", ""},
		{"refused", sms(held(dispatch.BlockRefused)), "Venter på integrasjonen", "warning", "Clock",
			"Tjenesten avviser innloggingen vår. En administrator må rette den. Det som venter, er ikke sendt.", ""},
		{"stopped", sms(held(dispatch.BlockStopped)), "Venter på integrasjonen", "warning", "Clock",
			"Integrasjonen er stoppet. En administrator må åpne den igjen. Det som venter, er ikke sendt.", ""},
		{"stopped, and the one that its account had before was refused", sms(func(it *dispatch.Item) { it.Block, it.Reason.Key = dispatch.BlockStopped, "reason.token_refused" }), "Venter på integrasjonen", "warning", "Clock",
			"Integrasjonen er stoppet. En administrator må åpne den igjen. Det som venter, er ikke sendt.", ""},
		{"without integration", sms(held(dispatch.BlockMissing)), "Venter på integrasjonen", "warning", "Clock",
			"Kontoen mangler en integrasjon for SMS. En administrator må sette den opp. Det som venter, er ikke sendt.", ""},
		{"paused", sms(held(dispatch.BlockPaused)), "Venter på integrasjonen", "warning", "Clock",
			"All levering er satt på pause. En administrator må starte den igjen. Det som venter, er ikke sendt.", ""},
		{"asking", sms(func(it *dispatch.Item) {
			it.DueSince, it.Block, it.Reason.Key = lookNow.Add(-24*time.Hour), dispatch.BlockRefused, "reason.forbidden"
		}),
			"Skal den fortsatt sendes?", "warning", "QuestionmarkCircle", "Den har ventet siden i går kl. 10.41. Bekreft eller stopp den.",
			"Tjenesten sier at integrasjonen ikke har tilgang til kontoen."},
		{"sending", sms(in(dispatch.StateSending)), "Sendes", "info", "Paperplane", "Overføres til tjenesten nå.", ""},
		{"accepted", sms(status("")), "Overlevert", "info", "Checkmark", "Tjenesten har tatt imot. Vi henter status.", ""},
		{"accepted, and unknown since", sms(func(it *dispatch.Item) { status("")(it); it.Missing = 3 }), "Overlevert", "info", "Checkmark", "Tjenesten tok den imot, men svarer nå at den ikke kjenner den.", ""},
		{"accepted without an id", sms(in(dispatch.StateAccepted)), "Overlevert", "info", "Checkmark", "Meldingen regnes som overlevert. Status kan ikke hentes.", ""},
		{"rejected", sms(because(dispatch.StateRejected, "reason.rejected")), "Kunne ikke sendes", "danger", "XMarkOctagon",
			"Tjenesten tok den ikke imot. Se over nummeret og teksten, rett opp og send på nytt.", ""},
		{"failed", sms(because(dispatch.StateFailed, "reason.unreachable")), "Ga opp", "danger", "XMarkOctagon",
			"Vi fikk ikke kontakt med tjenesten innen et døgn. Ingenting er sendt.", "Vi fikk ikke kontakt med tjenesten."},
		{"failed after a call that came all the way", sms(func(it *dispatch.Item) { it.State, it.MayHaveArrived = dispatch.StateFailed, true }), "Ga opp", "danger", "XMarkOctagon",
			"Vi ga opp etter et døgn. Et forsøk kom helt frem, men tjenesten svarte at den ikke var tilgjengelig. Vi vet ikke sikkert at ingenting er sendt.", ""},
		{"uncertain", sms(because(dispatch.StateUncertain, "reason.timeout")), "Uavklart", "warning", "QuestionmarkCircle",
			"Vi vet ikke om den ble sendt, og tjenesten kan ikke svare. Noen må avgjøre.", "Tjenesten svarte ikke i tide."},
		{"cancelled", sms(in(dispatch.StateCancelled)), "Stoppet", "neutral", "LinkBroken", "Den ble ikke sendt.", ""},
		{"OPPRETTET", sms(status(dispatch.StatusCreated)), "Opprettet", "neutral", "Inbox", "Meldingen er laget og venter på å bli sendt.", ""},
		{"SENDT", sms(status(dispatch.StatusSent)), "Sendt", "info", "Paperplane", "Sendt til operatøren. Vi venter på kvittering.", ""},
		{"LEVERT", sms(status(dispatch.StatusDelivered)), "Levert", "success", "CheckmarkCircle", "Levert til mottakerens telefon.", ""},
		{"IKKE_SENDT", sms(status(dispatch.StatusNotSent)), "Ikke sendt", "danger", "XMarkOctagon", "Tjenesten fikk ikke sendt meldingen. Kontroller nummeret og prøv igjen.", ""},
		{"IKKE_LEVERT", sms(status(dispatch.StatusNotDelivered)), "Ikke levert", "danger", "ExclamationmarkTriangle",
			"Sendt, men nådde ikke telefonen. Nummeret kan være ute av bruk.", ""},
		{"UKJENT", sms(status(dispatch.StatusUnknown)), "Ukjent", "warning", "QuestionmarkCircle", "Tjenesten vet ikke om den kom frem.", ""},
		{"a status that is not described", sms(status("UTSATT")), "UTSATT", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå.", ""},
		{"a status like one of ours", sms(status("levert")), "levert", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå.", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, want := LookOf(ctx, test.item, lookNow), (Look{test.word, test.color, test.icon}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := Why(ctx, test.item, nil, lookNow); got != test.why {
				t.Errorf("got sentence %q, want %q", got, test.why)
			}
			if got := Reason(ctx, test.item, lookNow); got != test.reason {
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
		{"nobody knows", nil, "Den ble ikke sendt."},
		{"a person", []dispatch.Event{stopped}, "Stoppet av Kari Nordmann før den ble sendt."},
		{"a person who decided", []dispatch.Event{dropped}, "Ingrid Lunde valgte å ikke sende den. Vi vet ikke om den likevel ble sendt."},
		{"the newest of two", []dispatch.Event{dropped, stopped}, "Ingrid Lunde valgte å ikke sende den. Vi vet ikke om den likevel ble sendt."},
		{"a person who has no name any more", []dispatch.Event{{Kind: dispatch.EventCancelled}}, "Den ble ikke sendt."},
		{"something else before it", []dispatch.Event{{Kind: dispatch.EventRevealed, Actor: "Per Strand"}, stopped}, "Stoppet av Kari Nordmann før den ble sendt."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Why(ctx, sms(in(dispatch.StateCancelled)), test.events, lookNow); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestWhyDoubted: what ended after somebody sent it again is not called unsent, since the first attempt may have arrived.
func TestWhyDoubted(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	const doubt = "Et tidligere forsøk kan ha kommet frem."
	stopped, resolved := dispatch.Event{Kind: dispatch.EventCancelled, Actor: "Kari Nordmann"}, dispatch.Event{Kind: dispatch.EventResolved, Actor: "Amir Hosseini"}
	for _, tt := range []struct {
		state  dispatch.State
		events []dispatch.Event
		want   string
	}{
		{dispatch.StateCancelled, []dispatch.Event{stopped, resolved}, "Stoppet av Kari Nordmann. " + doubt},
		{dispatch.StateCancelled, []dispatch.Event{resolved}, "Amir Hosseini valgte å ikke sende den. Vi vet ikke om den likevel ble sendt."},
		{dispatch.StateCancelled, nil, doubt},
		{dispatch.StateFailed, nil, "Vi ga opp etter et døgn. " + doubt},
	} {
		it := sms(func(it *dispatch.Item) { it.State, it.Doubted = tt.state, true })
		if got := Why(ctx, it, tt.events, lookNow); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.state, got, tt.want)
		}
		if got := dispatch.RecallOf(it); got != dispatch.RecallDoubt {
			t.Errorf("%s: recall %s", tt.state, got)
		}
	}
}

// TestWhyCancelledUnsure: what was stopped after a call that came all the way is not called unsent.
func TestWhyCancelledUnsure(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	unsure := sms(func(it *dispatch.Item) { it.State, it.MayHaveArrived = dispatch.StateCancelled, true })
	const rest = "Et forsøk kom helt frem, men tjenesten svarte at den ikke var tilgjengelig. Vi vet ikke sikkert at ingenting er sendt."
	for want, events := range map[string][]dispatch.Event{
		"Stoppet av Kari Nordmann. " + rest: {{Kind: dispatch.EventCancelled, Actor: "Kari Nordmann"}},
		rest:                                nil,
	} {
		if got := Why(ctx, unsure, events, lookNow); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
