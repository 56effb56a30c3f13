package dispatch

// Environment tells whether an integration reaches real people.
type Environment string

// The environments of a service.
const (
	EnvironmentTest       Environment = "test"
	EnvironmentProduction Environment = "production"
)

// Service is an outside service as configured. Addresses of services come from the configuration only.
type Service struct {
	Name        string          `json:"name"`
	Kind        IntegrationKind `json:"kind"`
	Environment Environment     `json:"environment"`
	BaseURL     string          `json:"base_url"`  // without a path
	TokenURL    string          `json:"token_url"` // shipment V1 has none
	Audience    string          `json:"audience"`  // aud of the JWT grant: the token endpoint's issuer
	Wire        string          `json:"wire"`      // shipment V1: spec or deployed; empty: spec
}
