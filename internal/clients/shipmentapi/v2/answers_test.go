package v2_test

import (
	"testing"
	"time"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/dispatch"
)

func TestV2Statuses(t *testing.T) {
	t.Parallel()
	one := `{"id":"` + apitest.ShipmentID + `","sisteStatusEndring":"2019-10-20T21:04:34.246+02:00","status":"LEST"}`
	later := `{"id":"` + apitest.OtherID + `","status":"SENDT_NHN_MOTTAKER","nytt":{"felt":[1]}}`
	read := shipmentapi.StatusReport{Status: dispatch.StatusRead, ChangedAt: apitest.At}
	type reports = map[string]shipmentapi.StatusReport
	for name, tt := range map[string]struct {
		body string
		want reports
	}{
		"as told":                        {`{"statuser":[` + one + `]}`, reports{apitest.ShipmentID: read}},
		"with values and fields to come": {`{"nytt":1,"statuser":[` + one + `,` + later + `]}`, reports{apitest.ShipmentID: read, apitest.OtherID: {Status: "SENDT_NHN_MOTTAKER"}}},
		"with nothing to tell":           {`{"statuser":[]}`, reports{}},
		"with an id in other shipments":  {`{"statuser":[{"id":"0D9F1F0E-0C5B-4C58-8D8E-7D7D2A7F6A01","status":"LEST"}]}`, reports{apitest.ShipmentID: {Status: dispatch.StatusRead}}},
		"with a stranger":                {`{"statuser":[{"id":"00000000-0000-4000-8000-000000000000","status":"LEST"}]}`, reports{}},
		"without a status":               {`{"statuser":[{"id":"` + apitest.ShipmentID + `","status":null}]}`, reports{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, tt.body).Statuses(t.Context(), accountID, []string{apitest.ShipmentID, apitest.OtherID})
			apitest.CheckAnswer(t, got, err, tt.want)
		})
	}
}

func TestV2Histories(t *testing.T) {
	t.Parallel()
	const line = `"tidspunkt":"2019-10-20T21:04:34.246+02:00","hendelse":"Mottatt","nytt":{}`
	got, err := answering(t, 200, `{"hendelser":[{`+line+`},{"hendelse":"Uten tid"}]}`).History(t.Context(), apitest.ShipmentID)
	apitest.CheckAnswer(t, got, err, []shipmentapi.Event{{At: apitest.At, Text: "Mottatt"}, {Text: "Uten tid"}})
	signed, err := answering(t, 200, `{"hendelser":[{`+line+`,"status":"VENTER_SIGNERING"},{"status":"NY_VERDI"}]}`).SigningHistory(t.Context(), apitest.ShipmentID)
	apitest.CheckAnswer(t, signed, err, []shipmentapi.SigningEvent{{At: apitest.At, Status: dispatch.SigningWaiting, Text: "Mottatt"}, {Status: "NY_VERDI"}})
}

func TestV2Documents(t *testing.T) {
	t.Parallel()
	full := `{"filnavn":"brev æ.pdf","mimeType":"application/pdf","dokumentType":"VEDTAK","storrelse":9223372036854775807,` +
		`"sha256Hash":"ab12","nedlasningUrl":"https://example.no/ned","kanSigneres":true,"signeringUrl":"https://example.no/signer",` +
		`"ekstraMetadata":[{"key":"a","value":"b"}],"inneholderPersonsensitivInformasjon":true,"nytt":1}`
	got, err := answering(t, 200, `{"dokumenter":[`+full+`,{"filnavn":"b.pdf","dokumentType":null,"ekstraMetadata":null}]}`).Documents(t.Context(), apitest.ShipmentID)
	apitest.CheckAnswer(t, got, err, []shipmentapi.DocumentReport{{
		FileName: "brev æ.pdf", MimeType: "application/pdf", Size: 9223372036854775807, SHA256: "ab12", Type: "VEDTAK",
		DownloadURL: "https://example.no/ned", SigningURL: "https://example.no/signer", Signable: true, Sensitive: true,
		Extra: []dispatch.Entry{{Key: "a", Value: "b"}},
	}, {FileName: "b.pdf"}})
}

