package main

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// TestPresets holds the presets against the public addresses (upstream facts, sections 1.1, 5 and 6).
func TestPresets(t *testing.T) {
	t.Parallel()
	var both presets
	if err := both.UnmarshalText([]byte("ks-test, ks-production")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"ks-test-sms":                  "https://api.fiks.test.ks.no https://test.maskinporten.no/token https://test.maskinporten.no/ test",
		"ks-test-forsendelse-v2":       "https://test.svarut.ks.no https://test.maskinporten.no/token https://test.maskinporten.no/ test",
		"ks-test-forsendelse-v3":       "https://test.svarut.ks.no https://test.maskinporten.no/token https://test.maskinporten.no/ test",
		"ks-test-forsendelse-v1":       "https://test.svarut.ks.no   test",
		"ks-produksjon-sms":            "https://api.fiks.ks.no https://maskinporten.no/token https://maskinporten.no/ production",
		"ks-produksjon-forsendelse-v2": "https://svarut.ks.no https://maskinporten.no/token https://maskinporten.no/ production",
		"ks-produksjon-forsendelse-v3": "https://svarut.ks.no https://maskinporten.no/token https://maskinporten.no/ production",
		"ks-produksjon-forsendelse-v1": "https://svarut.ks.no   production",
	}
	for _, s := range both {
		if got := strings.Join([]string{s.BaseURL, s.TokenURL, s.Audience, string(s.Environment)}, " "); got != want[s.Name] {
			t.Errorf("%s: got %q, want %q", s.Name, got, want[s.Name])
		}
		if err := checkService(s); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		if deployed := s.Wire == "deployed"; deployed != (s.Kind == dispatch.IntegrationShipmentV1) {
			t.Errorf("%s: wire %q", s.Name, s.Wire)
		}
		delete(want, s.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	if err := new(presets).UnmarshalText([]byte("ks")); err == nil || !strings.Contains(err.Error(), "ks-test") {
		t.Errorf("got %v for a preset that is none", err)
	}
	if _, err := (config{Presets: both, Services: services{both[0]}}).allServices(); err == nil {
		t.Error("two services of one name were taken")
	}
}
