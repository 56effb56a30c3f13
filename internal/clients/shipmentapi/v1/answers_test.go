package v1_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/dispatch"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	const id, changed = `"forsendelsesId":{"id":"` + apitest.ShipmentID + `"},`, `"sisteStatusEndring":1571598274246,`
	reported := func(s dispatch.Status, at time.Time) shipmentapi.StatusReport {
		return shipmentapi.StatusReport{Status: s, ChangedAt: at}
	}
	for name, tt := range map[string]struct {
		body string
		want shipmentapi.StatusReport
	}{
		"as specified":            {`{` + id + changed + `"status":"SENDT_PRINT"}`, reported(dispatch.StatusSentToPrint, apitest.At)},
		"with a value of later":   {`{` + id + changed + `"status":"NY_VERDI"}`, reported("NY_VERDI", apitest.At)},
		"with a field of later":   {`{"nytt":[{}],` + changed + `"status":"LEST"}`, reported(dispatch.StatusRead, apitest.At)},
		"with the id as text":     {`{"forsendelsesId":"` + apitest.ShipmentID + `","status":"LEST"}`, reported(dispatch.StatusRead, time.Time{})},
		"without a time":          {`{"status":"LEST","sisteStatusEndring":null}`, reported(dispatch.StatusRead, time.Time{})},
		"with a time of no sense": {`{"status":"LEST","sisteStatusEndring":{"a":1}}`, reported(dispatch.StatusRead, time.Time{})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, tt.body).Status(t.Context(), apitest.ShipmentID)
			apitest.CheckAnswer(t, got, err, tt.want)
		})
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	const upper = "0D9F1F0E-0C5B-4C58-8D8E-7D7D2A7F6A01"
	one := `{"forsendelsesId":{"id":"` + apitest.ShipmentID + `"},"sisteStatusEndring":1571598274246,"status":"LEST"}`
	two := `{"forsendelsesId":{"id":"` + apitest.OtherID + `"},"sisteStatusEndring":1571598274246,"status":"MOTTATT"}`
	stranger := `{"forsendelsesId":{"id":"00000000-0000-4000-8000-000000000000"},"status":"LEST"}`
	read := shipmentapi.StatusReport{Status: dispatch.StatusRead, ChangedAt: apitest.At}
	received := shipmentapi.StatusReport{Status: dispatch.StatusReceived, ChangedAt: apitest.At}
	type reports = map[string]shipmentapi.StatusReport
	for name, tt := range map[string]struct {
		body string
		want reports
	}{
		"a list":                          {`[` + one + `,` + two + `]`, reports{apitest.ShipmentID: read, apitest.OtherID: received}},
		"a wrapped list":                  {`{"statuser":[` + one + `,` + two + `]}`, reports{apitest.ShipmentID: read, apitest.OtherID: received}},
		"a wrapped entry":                 {`{"statuser":` + one + `}`, reports{apitest.ShipmentID: read}},
		"an entry":                        {one, reports{apitest.ShipmentID: read}},
		"an empty list":                   {`[]`, reports{}},
		"a wrapped empty list":            {`{"statuser":[]}`, reports{}},
		"a wrapped null":                  {`{"statuser":null}`, reports{}},
		"one that nobody asked for":       {`[` + one + `,` + stranger + `]`, reports{apitest.ShipmentID: read}},
		"one without a status":            {`[{"forsendelsesId":{"id":"` + apitest.OtherID + `"}},` + one + `]`, reports{apitest.ShipmentID: read}},
		"one told twice, the newer first": {`[` + one + `,{"forsendelsesId":{"id":"` + apitest.ShipmentID + `"},"sisteStatusEndring":1571598274245,"status":"MOTTATT"}]`, reports{apitest.ShipmentID: read}},
		"one told twice, the newer last":  {`[{"forsendelsesId":{"id":"` + apitest.ShipmentID + `"},"sisteStatusEndring":1571598274245,"status":"MOTTATT"},` + one + `]`, reports{apitest.ShipmentID: read}},
		"a mark before the text":          {"\ufeff[" + one + "]", reports{apitest.ShipmentID: read}},
		"ids as texts":                    {`[{"forsendelsesId":"` + apitest.ShipmentID + `","status":"LEST"}]`, reports{apitest.ShipmentID: {Status: dispatch.StatusRead}}},
		"an id in another letter case":    {`[{"forsendelsesId":{"id":"` + upper + `"},"status":"LEST"}]`, reports{apitest.ShipmentID: {Status: dispatch.StatusRead}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, tt.body).Statuses(t.Context(), "", []string{apitest.ShipmentID, apitest.OtherID})
			apitest.CheckAnswer(t, got, err, tt.want)
		})
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	full := `{"mimeType":"application/pdf","filnavn":"brev æ.pdf","kanSigneres":true,"sizeInBytes":9223372036854775807,` +
		`"sha256hash":"ab12","dokumentType":"VEDTAK","nedlasningsUrl":"https://example.no/ned","signeringsUrl":"https://example.no/signer",` +
		`"ekstraMetadata":[{"key":"a","value":"b"}],"inneholderPersonsensitivInformasjon":true,"nytt":1}`
	sparse := `{"filnavn":"b.pdf","kanSigneres":null,"sizeInBytes":null,"ekstraMetadata":null}`
	fullReport := shipmentapi.DocumentReport{
		FileName: "brev æ.pdf", MimeType: "application/pdf", Size: 9223372036854775807, SHA256: "ab12", Type: "VEDTAK",
		DownloadURL: "https://example.no/ned", SigningURL: "https://example.no/signer", Signable: true, Sensitive: true,
		Extra: []dispatch.Entry{{Key: "a", Value: "b"}},
	}
	both := []shipmentapi.DocumentReport{fullReport, {FileName: "b.pdf"}}
	for name, tt := range map[string]struct {
		body string
		want []shipmentapi.DocumentReport
	}{
		"a list":               {`[` + full + `,` + sparse + `]`, both},
		"a wrapped list":       {`{"dokumentMetadata":[` + full + `,` + sparse + `]}`, both},
		"a wrapped entry":      {`{"dokumentMetadata":` + full + `}`, both[:1]},
		"an entry":             {sparse, both[1:]},
		"an empty list":        {`[]`, nil},
		"a wrapped empty list": {` { "dokumentMetadata" : [ ] } `, nil},
		"a wrapped null":       {`{"dokumentMetadata":null}`, nil},
		"one entry of metadata": {`[{"filnavn":"b.pdf","ekstraMetadata":{"key":"a","value":"b"}}]`,
			[]shipmentapi.DocumentReport{{FileName: "b.pdf", Extra: []dispatch.Entry{{Key: "a", Value: "b"}}}}},
		"metadata that is nothing": {`[{"filnavn":"b.pdf","ekstraMetadata":{}}]`, both[1:]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, tt.body).Documents(t.Context(), apitest.ShipmentID)
			apitest.CheckAnswer(t, got, err, tt.want)
		})
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	const text = "Mottatt, og tildelt forsendelse-id"
	entry := func(tidspunkt string) string { return `{"tidspunkt":` + tidspunkt + `,"hendelse":"` + text + `"}` }
	whole := apitest.At.Truncate(time.Second)
	for name, tt := range map[string]struct {
		body string
		at   time.Time
	}{
		"a wrapped list":           {`{"hendelsesLogger":[` + entry(`"20.10.2019 21:04:34"`) + `]}`, whole},
		"a wrapped entry":          {`{"hendelsesLogger":` + entry(`"20.10.2019 21:04:34"`) + `}`, whole},
		"a list":                   {`[` + entry(`"20.10.2019 21:04:34"`) + `]`, whole},
		"an entry":                 {entry(`"20.10.2019 21:04:34"`), whole},
		"a time in winter":         {`[` + entry(`"20.12.2019 21:04:34"`) + `]`, time.Date(2019, 12, 20, 20, 4, 34, 0, time.UTC)},
		"a time with milliseconds": {`[` + entry(`"20.10.2019 21:04:34.246"`) + `]`, apitest.At},
		"milliseconds":             {`[` + entry(`1571598274246`) + `]`, apitest.At},
		"milliseconds as text":     {`[` + entry(`"1571598274246"`) + `]`, apitest.At},
		"ISO 8601 in UTC":          {`[` + entry(`"2019-10-20T19:04:34.246Z"`) + `]`, apitest.At},
		"ISO 8601 with an offset":  {`[` + entry(`"2019-10-20T21:04:34.246+02:00"`) + `]`, apitest.At},
		"ISO 8601 as Java has it":  {`[` + entry(`"2019-10-20T21:04:34.246+0200"`) + `]`, apitest.At},
		"ISO 8601 without a zone":  {`[` + entry(`"2019-10-20T21:04:34"`) + `]`, whole},
		"no time":                  {`[` + entry(`null`) + `]`, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, tt.body).History(t.Context(), apitest.ShipmentID)
			apitest.CheckAnswer(t, got, err, []shipmentapi.Event{{At: tt.at, Text: text}})
		})
	}
}

