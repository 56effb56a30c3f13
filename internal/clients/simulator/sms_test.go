package simulator_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
)

func TestSend(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body string
		want simulator.SMS
	}{
		"accepts a phone number": {
			body: `{"tekst":"Hei","telefonnummer":"40000100"}`,
			want: simulator.SMS{Phone: "40000100", Text: "Hei"},
		},
		"accepts a national id": {
			body: `{"tekst":"Hei","fnr":"02013299997"}`,
			want: simulator.SMS{NationalID: "02013299997", Text: "Hei"},
		},
		"accepts a hidden text": {
			body: `{"tekst":"Hei","telefonnummer":"+4722345678","skjulTekstIRapport":true}`,
			want: simulator.SMS{Phone: "+4722345678", Text: "Hei", HideInReport: true},
		},
		"accepts an international number with 00": {
			body: `{"tekst":"Hei","telefonnummer":"004612345678"}`,
			want: simulator.SMS{Phone: "004612345678", Text: "Hei"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id := g.accepted(t, tt.body)
			tt.want.ID, tt.want.AccountID, tt.want.AcceptedAt = id, account, g.clock.Now()
			if got := g.sim.Books(); !slices.Equal(got, []simulator.SMS{tt.want}) {
				t.Errorf("got books %v, want %v", got, tt.want)
			}
			if uuid.Validate(id) != nil {
				t.Errorf("got id %q, want a uuid", id)
			}
			if got := g.sim.Violations(); got != nil {
				t.Errorf("got violations %q, want none", got)
			}
		})
	}
}

func TestSendRefuses(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"tekst":"` + s + `","telefonnummer":"40000100"}` }
	tests := map[string]struct{ body, rule string }{
		"an unknown field":                  {`{"tekst":"Hei","telefonnummer":"40000100","sender":"x"}`, `unknown field "sender"`},
		"a field in another letter case":    {`{"Tekst":"Hei","telefonnummer":"40000100"}`, `unknown field "Tekst"`},
		"a field given twice":               {`{"tekst":"Hei","tekst":"Hå","telefonnummer":"40000100"}`, "field tekst is given twice"},
		"null":                              {`{"tekst":"Hei","fnr":null,"telefonnummer":"40000100"}`, "field fnr is null"},
		"a wrong type":                      {`{"tekst":"Hei","telefonnummer":40000100}`, "field telefonnummer has the wrong type"},
		"a boolean as text":                 {`{"tekst":"Hei","skjulTekstIRapport":"true","telefonnummer":"40000100"}`, "field skjulTekstIRapport has the wrong type"},
		"trailing data":                     {message("40000100") + "{}", "body is not one JSON value"},
		"half a document":                   {`{"tekst":"He`, "body is not one JSON value"},
		"a list":                            {`[]`, "body is not a JSON object"},
		"broken UTF-8":                      {text("Hei\xff"), "body is not UTF-8"},
		"no text":                           {`{"telefonnummer":"40000100"}`, "tekst is not 2 to 1600 characters"},
		"a text of one character":           {text("H"), "tekst is not 2 to 1600 characters"},
		"a text of one emoji":               {text("😀"), "tekst is not 2 to 1600 characters"},
		"a text of 1601 characters":         {text(strings.Repeat("ø", 1601)), "tekst is not 2 to 1600 characters"},
		"a text of 1602 UTF-16 units":       {text(strings.Repeat("😀", 801)), "tekst is not 2 to 1600 characters"},
		"both recipients":                   {`{"tekst":"Hei","fnr":"02013299997","telefonnummer":"40000100"}`, "both fnr and telefonnummer"},
		"neither recipient":                 {`{"tekst":"Hei"}`, "neither fnr nor telefonnummer"},
		"a national id of ten digits":       {`{"tekst":"Hei","fnr":"0201329999"}`, "fnr is not eleven digits"},
		"a national id with a letter":       {`{"tekst":"Hei","fnr":"0201329999A"}`, "fnr is not eleven digits"},
		"seven digits":                      {message("4000010"), "phone number has fewer than eight digits"},
		"seven digits after a plus":         {message("+4712345"), "phone number has fewer than eight digits"},
		"seven digits after 00":             {message("004712345"), "phone number has fewer than eight digits"},
		"a space in the number":             {message("400 00 100"), "phone number holds something else than digits"},
		"digits of another script":          {message("٤٠٠٠٠١٠٠"), "phone number holds something else than digits"},
		"a plus and 00":                     {message("+004740000100"), "phone number has no country code"},
		"an empty number":                   {message(""), "phone number holds something else than digits"},
		"a Norwegian number that begins 2":  {message("22345678"), "phone number without country code begins with neither 4 nor 9"},
		"a country code without its prefix": {message("1640000100"), "phone number without country code begins with neither 4 nor 9"},
	}
	g := newRig(t, simulator.Options{})
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			checkError(t, g.post(t, "send", tt.body), http.StatusBadRequest)
			lines := g.sim.Violations()
			if got, want := lines[len(lines)-1], "send: "+tt.rule; got != want {
				t.Errorf("got violation %q, want %q", got, want)
			}
		})
	}
	if got := len(g.sim.Books()); got != 0 {
		t.Errorf("got %d accepted, want 0", got)
	}
}

