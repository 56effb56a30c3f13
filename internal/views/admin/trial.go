package admin

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// TrialResult is the result of a trial, step by step.
type TrialResult struct {
	Of    dispatch.CredentialSet // the set that was tried; zero: one that is not stored
	At    time.Time
	Steps []dispatch.Trial
}

// Failed is the failed step; empty if none.
func (t TrialResult) Failed() dispatch.TrialStep {
	for _, s := range t.Steps {
		if s.Failure.Key != "" {
			return s.Step
		}
	}
	return ""
}

// why is the catalogue key of what failed; empty if nothing did.
func (t TrialResult) why() string {
	for _, s := range t.Steps {
		if s.Failure.Key != "" {
			return s.Failure.Key
		}
	}
	return ""
}

// remedy tells who gives access to the accounts that are refused; empty if none is.
func (t TrialResult) remedy(ctx context.Context) string {
	for _, s := range t.Steps {
		if s.Step == dispatch.TrialAccount && s.Failure.Key == "reason.forbidden" {
			return i18n.T(ctx, "trial.access")
		}
	}
	return ""
}

// trialSummary is the trial's result in words. Accounts are tried last, over a connection that works.
func trialSummary(ctx context.Context, t TrialResult) string {
	refused := 0
	for _, s := range t.Steps {
		if s.Step == dispatch.TrialAccount && s.Failure.Key != "" {
			refused++
		}
	}
	switch {
	case refused > 0:
		return i18n.T(ctx, "trial.failed.accounts", "N", refused)
	case t.Failed() != "":
		return i18n.T(ctx, "trial.failed")
	}
	return i18n.T(ctx, "trial.worked")
}

// trialLine names a step of a trial.
func trialLine(ctx context.Context, s dispatch.Trial) string {
	if s.Account != "" {
		return i18n.T(ctx, "trial.step.account", "Account", s.Account)
	}
	return i18n.T(ctx, "trial.step."+string(s.Step))
}
