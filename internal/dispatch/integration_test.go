package dispatch_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

func TestValidateIntegration(t *testing.T) {
	t.Parallel()
	sound := dispatch.Integration{Name: "SMS", Parallelism: 8, RatePerSec: 20}
	tests := map[string]struct {
		change func(*dispatch.Integration)
		want   string
	}{
		"sound":                {func(*dispatch.Integration) {}, ""},
		"a rate below one":     {func(in *dispatch.Integration) { in.RatePerSec = 0.1 }, ""},
		"without a name":       {func(in *dispatch.Integration) { in.Name = "" }, "navn problem.integration.name"},
		"a name too long":      {func(in *dispatch.Integration) { in.Name = strings.Repeat("a", 101) }, "navn problem.name.long"},
		"no calls at once":     {func(in *dispatch.Integration) { in.Parallelism = 0 }, "samtidige problem.parallelism"},
		"too many at once":     {func(in *dispatch.Integration) { in.Parallelism = 1001 }, "samtidige problem.parallelism"},
		"no rate":              {func(in *dispatch.Integration) { in.RatePerSec = 0 }, "takt problem.rate"},
		"a rate out of bounds": {func(in *dispatch.Integration) { in.RatePerSec = 1000.5 }, "takt problem.rate"},
		"a rate that is none":  {func(in *dispatch.Integration) { in.RatePerSec = math.NaN() }, "takt problem.rate"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := sound
			tt.change(&in)
			wantProblem(t, in.Validate(), tt.want)
		})
	}
}

