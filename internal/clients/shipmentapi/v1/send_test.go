package v1_test

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
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/dispatch"
)

func TestSendTakesAPlainSuccess(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a record":             apitest.Accepted,
		"a text":               `"` + apitest.ShipmentID + `"`,
		"a record with fields": `{"nytt":{"felt":[1]},"id":"` + apitest.ShipmentID + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if id, err := send(t, answering(t, 200, body)); err != nil || id != apitest.ShipmentID {
				t.Errorf("got id %q, error %v, want %s", id, err, apitest.ShipmentID)
			}
			if id, err := answering(t, 200, body).Start(t.Context()); err != nil || id != apitest.ShipmentID {
				t.Errorf("got id %q, error %v from Start, want %s", id, err, apitest.ShipmentID)
			}
		})
	}
}

func TestStrangeSuccess(t *testing.T) {
	t.Parallel()
	for name, tt := range apitest.Strange {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := send(t, answering(t, tt.Status, tt.Body))
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", tt.Status))
			_, err = answering(t, tt.Status, tt.Body).Start(t.Context())
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.not_understood", tt.Status))
		})
	}
}

func TestClassificationOfASubmission(t *testing.T) {
	t.Parallel()
	for status, want := range apitest.SendTable() {
		for name, body := range map[string]string{
			"an ErrorMessage": `{"status":` + strconv.Itoa(status) + `,"errorcode":"ANNET","message":"Ugyldig innhold"}`,
			"HTML":            "<h1>Feil</h1>",
			"nothing":         "",
		} {
			want := want
			if name != "an ErrorMessage" {
				want = apitest.FromProxy(want)
			}
			t.Run(fmt.Sprintf("%d with %s", status, name), func(t *testing.T) {
				t.Parallel()
				url := apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if r.URL.Path == "/elsewhere" {
						t.Error("got a redirect followed, want it refused")
					}
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(status)
					_, _ = io.WriteString(w, body)
				})
				id, err := send(t, newClient(t, url))
				apitest.CheckResult(t, err, want)
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
				got := apitest.ResultOf(t, err)
				if (got.Key == "reason.duplicate") != tt.duplicate(status) {
					t.Errorf("got %+v, want a duplicate: %t", got, tt.duplicate(status))
				}
				own := strings.Contains(strings.ToLower(tt.body), "errorcode")
				proof := own && status != 408 && (status >= 400 && status < 500 || status == 503)
				if got.Key == "reason.duplicate" && (got.Scope != "" || (got.Outcome == dispatch.OutcomeRejected) != proof) {
					t.Errorf("got %+v, want it rejected: %t", got, proof)
				}
			})
		}
	}
}

func always(int) bool { return true }

func never(int) bool { return false }

func compared(status int) bool {
	return status != 401 && status != 403 && status != 429 && status != 503
}

func TestSendRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	c := newClient(t, apitest.Handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	for name, spoil := range map[string]func(*dispatch.Shipment){
		"no title":                       func(s *dispatch.Shipment) { s.Title = "" },
		"no document":                    func(s *dispatch.Shipment) { s.Documents = nil },
		"a billing code of V2":           func(s *dispatch.Shipment) { s.BillingCode = "a_b" },
		"a quote in a file name":         func(s *dispatch.Shipment) { s.Documents[0].FileName = `a"b.pdf` },
		"a line break in a file name":    func(s *dispatch.Shipment) { s.Documents[0].FileName = "a\r\nb.pdf" },
		"an empty document":              func(s *dispatch.Shipment) { s.Documents[0].Size = 0 },
		"level 4 without encryption":     func(s *dispatch.Shipment) { s.RequireLevel4 = true },
		"a deadline that is almost over": apitest.SignBy(apitest.Now.Add(24*time.Hour - time.Second)),
	} {
		t.Run(name, func(t *testing.T) {
			s, content := apitest.Shipment()
			spoil(&s)
			id, err := c.Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content, nil)
			apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"})
			if id != "" {
				t.Errorf("got id %q, want none", id)
			}
		})
	}
	t.Run("a deadline a day ahead goes out", func(t *testing.T) {
		s, content := apitest.Shipment()
		apitest.SignBy(apitest.Now.Add(24 * time.Hour))(&s)
		_, err := answering(t, 200, apitest.Accepted).Send(t.Context(), shipmentapi.Target{}, s, content, nil)
		apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeAccepted})
	})
}

func TestReadyIsAskedBeforeTheLastByte(t *testing.T) {
	t.Parallel()
	missing := make(chan int64, 1)
	url := apitest.Connected(t, func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		missing <- r.ContentLength - n
	})
	s, content := apitest.Shipment()
	asked := 0
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content, func(context.Context) error {
		asked++
		return errors.New("lease lost")
	})
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
	if got := <-missing; got != apitest.Tail || asked != 1 {
		t.Errorf("got %d bytes missing, asked %d times, want %d bytes, once", got, asked, apitest.Tail)
	}
}

func TestErrorsAndClientsTellNoSecrets(t *testing.T) {
	t.Parallel()
	hidden := []string{"hunter2-hunter2", "02813299900", "Kari", "brev.pdf", "Vedtak"}
	echoing := newClient(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
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
	apitest.CheckResult(t, unreachable, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
	apitest.CheckResult(t, nowhere, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", 0))
	if got := clients.AsError(echoed).Reason(); got.ErrorID != "" {
		t.Errorf("got error id %q, want none", got.ErrorID)
	}
}
