package main

import (
	"fmt"
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// presets are the operator's services, by names of ours (upstream facts, sections 1.1, 5 and 6).
type presets []dispatch.Service

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *presets) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		switch strings.TrimSpace(name) {
		case "":
		case "ks-test":
			*p = append(*p, operatorServices("ks-test", dispatch.EnvironmentTest, "https://api.fiks.test.ks.no", "https://test.svarut.ks.no", "https://test.maskinporten.no")...)
		case "ks-production":
			*p = append(*p, operatorServices("ks-produksjon", dispatch.EnvironmentProduction, "https://api.fiks.ks.no", "https://svarut.ks.no", "https://maskinporten.no")...)
		default:
			return fmt.Errorf("%q is no preset: ks-test and ks-production are", name)
		}
	}
	return nil
}

func operatorServices(name string, e dispatch.Environment, sms, shipments, issuer string) []dispatch.Service {
	tokens, audience := issuer+"/token", issuer+"/"
	return []dispatch.Service{
		{Name: name + "-sms", Kind: dispatch.IntegrationSMS, Environment: e, BaseURL: sms, TokenURL: tokens, Audience: audience},
		{Name: name + "-forsendelse-v2", Kind: dispatch.IntegrationShipmentV2, Environment: e, BaseURL: shipments, TokenURL: tokens, Audience: audience},
		{Name: name + "-forsendelse-v3", Kind: dispatch.IntegrationShipmentV3, Environment: e, BaseURL: shipments, TokenURL: tokens, Audience: audience},
		{Name: name + "-forsendelse-v1", Kind: dispatch.IntegrationShipmentV1, Environment: e, BaseURL: shipments, Wire: "deployed"},
	}
}

// allServices are the presets and the custom services; names must differ, since integrations refer to them.
func (c config) allServices() (services, error) {
	all := slices.Concat(services(c.Presets), c.Services)
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.Name] {
			return nil, fmt.Errorf("configuration: two services are named %q", s.Name)
		}
		seen[s.Name] = true
	}
	return all, nil
}