// TestTimesInOtherForms: a time in any form of ISO 8601 is parsed; any other text is kept as the service wrote it.
func TestTimesInOtherForms(t *testing.T) {
	t.Parallel()
	ten := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for written, want := range map[string]shipmentapi.Event{
		`"2026-03-01T10:00+01:00"`:                 {At: ten},
		`"2026-03-01T10:00"`:                       {At: ten},
		`"2026-03-01T10:00:00+01"`:                 {At: ten},
		`"2026-03-01T10:00:00+01:00[Europe/Oslo]"`: {At: ten},
		`"2026-03-01 10:00:00"`:                    {At: ten},
		`"01.03.2026 10:00"`:                       {At: ten},
		`"2026-03-01T09:00:00,5Z"`:                 {At: ten.Add(time.Second / 2)},
		`1772355600`:                               {At: ten},
		`"2026-03-01T10:00+0100"`:                  {At: ten},
		`"2026-03-01 10:00+01:00"`:                 {At: ten},
		`"2026-03-01t09:00:00z"`:                   {At: ten},
		`"20260301T090000Z"`:                       {At: ten},
		`"2026-03-01T10:00:00[Europe/Oslo]"`:       {At: ten},
		`"2026-03-01T10:00:00[Europe/London]"`:     {Said: "2026-03-01T10:00:00[Europe/London]"},
		`"2026-10-25T02:30:00"`:                    {Said: "2026-10-25T02:30:00"},
		`"25.10.2026 02:59:59"`:                    {Said: "25.10.2026 02:59:59"},
		`"25.10.2026 03:00:00"`:                    {At: time.Date(2026, 10, 25, 2, 0, 0, 0, time.UTC)},
		`"25.10.2026 01:59:59"`:                    {At: time.Date(2026, 10, 24, 23, 59, 59, 0, time.UTC)},
		`"2026-10-25T02:30:00+01:00"`:              {At: time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC)},
		`"29.03.2026 02:30:00"`:                    {Said: "29.03.2026 02:30:00"},
		`"i går"`:                                  {Said: "i går"},
		`"2026-03-01"`:                             {Said: "2026-03-01"},
		`"2026-03-01T24:00:00Z"`:                   {Said: "2026-03-01T24:00:00Z"},
		`"0001-01-01T00:00:00"`:                    {Said: "0001-01-01T00:00:00"},
		`"9999-12-31T23:59:59Z"`:                   {Said: "9999-12-31T23:59:59Z"},
		`[2026,3,1,10,0,0,123000000]`:              {Said: "[2026,3,1,10,0,0,123000000]"},
		`1790000000.123`:                           {Said: "1790000000.123"},
		`-1`:                                       {Said: "-1"},
		`""`:                                       {},
		`null`:                                     {},
		`"` + strings.Repeat("x", 100) + `"`:       {Said: strings.Repeat("x", 60) + "…"},
	} {
		t.Run(written, func(t *testing.T) {
			t.Parallel()
			want.Text = "Mottatt"
			got, err := answering(t, 200, `[{"tidspunkt":`+written+`,"hendelse":"Mottatt"}]`).History(t.Context(), apitest.ShipmentID)
			apitest.CheckAnswer(t, got, err, []shipmentapi.Event{want})
		})
	}
}

