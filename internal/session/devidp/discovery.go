package devidp

import (
	"encoding/json"
	"net/http"

	"github.com/go-jose/go-jose/v4"
)

// discovery lists only supported features. The request parameters are declared unsupported, because the default of
// request_uri is supported.
func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer":                                         p.issuer,
		"authorization_endpoint":                         p.base + "/authorize",
		"token_endpoint":                                 p.base + "/token",
		"userinfo_endpoint":                              p.base + "/userinfo",
		"jwks_uri":                                       p.base + "/jwks",
		"end_session_endpoint":                           p.base + "/end-session",
		"frontchannel_logout_supported":                  true,
		"frontchannel_logout_session_supported":          true,
		"scopes_supported":                               []string{"openid", "profile"},
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{"authorization_code"},
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          []string{"RS256"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"client_secret_basic", "client_secret_post"},
		"acr_values_supported":                           assuranceLevels(),
		"prompt_values_supported":                        promptValues(),
		"ui_locales_supported":                           []string{"nb"},
		"claims_parameter_supported":                     false,
		"request_parameter_supported":                    false,
		"request_uri_parameter_supported":                false,
		"authorization_response_iss_parameter_supported": true,
	})
}

func (p *Provider) jwks(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: p.public, KeyID: p.keyID, Algorithm: string(jose.RS256), Use: "sig"},
	}})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has disconnected
}
