package clients_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

const errorID = "6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"

func TestParseErrorMessage(t *testing.T) {
	t.Parallel()
	nine := clients.ErrorMessage{
		Timestamp: 1795170000123, Status: 400, Error: "Bad Request", ErrorID: errorID, Path: "/a", OriginalPath: "/b",
		Message: "Ugyldig", ErrorCode: "KODE", ErrorJSON: "{}",
	}
	with := func(change func(*clients.ErrorMessage)) *clients.ErrorMessage {
		m := nine
		change(&m)
		return &m
	}
	body := func(old, replacement string) string {
		all := `{"timestamp":1795170000123,"status":400,"error":"Bad Request","errorId":"` + errorID + `","path":"/a",` +
			`"originalPath":"/b","message":"Ugyldig","errorCode":"KODE","errorJson":"{}"}`
		return strings.Replace(all, old, replacement, 1)
	}
	tests := map[string]struct {
		body string
		want *clients.ErrorMessage
	}{
		"all nine fields":             {body("", ""), &nine},
		"blanks around":               {" \n" + body("", "") + "\r\n", &nine},
		"errorcode in lower case":     {body("errorCode", "errorcode"), &nine},
		"another letter case":         {body("errorId", "ErrorID"), &nine},
		"fields that nobody knows":    {body(`"path"`, `"trace":[1],"path"`), &nine},
		"errorJson as an object":      {body(`"{}"`, `{ "felt": "tekst" }`), with(func(m *clients.ErrorMessage) { m.ErrorJSON = `{"felt":"tekst"}` })},
		"errorJson as an array":       {body(`"{}"`, `[1, 2]`), with(func(m *clients.ErrorMessage) { m.ErrorJSON = `[1,2]` })},
		"errorJson null":              {body(`"{}"`, `null`), with(func(m *clients.ErrorMessage) { m.ErrorJSON = "" })},
		"a timestamp in words":        {body("1795170000123", `"2026-11-20T09:00:00Z"`), with(func(m *clients.ErrorMessage) { m.Timestamp = 0 })},
		"a status in words":           {body(":400", `:"BAD_REQUEST"`), with(func(m *clients.ErrorMessage) { m.Status = 0 })},
		"a message that is an object": {body(`"Ugyldig"`, `{"nb":"Ugyldig"}`), with(func(m *clients.ErrorMessage) { m.Message = "" })},
		"an errorId that is a number": {body(`"`+errorID+`"`, `17`), with(func(m *clients.ErrorMessage) { m.ErrorID = "" })},
		"an errorId that is no uuid":  {body(errorID, `40000567\u0000`), with(func(m *clients.ErrorMessage) { m.ErrorID = "" })},
		"one field alone":             {`{"message":"Ugyldig"}`, &clients.ErrorMessage{Message: "Ugyldig"}},
		"an errorId alone":            {`{"errorId":"` + errorID + `"}`, &clients.ErrorMessage{ErrorID: errorID}},
		"nothing":                     {"", nil},
		"blanks":                      {" \n", nil},
		"null":                        {"null", nil},
		"an empty object":             {"{}", nil},
		"an object of another kind":   {`{"fault":"x"}`, nil},
		"fields that are all null":    {`{"timestamp":null,"status":null,"message":null,"errorJson":null}`, nil},
		"fields of wrong types alone": {`{"status":"x","message":[]}`, nil},
		"an array":                    {`[{"message":"Ugyldig"}]`, nil},
		"an empty array":              {`[]`, nil},
		"a string":                    {`"message"`, nil},
		"HTML":                        {"<!doctype html><title>502</title>", nil},
		"an object that was cut":      {`{"message":"Ugyl`, nil},
		"two objects":                 {`{"message":"a"}{"message":"b"}`, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(clients.ParseErrorMessage([]byte(tt.body)), tt.want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func TestErrorTellsNothingOfTheMessage(t *testing.T) {
	t.Parallel()
	body := `{"message":"Kari Nordmann har ikke 40000567","path":"/konto/40000567","errorJson":"40000567","errorId":"` + errorID + `"}`
	e := clients.Classify(clients.Exchange{Status: 400, Body: []byte(body)})
	got := e.Error()
	if strings.Contains(got, "40000567") || strings.Contains(got, "Kari") {
		t.Errorf("got %q, want nothing of the message", got)
	}
	for _, want := range []string{"rejected", "reason.rejected", "400", errorID} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	want := dispatch.Reason{Key: "reason.rejected", HTTPStatus: 400, ErrorID: errorID}
	if e.Reason() != want {
		t.Errorf("got %+v, want %+v", e.Reason(), want)
	}
}

func TestAsError(t *testing.T) {
	t.Parallel()
	refused := &clients.Error{Outcome: dispatch.OutcomeRefused, Key: "reason.forbidden"}
	if got := clients.AsError(fmt.Errorf("send: %w", refused)); got != refused {
		t.Errorf("got %v, want the error that was wrapped", got)
	}
	if got := clients.AsError(errors.New("who knows")); got.Outcome != dispatch.OutcomeUncertain {
		t.Errorf("got %s for an error of another kind, want uncertain, the careful reading", got.Outcome)
	}
}