func TestSigningHistory(t *testing.T) {
	t.Parallel()
	line := `{"tidspunkt":1571598274246,"type":"VENTER_SIGNERING","hendelse":"Startet"}`
	want := []shipmentapi.SigningEvent{{At: apitest.At, Status: dispatch.SigningWaiting, Text: "Startet"}}
	for name, body := range map[string]string{
		"a wrapped list":                `{"forsendelsesId":{"id":"` + apitest.ShipmentID + `"},"logg":[` + line + `]}`,
		"the single entry of one shape": `{"forsendelsesId":{"id":"` + apitest.ShipmentID + `"},"logg":` + line + `}`,
		"a list":                        `[` + line + `]`,
		"an entry":                      line,
		"the time as text":              `{"logg":[{"tidspunkt":"2019-10-20T21:04:34.246+02:00","type":"VENTER_SIGNERING","hendelse":"Startet"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, body).SigningHistory(t.Context(), apitest.ShipmentID)
			apitest.CheckAnswer(t, got, err, want)
		})
	}
}

func TestSigningStatus(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]dispatch.SigningStatus{
		"AVVIST_AV_SVARUT": dispatch.SigningRefusedByService, "VENTER_SIGNERING": dispatch.SigningWaiting,
		"SIGNERT_AV_MOTTAKER": dispatch.SigningDone, "AVVIST_AV_MOTTAKER": dispatch.SigningRefusedByRecipient,
		"UTLOPT":                            dispatch.SigningExpired,
		"SigneringsoppdragRegistrert":       dispatch.SigningWaiting,
		"SigneringsoppdragStartet":          dispatch.SigningWaiting,
		"SigneringsoppdragFullfort":         dispatch.SigningDone,
		"SigneringsoppdragAvvistAvMottaker": dispatch.SigningRefusedByRecipient,
		"SigneringsoppdragAvvistAvSvarut":   dispatch.SigningRefusedByService, "SigneringsoppdragUtlopt": dispatch.SigningExpired,
		"SigneringsoppdragNoeAnnet": "SigneringsoppdragNoeAnnet", "Signeringsoppdrag": "Signeringsoppdrag",
		"NY_VERDI": "NY_VERDI",
		"":         "",
	} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, `{"logg":[{"type":"`+word+`","hendelse":"x"}]}`).SigningHistory(t.Context(), apitest.ShipmentID)
			apitest.CheckAnswer(t, got, err, []shipmentapi.SigningEvent{{Status: want, Text: "x"}})
		})
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a list": `["vedtak","faktura"]`, "a wrapped list": `{"forsendelseTyper":["vedtak","faktura"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, body).Types(t.Context())
			apitest.CheckAnswer(t, got, err, []string{"vedtak", "faktura"})
		})
	}
	t.Run("a wrapped entry", func(t *testing.T) {
		t.Parallel()
		got, err := answering(t, 200, `{"forsendelseTyper":"vedtak"}`).Types(t.Context())
		apitest.CheckAnswer(t, got, err, []string{"vedtak"})
	})
}

