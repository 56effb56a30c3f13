package clients_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"utsending/internal/clients"
)

// TestAnswersAreRepaired: no answer holds what cannot be kept, and all of it that can is as the service wrote it.
func TestAnswersAreRepaired(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`{"status":"SENDT"}`:                  `{"status":"SENDT"}`,
		`{"status":"SE\u0000NDT"}`:            `{"status":"SE\ufffdNDT"}`,
		`{"message":"a\\u0000b\u00e5"}`:       `{"message":"a\\u0000b\u00e5"}`, // a backslash, and no escape
		`{"message":"a\\\u0001b"}`:            `{"message":"a\\\ufffdb"}`,
		`{"message":"a\u0009\u000a\u009f\""}`: `{"message":"a\u0009\u000a\ufffd\""}`,
		`cut off \u00`:                        `cut off \u00`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(sent)) }))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(clients.Do(t.Context(), server.Client(), req, nil, nil).Body); got != want {
			t.Errorf("%s: got %s, want %s", sent, got, want)
		}
		server.Close()
	}
}