func TestSendAcceptsTheLimitsOfText(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"two characters":      "Hå",
		"two emoji":           "😀😀",
		"1600 characters":     strings.Repeat("ø", 1600),
		"1600 UTF-16 units":   strings.Repeat("😀", 800),
		"line breaks, quotes": "Hei\n\"du\"",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			body, err := json.Marshal(map[string]string{"tekst": text, "telefonnummer": "90000100"})
			if err != nil {
				t.Fatal(err)
			}
			g.accepted(t, string(body))
			if got := g.sim.Books()[0].Text; got != text {
				t.Errorf("got text of %d bytes, want the %d sent", len(got), len(text))
			}
		})
	}
}

func TestStatusRefuses(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.accepted(t, message("40000100"))
	for name, tt := range map[string]struct {
		account, id string
		want        int
	}{
		"an unknown message":             {account, stranger, http.StatusNotFound},
		"another account's message":      {stranger, id, http.StatusNotFound},
		"an id that is no uuid":          {account, "123", http.StatusBadRequest},
		"an account that is no uuid":     {"123", id, http.StatusBadRequest},
		"a uuid without its dashes":      {strings.ReplaceAll(account, "-", ""), id, http.StatusBadRequest},
		"a uuid with too many shipments": {account + "0", id, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			checkError(t, g.do(g.request(t, http.MethodGet, smsPath(tt.account, "sms/"+tt.id), "")), tt.want)
		})
	}
	t.Run("but finds it when the uuids are in upper case", func(t *testing.T) {
		path := smsPath(strings.ToUpper(account), "sms/"+strings.ToUpper(id))
		if got := g.do(g.request(t, http.MethodGet, path, "")).status; got != http.StatusOK {
			t.Errorf("got status %d, want 200", got)
		}
	})
}

func TestSendBatch(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	got := g.post(t, "sendBatch", `{"tekst":"Hei","telefonnummere":["40000101","+4690000102"],"skjulTekstIRapport":true}`)
	if got.err != nil || got.status != http.StatusOK || got.body != "" {
		t.Fatalf("got status %d, body %q, error %v, want 200 without a body", got.status, got.body, got.err)
	}
	books := g.sim.Books()
	if len(books) != 2 || books[0].Phone != "40000101" || books[1].Phone != "+4690000102" {
		t.Fatalf("got %d accepted, want the two numbers in order", len(books))
	}
	for _, m := range books {
		if !m.Batch || !m.HideInReport || m.AnswerLost || m.AccountID != account || m.Text != "Hei" {
			t.Errorf("got %+v, want a hidden message of the batch", m)
		}
	}
	if c := g.calls(simulator.OpBatch)[0]; c.Recipient != "40000101" || c.AccountID != account || c.Status != http.StatusOK {
		t.Errorf("got call %+v, want the first number and 200", c)
	}
}

func TestSendBatchRefuses(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	list := func(n int) string {
		return `["` + strings.Repeat(`40000100","`, n-1) + `40000100"]`
	}
	for name, body := range map[string]string{
		"no list":           `{"tekst":"Hei"}`,
		"an empty list":     `{"tekst":"Hei","telefonnummere":[]}`,
		"1001 numbers":      `{"tekst":"Hei","telefonnummere":` + list(1001) + `}`,
		"a bad number":      `{"tekst":"Hei","telefonnummere":["40000100","22345678"]}`,
		"null for a number": `{"tekst":"Hei","telefonnummere":[null]}`,
		"a text too short":  `{"tekst":"H","telefonnummere":["40000100"]}`,
		"an unknown field":  `{"tekst":"Hei","telefonnummere":["40000100"],"fnr":"02013299997"}`,
	} {
		t.Run(name, func(t *testing.T) {
			checkError(t, g.post(t, "sendBatch", body), http.StatusBadRequest)
		})
	}
	if got := len(g.sim.Books()); got != 0 {
		t.Errorf("got %d accepted, want 0", got)
	}
	t.Run("but accepts 1000 numbers", func(t *testing.T) {
		if got := g.post(t, "sendBatch", `{"tekst":"Hei","telefonnummere":`+list(1000)+`}`).status; got != http.StatusOK {
			t.Errorf("got status %d, want 200", got)
		}
		if got := len(g.sim.Books()); got != 1000 {
			t.Errorf("got %d accepted, want 1000", got)
		}
	})
}

func TestLookup(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	var got []struct {
		Number string `json:"fnrOrgnr"`
		Phone  string `json:"telefonnummer"`
		Status string `json:"telefonnummerStatus"`
	}
	g.post(t, "oppslag", `{"fnrOrgnrs":["02013299990","02013299995","02013299996","02013299997","02013299998","987654329"]}`).read(t, &got)
	want := []string{"GYLDIG", "GYLDIG", "IKKE_FUNNET", "IKKE_FUNNET", "UGYLDIG", "UGYLDIG"}
	if len(got) != len(want) {
		t.Fatalf("got %d results, want %d", len(got), len(want))
	}
	for i, c := range got {
		if c.Status != want[i] || (c.Phone == "") != (want[i] == "IKKE_FUNNET") {
			t.Errorf("got result %+v, want %s", c, want[i])
		}
		if c.Status == "GYLDIG" && !ordinary(c.Phone) {
			t.Errorf("got phone %s, which has an ending of its own", c.Phone)
		}
	}
	if got[0].Number != "02013299990" || got[5].Number != "987654329" {
		t.Errorf("got another order than was asked for")
	}
}