func TestReceivers(t *testing.T) {
	t.Parallel()
	rest := `,"forsendelsesType":"vedtak","mottakerSystem":"Arkiv","mottakerId":"a-1","niva":4}`
	text, record := `{"organisasjonsNummer":"987654329"`+rest, `{"organisasjonsNummer":{"id":"987654329"}`+rest
	want := shipmentapi.Receiver{OrganizationNumber: "987654329", Type: "vedtak", System: "Arkiv", SystemID: "a-1", Level: 4}
	for name, body := range map[string]string{
		"a list": `[` + record + `]`, "a wrapped list": `{"treff":[` + text + `]}`, "a wrapped entry": `{"treff":` + text + `}`,
		"an entry": record,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, body).Receivers(t.Context(), shipmentapi.ReceiverFilter{})
			apitest.CheckAnswer(t, got, err, []shipmentapi.Receiver{want})
			got, err = answering(t, 200, body).ReceiversOf(t.Context(), "987654329")
			apitest.CheckAnswer(t, got, err, []shipmentapi.Receiver{want})
		})
	}
}

// A level that is no number is no reason to lose who receives.
func TestReceiverOfAStrangeLevel(t *testing.T) {
	t.Parallel()
	const body = `[{"organisasjonsNummer":"987654329","mottakerSystem":"Arkiv","niva":"fire"}]`
	got, err := answering(t, 200, body).Receivers(t.Context(), shipmentapi.ReceiverFilter{})
	apitest.CheckAnswer(t, got, err, []shipmentapi.Receiver{{OrganizationNumber: "987654329", System: "Arkiv"}})
}

func TestByExternalReference(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a list": `[{"id":"` + apitest.ShipmentID + `"}]`, "a wrapped list": `{"forsendelseIder":[{"id":"` + apitest.ShipmentID + `"}]}`,
		"a wrapped entry": `{"forsendelseIder":{"id":"` + apitest.ShipmentID + `"}}`, "texts": `["` + apitest.ShipmentID + `"]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, 200, body).ByExternalReference(t.Context(), "", "sak 17")
			apitest.CheckAnswer(t, got, err, []shipmentapi.Match{{ID: apitest.ShipmentID}})
		})
	}
}

// TestWhatCannotBeKept: words of the service that are far too long, or hold what is no character, are cut and repaired. What
// the service decided is not lost over how it put it.
func TestWhatCannotBeKept(t *testing.T) {
	t.Parallel()
	for sent, want := range apitest.RepairedWords {
		one, err := answering(t, 200, `{"status":"`+sent+`"}`).Status(t.Context(), apitest.ShipmentID)
		if err != nil {
			t.Fatal(err)
		}
		apitest.CheckStored(t, "the status", string(one.Status), want)
	}
	events, err := answering(t, 200, `[{"hendelse":"`+apitest.TooLong+`"}]`).History(t.Context(), apitest.ShipmentID)
	if err != nil || len(events) != 1 {
		t.Fatal(len(events), err)
	}
	apitest.CheckStored(t, "a line of the log", events[0].Text, strings.Repeat("S", 1999)+"…")
}
