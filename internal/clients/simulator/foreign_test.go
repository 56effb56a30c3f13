package simulator_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
)

// TestForeignClient lets a client that nobody here wrote send and read shipments in the deployed wire.
func TestForeignClient(t *testing.T) {
	t.Parallel()
	sim := whole.New(simulator.Options{Wire: simulator.WireDeployed, Basic: map[string]string{"bruker": "passord"}})
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	t.Cleanup(sim.Close)
	var answers foreignAnswers
	runForeign(t, &answers, "foreign.cjs", server.URL, "12847812345")

	shipments := sim.Shipments()
	if len(shipments) != 2 {
		t.Fatalf("%d shipments are booked, want 2", len(shipments))
	}
	if got, want := answers.Sent.ID, shipments[0].ID; got != want {
		t.Errorf("sent under %s, booked under %s", got, want)
	}
	if len(answers.Status.Statuser) != 2 || answers.Status.Statuser[0].Status == "" {
		t.Errorf("statuses: %+v", answers.Status)
	}
	if len(answers.History.HendelsesLogger) == 0 {
		t.Error("the history is empty")
	}
	if len(answers.Documents.DokumentMetadata) != 1 || answers.Documents.DokumentMetadata[0].Sha256hash != shipments[0].Documents[0].SHA256 {
		t.Errorf("documents: %+v", answers.Documents)
	}
	if len(answers.Reference.ForsendelseIder) != 2 {
		t.Errorf("by reference: %+v", answers.Reference)
	}
	if len(answers.After.Statuser) != 1 || answers.After.Statuser[0].Status != "LEST" {
		t.Errorf("after it was marked as read: %+v", answers.After)
	}
}

// foreignAnswers are the deployed shapes, as far as the test looks at them.
type foreignAnswers struct {
	Sent    struct{ ID string }
	Status  foreignStatuses
	After   foreignStatuses
	History struct {
		HendelsesLogger []struct{ Hendelse string }
	}
	Documents struct {
		DokumentMetadata []struct{ Sha256hash string }
	}
	Reference struct {
		ForsendelseIder []struct{ ID string }
	}
}

type foreignStatuses struct {
	Statuser []struct{ Status string }
}

// TestForeignTokenClient lets a client that nobody here wrote ask for a token with a certificate.
func TestForeignTokenClient(t *testing.T) {
	t.Parallel()
	leaf, _ := certified(t)
	sim := whole.New(simulator.Options{Keys: []simulator.Key{{ClientID: "app", Certificate: leaf}}})
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	t.Cleanup(sim.Close)
	key, err := x509.MarshalPKCS8PrivateKey(firstKey())
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) string {
		return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	var answer map[string]any
	runForeign(t, &answer, "token.cjs", server.URL+"/token", server.URL+"/", text("CERTIFICATE", leaf.Raw), text("PRIVATE KEY", key))
	if token, ok := answer["access_token"].(string); !ok || token == "" || answer["expires_in"] != 120.0 {
		t.Errorf("got %v, want a token for 120 seconds", answer)
	}
	if got := sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

func runForeign(t *testing.T, answers any, script string, arguments ...string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing: install Node.js 20 or newer")
	}
	arguments = append([]string{filepath.Join("testdata", script)}, arguments...)
	out, err := exec.CommandContext(t.Context(), node, arguments...).Output()
	if err != nil {
		problem := ""
		if e, ok := err.(*exec.ExitError); ok {
			problem = string(e.Stderr)
		}
		t.Fatalf("the client failed: %v\n%s", err, problem)
	}
	if err := json.Unmarshal(out, answers); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
