package shipmentapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

func TestSendTakesAPlainSuccess(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a record":             accepted,
		"a text":               `"` + shipmentID + `"`,
		"a record with fields": `{"nytt":{"felt":[1]},"id":"` + shipmentID + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if id, err := send(t, answering(t, 200, body)); err != nil || id != shipmentID {
				t.Errorf("got id %q, error %v, want %s", id, err, shipmentID)
			}
			if id, err := answering(t, 200, body).Start(t.Context()); err != nil || id != shipmentID {
				t.Errorf("got id %q, error %v from Start, want %s", id, err, shipmentID)
			}
		})
	}
}

// strange are successes that do not hold what the operation promises.
var strange = map[string]struct {
	status int
	body   string
}{
	"an id that is no uuid":       {200, `{"id":"17"}`},
	"an id that is a number":      {200, `{"id":17}`},
	"an id that is null":          {200, `{"id":null}`},
	"no id":                       {200, `{}`},
	"null":                        {200, `null`},
	"an ErrorMessage":             {200, `{"status":400,"message":"Ugyldig"}`},
	"a list":                      {200, `[{"id":"` + shipmentID + `"}]`},
	"nothing":                     {200, ``},
	"HTML":                        {200, `<p>Logg inn</p>`},
	"an id with something behind": {200, accepted + `<!-- proxy -->`},
	"201 though with an id":       {201, accepted},
	"202 though with an id":       {202, accepted},
	"204":                         {204, ``},
}

func TestStrangeSuccess(t *testing.T) {
	t.Parallel()
	for name, tt := range strange {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := send(t, answering(t, tt.status, tt.body))
			checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.not_understood", tt.status})
			_, err = answering(t, tt.status, tt.body).Start(t.Context())
			checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.not_understood", tt.status})
		})
	}
}

// sendTable is the table of docs/delivery.md, Outcomes, for answers of the service's own to a whole submission.
func sendTable() map[int]result {
	const integration = dispatch.ScopeIntegration
	table := map[int]result{
		401: {dispatch.OutcomeRefused, integration, "reason.unauthorized", 401},
		403: {dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.forbidden", 403},
		408: {dispatch.OutcomeUncertain, "", "reason.timeout", 408},
		413: {dispatch.OutcomeRejected, "", "reason.too_large", 413},
		429: {dispatch.OutcomeUnavailable, "", "reason.busy", 429},
		503: {dispatch.OutcomeUnavailable, "", "reason.busy", 503},
	}
	for _, status := range []int{400, 409, 422} {
		table[status] = result{dispatch.OutcomeRejected, "", "reason.rejected", status}
	}
	for _, status := range []int{404, 405, 415, 418, 451} {
		table[status] = result{dispatch.OutcomeRefused, integration, "reason.wrong_address", status}
	}
	for _, status := range []int{301, 302, 303, 304, 307, 308} {
		table[status] = result{dispatch.OutcomeUncertain, integration, "reason.redirect", status}
	}
	for _, status := range []int{500, 501, 502, 504, 599} {
		table[status] = result{dispatch.OutcomeUncertain, "", "reason.server_error", status}
	}
	return table
}

// doubted is what such an answer comes to when the service may not have given it: uncertain, whatever it is.
func doubted(own result) result {
	switch {
	case own.outcome == dispatch.OutcomeUncertain:
		return own
	case own.status == 403:
		own.key = "reason.blocked"
	case own.status == 413:
		own.key = "reason.perhaps_too_large"
	default:
		own.key = "reason.not_its_own"
	}
	if own.status != 401 && own.status != 403 && own.status != 404 && own.status != 405 {
		own.scope = ""
	}
	own.outcome = dispatch.OutcomeUncertain
	return own
}

// unsent is what it comes to when the last byte was never let go, as it never is of a call that cannot send anything.
func unsent(own result) result {
	switch own.status {
	case 400, 409, 422:
		return result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", own.status}
	case 403:
		own.key = "reason.blocked"
	}
	if own.key == "reason.redirect" {
		own.outcome = dispatch.OutcomeRefused
	}
	return own
}

func TestClassificationOfASubmission(t *testing.T) {
	t.Parallel()
	for status, want := range sendTable() {
		for name, body := range map[string]string{
			"an ErrorMessage": `{"status":` + strconv.Itoa(status) + `,"errorcode":"ANNET","message":"Ugyldig innhold"}`,
			"HTML":            "<h1>Feil</h1>",
			"nothing":         "",
		} {
			want := want
			if name != "an ErrorMessage" {
				want = doubted(want)
			}
			t.Run(fmt.Sprintf("%d with %s", status, name), func(t *testing.T) {
				t.Parallel()
				url := handled(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if r.URL.Path == "/elsewhere" {
						t.Error("got a redirect followed, want it refused")
					}
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(status)
					_, _ = io.WriteString(w, body)
				})
				id, err := send(t, newClient(t, url))
				checkResult(t, err, want)
				if id != "" {
					t.Errorf("got id %q, want none", id)
				}
			})
		}
	}
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	const text = "Forsendelse med samme mottaker, tittel, avsender og filer er forsøkt sendt før"
	for name, tt := range map[string]struct {
		body      string
		duplicate func(status int) bool
	}{
		"the code":                      {`{"errorCode":"GJENTAGENDE_FORSENDELSE","message":"Nei"}`, always},
		"the code of older answers":     {`{"errorcode":"GJENTAGENDE_FORSENDELSE","message":"Nei"}`, always},
		"the code as the message":       {`{"message":"GJENTAGENDE_FORSENDELSE: nei"}`, always},
		"the words":                     {`{"status":500,"message":"` + text + `"}`, compared},
		"the word of a reused id":       {`{"message":"Duplikat forsendelseid"}`, compared},
		"the word within a sentence":    {`{"message":"Fant duplikat av forsendelsen"}`, compared},
		"a check that failed":           {`{"message":"Duplikatkontroll er ikke tilgjengelig"}`, never},
		"two files of one name":         {`{"message":"Duplikat filnavn"}`, never},
		"the word as plain text":        {"Duplikat forsendelse", never},
		"another code":                  {`{"errorCode":"ANNET","message":"Ugyldig innhold"}`, never},
		"the word where it does not go": {`{"errorCode":"ANNET","path":"/duplikat"}`, never},
	} {
		for _, status := range []int{200, 302, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503} {
			t.Run(fmt.Sprintf("%s with %d", name, status), func(t *testing.T) {
				t.Parallel()
				_, err := send(t, answering(t, status, tt.body))
				got := resultOf(t, err)
				if (got.key == "reason.duplicate") != tt.duplicate(status) {
					t.Errorf("got %+v, want a duplicate: %t", got, tt.duplicate(status))
				}
				own := strings.Contains(strings.ToLower(tt.body), "errorcode")
				proof := own && status != 408 && (status >= 400 && status < 500 || status == 503)
				if got.key == "reason.duplicate" && (got.scope != "" || (got.outcome == dispatch.OutcomeRejected) != proof) {
					t.Errorf("got %+v, want it rejected: %t", got, proof)
				}
			})
		}
	}
}

