package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

func TestShipmentStatusSettled(t *testing.T) {
	t.Parallel()
	for status, want := range map[dispatch.Status]bool{
		"MOTTATT": false, "AKSEPTERT": false, "KLAR_FOR_MOTTAK": false, "VARSLET": false, "LEST": true,
		"SENDT_PRINT": false, "SENDT_DIGITALT": false, "SENDT_SDP": false, "LEVERT_SDP": true, "PRINTET": true,
		"AVVIST": true, "IKKE_LEVERT": true, "MANUELT_HANDTERT": true,
		"SENDT_ALTINN": false, "LEVERT_ALTINN": false, "SENDT_NHN_MOTTAKER": false, "LEVERT_NHN_MOTTAKER": false,
		"FEILET_UNDER_MOTTAK": false, "SLETTET": false,
		"": false, "NY_VERDI": false, "lest": false, "LEVERT": false, "IKKE_SENDT": false,
	} {
		if got := status.Settled(dispatch.KindShipment); got != want {
			t.Errorf("got %t for %q, want %t", got, status, want)
		}
	}
}

func TestSigningStatusSettled(t *testing.T) {
	t.Parallel()
	for status, want := range map[dispatch.SigningStatus]bool{
		"AVVIST_AV_SVARUT": true, "VENTER_SIGNERING": false, "SIGNERT_AV_MOTTAKER": true, "AVVIST_AV_MOTTAKER": true,
		"UTLOPT": true, "": false, "NY_VERDI": false, "signert_av_mottaker": false,
	} {
		if got := status.Settled(); got != want {
			t.Errorf("got %t for %q, want %t", got, status, want)
		}
	}
}
