package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// services is a fake of the external services, as far as pages call them. It tests what pages make of the answers;
// the calls themselves are tested in internal/upstream.
type services struct {
	*httptest.Server
	register *register

	mu        sync.Mutex
	calls     int                // that nothing but a trial makes
	refusing  dispatch.TrialStep // what fails; empty: nothing
	failing   string             // error id of the 503 that answers all questions about shipments; empty: none
	receivers []dispatch.Receiver
	matches   []dispatch.ReferenceMatch
	filters   []dispatch.ReceiverFilter // asked with
	password  string                    // that the last question to V1 was asked with
	searched  []string
	told      []dispatch.ReadElsewhere
	deleted   []dispatch.Deletion
}

// upstreamError is the id of an error that a service tells of.
const upstreamError = "7c1f0000-0000-4000-8000-000000000001"

func newServices(t *testing.T, r *register) *services {
	t.Helper()
	s := &services{register: r}
	const sms, v1, v2 = "/varsling/api/v2/sms/{account}/", "/tjenester/api/forsendelse/v1/", "/api/v2/"
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", s.token)
	mux.HandleFunc("POST "+sms+"oppslag", r.answer)
	mux.HandleFunc("GET "+sms+"sms/{id}", s.tried(func(w http.ResponseWriter) { refuse(w, http.StatusNotFound, upstreamError) }))
	types := []string{"Byggesøknad", "Delingssøknad"}
	mux.HandleFunc("GET "+v1+"forsendelseTyper", s.tried(func(w http.ResponseWriter) { tell(w, types) }))
	mux.HandleFunc("GET "+v2+"forsendelsestyper", s.tried(func(w http.ResponseWriter) { tell(w, map[string]any{"forsendelsestyper": types}) }))
	mux.HandleFunc("GET "+v1+"mottakersystem", s.question(s.findReceivers))
	mux.HandleFunc("GET "+v1+"mottakersystem/{orgnr}", s.question(s.findReceivers))
	mux.HandleFunc("GET "+v2+"kontoer/{account}/forsendelser/metadata", s.question(s.byReference))
	mux.HandleFunc("POST "+v1+"{id}/settLest", s.question(s.markRead))
	mux.HandleFunc("DELETE "+v2+"forsendelser/{id}/dokumenter", s.question(s.deleteDocuments))
	mux.HandleFunc("POST /api/v3/kontoer/{account}/forsendelser/status/sok", s.tried(func(w http.ResponseWriter) { tell(w, map[string]any{"statuser": []string{}}) }))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// configured are the services of the configuration: one of each kind, and two that cannot be reached.
func (s *services) configured() []dispatch.Service {
	service := func(name string, kind dispatch.IntegrationKind, e dispatch.Environment, address string) dispatch.Service {
		return dispatch.Service{Name: name, Kind: kind, Environment: e, BaseURL: address, TokenURL: address + "/token", Wire: "deployed"}
	}
	return []dispatch.Service{
		service(smsService, dispatch.IntegrationSMS, dispatch.EnvironmentTest, s.URL),
		service(v1Service, dispatch.IntegrationShipmentV1, dispatch.EnvironmentTest, s.URL),
		service(v2Service, dispatch.IntegrationShipmentV2, dispatch.EnvironmentProduction, s.URL),
		service(v3Service, dispatch.IntegrationShipmentV3, dispatch.EnvironmentProduction, s.URL),
		service(unnamedService, dispatch.IntegrationSMS, dispatch.EnvironmentTest, "http://tjenesten.invalid"),
		service(closedService, dispatch.IntegrationSMS, dispatch.EnvironmentTest, "http://127.0.0.1:1"),
	}
}

// set changes what the services answer.
func (s *services) set(change func(*services)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

// refuse makes a step of a trial fail; empty: none.
func (s *services) refuse(step dispatch.TrialStep) { s.set(func(s *services) { s.refusing = step }) }

// tries counts the calls that trials have made.
func (s *services) tries() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *services) token(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.refusing == dispatch.TrialToken {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":"invalid_client"}`))
		return
	}
	tell(w, map[string]any{"access_token": "t", "token_type": "Bearer", "expires_in": 3600})
}

// tried is a harmless question, which a trial asks.
func (s *services) tried(answer func(http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls++
		switch s.refusing {
		case dispatch.TrialCredentials:
			refuse(w, http.StatusUnauthorized, upstreamError)
		case dispatch.TrialAccount:
			refuse(w, http.StatusForbidden, upstreamError)
		default:
			answer(w)
		}
	}
}

// question is asked about shipments.
func (s *services) question(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, s.password, _ = r.BasicAuth()
		if s.failing != "" {
			refuse(w, http.StatusServiceUnavailable, s.failing)
			return
		}
		answer(w, r)
	}
}

func (s *services) findReceivers(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	level, _ := strconv.Atoi(q.Get("niva"))
	s.filters = append(s.filters, dispatch.ReceiverFilter{
		OrganizationNumber: dispatch.OrganizationNumber(q.Get("organisasjonsNummer")), Type: q.Get("forsendelsesType"), Level: level,
	})
	found := []map[string]any{}
	for _, f := range s.receivers {
		found = append(found, map[string]any{
			"organisasjonsNummer": string(f.OrganizationNumber), "forsendelsesType": f.Type, "mottakerSystem": f.System, "mottakerId": f.SystemID, "niva": f.Level,
		})
	}
	tell(w, found)
}

func (s *services) byReference(w http.ResponseWriter, r *http.Request) {
	s.searched = append(s.searched, r.URL.Query().Get("eksternRef"))
	found := []map[string]any{}
	for _, m := range s.matches {
		found = append(found, map[string]any{"id": m.ID, "avgivendeSystem": m.SourceSystem})
	}
	tell(w, map[string]any{"forsendelser": found})
}

func (s *services) markRead(w http.ResponseWriter, r *http.Request) {
	var said struct {
		Reader string `json:"lestAvFodselsNummer"`
		System string `json:"navnPaEksterntSystem"`
		At     int64  `json:"datoLest"`
	}
	if json.NewDecoder(r.Body).Decode(&said) != nil {
		refuse(w, http.StatusBadRequest, upstreamError)
		return
	}
	s.told = append(s.told, dispatch.ReadElsewhere{NationalID: dispatch.NationalID(said.Reader), System: said.System, At: time.UnixMilli(said.At).In(dispatch.Oslo)})
	w.WriteHeader(http.StatusNoContent)
}

func (s *services) deleteDocuments(w http.ResponseWriter, r *http.Request) {
	how := map[string]dispatch.Deletion{"ORIGINALDOKUMENTER": dispatch.DeletedOriginals, "ALLE": dispatch.DeletedAll}
	s.deleted = append(s.deleted, how[r.URL.Query().Get("slettetype")])
	w.WriteHeader(http.StatusNoContent)
}

func tell(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the caller may be gone
}

// refuse answers as the services themselves do.
func refuse(w http.ResponseWriter, status int, errorID string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"status": status, "errorId": errorID, "errorCode": "FEIL", "message": "Noe er galt"})
}
