package clients_test

import (
	"net/http"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// FuzzClassify: any answer to a submission has an outcome and a reason, is never read as a success, and proves that nothing was taken
// only as docs/delivery.md says. What is kept of it can be stored and holds no number.
func FuzzClassify(f *testing.F) {
	const id = `"errorId":"0d9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01"`
	for _, body := range []string{
		"", "null", "{}", "<html>", `{` + id + `}`, `{"status":400,` + id + `,"message":"Ugyldig"}`, `{"status":500,` + id + `}`, `{"errorcode":"X","MESSAGE":"y"}`,
		`{"errorCode":"","message":"x"}`, `{"errorId":"17"}`, `{"message":"12847901258 og 91234567"}`, `{` + id + `,"errorJson":"{\"a\":\"\\u0000\"}"}`, `{"errorJson":{"a":"\u0000"}}`,
		`{"timestamp":9223372036854775807,` + id + `}`, `{"message":"\ud800"}`, `{"error":"\ufffe"}`,
	} {
		for _, status := range []int{0, 200, 204, 307, 400, 401, 403, 404, 408, 413, 422, 429, 500, 503} {
			f.Add(status, []byte(body), status%2 == 0, "120")
		}
	}
	f.Add(503, []byte("{}"), true, "Fri, 31 Dec 9999 23:59:59 GMT")
	f.Fuzz(func(t *testing.T, status int, body []byte, sent bool, after string) {
		status = ((status % 1000) + 1000) % 1000
		header := http.Header{}
		header.Set("Retry-After", after)
		x := clients.Exchange{Status: status, Header: header, Body: body, Sent: sent}
		e := clients.Classify(x)
		own := e.Message != nil && (e.Message.ErrorID != "" || e.Message.ErrorCode != "" && e.Message.Message != "") && (e.Message.Status == 0 || e.Message.Status == status)
		proof := !sent || own && (status >= 400 && status < 500 && status != 408 || status == 503)
		switch {
		case e.Key == "", e.Outcome == dispatch.OutcomeAccepted, e.Outcome == "":
			t.Fatalf("%d %q is %+v", status, body, e)
		case (e.Outcome == dispatch.OutcomeUncertain) == proof:
			t.Fatalf("%d %q (sent %t, own %t) is %s", status, body, sent, own, e.Outcome)
		case e.Outcome == dispatch.OutcomeRejected && status != 413 && (!own || status != 400 && status != 409 && status != 422):
			t.Fatalf("%d %q is rejected", status, body)
		case e.RetryAfter < 0, e.RetryAfter > time.Hour, clients.TookNothing(x) != proof, e.Own != own:
			t.Fatalf("%d %q is %+v", status, body, e)
		case e.Reason().ErrorID != "" && uuid.Validate(e.Reason().ErrorID) != nil:
			t.Fatalf("the log says %q", e.Reason().ErrorID)
		}
		if read := clients.ClassifyRead(x); read.Outcome == dispatch.OutcomeUncertain || read.Outcome == dispatch.OutcomeAccepted {
			t.Fatalf("a read of %d %q is %s", status, body, read.Outcome)
		}
		a := e.Answer()
		for _, said := range []string{a.Error, a.Message, a.ErrorCode, a.ErrorJSON, a.Path, a.OriginalPath, clients.Word(string(body)), clients.Sentence(string(body))} {
			if !utf8.ValidString(said) || utf8.RuneCountInString(said) > dispatch.AnswerMax+1 || dispatch.HoldsNationalID(said) && said != clients.Sentence(string(body)) && said != clients.Word(string(body)) {
				t.Fatalf("%q is kept", said)
			}
		}
		if word := clients.Word(string(body)); !text.Clean(word) || utf8.RuneCountInString(word) > 100 {
			t.Fatalf("word %q", word)
		}
		if !a.At.IsZero() && (a.At.Year() < 2000 || a.At.Year() >= 2100) {
			t.Fatalf("at %s", a.At)
		}
	})
}