func TestStateOfAnIntegration(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	set := func(s dispatch.CredentialState, left time.Duration) []dispatch.CredentialSet {
		return []dispatch.CredentialSet{{ID: dispatch.CredentialID(s), State: s, ExpiresAt: now.Add(left)}}
	}
	entered := func(at time.Time) []dispatch.CredentialSet {
		return []dispatch.CredentialSet{{ID: "a", State: dispatch.CredentialActive, CreatedAt: at}}
	}
	worked := func(sets []dispatch.CredentialSet) []dispatch.CredentialSet {
		sets = slices.Clone(sets)
		sets[0].WorkedAt = now
		return sets
	}
	tried := func(sets []dispatch.CredentialSet, at time.Time, failed dispatch.TrialStep) []dispatch.CredentialSet {
		sets = slices.Clone(sets)
		sets[0].TriedAt, sets[0].TriedFailed = at, failed
		return sets
	}
	denied := []dispatch.CredentialSet{{ID: "a", State: dispatch.CredentialActive, DeniedAt: now}}
	fine := set(dispatch.CredentialActive, 31*day)
	tests := map[string]struct {
		in   dispatch.Integration
		sets []dispatch.CredentialSet
		want dispatch.IntegrationState
	}{
		"new":                             {dispatch.Integration{}, nil, dispatch.IntegrationBare},
		"all sets wiped":                  {dispatch.Integration{LastSuccessAt: now}, []dispatch.CredentialSet{{State: dispatch.CredentialWiped}}, dispatch.IntegrationBare},
		"never called":                    {dispatch.Integration{}, fine, dispatch.IntegrationUntried},
		"tried":                           {dispatch.Integration{}, tried(fine, now, ""), dispatch.IntegrationWorking},
		"tried in vain":                   {dispatch.Integration{}, tried(fine, now, dispatch.TrialToken), dispatch.IntegrationFailed},
		"tried in vain, and worked since": {dispatch.Integration{}, worked(tried(fine, now.Add(-day), dispatch.TrialToken)), dispatch.IntegrationWorking},
		"tried in vain after it worked":   {dispatch.Integration{LastSuccessAt: now}, tried(worked(fine), now.Add(time.Hour), dispatch.TrialToken), dispatch.IntegrationFailed},
		"tried in vain, and another worked since": {dispatch.Integration{LastSuccessAt: now}, tried(fine, now.Add(-day), dispatch.TrialToken), dispatch.IntegrationFailed},
		"refused in use, and tried since":         {dispatch.Integration{}, tried(denied, now.Add(time.Hour), ""), dispatch.IntegrationWorking},
		"tried, and refused in use since":         {dispatch.Integration{}, tried(denied, now.Add(-day), ""), dispatch.IntegrationDenied},
		"tried with another login": {dispatch.Integration{LastSuccessAt: now.Add(-day)}, append(entered(now),
			dispatch.CredentialSet{ID: "b", State: dispatch.CredentialRetiring, ReplacedAt: now, TriedAt: now}), dispatch.IntegrationUntried},
		"worked since another login": {dispatch.Integration{LastSuccessAt: now}, worked(entered(now.Add(-day))), dispatch.IntegrationWorking},
		"worked with another login":  {dispatch.Integration{LastSuccessAt: now}, entered(now.Add(-day)), dispatch.IntegrationUntried},
		"another that worked took over": {dispatch.Integration{LastSuccessAt: now.Add(-day)}, append(entered(now.Add(-9*day)),
			dispatch.CredentialSet{ID: "b", State: dispatch.CredentialRetiring, ReplacedAt: now, WorkedAt: now}), dispatch.IntegrationUntried},
		"worked before another was refused and deleted": {dispatch.Integration{LastSuccessAt: now.Add(-day)}, append(worked(entered(now.Add(-9*day))),
			dispatch.CredentialSet{ID: "b", State: dispatch.CredentialWiped, ReplacedAt: now}), dispatch.IntegrationWorking},
		"refused when it was last used":    {dispatch.Integration{LastSuccessAt: now}, []dispatch.CredentialSet{{ID: "a", State: dispatch.CredentialActive, DeniedAt: now}}, dispatch.IntegrationDenied},
		"worked":                           {dispatch.Integration{LastSuccessAt: now}, worked(set(dispatch.CredentialActive, 31*day)), dispatch.IntegrationWorking},
		"refused":                          {dispatch.Integration{LastSuccessAt: now, RefusedAt: now}, fine, dispatch.IntegrationRefused},
		"stopped and refused":              {dispatch.Integration{StoppedAt: now, RefusedAt: now}, fine, dispatch.IntegrationStopped},
		"thirty days left":                 {dispatch.Integration{LastSuccessAt: now}, worked(set(dispatch.CredentialActive, 30*day)), dispatch.IntegrationWorking},
		"a retiring set that ends is none": {dispatch.Integration{LastSuccessAt: now}, append(set(dispatch.CredentialRetiring, day), worked(set(dispatch.CredentialActive, 31*day))...), dispatch.IntegrationWorking},
	}
	for name, tt := range tests {
		if got := tt.in.State(tt.sets, now); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

func TestRetriedIntegration(t *testing.T) {
	t.Parallel()
	cleared := dispatch.Integration{ClearedAt: now.Add(-time.Hour)}
	with := func(change func(*dispatch.Integration)) dispatch.Integration {
		in := cleared
		change(&in)
		return in
	}
	for name, tt := range map[string]struct {
		in      dispatch.Integration
		waiting int
		want    bool
	}{
		"while something waits":       {cleared, 2, true},
		"long ago, and nothing waits": {cleared, 0, false},
		"just now":                    {dispatch.Integration{ClearedAt: now.Add(-time.Second)}, 0, true},
		"never":                       {dispatch.Integration{}, 2, false},
		"refused again":               {with(func(in *dispatch.Integration) { in.RefusedAt = now }), 2, false},
		"stopped":                     {with(func(in *dispatch.Integration) { in.StoppedAt = now }), 2, false},
		"something was taken":         {with(func(in *dispatch.Integration) { in.LastSuccessAt = now }), 2, false},
		"something was taken before":  {with(func(in *dispatch.Integration) { in.LastSuccessAt = now.Add(-2 * time.Hour) }), 2, true},
	} {
		if got := tt.in.Retried(nil, tt.waiting, now); got != tt.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
	for name, set := range map[string]dispatch.CredentialSet{
		"entered":               {ID: "b", State: dispatch.CredentialActive, CreatedAt: now},
		"tried":                 {ID: "b", State: dispatch.CredentialActive, TriedAt: now},
		"in reserve, and tried": {ID: "b", State: dispatch.CredentialRetiring, TriedAt: now, TriedFailed: dispatch.TrialToken},
	} {
		if cleared.Retried([]dispatch.CredentialSet{{ID: "a", State: dispatch.CredentialRetiring}, set}, 2, now) {
			t.Errorf("a login was %s since then, and the integration is said to be tried again", name)
		}
	}
}

func TestExpiringCredentials(t *testing.T) {
	t.Parallel()
	hour := time.Hour
	for name, tt := range map[string]struct {
		left  time.Duration
		state dispatch.CredentialState
		days  int
		soon  bool
	}{
		"thirty-one days": {31 * 24 * hour, dispatch.CredentialActive, 31, false},
		"thirty days":     {30 * 24 * hour, dispatch.CredentialActive, 30, true},
		"an hour":         {hour, dispatch.CredentialActive, 0, true},
		"in nineteen days and a half, on the twentieth": {19*24*hour + 18*hour, dispatch.CredentialActive, 20, true},
		"over":                 {-hour, dispatch.CredentialActive, 0, true},
		"a next set":           {25 * hour, dispatch.CredentialNext, 1, true},
		"a set out of service": {hour, dispatch.CredentialRetiring, 0, false},
	} {
		days, soon := dispatch.CredentialSet{State: tt.state, ExpiresAt: now.Add(tt.left)}.Expiring(now)
		if days != tt.days || soon != tt.soon {
			t.Errorf("%s: got %d days, soon %t", name, days, soon)
		}
	}
	if _, soon := (dispatch.CredentialSet{State: dispatch.CredentialActive}).Expiring(now); soon {
		t.Error("a set without an end does not end soon")
	}
}