func TestV2Lookups(t *testing.T) {
	t.Parallel()
	types, err := answering(t, 200, `{"forsendelsestyper":["vedtak","faktura"]}`).Types(t.Context())
	apitest.CheckAnswer(t, types, err, []string{"vedtak", "faktura"})
	want := shipmentapi.Receiver{OrganizationNumber: "987654329", Type: "vedtak", System: "Arkiv", SystemID: "17", Level: 4}
	for name, ids := range map[string]string{
		"as texts": `"id":"17","organisasjonsnummer":"987654329"`, "as numbers": `"id":17,"organisasjonsnummer":987654329`,
	} {
		t.Run("receivers with ids "+name, func(t *testing.T) {
			t.Parallel()
			body := `{"mottakersystemer":[{` + ids + `,"navn":"Arkiv","forsendelseType":"vedtak","niva":4}]}`
			got, err := answering(t, 200, body).Receivers(t.Context(), shipmentapi.ReceiverFilter{})
			apitest.CheckAnswer(t, got, err, []shipmentapi.Receiver{want})
		})
	}
}

func TestV2ByExternalReference(t *testing.T) {
	t.Parallel()
	body := `{"forsendelser":[{"id":"` + apitest.ShipmentID + `","dato":"2019-10-20T21:04:34.246+02:00","avgivendeSystem":"Utsending","status":"LEST"},{"id":"` + apitest.OtherID + `"}]}`
	got, err := answering(t, 200, body).ByExternalReference(t.Context(), accountID, "sak 17")
	apitest.CheckAnswer(t, got, err, []shipmentapi.Match{{ID: apitest.ShipmentID, SourceSystem: "Utsending", At: apitest.At}, {ID: apitest.OtherID, At: time.Time{}}})
	ids, err := answering(t, 200, `{"forsendelseIds":["`+apitest.ShipmentID+`"]}`).IDsByExternalReference(t.Context(), accountID, "sak 17")
	apitest.CheckAnswer(t, ids, err, []string{apitest.ShipmentID})
	t.Run("doubts a match without an id", func(t *testing.T) {
		t.Parallel()
		for _, id := range []string{`"dato":null`, `"id":null`, `"id":""`, `"id":"17"`} {
			_, err := answering(t, 200, `{"forsendelser":[{`+id+`}]}`).ByExternalReference(t.Context(), accountID, "sak 17")
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.not_understood", 200))
		}
	})
}

// TestV2WhatCannotBeKept: words of the service that are far too long, or hold what is no character, are cut and repaired.
func TestV2WhatCannotBeKept(t *testing.T) {
	t.Parallel()
	for sent, want := range apitest.RepairedWords {
		many, err := answering(t, 200, `{"statuser":[{"id":"`+apitest.ShipmentID+`","status":"`+sent+`"}]}`).Statuses(t.Context(), accountID, []string{apitest.ShipmentID})
		if err != nil {
			t.Fatal(err)
		}
		apitest.CheckStored(t, "the status", string(many[apitest.ShipmentID].Status), want)
		signed, err := answering(t, 200, `{"hendelser":[{"status":"`+sent+`","hendelse":"`+sent+`"}]}`).SigningHistory(t.Context(), apitest.ShipmentID)
		if err != nil || len(signed) != 1 {
			t.Fatal(len(signed), err)
		}
		apitest.CheckStored(t, "the status of signing", string(signed[0].Status), want)
	}
	types, err := answering(t, 200, `{"forsendelsestyper":["`+apitest.TooLong+`","VEDTAK"]}`).Types(t.Context())
	if err != nil || len(types) != 1 || types[0] != "VEDTAK" {
		t.Errorf("%d types, %v: one that cannot be sent back is offered", len(types), err)
	}
}
