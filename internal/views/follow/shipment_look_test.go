package follow

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// ofShipment is an item that is a shipment, in the queue, changed.
func ofShipment(change func(*dispatch.Item)) dispatch.Item {
	it := sms(change)
	it.Kind = dispatch.KindShipment
	return it
}

// TestShipmentLooks is table 7.1 of ui-spec, and 7.0 where a shipment has words of its own.
func TestShipmentLooks(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct {
		name                   string
		item                   dispatch.Item
		word, color, icon, why string
	}{
		{"MOTTATT", ofShipment(status("MOTTATT")), "Mottatt", "neutral", "Inbox", "Forsendelsen er tatt imot og har fått id."},
		{"AKSEPTERT", ofShipment(status("AKSEPTERT")), "Akseptert", "neutral", "Checkmark", "Metadata er godkjent og forsendelsesfilen er laget."},
		{"KLAR_FOR_MOTTAK", ofShipment(status("KLAR_FOR_MOTTAK")), "Klar for mottak", "info", "Clock", "Ligger i mottakersystemet til organisasjonen, som ikke har kvittert ennå."},
		{"VARSLET", ofShipment(status("VARSLET")), "Varslet", "info", "Bell", "Ligger i mottakerens innboks i Altinn, og et varsel er sendt."},
		{"SENDT_DIGITALT", ofShipment(status("SENDT_DIGITALT")), "Sendt digitalt", "info", "Paperplane", "Bare digitalt, og ikke lest innen fristen. Skrives aldri ut."},
		{"SENDT_SDP", ofShipment(status("SENDT_SDP")), "Sendt til digital postkasse", "info", "Paperplane",
			"Sendt til mottakerens digitale postkasse. Vi venter på kvittering."},
		{"SENDT_PRINT", ofShipment(status("SENDT_PRINT")), "Sendt til print", "info", "PrinterSmall", "Overført til trykkeriet."},
		{"LEST", ofShipment(status("LEST")), "Lest", "success", "EnvelopeOpen", "Mottakeren har lastet ned hele forsendelsen, eller den er kvittert eller satt som lest."},
		{"LEVERT_SDP", ofShipment(status("LEVERT_SDP")), "Levert i digital postkasse", "success", "InboxDown",
			"Ligger tilgjengelig i mottakerens digitale postkasse."},
		{"PRINTET", ofShipment(status("PRINTET")), "Skrevet ut", "success", "PrinterSmall",
			"Trykkeriet har kvittert for utskrift, eller utskriften er bekreftet manuelt."},
		{"AVVIST", ofShipment(status("AVVIST")), "Avvist", "danger", "XMarkOctagon",
			"Tjenesten avviste forsendelsen: Noe i det vi sendte, ble ikke godtatt. Rett feilen og send på nytt."},
		{"IKKE_LEVERT", ofShipment(status("IKKE_LEVERT")), "Ikke levert", "danger", "ExclamationmarkTriangle",
			"Tjenesten oppgir at forsendelsen ikke er levert. Send på nytt, eller kontakt mottakeren."},
		{"MANUELT_HANDTERT", ofShipment(status("MANUELT_HANDTERT")), "Manuelt håndtert", "neutral", "HandFinger",
			"En person med tilgang til kontoen har avsluttet den i portalen til tjenesten."},
		{"SENDT_ALTINN", ofShipment(status("SENDT_ALTINN")), "Sendt til Altinn", "info", "Paperplane", "Sendt til mottakerens innboks i Altinn."},
		{"LEVERT_ALTINN", ofShipment(status("LEVERT_ALTINN")), "Levert i Altinn", "success", "InboxDown", "Ligger tilgjengelig i mottakerens innboks i Altinn."},
		{"SENDT_NHN_MOTTAKER", ofShipment(status("SENDT_NHN_MOTTAKER")), "Sendt til helsemottaker", "info", "Paperplane", "Sendt til mottakeren i helsenettet."},
		{"LEVERT_NHN_MOTTAKER", ofShipment(status("LEVERT_NHN_MOTTAKER")), "Levert til helsemottaker", "success", "InboxDown", "Levert til mottakeren i helsenettet."},
		{"FEILET_UNDER_MOTTAK", ofShipment(status("FEILET_UNDER_MOTTAK")), "Feilet under mottak", "danger", "XMarkOctagon",
			"Noe gikk galt da tjenesten skulle ta imot forsendelsen. Send på nytt."},
		{"SLETTET", ofShipment(status("SLETTET")), "Slettet", "neutral", "Trash", "Filene er slettet hos tjenesten."},
		{"a status that is not described", ofShipment(status("UTSATT")), "UTSATT", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå."},
		{"a status of the SMS service", ofShipment(status("LEVERT")), "LEVERT", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå."},
		{"without integration", ofShipment(held(dispatch.BlockMissing)), "Venter på integrasjonen", "warning", "Clock",
			"Kontoen mangler en integrasjon for forsendelser. En administrator må sette den opp. Det som venter, er ikke sendt."},
		{"accepted without an id", ofShipment(in(dispatch.StateAccepted)), "Overlevert", "info", "Checkmark", "Forsendelsen regnes som overlevert. Status kan ikke hentes."},
		{"rejected", ofShipment(because(dispatch.StateRejected, "reason.rejected")), "Kunne ikke sendes", "danger", "XMarkOctagon",
			"Tjenesten tok den ikke imot. Se over mottaker, tittel og dokumenter, og send på nytt."},
		{"uncertain, looked for later", ofShipment(func(it *dispatch.Item) {
			it.State, it.RecoverAt = dispatch.StateUncertain, lookNow.Add(16*time.Minute)
		}),
			"Uavklart", "warning", "QuestionmarkCircle",
			"Vi vet ikke om den kom frem. Vi leter etter den, neste gang i dag kl. 10.57. Ikke send på nytt før det er avklart."},
		{"uncertain, looked for now", ofShipment(func(it *dispatch.Item) { it.State, it.RecoverAt = dispatch.StateUncertain, lookNow }),
			"Uavklart", "warning", "QuestionmarkCircle", "Vi vet ikke om den kom frem. Vi leter etter den nå. Ikke send på nytt før det er avklart."},
		{"uncertain, left to a person", ofShipment(in(dispatch.StateUncertain)), "Uavklart", "warning", "QuestionmarkCircle",
			"Vi vet ikke om den kom frem, og vi fant ikke svaret hos tjenesten. Noen må avgjøre."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got, want := views.LookOf(ctx, test.item, lookNow), (views.Look{Word: test.word, Color: test.color, Icon: test.icon}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := views.Why(ctx, test.item, nil, lookNow); got != test.why {
				t.Errorf("got sentence %q, want %q", got, test.why)
			}
		})
	}
}

// TestSameStatusOtherWords: the two services share one value and mean different things by it.
func TestSameStatusOtherWords(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	message, shipment := views.Why(ctx, sms(status(dispatch.StatusNotDelivered)), nil, lookNow), views.Why(ctx, ofShipment(status(dispatch.StatusNotDelivered)), nil, lookNow)
	if message == shipment {
		t.Errorf("got %q for both", message)
	}
}

// TestSigningLooks is table 7.3 of ui-spec.
func TestSigningLooks(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct {
		status                 dispatch.SigningStatus
		word, color, icon, why string
	}{
		{"VENTER_SIGNERING", "Venter på signering", "info", "Clock", "Mottakeren har ikke signert ennå. Frist 4. desember 2026."},
		{"SIGNERT_AV_MOTTAKER", "Signert", "success", "PencilLine", "Dokumentet er signert 20. november 2026."},
		{"AVVIST_AV_MOTTAKER", "Signering avvist av mottaker", "danger", "XMarkOctagon", "Mottakeren ville ikke signere."},
		{"AVVIST_AV_SVARUT", "Signering avvist av tjenesten", "danger", "XMarkOctagon", "Signeringen kunne ikke starte. Skriver tjenesten hvorfor, står det i historikken."},
		{"UTLOPT", "Signering utløpt", "danger", "ClockDashed", "Signeringen utløp 20. november 2026. Send på nytt hvis signaturen fortsatt trengs."},
		{"NY", "NY", "neutral", "QuestionmarkCircle", "Ny status som ikke er beskrevet ennå."},
	}
	for _, test := range tests {
		t.Run(string(test.status), func(t *testing.T) {
			t.Parallel()
			if got, want := views.SigningLook(ctx, test.status), (views.Look{Word: test.word, Color: test.color, Icon: test.icon}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			it := dispatch.ShipmentItem{SigningStatus: test.status, SigningAt: lookNow}
			it.SignBy = at(t, "2026-12-04T22:59:59Z")
			if got := whySigning(ctx, it); got != test.why {
				t.Errorf("got sentence %q, want %q", got, test.why)
			}
		})
	}
}