func always(int) bool { return true }
func never(int) bool  { return false }

func compared(status int) bool {
	return status != 401 && status != 403 && status != 429 && status != 503
}

func TestSendRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	c := newClient(t, handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	for name, spoil := range map[string]func(*dispatch.Shipment){
		"no title":                       func(s *dispatch.Shipment) { s.Title = "" },
		"no document":                    func(s *dispatch.Shipment) { s.Documents = nil },
		"a billing code of V2":           func(s *dispatch.Shipment) { s.BillingCode = "a_b" },
		"a quote in a file name":         func(s *dispatch.Shipment) { s.Documents[0].FileName = `a"b.pdf` },
		"a line break in a file name":    func(s *dispatch.Shipment) { s.Documents[0].FileName = "a\r\nb.pdf" },
		"an empty document":              func(s *dispatch.Shipment) { s.Documents[0].Size = 0 },
		"level 4 without encryption":     func(s *dispatch.Shipment) { s.RequireLevel4 = true },
		"a deadline that is almost over": signBy(now.Add(24*time.Hour - time.Second)),
	} {
		t.Run(name, func(t *testing.T) {
			s, content := letter()
			spoil(&s)
			id, err := c.Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content, nil)
			checkResult(t, err, result{outcome: dispatch.OutcomeRejected, key: "reason.invalid"})
			if id != "" {
				t.Errorf("got id %q, want none", id)
			}
		})
	}
	t.Run("a deadline a day ahead goes out", func(t *testing.T) {
		s, content := letter()
		signBy(now.Add(24 * time.Hour))(&s)
		_, err := answering(t, 200, accepted).Send(t.Context(), shipmentapi.Target{}, s, content, nil)
		checkResult(t, err, result{outcome: dispatch.OutcomeAccepted})
	})
}

func signBy(at time.Time) func(*dispatch.Shipment) {
	return func(s *dispatch.Shipment) {
		s.Documents[0].Sign, s.SignBy, s.SignatureType = true, at, dispatch.SignatureAuthenticated
	}
}

// tail is what is held back: one byte of the last document, and the closing boundary.
const tail = 1 + int64(len("\r\n--")+60+len("--\r\n"))

func TestReadyIsAskedBeforeTheLastByte(t *testing.T) {
	t.Parallel()
	missing := make(chan int64, 1)
	url := connected(t, func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		missing <- r.ContentLength - n
	})
	s, content := letter()
	asked := 0
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content, func(context.Context) error {
		asked++
		return errors.New("lease lost")
	})
	checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
	if got := <-missing; got != tail || asked != 1 {
		t.Errorf("got %d bytes missing, asked %d times, want %d bytes, once", got, asked, tail)
	}
}

func TestErrorsAndClientsTellNoSecrets(t *testing.T) {
	t.Parallel()
	hidden := []string{"hunter2-hunter2", "02813299900", "Kari", "brev.pdf", "Vedtak"}
	echoing := newClient(t, handled(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, password, _ := r.BasicAuth()
		_, _ = fmt.Fprintf(w, `{"message":"%s 02813299900 Kari brev.pdf Vedtak","errorId":"Kari"}`, password)
	}))
	_, echoed := send(t, echoing)
	_, unreachable := send(t, newClient(t, "http://127.0.0.1:1"))
	_, nowhere := send(t, newClient(t, "http://[::1"))
	values := map[string]any{"a client": echoing, "the client itself": *echoing, "an echo": echoed, "nobody there": unreachable, "no address": nowhere}
	for name, value := range values {
		for _, verb := range []string{"%v", "%+v", "%s", "%q"} {
			for _, word := range hidden {
				if got := fmt.Sprintf(verb, value); strings.Contains(got, word) {
					t.Errorf("%s: got %q for %s, want no %q", name, got, verb, word)
				}
			}
		}
	}
	checkResult(t, unreachable, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
	checkResult(t, nowhere, result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", 0})
	if got := clients.AsError(echoed).Reason(); got.ErrorID != "" {
		t.Errorf("got error id %q, want none", got.ErrorID)
	}
}
