package upstream

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// trialTimeout bounds each step of a trial.
const trialTimeout = 10 * time.Second

// Try checks an integration's credentials and its access to accounts, step by step until one fails. It makes harmless calls only: it
// reads lists, or the status of a random id.
func (cs *Clients) Try(ctx context.Context, in dispatch.Integration, c dispatch.Credentials, accounts []dispatch.Account) []dispatch.Trial {
	t := &trier{cs: cs, in: in, credentials: c}
	steps := []struct {
		step dispatch.TrialStep
		take func(context.Context) dispatch.Reason
	}{
		{dispatch.TrialSettings, t.settings}, {dispatch.TrialName, t.name}, {dispatch.TrialTLS, t.tls},
		{dispatch.TrialToken, t.token}, {dispatch.TrialCredentials, t.login},
	}
	for _, s := range steps {
		if s.step == dispatch.TrialToken && t.made.tokens == nil {
			continue // Basic has no token
		}
		if !t.take(ctx, dispatch.Trial{Step: s.step}, s.take) {
			return t.taken
		}
	}
	for _, a := range accounts {
		if id := t.accountID(a); id != "" {
			t.take(ctx, dispatch.Trial{Step: dispatch.TrialAccount, Account: a.Name}, func(ctx context.Context) dispatch.Reason { return t.account(ctx, id) })
		}
	}
	return t.taken
}

// trier is one trial.
type trier struct {
	cs          *Clients
	in          dispatch.Integration
	credentials dispatch.Credentials
	service     dispatch.Service
	made        Client
	taken       []dispatch.Trial
}

// take runs one step within its timeout, and tells whether it succeeded.
func (t *trier) take(ctx context.Context, step dispatch.Trial, do func(context.Context) dispatch.Reason) bool {
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	step.Failure = do(ctx)
	if step.Failure.Key != "" {
		step.Failure.At = time.Now()
	}
	t.taken = append(t.taken, step)
	return step.Failure.Key == ""
}

// settings checks the configured service and the credentials, and makes the client.
func (t *trier) settings(context.Context) dispatch.Reason {
	var err error
	if t.service, err = t.cs.serviceOf(t.in); err != nil {
		return dispatch.Reason{Key: "reason.trial_service"}
	}
	if ps := t.credentials.Validate(t.in.Kind, time.Now()); len(ps) > 0 {
		return dispatch.Reason{Key: ps[0].Key}
	}
	if t.made, err = t.cs.make(t.in, t.credentials); err != nil {
		return dispatch.Reason{Key: "reason.integration_unreadable"}
	}
	return dispatch.Reason{}
}

// name looks the service's name up.
func (t *trier) name(ctx context.Context) dispatch.Reason {
	u, err := url.Parse(t.service.BaseURL)
	if err != nil {
		return dispatch.Reason{Key: "reason.trial_service"}
	}
	if _, err := net.DefaultResolver.LookupHost(ctx, u.Hostname()); err != nil {
		return dispatch.Reason{Key: "reason.trial_name"}
	}
	return dispatch.Reason{}
}

// tls connects, and checks the certificate of an https address.
func (t *trier) tls(ctx context.Context) dispatch.Reason {
	u, err := url.Parse(t.service.BaseURL)
	if err != nil {
		return dispatch.Reason{Key: "reason.trial_service"}
	}
	secure := u.Scheme == "https"
	port := cmp.Or(u.Port(), map[bool]string{true: "443", false: "80"}[secure])
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return dispatch.Reason{Key: "reason.trial_connect"}
	}
	defer conn.Close()
	if secure && tls.Client(conn, &tls.Config{ServerName: u.Hostname()}).HandshakeContext(ctx) != nil {
		return dispatch.Reason{Key: "reason.trial_tls"}
	}
	return dispatch.Reason{}
}

func (t *trier) token(ctx context.Context) dispatch.Reason {
	_, err := t.made.tokens.Token(ctx)
	return failure(err)
}

func (t *trier) login(ctx context.Context) dispatch.Reason { return failure(t.made.known(ctx)) }

// accountID is what the service calls an account; empty where it needs none.
func (t *trier) accountID(a dispatch.Account) string {
	switch {
	case t.in.Kind == dispatch.IntegrationSMS:
		return a.SMSAccountID
	case t.in.Kind.Row().AccountID:
		return a.ShipmentAccountID
	}
	return ""
}

func (t *trier) account(ctx context.Context, id string) dispatch.Reason {
	return failure(t.made.Allowed(ctx, id))
}

// failure is the reason of an error; zero for none.
func failure(err error) dispatch.Reason {
	if err == nil {
		return dispatch.Reason{}
	}
	return clients.AsError(err).Reason()
}
