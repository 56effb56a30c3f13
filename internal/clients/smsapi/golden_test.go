package smsapi_test

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

var update = flag.Bool("update", false, "write testdata/*.golden anew")

// golden compares with a file of testdata, byte for byte.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, string(want)); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
}

// wire writes a request as it came: method, path, headers by name, body. The token's value is left out.
func wire(r *http.Request) string {
	body, _ := io.ReadAll(r.Body) // a body that was cut shows as a difference
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n", r.Method, r.RequestURI, r.Proto)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		value := strings.Join(r.Header[name], ", ")
		if name == "Authorization" {
			value = strings.Replace(value, "a-token", "<token>", 1)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	return b.String() + "\n" + string(body)
}

func TestRequestsOnTheWire(t *testing.T) {
	t.Parallel()
	phone := dispatch.SMSRecipient{Phone: "+4740000001"}
	send := func(m dispatch.SMS) func(*testing.T, *smsapi.Client) error {
		return func(t *testing.T, c *smsapi.Client) error {
			_, err := c.Send(t.Context(), account, m, nil)
			return err
		}
	}
	tests := map[string]struct {
		call   func(*testing.T, *smsapi.Client) error
		answer string
	}{
		"send_phone":  {send(dispatch.SMS{Recipient: phone, Text: "Hei på deg"}), `{"id":"` + smsID + `"}`},
		"send_fnr":    {send(dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "02013299997"}, Text: "Hei"}), `{"id":"` + smsID + `"}`},
		"send_hidden": {send(dispatch.SMS{Recipient: phone, Text: "Hei", HideInReport: true}), `{"id":"` + smsID + `"}`},
		"send_characters": {
			send(dispatch.SMS{Recipient: phone, Text: "<b>\"A\" & 'B'</b>\r\nÆØÅ æøå č\t«€»\r😀\u2028\\"}), `{"id":"` + smsID + `"}`,
		},
		"send_batch": {func(t *testing.T, c *smsapi.Client) error {
			phones := []dispatch.Phone{"40000001", "+4640000002", "004740000003"}
			return c.SendBatch(t.Context(), account, phones, "Hei på deg\r\n<3", false, nil)
		}, ""},
		"send_batch_hidden": {func(t *testing.T, c *smsapi.Client) error {
			return c.SendBatch(t.Context(), account, []dispatch.Phone{"40000001"}, "Hei", true, nil)
		}, ""},
		"lookup": {func(t *testing.T, c *smsapi.Client) error {
			_, err := c.Lookup(t.Context(), account, []dispatch.LookupNumber{"02013299997", "987654321"})
			return err
		}, `[]`},
		"status": {func(t *testing.T, c *smsapi.Client) error {
			_, err := c.Status(t.Context(), account, smsID)
			return err
		}, `{"id":"` + smsID + `","status":"SENDT"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := make(chan string, 1)
			client := handled(t, func(w http.ResponseWriter, r *http.Request) {
				got <- wire(r)
				_, _ = io.WriteString(w, tt.answer)
			})
			if err := tt.call(t, client); err != nil {
				t.Errorf("got error %v, want none", err)
			}
			golden(t, name, <-got)
		})
	}
}

func TestIntegrationHeadersOnTheWire(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	server := handledServer(t, func(w http.ResponseWriter, r *http.Request) {
		got <- wire(r)
		_, _ = io.WriteString(w, `{"id":"`+smsID+`"}`)
	})
	o := options(t, server)
	o.IntegrationID, o.IntegrationPassword = "2b1f6a6c-9f0f-4c6a-8a54-0d5a4a9e7c33", "hunter2-hunter2"
	if _, err := smsapi.New(o).Send(t.Context(), account, to("40000001"), nil); err != nil {
		t.Errorf("got error %v, want none", err)
	}
	golden(t, "send_integration", <-got)
}