// TestLookupEndings: the five kinds of test users, and answers that are not what was asked for.
func TestLookupEndings(t *testing.T) {
	t.Parallel()
	const asked, before = "02013299", "02013200100"
	for digits, want := range map[string]string{
		"900": "GYLDIG", "914": "GYLDIG", "906": "IKKE_FUNNET", "907": "IKKE_FUNNET", "977": "IKKE_FUNNET", "909": "UGYLDIG",
		"931": "", "932": "GYLDIG GYLDIG", "933": "of another", "934": "500", "935": "503", "936": "GYLDIG IKKE_FUNNET", "937": "NY_VERDI", "938": "403",
	} {
		t.Run(digits, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			answer := g.post(t, "oppslag", `{"fnrOrgnrs":["`+before+`","`+asked+digits+`"]}`)
			if answer.status != http.StatusOK {
				if got := strconv.Itoa(answer.status); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				return
			}
			var got []struct {
				Number string `json:"fnrOrgnr"`
				Status string `json:"telefonnummerStatus"`
			}
			answer.read(t, &got)
			var words []string
			for _, c := range got[1:] {
				if c.Number != asked+digits {
					c.Status = "of another"
				}
				words = append(words, c.Status)
			}
			if said := strings.Join(words, " "); said != want || got[0].Number != before {
				t.Errorf("got %q, want %q", said, want)
			}
		})
	}
	t.Run("935 works the second time", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		body := `{"fnrOrgnrs":["` + asked + `935"]}`
		if one, two := g.post(t, "oppslag", body).status, g.post(t, "oppslag", body).status; one != 503 || two != 200 {
			t.Errorf("got %d and %d, want 503 and 200", one, two)
		}
	})
}

func ordinary(phone string) bool {
	return !slices.ContainsFunc(simulator.Endings(), func(e simulator.Ending) bool {
		return strings.HasSuffix(phone, e.Digits)
	})
}

func TestLookupRefuses(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, body := range map[string]string{
		"no list":           `{}`,
		"an empty list":     `{"fnrOrgnrs":[]}`,
		"1001 numbers":      `{"fnrOrgnrs":["` + strings.Repeat(`987654329","`, 1000) + `987654329"]}`,
		"ten digits":        `{"fnrOrgnrs":["9876543290"]}`,
		"a shipment":        `{"fnrOrgnrs":["98765432A"]}`,
		"the older name":    `{"fnrs":["02013299990"]}`,
		"a number, no text": `{"fnrOrgnrs":[987654329]}`,
	} {
		t.Run(name, func(t *testing.T) {
			checkError(t, g.post(t, "oppslag", body), http.StatusBadRequest)
		})
	}
}

func TestTheClockMovesThroughAllSixValues(t *testing.T) {
	t.Parallel()
	const far = 1000
	tests := map[string]struct {
		body string
		want map[int]string // after so many paces
	}{
		"an ordinary number arrives": {message("40000100"), map[int]string{0: "OPPRETTET", 1: "SENDT", 2: "LEVERT", far: "LEVERT"}},
		"a national id arrives":      {`{"tekst":"Hei","fnr":"02013299001"}`, map[int]string{0: "OPPRETTET", 1: "SENDT", 2: "LEVERT"}},
		"001 is not sent":            {message("40000001"), map[int]string{0: "OPPRETTET", 1: "IKKE_SENDT", far: "IKKE_SENDT"}},
		"002 is not delivered":       {message("40000002"), map[int]string{1: "SENDT", 2: "IKKE_LEVERT", far: "IKKE_LEVERT"}},
		"003 stays unknown":          {message("40000003"), map[int]string{1: "SENDT", 2: "UKJENT", far: "UKJENT"}},
		"004 is unknown for a while": {message("40000004"), map[int]string{1: "SENDT", 2: "UKJENT", 3: "LEVERT", far: "LEVERT"}},
		"005 stays created":          {message("40000005"), map[int]string{0: "OPPRETTET", far: "OPPRETTET"}},
		"006 changes after a day":    {message("+4740000006"), map[int]string{1: "SENDT", 2: "LEVERT", 24*60 + 1: "LEVERT", 24*60 + 2: "IKKE_LEVERT"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{TokenLifetime: 1000 * time.Hour})
			id := g.accepted(t, tt.body)
			accepted := g.clock.Now()
			for paces, want := range tt.want {
				g.clock.advance(accepted.Add(time.Duration(paces) * pace).Sub(g.clock.Now()))
				if got := g.statusValue(t, id); got != want {
					t.Errorf("got %s after %d paces, want %s", got, paces, want)
				}
			}
		})
	}
}
